import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';

/** More rows would be higher than browsers draw; a longer table is shown in blocks. */
export const blockRows = 500_000;

interface BlocksProps {
  readonly total: number | undefined;
  readonly isEstimate: boolean;
  readonly first: number;
  readonly onBlock: (first: number) => void;
}

/** How many rows there are, and the way to those that the grid has no room for. */
export function Blocks({ total, isEstimate, first, onBlock }: BlocksProps): ReactNode {
  if (total === undefined) return <p className="text-[13px] text-soft">Counting rows…</p>;
  return (
    <div className="flex flex-wrap items-center gap-2 text-[13px] text-soft">
      <p role="status">
        {isEstimate ? 'About ' : ''}
        {counted(total, 'row')}
      </p>
      {total > blockRows && (
        <>
          <Button size="small" disabled={first === 0} onClick={() => onBlock(first - blockRows)}>
            Previous {blockRows.toLocaleString('en')}
          </Button>
          <Button
            size="small"
            disabled={first + blockRows >= total}
            onClick={() => onBlock(first + blockRows)}
          >
            Next {blockRows.toLocaleString('en')}
          </Button>
        </>
      )}
    </div>
  );
}
