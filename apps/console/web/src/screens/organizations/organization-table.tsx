import type { ReactNode } from 'react';

import { moveByArrows } from '../../ui/move-by-arrows.js';
import { counted } from '../../ui/counted.js';
import { Time } from '../../ui/time.js';
import type { Organization } from './queries.js';

interface OrganizationTableProps {
  readonly organizations: readonly Organization[];
  readonly total: number;
  /** The number of the first one among all. */
  readonly first: number;
  readonly onOpen: (organization: Organization) => void;
}

const columns =
  'grid-cols-[minmax(0,1fr)_auto] sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_8rem]';

/** The organizations in lines. The arrow keys go from line to line, Enter opens one. */
export function OrganizationTable(props: OrganizationTableProps): ReactNode {
  const { organizations, total, first, onOpen } = props;
  return (
    <div
      role="table"
      aria-label="Organizations"
      aria-rowcount={total + 1}
      className="rounded-lg border border-line bg-surface"
    >
      <div role="rowgroup">
        <div
          role="row"
          aria-rowindex={1}
          className={`grid gap-x-4 border-b border-line px-4 py-2 text-[13px] text-soft max-sm:sr-only ${columns}`}
        >
          <span role="columnheader">Organization</span>
          <span role="columnheader">Members</span>
          <span role="columnheader">Owners</span>
          <span role="columnheader">Created</span>
        </div>
      </div>
      <div role="rowgroup" onKeyDown={(event) => moveByArrows(event, '[data-organization]')}>
        {organizations.map((organization, index) => (
          <div
            key={organization.id}
            role="row"
            aria-rowindex={first + index + 1}
            className={`relative grid min-h-14 items-center gap-x-4 border-b border-line px-4 py-1.5 text-[14px] last:border-0 hover:bg-hover ${columns}`}
          >
            <div role="cell" className="min-w-0">
              <button
                type="button"
                data-organization
                onClick={() => onOpen(organization)}
                // The whole line is the button.
                className="max-w-full truncate rounded-sm text-left font-medium before:absolute before:inset-0 before:content-[''] hover:underline"
              >
                {organization.name}
              </button>
              <p className="truncate font-mono text-[12px] text-soft">{organization.slug}</p>
            </div>
            <div role="cell" className="text-soft tabular-nums max-sm:text-right">
              {counted(organization.members, 'member')}
            </div>
            <div role="cell" className="tabular-nums max-sm:text-[13px]">
              <Owners count={organization.owners} />
            </div>
            <div role="cell" className="text-soft max-sm:text-right max-sm:text-[13px]">
              <Time at={organization.createdAt} isInRow />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}

/** An organization without an owner is changed by an administrator alone. */
function Owners({ count }: { readonly count: number }): ReactNode {
  if (count > 0) return <span className="text-soft">{counted(count, 'owner')}</span>;
  return <span className="font-medium text-warn">No owner</span>;
}
