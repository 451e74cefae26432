import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Radio } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { Field } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { type AnnouncedTable, switchTable, tablesKey, tablesQuery } from './queries.js';
import { useChangeSearch } from './use-change-search.js';

/** Which tables announce their changes, with a switch for each. */
export function TablesTab(): ReactNode {
  const { ref } = useProject();
  const { q: first = '' } = useSearch({ from: '/signed-in/projects/$ref/realtime' });
  const change = useChangeSearch();
  // The address follows what is typed, and is a moment behind it.
  const [q, setQuery] = useState(first);
  const { data: tables, error, refetch } = useQuery(tablesQuery(ref));
  const shown = tables?.filter(({ table }) => table.toLowerCase().includes(q.trim().toLowerCase()));
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
      <p className="text-[14px] text-soft">
        A table that is on announces each INSERT, UPDATE and DELETE after its transaction has
        committed. Policies for select decide who receives it. A table that is off sends nothing,
        and joins that name it are refused.
      </p>
      {tables && tables.length > 0 && (
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
      )}
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      {!tables && !error && <WaitingTables />}
      {tables?.length === 0 && <NoTables />}
      {shown?.length === 0 && q !== '' && (
        <p className="text-[14px] text-soft">No table has “{q}” in its name.</p>
      )}
      {shown && shown.length > 0 && (
        <ul
          aria-label="Tables"
          className="divide-y divide-line rounded-lg border border-line bg-surface"
        >
          {shown.map((table) => (
            <TableSwitch key={table.table} of={table} />
          ))}
        </ul>
      )}
    </div>
  );
}

function TableSwitch({ of: { table, enabled } }: { readonly of: AnnouncedTable }): ReactNode {
  const { ref } = useProject();
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (wanted: boolean) => switchTable(ref, { table, enabled: wanted }),
    async onSuccess(after) {
      client.setQueryData<AnnouncedTable[]>(tablesKey(ref), (all) =>
        all?.map((one) => (one.table === table ? after : one)),
      );
      showToast({
        kind: 'done',
        text: `${table} ${after.enabled ? 'announces its changes' : 'announces nothing any more'}.`,
        undo: { label: 'Undo', run: () => change.mutate(!after.enabled) },
      });
      await client.invalidateQueries({ queryKey: tablesKey(ref) });
    },
  });
  const isOn = change.isPending ? change.variables : enabled;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-2.5">
      <label className="flex items-center gap-3 text-[14px]">
        <input
          type="checkbox"
          role="switch"
          className="size-4 shrink-0 accent-accent"
          aria-label={`Announce changes of ${table}`}
          checked={isOn}
          aria-busy={change.isPending || undefined}
          onChange={({ currentTarget: { checked } }) => {
            if (!change.isPending) change.mutate(checked);
          }}
        />
        <span className="min-w-0 grow font-medium break-all">{table}</span>
        <span className="shrink-0 text-[13px] text-soft">
          {isOn ? (
            <>
              <span className="max-sm:hidden">INSERT, UPDATE, DELETE</span>
              <span className="sm:hidden">On</span>
            </>
          ) : (
            'Off'
          )}
        </span>
      </label>
      <ProblemNotice of={change.error} />
    </li>
  );
}

function NoTables(): ReactNode {
  return (
    <section className="grid gap-1.5 rounded-lg border border-line bg-surface p-5 sm:p-8">
      <Radio aria-hidden className="size-6 text-soft" />
      <h2 className="text-[17px] font-semibold">No table yet</h2>
      <p className="max-w-prose text-[14px] text-soft">
        Make one under “Structure”. New tables announce their changes.
      </p>
    </section>
  );
}

function WaitingTables(): ReactNode {
  return (
    <div
      role="group"
      aria-busy
      aria-label="Loading"
      className="grid gap-4 rounded-lg border border-line bg-surface p-4"
    >
      <Skeleton className="w-40" />
      <Skeleton className="w-56" />
      <Skeleton className="w-32" />
    </div>
  );
}
