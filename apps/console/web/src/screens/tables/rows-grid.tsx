// The grid of rows with its keys: Enter edits, Shift-Enter opens the value, Delete sets NULL, Alt-Enter follows a foreign
// key, Ctrl-C copies a cell, and a block of a spreadsheet is pasted onto cells.
import { type ClipboardEvent, type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import type {
  CellKeyboardEvent,
  CellKeyDownArgs,
  RowsChangeData,
  SortColumn,
} from 'react-data-grid';

import { copyText, showCopyFailure } from '../../ui/copy.js';
import { DataGrid } from '../../ui/data-grid.js';
import type { SchemaColumn, SchemaForeignKey, SchemaTable } from '../project/schema.js';
import type { Sort } from './filters.js';
import { gridColumns, isEditable, keyOfColumn, nameOfKey } from './grid-columns.js';
import { cellOf, type GridRow } from './grid-row.js';
import { copiedCell, readBlock } from './paste.js';
import type { Cell } from './staging.js';
import { useActiveCell, type WantedCell } from './use-active-cell.js';
import { useHeldRows } from './use-held-rows.js';
import type { Settled } from './use-staging.js';
import { isLarge, kindOf } from './value-kinds.js';
import { keepWidth, readWidths } from './widths.js';
import './tables.css';

const rowHeight = 33;

interface RowsGridProps {
  readonly projectRef: string;
  readonly table: SchemaTable;
  readonly rows: readonly GridRow[];
  /** In their order; pinned ones first. */
  readonly shown: readonly SchemaColumn[];
  readonly pinned: ReadonlySet<string>;
  readonly sorts: readonly Sort[];
  readonly canEdit: boolean;
  readonly marked: ReadonlySet<string>;
  /** Where the grid begins to show rows. */
  readonly startAt: number;
  /** The cell that is to get the focus. */
  readonly wanted: WantedCell | undefined;
  readonly settled: Settled | undefined;
  readonly onMark: (row: GridRow, isMarked: boolean) => void;
  readonly onFollow: (row: GridRow, key: SchemaForeignKey) => void;
  readonly onSort: (sorts: readonly Sort[]) => void;
  /** Undefined: a new row has its default again. */
  readonly onCell: (row: GridRow, column: SchemaColumn, value: Cell | undefined) => void;
  readonly onOpenValue: (row: GridRow, column: SchemaColumn) => void;
  readonly onPaste: (
    block: readonly (readonly string[])[],
    from: { readonly row: number; readonly column: number },
  ) => void;
  /** The indexes of the first and the last row in sight. */
  readonly onShow: (first: number, last: number) => void;
}

export function RowsGrid(props: RowsGridProps): ReactNode {
  const { projectRef, table, shown, pinned, sorts, canEdit, marked, startAt } = props;
  const { onMark, onFollow, onSort, onCell, onOpenValue, onPaste, onShow } = props;
  const place = useRef<HTMLDivElement>(null);
  const held = useHeldRows({ rows: props.rows, settled: props.settled });
  const { rows, settled } = held.shown;
  const { onEdit } = held;
  const columns = useMemo(
    () =>
      gridColumns({
        table,
        shown,
        pinned,
        widths: readWidths(projectRef, table.name),
        canEdit,
        marked,
        onMark,
        onFollow,
        onEdit,
      }),
    [table, shown, pinned, projectRef, canEdit, marked, onMark, onFollow, onEdit],
  );
  const { grid, active, onSelectedCellChange } = useActiveCell({
    rows,
    columns,
    wanted: props.wanted,
    settled,
  });
  const hasRows = rows.length > 0;
  useLayoutEffect(() => {
    const element = place.current?.querySelector('[role=grid]');
    if (element && hasRows) element.scrollTop = startAt * rowHeight;
    // Once, when the length of the table is known: from then on the grid is moved by its reader.
  }, [hasRows]);
  const infoOf = (key: string): SchemaColumn | undefined =>
    shown.find(({ name }) => name === nameOfKey(key));
  const opensLarge = (info: SchemaColumn): boolean =>
    isLarge(kindOf(info)) || table.foreignKeys.some(({ columns }) => columns.includes(info.name));
  const takeRows = (
    next: readonly GridRow[],
    { indexes, column }: RowsChangeData<GridRow>,
  ): void => {
    const info = infoOf(column.key);
    for (const index of indexes) {
      const [former, row] = [rows[index], next[index]];
      if (!former || !row || !info) continue;
      const value = cellOf(row, info.name);
      if (cellOf(former, info.name) !== value) onCell(held.rowNow(former), info, value);
    }
  };
  const press = (args: CellKeyDownArgs<GridRow>, event: CellKeyboardEvent): void => {
    const info = args.mode === 'SELECT' ? infoOf(args.column.key) : undefined;
    const { row } = args;
    if (args.mode !== 'SELECT' || !info || !row?.values) return;
    // The grid would open the editor of the cell; the event that follows has the cells.
    if (event.key.toLowerCase() === 'v' && (event.ctrlKey || event.metaKey)) {
      event.preventGridDefault();
      return;
    }
    const isEditing = canEdit && isEditable(info, row);
    const does = actionFor(event, { isLarge: opensLarge(info), isEditing });
    if (does === undefined) return;
    event.preventGridDefault();
    event.preventDefault();
    if (does === 'open') onOpenValue(row, info);
    if (does === 'copy') {
      copyText(copiedCell(cellOf(row, info.name) ?? null)).catch(showCopyFailure);
    }
    if (does === 'null') onCell(row, info, null);
    if (does === 'follow') {
      const key = table.foreignKeys.find((each) => each.columns.includes(info.name));
      if (key) onFollow(row, key);
    }
  };
  const paste = (event: ClipboardEvent): void => {
    const { target } = event;
    const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    const cell = active.current;
    const column = shown.findIndex(({ name }) => keyOfColumn(name) === cell?.column);
    if (isField || !canEdit || !cell || cell.row < 0 || column < 0) return;
    event.preventDefault();
    onPaste(readBlock(event.clipboardData.getData('text/plain')), { row: cell.row, column });
  };
  return (
    <div ref={place} onPaste={paste} className="min-w-0">
      <DataGrid<GridRow, unknown, string>
        ref={grid}
        aria-label={`Rows of ${table.name}`}
        className="tables-grid"
        columns={columns}
        rows={rows}
        rowKeyGetter={({ key }) => key}
        rowHeight={rowHeight}
        headerRowHeight={rowHeight + 2}
        rowClass={({ change }) =>
          change?.kind === 'insert'
            ? 'row-new'
            : change?.kind === 'delete'
              ? 'row-deleted'
              : undefined
        }
        sortColumns={sorts.map(({ column, isDescending }): SortColumn => ({
          columnKey: keyOfColumn(column),
          direction: isDescending ? 'DESC' : 'ASC',
        }))}
        onSortColumnsChange={(next) =>
          onSort(
            next.map(({ columnKey, direction }) => ({
              column: nameOfKey(columnKey) ?? '',
              isDescending: direction === 'DESC',
            })),
          )
        }
        onRowsChange={takeRows}
        onCellKeyDown={press}
        onCellDoubleClick={({ row, column }, event) => {
          const info = infoOf(column.key);
          if (!info || !row.values) return;
          if (canEdit && !opensLarge(info) && isEditable(info, row)) return;
          event.preventGridDefault();
          onOpenValue(row, info);
        }}
        onSelectedCellChange={onSelectedCellChange}
        onColumnResize={(index, width) => {
          const name = nameOfKey(columns[index]?.key ?? '');
          if (name !== undefined) keepWidth(projectRef, table.name, name, width);
        }}
        onScroll={({ currentTarget: { scrollTop, clientHeight } }) =>
          onShow(
            Math.floor(scrollTop / rowHeight),
            Math.ceil((scrollTop + clientHeight) / rowHeight),
          )
        }
      />
    </div>
  );
}

type Action = 'open' | 'copy' | 'null' | 'follow';

/** What a key does on a selected cell; undefined: what the grid does by itself. */
function actionFor(
  { key, altKey, shiftKey, ctrlKey, metaKey }: CellKeyboardEvent,
  cell: { readonly isLarge: boolean; readonly isEditing: boolean },
): Action | undefined {
  if (key === 'Enter' && altKey) return 'follow';
  if (key === 'Enter' && (shiftKey || cell.isLarge || !cell.isEditing)) return 'open';
  if (key.toLowerCase() === 'c' && (ctrlKey || metaKey)) return 'copy';
  if (key === 'Delete' && cell.isEditing && !ctrlKey) return 'null';
  return undefined;
}
