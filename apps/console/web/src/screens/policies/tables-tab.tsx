import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { Choice, Field } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { useMay, useProject } from '../project/use-project.js';
import { useChangeSearch } from './use-change-search.js';
import { policiesQuery, type PolicyTable } from './queries.js';
import { TableCard } from './table-card.js';
import { stateOf } from './table-state.js';

/** All tables with their policies. */
export function TablesTab(): ReactNode {
  const { ref } = useProject();
  const mayWrite = useMay('content.write');
  const mayChange = useMay('secrets.manage') && mayWrite;
  const { q: first = '', schema = 'public' } = useSearch({
    from: '/signed-in/projects/$ref/policies',
  });
  const change = useChangeSearch();
  // The address follows what is typed, and is a moment behind it.
  const [q, setQuery] = useState(first);
  const { data, error, refetch } = useQuery(policiesQuery(ref));
  const tables = data?.tables ?? [];
  const schemas = [...new Set(tables.map((table) => table.schema))];
  const chosen = schemas.includes(schema) ? schema : schemas[0];
  const shown = tables.filter(
    (table) =>
      table.schema === chosen &&
      `${table.schema}.${table.name}`.toLowerCase().includes(q.trim().toLowerCase()),
  );
  const open = tables.filter((table) => stateOf(table).kind === 'open');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="grid max-w-2xl grid-cols-[minmax(0,2fr)_minmax(0,1fr)] gap-3">
        <Field
          label="Find a table"
          type="search"
          value={q}
          placeholder="Part of its name"
          onChange={({ target }) => {
            setQuery(target.value);
            change({ q: target.value || undefined }, true);
          }}
        />
        <Choice
          label="Schema"
          value={chosen ?? ''}
          onChange={({ target }) => change({ schema: target.value }, true)}
        >
          {schemas.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Choice>
      </div>
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      {open.length > 0 && <OpenNotice of={open} />}
      {!data && !error && <WaitingTables />}
      {data && tables.every((table) => table.schema !== 'public') && <NoTables />}
      {data && shown.length === 0 && q !== '' && (
        <p className="text-[14px] text-soft">No table has “{q}” in its name.</p>
      )}
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-4 2xl:grid-cols-2">
        {shown.map((table) => (
          <li key={`${table.schema}.${table.name}`} className="grid grid-cols-[minmax(0,1fr)]">
            <TableCard table={table} mayChange={mayChange} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function OpenNotice({ of: open }: { readonly of: readonly PolicyTable[] }): ReactNode {
  const names = open.map((table) => `${table.schema}.${table.name}`).join(', ');
  return (
    <Notice kind="problem">
      <p className="font-semibold">
        Anybody with rights on these tables reaches all of their rows.
      </p>
      <p className="break-words">
        Row level security is off, so no policy is looked at: {names}. Turn it on, and write
        policies for what callers may do.
      </p>
    </Notice>
  );
}

function WaitingTables(): ReactNode {
  return (
    <div role="group" aria-busy aria-label="Loading" className="grid gap-4">
      {['w-32', 'w-48', 'w-40'].map((width) => (
        <div key={width} className="grid gap-3 rounded-lg border border-line bg-surface p-5">
          <Skeleton className={width} />
          <Skeleton className="w-64" />
        </div>
      ))}
    </div>
  );
}

function NoTables(): ReactNode {
  return (
    <div className="grid justify-items-center gap-2 rounded-lg border border-dashed border-line-strong px-6 py-10 text-center text-[14px]">
      <ShieldCheck aria-hidden className="size-6 text-soft" />
      <p className="font-semibold">No table yet</p>
      <p className="max-w-md text-soft">
        A new table has row level security on: service_role alone reaches its rows until a policy
        says so. Create a table with SQL, then write its first policy here.
      </p>
    </div>
  );
}
