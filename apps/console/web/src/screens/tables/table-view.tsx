import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useCallback, useMemo } from 'react';

import type { SchemaTable } from '../project/schema.js';
import { useMay, useProject } from '../project/use-project.js';
import { ConflictDialog } from './conflict-dialog.js';
import type { RowsQuery } from './filters.js';
import { LeaveDialog } from './leave-dialog.js';
import { ReviewBar } from './review-bar.js';
import { RlsBadge } from './rls-badge.js';
import { RowsView } from './rows-view.js';
import { isSaveKey } from './save.js';
import { filtersOf, sortsOf, type TablesSearch } from './search.js';
import { StructureLink } from './structure-link.js';
import { useStaging } from './use-staging.js';

interface TableViewProps {
  readonly table: SchemaTable;
  readonly tables: readonly SchemaTable[];
  readonly search: TablesSearch;
  readonly onChange: (change: TablesSearch, isStep?: boolean) => void;
  readonly onOpen: (search: TablesSearch) => void;
}

/** One table: its rows, or why they are not shown here. */
export function TableView(props: TableViewProps): ReactNode {
  return props.table.isExposed ? <ShownTable {...props} /> : <NotShown table={props.table} />;
}

/** Tables above this are counted by estimate: counting them takes the database a while. */
const exactUpTo = 500_000;

/** Staged changes stay while filters and order change. */
function ShownTable({ table, tables, search, onChange, onOpen }: TableViewProps): ReactNode {
  const { ref } = useProject();
  const client = useQueryClient();
  const mayViewAs = useMay('secrets.manage');
  const mayWrite = useMay('content.write');
  const { name, columns, primaryKey } = table;
  const refresh = useCallback(
    () => client.invalidateQueries({ queryKey: ['projects', ref, 'rows', name] }),
    [client, ref, name],
  );
  const staging = useStaging({ ref, table, refresh });
  const { where, sort } = search;
  const query = useMemo((): RowsQuery => {
    const names = columns.map((column) => column.name);
    const known = new Set(names);
    return {
      columns: names,
      filters: filtersOf({ where }, known),
      sorts: sortsOf({ sort }, known),
      primaryKey,
    };
  }, [columns, primaryKey, where, sort]);
  const viewer = mayViewAs ? search.as : undefined;
  const save = (event: KeyboardEvent): void => {
    if (!isSaveKey(event)) return;
    event.preventDefault();
    staging.save();
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3" onKeyDown={save}>
      <RowsView
        // Other rows begin at their first one.
        key={JSON.stringify([query.filters, query.sorts, viewer])}
        table={table}
        tables={tables}
        search={search}
        source={{
          ref,
          table: name,
          query,
          viewer,
          count: table.estimatedRows > exactUpTo ? 'estimated' : 'exact',
        }}
        staging={staging}
        mayWrite={mayWrite}
        mayViewAs={mayViewAs}
        onChange={onChange}
        onOpen={onOpen}
        onRefresh={() => void refresh()}
      />
      <ReviewBar table={table} staging={staging} />
      <ConflictDialog staging={staging} />
      <LeaveDialog count={staging.staged.size} />
    </div>
  );
}

function NotShown({ table }: { readonly table: SchemaTable }): ReactNode {
  const { name, kind } = table;
  return (
    <section className="grid justify-items-start gap-3 rounded-lg border border-line bg-surface p-5">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="text-[20px] leading-tight font-semibold break-words">{name}</h1>
        <RlsBadge of={table} />
      </div>
      <p className="max-w-prose text-[14px] text-soft">
        {kind === 'table' || kind === 'partitioned'
          ? 'The REST API does not serve this table, so its rows are not shown here. Read them in the SQL editor.'
          : `Rows of a ${kind} are read in the SQL editor: the REST API serves tables alone.`}
      </p>
      <StructureLink table={name}>Structure</StructureLink>
    </section>
  );
}
