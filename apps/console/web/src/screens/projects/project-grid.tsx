import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

import { Time } from '../../ui/time.js';
import { moveByArrows, ProjectLink, type ProjectsViewProps } from './project-list.js';
import { ProjectMenu } from './project-menu.js';
import type { Project } from './queries.js';
import { useRowsInSight } from './rows-in-sight.js';
import { Moment, Status } from './status.js';
import { Requests, Size } from './usage-cells.js';
import { sizeOf, type Usage } from './usage.js';

const minCardWidth = 260;
const cardHeight = 148;
const gap = 12;

/** The projects as cards, as many in a row as fit. Only the rows in sight are in the page. */
export function ProjectGrid({
  projects,
  usages,
  isUsageWaiting,
  showsOrganization,
  onOpen,
  onDelete,
}: ProjectsViewProps): ReactNode {
  const place = useRef<HTMLUListElement>(null);
  const [width, setWidth] = useState(minCardWidth);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.offsetWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const inRow = Math.max(1, Math.floor((width + gap) / (minCardWidth + gap)));
  const count = Math.ceil(projects.length / inRow);
  const height = cardHeight + gap;
  const rows = useRowsInSight(place, { count, height, overscan: 3 });
  const cardWidth = (width - gap * (inRow - 1)) / inRow;
  return (
    <ul
      ref={place}
      aria-label="Projects"
      onKeyDown={moveByArrows}
      className="relative"
      style={{ height: count * height }}
    >
      {rows.flatMap((index) =>
        projects.slice(index * inRow, (index + 1) * inRow).map((project, column) => (
          <li
            key={project.ref}
            aria-setsize={projects.length}
            aria-posinset={index * inRow + column + 1}
            className="absolute top-0 left-0 flex flex-col rounded-lg border border-line bg-surface p-4 shadow-lift hover:border-line-strong"
            style={{
              height: cardHeight,
              width: cardWidth,
              transform: `translate(${column * (cardWidth + gap)}px, ${index * height}px)`,
            }}
          >
            <div className="flex items-start gap-2">
              <div className="min-w-0 grow">
                <ProjectLink project={project} />
                <p className="truncate font-mono text-[12px] text-soft">{project.ref}</p>
                {showsOrganization && (
                  <p className="truncate text-[13px] text-soft">{project.organizationName}</p>
                )}
              </div>
              <div className="-mt-1.5 -mr-2">
                <ProjectMenu
                  project={project}
                  onOpen={() => onOpen(project)}
                  onDelete={() => onDelete(project)}
                />
              </div>
            </div>
            <CardFoot
              project={project}
              usage={{ of: usages.get(project.ref), isWaiting: isUsageWaiting }}
            />
          </li>
        )),
      )}
    </ul>
  );
}

interface CardFootProps {
  readonly project: Project;
  readonly usage: { readonly of: Usage | undefined; readonly isWaiting: boolean };
}

function CardFoot({ project, usage }: CardFootProps): ReactNode {
  return (
    <div className="mt-auto grid gap-2 text-[13px] text-soft">
      <div className="flex h-5 items-center justify-between gap-3">
        {usage.of?.requestCount === 0 ? <LastUse of={usage.of} /> : <Requests {...usage} />}
        {usage.of && sizeOf(usage.of) !== undefined && <Size {...usage} />}
      </div>
      <div className="flex items-center justify-between gap-2">
        <Status of={project} />
        <Moment of={project} />
      </div>
    </div>
  );
}

function LastUse({ of: { lastRequestAt } }: { readonly of: Usage }): ReactNode {
  if (lastRequestAt === null) return <span>No request yet</span>;
  return (
    <span>
      Used <Time isInRow at={lastRequestAt} />
    </span>
  );
}
