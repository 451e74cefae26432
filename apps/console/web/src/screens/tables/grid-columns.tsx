import { ArrowUpRight, KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Column } from 'react-data-grid';

import { Skeleton } from '../../ui/skeleton.js';
import type { SchemaColumn, SchemaForeignKey, SchemaTable } from '../project/schema.js';
import { CellValue, UntouchedValue } from './cell-value.js';
import { cellOf, type GridRow, isStaged } from './grid-row.js';
import { InlineEditor } from './inline-editor.js';
import { isLarge, kindOf, type ValueKind } from './value-kinds.js';
import type { Widths } from './widths.js';

/** The key of the column of boxes; those of values have a prefix, so that no name is the same. */
const marksKey = 'marks';
const prefix = 'column:';
export const keyOfColumn = (name: string): string => prefix + name;
/** Undefined for the column of boxes. */
export const nameOfKey = (key: string): string | undefined =>
  key.startsWith(prefix) ? key.slice(prefix.length) : undefined;

interface ColumnsOptions {
  readonly table: SchemaTable;
  readonly shown: readonly SchemaColumn[];
  readonly pinned: ReadonlySet<string>;
  readonly widths: Widths;
  readonly canEdit: boolean;
  readonly marked: ReadonlySet<string>;
  readonly onMark: (row: GridRow, isMarked: boolean) => void;
  readonly onFollow: (row: GridRow, key: SchemaForeignKey) => void;
  /** The number of the row that is being edited; undefined: none is any more. */
  readonly onEdit: (row: number | undefined) => void;
}

/** Whether the value of a cell can be set: a computed column has none of its own. */
export function isEditable(info: SchemaColumn, row: GridRow): boolean {
  return !info.isGenerated && row.values !== undefined && row.change?.kind !== 'delete';
}

/** The columns of the grid. */
export function gridColumns(options: ColumnsOptions): readonly Column<GridRow>[] {
  const { shown, canEdit } = options;
  const columns = shown.map((info) => columnOf(info, options));
  return canEdit ? [marksColumn(options), ...columns] : columns;
}

function columnOf(info: SchemaColumn, options: ColumnsOptions): Column<GridRow> {
  const { table, pinned, widths, canEdit, onFollow, onEdit } = options;
  const { name } = info;
  const isKey = table.primaryKey.includes(name);
  const foreignKey = table.foreignKeys.find(({ columns }) => columns.includes(name));
  return {
    key: keyOfColumn(name),
    name,
    width: widths[name] ?? defaultWidth(info),
    minWidth: 60,
    resizable: true,
    sortable: true,
    frozen: pinned.has(name),
    editable: (row) => canEdit && !isLarge(kindOf(info)) && isEditable(info, row),
    cellClass: (row) =>
      isStaged(row, name) && row.change?.kind === 'update'
        ? 'cell-staged'
        : info.isGenerated
          ? 'cell-readonly'
          : '',
    renderHeaderCell: ({ sortDirection, priority }) => (
      <HeaderCell info={info} isKey={isKey} sortDirection={sortDirection} priority={priority} />
    ),
    renderCell: ({ row }) => {
      if (!row.values) return <Skeleton className="w-3/5" />;
      const value = cellOf(row, name);
      return (
        <span className="flex min-w-0 items-center gap-1">
          <span className="min-w-0 grow truncate">
            {value === undefined ? <UntouchedValue of={info} /> : <CellValue of={value} />}
          </span>
          {foreignKey && typeof value === 'string' && (
            <button
              type="button"
              // The focus is on the cell, whose Enter edits it, and whose Alt-Enter does the same as this.
              tabIndex={-1}
              aria-label={`Open the row of ${foreignKey.table}`}
              title={`Open the row of ${foreignKey.table} (Alt-Enter)`}
              onClick={(event) => {
                event.stopPropagation();
                onFollow(row, foreignKey);
              }}
              className="grid size-6 shrink-0 place-items-center rounded text-soft hover:bg-hover hover:text-ink"
            >
              <ArrowUpRight aria-hidden className="size-3.5" />
            </button>
          )}
        </span>
      );
    },
    renderEditCell: ({ row, rowIdx, onRowChange, onClose }) => (
      <InlineEditor
        info={info}
        row={row}
        rowIdx={rowIdx}
        onRowChange={onRowChange}
        onClose={onClose}
        onEdit={onEdit}
      />
    ),
  };
}

function HeaderCell({
  info,
  isKey,
  sortDirection,
  priority,
}: {
  readonly info: SchemaColumn;
  readonly isKey: boolean;
  readonly sortDirection: 'ASC' | 'DESC' | undefined;
  readonly priority: number | undefined;
}): ReactNode {
  const about = [info.type, info.isNullable ? undefined : 'not null', info.comment ?? undefined];
  const arrow = sortDirection === 'ASC' ? '↑' : '↓';
  return (
    <span
      className="flex min-w-0 items-baseline gap-1.5"
      title={about.filter((word) => word !== undefined).join(' · ')}
    >
      {isKey && (
        <KeyRound aria-label="primary key" className="size-3 shrink-0 self-center text-warn" />
      )}
      <span className="truncate font-semibold">{info.name}</span>
      <span className="truncate text-[11px] font-normal text-soft">{shortType(info.type)}</span>
      {sortDirection && (
        <span className="ml-auto shrink-0 text-accent">
          {arrow}
          {priority}
        </span>
      )}
    </span>
  );
}

function marksColumn({ marked, onMark }: ColumnsOptions): Column<GridRow> {
  return {
    key: marksKey,
    name: 'Marked',
    width: 38,
    minWidth: 38,
    frozen: true,
    renderHeaderCell: () => <span className="sr-only">Marked</span>,
    renderCell: ({ row, tabIndex }) =>
      row.values && (
        <input
          type="checkbox"
          tabIndex={tabIndex}
          aria-label={
            row.position === undefined ? 'Mark the new row' : `Mark row ${row.position + 1}`
          }
          checked={row.id !== undefined && marked.has(row.id)}
          disabled={row.id === undefined}
          onChange={(event) => onMark(row, event.currentTarget.checked)}
          className="size-4 align-middle accent-accent"
        />
      ),
  };
}

/** Usual abbreviations of long names; the title of the column has the name itself. */
function shortType(type: string): string {
  return type
    .replace('timestamp with time zone', 'timestamptz')
    .replace('timestamp without time zone', 'timestamp')
    .replace('time without time zone', 'time')
    .replace('character varying', 'varchar')
    .replace('double precision', 'float8')
    .replace(/^public\./, '');
}

const widthByKind: Partial<Readonly<Record<ValueKind, number>>> = {
  uuid: 310,
  timestamptz: 250,
  timestamp: 220,
  text: 220,
  integer: 110,
  number: 150,
};

function defaultWidth(info: SchemaColumn): number {
  const forName = 52 + (info.name.length + Math.min(shortType(info.type).length, 12)) * 7;
  const kind = kindOf(info);
  // Nineteen digits
  const forValues =
    info.baseType === 'bigint' ? 165 : (widthByKind[kind] ?? (isLarge(kind) ? 220 : 120));
  return Math.min(360, Math.max(forName, forValues));
}
