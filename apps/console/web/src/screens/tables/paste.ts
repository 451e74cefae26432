// Cells that were copied in a spreadsheet or in the grid: lines of tab-separated texts, where a text with tabs, line ends
// or quotes is in quotes.
import type { SchemaColumn } from '../project/schema.js';
import type { Cell } from './staging.js';
import { hasEmptyText, kindOf } from './value-kinds.js';

/** The cells of a pasted text, row by row. */
export function readBlock(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { value, end } = readCell(text, at);
    row.push(value);
    if (text[end] === '\t') {
      at = end + 1;
      // A tab at the very end leads to an empty cell.
      if (at === text.length) row.push('');
      continue;
    }
    rows.push(row);
    row = [];
    at = text.startsWith('\r\n', end) ? end + 2 : end + 1;
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

function readCell(text: string, at: number): { readonly value: string; readonly end: number } {
  const quoted = /"((?:[^"]|"")*)"(?=\t|\r?\n|$)/y;
  quoted.lastIndex = at;
  const match = quoted.exec(text);
  if (match) return { value: (match[1] ?? '').replaceAll('""', '"'), end: quoted.lastIndex };
  const stop = /\t|\r?\n|$/g;
  stop.lastIndex = at;
  const end = stop.exec(text)?.index ?? text.length;
  return { value: text.slice(at, end), end };
}

/** A cell of a spreadsheet as a value: an empty cell is NULL where the column takes it and has no empty text. */
function pastedValue(column: SchemaColumn, text: string): Cell {
  return text === '' && (column.isNullable || !hasEmptyText(kindOf(column))) ? null : text;
}

/** One value as a cell that {@link readBlock} reads back. */
export function copiedCell(value: Cell): string {
  const text = value ?? '';
  return /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

interface Target {
  readonly row: number;
  readonly column: SchemaColumn;
  readonly value: Cell;
}

interface Grid {
  /** Columns in sight, in their order. */
  readonly columns: readonly SchemaColumn[];
  readonly rowCount: number;
}

interface Placed {
  readonly targets: readonly Target[];
  /** Cells that had no place: beyond the last column or row, or in a column that is computed. */
  readonly leftOut: number;
}

/** Where the cells of a block go when its first one is put at `row` and `column`. */
export function placeBlock(
  block: readonly (readonly string[])[],
  from: { readonly row: number; readonly column: number },
  { columns, rowCount }: Grid,
): Placed {
  const targets: Target[] = [];
  let leftOut = 0;
  for (const [down, cells] of block.entries()) {
    for (const [right, text] of cells.entries()) {
      const column = columns[from.column + right];
      const row = from.row + down;
      if (!column || row >= rowCount || column.isGenerated) leftOut++;
      else targets.push({ row, column, value: pastedValue(column, text) });
    }
  }
  return { targets, leftOut };
}
