// The rows of the grid: new ones first, then those of the server, read or not.
import {
  type Cell,
  type Change,
  type KnownRow,
  knownRow,
  type RowTexts,
  type Staged,
} from './staging.js';

export interface GridRow {
  /** Unique in the grid. */
  readonly key: string;
  /** The number of the row on the server; undefined for a new one. */
  readonly position: number | undefined;
  /** The id of its change. Undefined while it is not read, and in a table without a primary key. */
  readonly id: string | undefined;
  /** With what is staged. Undefined while it is not read; a value is absent where a new row has its default. */
  readonly values: RowTexts | undefined;
  readonly known: KnownRow | undefined;
  readonly change: Change | undefined;
}

interface ServerRows {
  readonly rows: ReadonlyMap<number, RowTexts>;
  /** The number of the first row that the grid shows. */
  readonly first: number;
  readonly count: number;
  readonly primaryKey: readonly string[];
}

/** Rows that are not read yet, made once for a length: most rows of a long table are of this kind. */
export function placeholders(first: number, count: number): readonly GridRow[] {
  return Array.from({ length: count }, (_, index) => ({
    key: `at:${first + index}`,
    position: first + index,
    id: undefined,
    values: undefined,
    known: undefined,
    change: undefined,
  }));
}

export function gridRows(
  blank: readonly GridRow[],
  { rows, first, primaryKey }: ServerRows,
  staged: Staged,
): readonly GridRow[] {
  const list = blank.slice();
  for (const [position, values] of rows) {
    const index = position - first;
    if (index >= 0 && index < list.length)
      list[index] = rowOf(position, values, primaryKey, staged);
  }
  const added = [...staged].filter(([, change]) => change.kind === 'insert').map(newRow);
  return added.length === 0 ? list : [...added, ...list];
}

/** The last row of the grid for the values of the server: the grid closes an editor whose row is another object. */
const rowByValues = new WeakMap<RowTexts, GridRow>();
const rowByChange = new WeakMap<Change, GridRow>();

function rowOf(
  position: number,
  values: RowTexts,
  primaryKey: readonly string[],
  staged: Staged,
): GridRow {
  const known = knownRow(primaryKey, values);
  const change = known && staged.get(known.id);
  const former = rowByValues.get(values);
  const isSame = former?.position === position && former.change === change;
  if (isSame && former.id === known?.id) return former;
  const row = {
    key: `at:${position}`,
    position,
    id: known?.id,
    values: change?.kind === 'update' ? { ...values, ...change.values } : values,
    known,
    change,
  };
  rowByValues.set(values, row);
  return row;
}

function newRow([id, change]: readonly [string, Change]): GridRow {
  const former = rowByChange.get(change);
  if (former?.id === id) return former;
  const values = change.kind === 'insert' ? change.values : {};
  const row = { key: id, position: undefined, id, values, known: undefined, change };
  rowByChange.set(change, row);
  return row;
}

/** Whether a cell has a staged value. */
export function isStaged({ change }: GridRow, column: string): boolean {
  return change !== undefined && change.kind !== 'delete' && column in change.values;
}

/** The value of a cell; undefined for the default of a new row. */
export function cellOf(row: GridRow, column: string): Cell | undefined {
  return row.values?.[column];
}
