// Changes of rows as the grid has them, known to the server or new.
import type { GridRow } from './grid-row.js';
import {
  deleteKnown,
  type GivenValues,
  setCell,
  setNewCell,
  type Staged,
  without,
} from './staging.js';

/** With values of a row set. */
export function withValues(staged: Staged, row: GridRow, values: GivenValues): Staged {
  return Object.entries(values).reduce((former, [column, value]) => {
    if (row.known) return value === undefined ? former : setCell(former, row.known, column, value);
    return row.id === undefined ? former : setNewCell(former, row.id, column, value);
  }, staged);
}

/** With a row to be deleted; a new row is taken out. */
export function withoutRow(staged: Staged, row: GridRow): Staged {
  if (row.known) return deleteKnown(staged, row.known);
  return row.id === undefined ? staged : without(staged, row.id);
}
