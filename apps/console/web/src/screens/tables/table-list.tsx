import { Link } from '@tanstack/react-router';
import { Eye, Search, ShieldOff, Table2 } from 'lucide-react';
import type { ReactNode } from 'react';

import { Choice } from '../../ui/field.js';
import type { SchemaTable } from '../project/schema.js';
import { useProject } from '../project/use-project.js';
import type { TablesSearch } from './search.js';

interface TableListProps {
  /** Undefined while they are read. */
  readonly tables: readonly SchemaTable[] | undefined;
  readonly search: TablesSearch;
  readonly onChange: (change: TablesSearch) => void;
  readonly onOpen: (search: TablesSearch) => void;
}

/** The tables of the schema; on narrow pages a choice. */
export function TableList({ tables = [], search, onChange, onOpen }: TableListProps): ReactNode {
  const wanted = (search.q ?? '').trim().toLowerCase();
  const found = tables.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <>
      <div className="xl:hidden">
        <Choice
          label="Table"
          isBare
          value={search.table ?? ''}
          onChange={(event) => onOpen({ table: event.currentTarget.value })}
        >
          <option value="" disabled>
            Choose a table
          </option>
          {tables.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Choice>
      </div>
      <nav
        aria-label="Tables"
        className="sticky top-18 hidden max-h-[calc(100dvh-6rem)] min-w-0 gap-2 xl:grid xl:grid-rows-[auto_minmax(0,1fr)]"
      >
        <label className="relative">
          <span className="sr-only">Search tables</span>
          <Search aria-hidden className="absolute top-2.5 left-2.5 size-4 text-soft" />
          <input
            type="search"
            value={search.q ?? ''}
            placeholder="Search tables"
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => onChange({ q: event.currentTarget.value || undefined })}
            className="h-9 w-full rounded-md border border-line-strong bg-surface pr-2 pl-8 shadow-lift focus-visible:outline-offset-0"
          />
        </label>
        <ul className="overflow-y-auto p-0.5">
          {found.map((table) => (
            <li key={table.name}>
              <TableLink of={table} search={search} />
            </li>
          ))}
          {tables.length > 0 && found.length === 0 && (
            <li className="px-2 py-1.5 text-[13px] text-soft">No table has this in its name.</li>
          )}
        </ul>
      </nav>
    </>
  );
}

function TableLink({
  of: { name, kind, hasRls, isExposed },
  search,
}: {
  readonly of: SchemaTable;
  readonly search: TablesSearch;
}): ReactNode {
  const { ref } = useProject();
  const isTable = kind === 'table' || kind === 'partitioned';
  const Icon = isTable ? Table2 : Eye;
  return (
    <Link
      to="/projects/$ref/tables"
      params={{ ref }}
      search={{ schema: search.schema, q: search.q, table: name }}
      aria-current={search.table === name ? 'page' : undefined}
      activeOptions={{ exact: true, includeSearch: true }}
      className="flex h-8 items-center gap-2 rounded-md px-2 text-[14px] text-soft hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 grow truncate">{name}</span>
      {isTable && isExposed && !hasRls && (
        <ShieldOff
          aria-label="without row level security"
          className="size-3.5 shrink-0 text-warn"
        />
      )}
    </Link>
  );
}
