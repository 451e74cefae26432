import { ArrowDown, ArrowUp, Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';

import { moveByArrows } from '../../ui/move-by-arrows.js';
import { Menu } from '../../ui/menu.js';
import type { MenuEntry } from '../../ui/menu-entry.js';
import { Time } from '../../ui/time.js';
import { contactsOf, nameOf, providerName } from './names.js';
import type { User } from './queries.js';
import { nextOrder } from './list-query.js';
import { type Order, usualOrder } from './search.js';
import { RoleBadge, StatusBadge } from './status.js';

const columns =
  'grid-cols-[1.25rem_minmax(0,1fr)_2.25rem] sm:grid-cols-[1.25rem_minmax(0,1fr)_7rem_2.25rem] lg:grid-cols-[1.25rem_minmax(0,1.5fr)_5rem_7.5rem_minmax(0,1fr)_8rem_8rem_2.25rem]';

interface UserTableProps {
  readonly users: readonly User[];
  /** How many there are on all pages, and the number of the first one here. */
  readonly total: number;
  readonly first: number;
  readonly order: Order | undefined;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (users: readonly User[], isSelected: boolean) => void;
  readonly onSort: (order: Order) => void;
  readonly onOpen: (user: User) => void;
  readonly entriesOf: (user: User) => readonly MenuEntry[];
}

/** A page of users. The arrow keys go from name to name. */
export function UserTable(props: UserTableProps): ReactNode {
  const { users, total, first, order = usualOrder, selected, onSelect, onSort } = props;
  const areAll = users.length > 0 && users.every(({ id }) => selected.has(id));
  return (
    <div
      role="table"
      aria-label="Users"
      aria-rowcount={total + 1}
      className="rounded-lg border border-line bg-surface"
    >
      <div role="rowgroup">
        <div
          role="row"
          aria-rowindex={1}
          className={`grid items-center gap-x-4 border-b border-line px-4 py-2 text-[13px] text-soft ${columns}`}
        >
          <span role="columnheader">
            <input
              type="checkbox"
              aria-label="Select all users of this page"
              checked={areAll}
              onChange={() => onSelect(users, !areAll)}
              className="block size-4 accent-accent"
            />
          </span>
          <Head field="name" order={order} onSort={onSort}>
            User
          </Head>
          <span role="columnheader" className="max-lg:hidden">
            Role
          </span>
          <span role="columnheader" className="max-sm:hidden">
            Status
          </span>
          <span role="columnheader" className="max-lg:hidden">
            Providers
          </span>
          <Head field="lastSignInAt" order={order} onSort={onSort} className="max-lg:hidden">
            Last sign-in
          </Head>
          <Head field="createdAt" order={order} onSort={onSort} className="max-lg:hidden">
            Created
          </Head>
          <span role="columnheader">
            <span className="sr-only">Actions</span>
          </span>
        </div>
      </div>
      <div role="rowgroup" onKeyDown={(event) => moveByArrows(event, '[data-user]')}>
        {users.map((user, index) => (
          <div
            key={user.id}
            role="row"
            aria-rowindex={first + index + 1}
            data-selected={selected.has(user.id) || undefined}
            className={`grid min-h-14 items-center gap-x-4 border-b border-line px-4 py-1.5 last:border-0 hover:bg-hover data-selected:bg-accent-soft/50 ${columns}`}
          >
            <Cells {...props} user={user} />
          </div>
        ))}
      </div>
    </div>
  );
}

function Cells({
  user,
  selected,
  onSelect,
  onOpen,
  entriesOf,
}: UserTableProps & { readonly user: User }): ReactNode {
  const name = nameOf(user);
  return (
    <>
      <div role="cell">
        <input
          type="checkbox"
          aria-label={`Select ${name}`}
          checked={selected.has(user.id)}
          onChange={(event) => onSelect([user], event.currentTarget.checked)}
          className="block size-4 accent-accent"
        />
      </div>
      <div role="cell" className="min-w-0">
        <button
          type="button"
          data-user={user.id}
          title={name}
          onClick={() => onOpen(user)}
          className="block max-w-full truncate rounded-sm text-left font-medium hover:underline"
        >
          {name}
        </button>
        <p className="truncate text-[13px] text-soft">{contactsOf(user)}</p>
        <p className="pt-0.5 sm:hidden">
          <StatusBadge of={user} />
        </p>
      </div>
      <div role="cell" className="max-lg:hidden">
        <RoleBadge of={user} />
      </div>
      <div role="cell" className="max-sm:hidden">
        <StatusBadge of={user} />
      </div>
      <div role="cell" className="truncate text-[14px] text-soft max-lg:hidden">
        {user.providers.map(providerName).join(', ') || 'none'}
      </div>
      <div role="cell" className="truncate text-[14px] text-soft max-lg:hidden">
        {user.lastSignInAt === null ? 'never' : <Time at={user.lastSignInAt} isInRow />}
      </div>
      <div role="cell" className="truncate text-[14px] text-soft max-lg:hidden">
        <Time at={user.createdAt} isInRow />
      </div>
      <div role="cell">
        <Menu
          label={`Actions on ${name}`}
          icon={<Ellipsis aria-hidden className="size-4" />}
          entries={entriesOf(user)}
        />
      </div>
    </>
  );
}

interface HeadProps {
  readonly field: 'name' | 'lastSignInAt' | 'createdAt';
  readonly order: Order;
  readonly onSort: (order: Order) => void;
  readonly className?: string;
  readonly children: ReactNode;
}

function Head({ field, order, onSort, className = '', children }: HeadProps): ReactNode {
  const [sorted, direction] = order.split('.');
  const isSorted = sorted === field;
  const Arrow = direction === 'desc' ? ArrowDown : ArrowUp;
  return (
    <span
      role="columnheader"
      className={className}
      {...(isSorted && { 'aria-sort': direction === 'desc' ? 'descending' : 'ascending' })}
    >
      <button
        type="button"
        onClick={() => onSort(nextOrder(order, field))}
        className={`inline-flex items-center gap-1 rounded-sm hover:text-ink ${isSorted ? 'text-ink' : ''}`}
      >
        {children}
        {isSorted && <Arrow aria-hidden className="size-3.5" />}
      </button>
    </span>
  );
}
