import type { ReactNode } from 'react';

import { moveByArrows } from '../../ui/move-by-arrows.js';
import { Time } from '../../ui/time.js';
import { changesInWords, changesOf } from './changes.js';
import { outcomeInWords, requestInWords, valuesOf } from './forwarded-requests.js';
import type { Entry } from './queries.js';

interface EntryTableProps {
  readonly entries: readonly Entry[];
  /** Older entries are not shown yet. */
  readonly isMore: boolean;
  readonly showsProject: boolean;
  readonly onOpen: (entry: Entry) => void;
}

const narrow = 'grid-cols-[minmax(0,1fr)_auto] sm:grid-cols-[7.5rem_minmax(0,1fr)_minmax(0,1fr)]';
const wide = {
  project:
    'lg:grid-cols-[7.5rem_minmax(0,1.3fr)_minmax(0,1fr)_minmax(0,7rem)_minmax(0,1.3fr)_minmax(0,1.3fr)]',
  plain: 'lg:grid-cols-[7.5rem_minmax(0,1.3fr)_minmax(0,1fr)_minmax(0,1.3fr)_minmax(0,1.3fr)]',
} as const;

/** The entries in lines. The arrow keys go from line to line, Enter opens one. */
export function EntryTable(props: EntryTableProps): ReactNode {
  const { entries, isMore, showsProject } = props;
  const columns = `${narrow} ${showsProject ? wide.project : wide.plain}`;
  return (
    <div
      role="table"
      aria-label="Audit log"
      // A count of -1 says that the length is not known.
      aria-rowcount={isMore ? -1 : entries.length + 1}
      className="rounded-lg border border-line bg-surface"
    >
      <div role="rowgroup">
        <div
          role="row"
          aria-rowindex={1}
          className={`grid gap-x-4 border-b border-line px-4 py-2 text-[13px] text-soft max-sm:sr-only ${columns}`}
        >
          <span role="columnheader">When</span>
          <span role="columnheader">Action</span>
          <span role="columnheader">Who</span>
          {showsProject && (
            <span role="columnheader" className="max-lg:hidden">
              Project
            </span>
          )}
          <span role="columnheader" className="max-lg:sr-only">
            Target
          </span>
          <span role="columnheader" className="max-lg:hidden">
            Changes
          </span>
        </div>
      </div>
      <div role="rowgroup" onKeyDown={(event) => moveByArrows(event, '[data-entry]')}>
        {entries.map((entry, index) => (
          <div
            key={entry.id}
            role="row"
            aria-rowindex={index + 2}
            className={`relative grid min-h-11 items-center gap-x-4 border-b border-line px-4 py-1.5 text-[14px] last:border-0 hover:bg-hover ${columns}`}
          >
            <Cells {...props} entry={entry} />
          </div>
        ))}
      </div>
    </div>
  );
}

function Cells({
  entry,
  showsProject,
  onOpen,
}: EntryTableProps & { readonly entry: Entry }): ReactNode {
  const { at, action, actor, ref, target } = entry;
  const { before, after } = valuesOf(entry);
  const request = requestInWords(entry);
  const outcome = outcomeInWords(entry);
  return (
    <>
      <div role="cell" className="text-soft max-sm:order-2 max-sm:text-[13px]">
        <Time at={at} isInRow />
      </div>
      <div role="cell" className="min-w-0 max-sm:order-1">
        <button
          type="button"
          data-entry
          onClick={() => onOpen(entry)}
          // The whole line is the button.
          className={`max-w-full truncate rounded-sm text-left font-medium before:absolute before:inset-0 before:content-[''] hover:underline ${request === undefined ? 'font-mono text-[13px]' : ''}`}
        >
          {request ?? action}
        </button>
        {outcome !== undefined && <p className="text-[13px] text-warn">{outcome}</p>}
      </div>
      <div role="cell" className="truncate max-sm:order-3 max-sm:col-span-2 max-sm:text-[13px]">
        {actor.name}
      </div>
      {showsProject && (
        <div role="cell" className="truncate font-mono text-[13px] text-soft max-lg:hidden">
          {ref ?? ''}
        </div>
      )}
      <div
        role="cell"
        className="font-mono text-[13px] break-all text-soft max-sm:order-4 max-lg:col-span-2 sm:max-lg:col-start-2 lg:truncate"
      >
        {target}
      </div>
      <div role="cell" className="truncate text-soft max-lg:hidden">
        {changesInWords(changesOf(before, after))}
      </div>
    </>
  );
}
