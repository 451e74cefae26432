import { type ReactNode, useCallback, useMemo, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { showToast } from '../../ui/toast.js';
import type { SchemaColumn, SchemaForeignKey, SchemaTable } from '../project/schema.js';
import { KnownUser } from '../users/known-user.js';
import { blockRows, Blocks } from './blocks.js';
import { FilterBar } from './filter-bar.js';
import { queryOf } from './filters.js';
import { withoutRow, withValues } from './grid-changes.js';
import { keyOfColumn } from './grid-columns.js';
import { type GridRow, gridRows, placeholders } from './grid-row.js';
import { referenceOf } from './lookup.js';
import { firstColumnOf } from './new-row.js';
import { placeBlock } from './paste.js';
import { rowsPath, type Viewer } from './requests.js';
import { type OpenDialog, RowsDialogs } from './rows-dialogs.js';
import { RowsGrid } from './rows-grid.js';
import { sortOf, type TablesSearch, whereOf } from './search.js';
import { addRow, type Cell, type GivenValues } from './staging.js';
import { TableHead } from './table-head.js';
import type { WantedCell } from './use-active-cell.js';
import { useLater } from './use-later.js';
import { useMarks } from './use-marks.js';
import { type RowsSource, useRows } from './use-rows.js';
import { useShownColumns } from './use-shown-columns.js';
import type { Staging } from './use-staging.js';

const rememberMs = 400;

interface RowsViewProps {
  readonly table: SchemaTable;
  readonly tables: readonly SchemaTable[];
  readonly search: TablesSearch;
  readonly source: RowsSource;
  readonly staging: Staging;
  readonly mayWrite: boolean;
  readonly mayViewAs: boolean;
  readonly onChange: (change: TablesSearch, isStep?: boolean) => void;
  readonly onOpen: (search: TablesSearch) => void;
  readonly onRefresh: () => void;
}

/** The rows of a table as a grid, and everything that is done with them. */
export function RowsView(props: RowsViewProps): ReactNode {
  const { table, tables, search, source, staging, mayWrite, mayViewAs } = props;
  const { onChange, onOpen, onRefresh } = props;
  const { staged, change } = staging;
  const { at = 0 } = search;
  const { query, viewer } = source;
  const read = useRows(source, at);
  const [open, setOpen] = useState<OpenDialog>();
  const first = Math.floor(at / blockRows) * blockRows;
  const count = Math.min(Math.max(0, (read.total ?? 0) - first), blockRows);
  const blank = useMemo(() => placeholders(first, count), [first, count]);
  const rows = useMemo(
    () => gridRows(blank, { rows: read.rows, first, count, primaryKey: table.primaryKey }, staged),
    [blank, read.rows, first, count, table.primaryKey, staged],
  );
  const columns = useShownColumns(table, search);
  const { shown, pinned } = columns;
  const canEdit = mayWrite && viewer === undefined && table.primaryKey.length > 0;
  const newRows = rows.length - count;
  const [wanted, setWanted] = useState<WantedCell>();
  const add = (): void => {
    const added = addRow(staged);
    change(() => added.staged);
    const column = firstColumnOf(shown);
    if (column !== undefined) setWanted({ id: added.id, column: keyOfColumn(column) });
  };
  const remember = useLater(rememberMs);
  const show = (firstIndex: number, lastIndex: number): void => {
    const from = first + Math.max(0, firstIndex - newRows);
    read.show(from, first + Math.max(0, lastIndex - newRows));
    remember(() => onChange({ at: from === 0 ? undefined : from }));
  };
  const set = useCallback(
    (row: GridRow, values: GivenValues): void =>
      change((former) => withValues(former, row, values)),
    [change],
  );
  const setOne = (
    row: GridRow,
    { name, isNullable }: SchemaColumn,
    value: Cell | undefined,
  ): void => {
    if (value === null && !isNullable) {
      showToast({ kind: 'failed', text: `${name} is not null: it needs a value.` });
    } else set(row, { [name]: value });
  };
  const marks = useMarks();
  const deleteMarked = (): void => {
    change((former) => marks.marked.reduce(withoutRow, former));
    marks.clear();
  };
  const paste = (
    block: readonly (readonly string[])[],
    from: { readonly row: number; readonly column: number },
  ): void => {
    const { targets, leftOut } = placeBlock(block, from, { columns: shown, rowCount: rows.length });
    const reachable = targets.filter(({ row }) => rows[row]?.values !== undefined);
    change((former) =>
      reachable.reduce((staging, { row, column, value }) => {
        const target = rows[row];
        return target ? withValues(staging, target, { [column.name]: value }) : staging;
      }, former),
    );
    sayLost(leftOut + targets.length - reachable.length);
  };
  const follow = useFollow(tables, setOpen);
  const path = rowsPath({
    ref: source.ref,
    table: table.name,
    query: queryOf(query, { offset: at, limit: 100 }),
  });
  return (
    <>
      <TableHead
        table={table}
        curl={curlOf({ path, viewer })}
        canEdit={canEdit}
        canViewAs={mayViewAs}
        markedCount={marks.marked.length}
        isRefreshing={read.isRefreshing}
        onAdd={add}
        onDelete={deleteMarked}
        onColumns={() => setOpen({ kind: 'columns' })}
        onImport={() => setOpen({ kind: 'import' })}
        onExport={() => setOpen({ kind: 'export' })}
        onViewAs={() => setOpen({ kind: 'view-as' })}
        onRefresh={onRefresh}
        onUndo={staging.undoLast}
      />
      <ReadOnlyNotices
        projectRef={source.ref}
        viewer={viewer}
        isWithoutKey={mayWrite && table.primaryKey.length === 0}
        onBack={() => onChange({ as: undefined, at: undefined }, true)}
      />
      <FilterBar
        columns={table.columns}
        filters={query.filters}
        sorts={query.sorts}
        onFilters={(filters) => onChange({ where: whereOf(filters), at: undefined }, true)}
        onSorts={(sorts) => onChange({ sort: sortOf(sorts), at: undefined }, true)}
      />
      <ProblemNotice of={read.error} effect="The rows could not be read." onRetry={onRefresh} />
      <RowsGrid
        // Another block begins at its first row.
        key={first}
        projectRef={source.ref}
        table={table}
        rows={rows}
        shown={shown}
        pinned={pinned}
        sorts={query.sorts}
        canEdit={canEdit}
        marked={marks.ids}
        startAt={at - first}
        wanted={wanted}
        settled={staging.settled}
        onMark={marks.mark}
        onFollow={follow}
        onSort={(sorts) => onChange({ sort: sortOf(sorts), at: undefined }, true)}
        onCell={setOne}
        onOpenValue={(row, column) => setOpen({ kind: 'value', row, column })}
        onPaste={paste}
        onShow={show}
      />
      <Blocks
        total={read.total}
        isEstimate={read.isEstimate}
        first={first}
        onBlock={(next) => onChange({ at: next === 0 ? undefined : next }, true)}
      />
      {open && (
        <RowsDialogs
          open={open}
          table={table}
          tables={tables}
          source={source}
          columns={columns}
          canEdit={canEdit}
          total={read.total}
          onSet={set}
          onChange={onChange}
          onOpen={onOpen}
          onRefresh={onRefresh}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

/** Says why rows cannot be changed. */
function ReadOnlyNotices({
  projectRef,
  viewer,
  isWithoutKey,
  onBack,
}: {
  readonly projectRef: string;
  readonly viewer: Viewer;
  readonly isWithoutKey: boolean;
  readonly onBack: () => void;
}): ReactNode {
  return (
    <>
      {viewer !== undefined && (
        <Notice kind="plain">
          <div className="flex flex-wrap items-center gap-2">
            <span className="mr-auto">
              You see what{' '}
              {viewer === 'anon' ? (
                'a visitor (anon)'
              ) : (
                <>
                  the user <KnownUser projectRef={projectRef} id={viewer} />
                </>
              )}{' '}
              sees. Rows cannot be changed meanwhile.
            </span>
            <Button size="small" onClick={onBack}>
              Back to all rows
            </Button>
          </div>
        </Notice>
      )}
      {isWithoutKey && (
        <Notice kind="plain">
          The table has no primary key, which a change of a row needs: its rows are read-only here.
          Add a key in its structure, or change rows by SQL.
        </Notice>
      )}
    </>
  );
}

/** Opens the row that a foreign key of a row leads to. */
function useFollow(
  tables: readonly SchemaTable[],
  onOpen: (dialog: OpenDialog) => void,
): (row: GridRow, key: SchemaForeignKey) => void {
  return useCallback(
    (row, key) => {
      const values = row.values && referenceOf(key, row.values);
      const target = tables.find(({ schema, name }) => schema === key.schema && name === key.table);
      if (!values) return;
      if (target?.isExposed) onOpen({ kind: 'reference', table: target, values });
      else
        showToast({
          kind: 'failed',
          text: `Rows of ${key.schema}.${key.table} are not shown here.`,
        });
    },
    [tables, onOpen],
  );
}

function sayLost(cells: number): void {
  if (cells === 0) return;
  const text = `${counted(cells, 'pasted cell')} ${cells === 1 ? 'has' : 'have'} no place here. Add rows first, or import a file.`;
  showToast({ kind: 'failed', text });
}
