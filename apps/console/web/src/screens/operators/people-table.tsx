import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';

import { moveByArrows } from '../../ui/move-by-arrows.js';
import { Menu } from '../../ui/menu.js';
import type { MenuEntry } from '../../ui/menu-entry.js';
import { Time } from '../../ui/time.js';
import { AdminBadge, FactorBadge, StatusBadge } from './badges.js';
import { accessInWords, nameOf, type Person } from './people.js';
import type { OperatorsWorld } from './world.js';

const narrow = 'grid-cols-[minmax(0,1fr)_2.25rem]';
/** Administrators of the deployment see the second factor and the last sign-in, too. */
const wide = {
  forAdmins:
    'sm:grid-cols-[minmax(0,1fr)_6rem_8rem_2.25rem] lg:grid-cols-[minmax(0,1.2fr)_minmax(0,1.5fr)_7rem_8rem_8rem_2.25rem]',
  plain:
    'sm:grid-cols-[minmax(0,1fr)_8rem_2.25rem] lg:grid-cols-[minmax(0,1.2fr)_minmax(0,1.5fr)_8rem_2.25rem]',
} as const;

interface PeopleTableProps {
  readonly world: OperatorsWorld;
  readonly people: readonly Person[];
  readonly onOpen: (person: Person) => void;
  readonly entriesOf: (person: Person) => readonly MenuEntry[];
}

/** The operators. The arrow keys go from name to name. */
export function PeopleTable(props: PeopleTableProps): ReactNode {
  const { world, people } = props;
  const columns = `${narrow} ${world.isAdmin ? wide.forAdmins : wide.plain}`;
  return (
    <div
      role="table"
      aria-label="Operators"
      aria-rowcount={people.length + 1}
      className="rounded-lg border border-line bg-surface"
    >
      <div role="rowgroup">
        <div
          role="row"
          className={`grid items-center gap-x-4 border-b border-line px-4 py-2 text-[13px] text-soft ${columns}`}
        >
          <span role="columnheader">Operator</span>
          <span role="columnheader" className="max-lg:hidden">
            Access
          </span>
          {world.isAdmin && (
            <>
              <span role="columnheader" className="max-sm:hidden">
                Second factor
              </span>
              <span role="columnheader" className="max-lg:hidden">
                Last sign-in
              </span>
            </>
          )}
          <span role="columnheader" className="max-sm:hidden">
            State
          </span>
          <span role="columnheader">
            <span className="sr-only">Actions</span>
          </span>
        </div>
      </div>
      <div role="rowgroup" onKeyDown={(event) => moveByArrows(event, '[data-operator]')}>
        {people.map((person) => (
          <div
            key={person.id}
            role="row"
            className={`grid min-h-14 items-center gap-x-4 border-b border-line px-4 py-1.5 last:border-0 hover:bg-hover ${columns}`}
          >
            <Cells {...props} person={person} />
          </div>
        ))}
      </div>
    </div>
  );
}

function Cells({
  world,
  person,
  onOpen,
  entriesOf,
}: PeopleTableProps & { readonly person: Person }): ReactNode {
  const name = nameOf(person);
  const access = accessInWords(person, world.organizationName);
  return (
    <>
      <div role="cell" className="min-w-0">
        <div className="flex min-w-0 items-center gap-2">
          <button
            type="button"
            data-operator
            title={name}
            onClick={() => onOpen(person)}
            className="min-w-0 truncate rounded-sm text-left font-medium hover:underline"
          >
            {name}
          </button>
          {person.id === world.selfId && <span className="text-[13px] text-soft">you</span>}
          <span className="max-sm:hidden">
            <AdminBadge of={person} />
          </span>
        </div>
        {name !== person.email && <p className="truncate text-[13px] text-soft">{person.email}</p>}
        <p className="flex flex-wrap items-center gap-2 pt-0.5 sm:hidden">
          <StatusBadge of={person} />
          <AdminBadge of={person} />
          {world.isAdmin && <FactorBadge of={person} isNamed />}
        </p>
      </div>
      <div role="cell" title={access} className="truncate text-[14px] text-soft max-lg:hidden">
        {access}
      </div>
      {world.isAdmin && (
        <>
          <div role="cell" className="max-sm:hidden">
            <FactorBadge of={person} />
          </div>
          <div role="cell" className="truncate text-[14px] text-soft max-lg:hidden">
            <LastSignIn of={person} />
          </div>
        </>
      )}
      <div role="cell" className="max-sm:hidden">
        <StatusBadge of={person} />
      </div>
      <div role="cell">
        <Menu
          label={`Actions on ${name}`}
          icon={<Ellipsis aria-hidden className="size-4" />}
          entries={entriesOf(person)}
        />
      </div>
    </>
  );
}

export function LastSignIn({ of: { lastSignInAt } }: { readonly of: Person }): ReactNode {
  if (lastSignInAt === undefined) return null;
  return lastSignInAt === null ? 'never' : <Time at={lastSignInAt} isInRow />;
}
