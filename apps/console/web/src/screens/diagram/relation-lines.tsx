import { ViewportPortal } from '@xyflow/react';
import { memo, type ReactNode } from 'react';

import type { Layout } from './layout.js';
import type { Line } from './lines.js';
import { useDiagramView } from './view-context.js';

interface RelationLinesProps {
  readonly lines: readonly Line[];
  readonly size: Pick<Layout, 'width' | 'height'>;
}

/** Lines may leave the area of the boxes by as much. */
const marginPx = 200;

/** The foreign keys, below the boxes. The list of relations says the same in words. */
export const RelationLines = memo(function RelationLines({
  lines,
  size: { width, height },
}: RelationLinesProps): ReactNode {
  const { chosen, related, isFar } = useDiagramView();
  const box = [-marginPx, -marginPx, width + 2 * marginPx, height + 2 * marginPx];
  return (
    <ViewportPortal>
      <svg
        aria-hidden
        data-lines={lines.length}
        viewBox={box.join(' ')}
        width={box[2]}
        height={box[3]}
        className="pointer-events-none absolute fill-none"
        style={{ left: -marginPx, top: -marginPx, zIndex: -1 }}
      >
        {lines.map(({ relation: { id, from, to }, curve, mark }) => {
          const isOfChosen = chosen !== undefined && (from === chosen || to === chosen);
          const look = isOfChosen
            ? 'stroke-accent'
            : related === undefined
              ? 'stroke-line-strong'
              : 'stroke-line';
          return (
            <path
              key={id}
              d={`${curve}${mark}`}
              className={look}
              strokeWidth={isFar ? 4 : isOfChosen ? 2.2 : 1.4}
            />
          );
        })}
      </svg>
    </ViewportPortal>
  );
});
