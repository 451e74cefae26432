// The rows of the grid while a cell is being edited. The grid closes an editor whose row gets another number or other
// values, and what was typed is gone: the grid keeps the rows of the editor until it is closed.
import { useCallback, useLayoutEffect, useRef, useState } from 'react';

import type { GridRow } from './grid-row.js';
import type { Settled } from './use-staging.js';

export interface RowsOfGrid {
  readonly rows: readonly GridRow[];
  readonly settled: Settled | undefined;
}

/** What the grid had when an editor was opened, and the number of the row in it. */
interface Held extends RowsOfGrid {
  readonly edited: number;
}

interface HeldRows {
  /** What the grid shows. */
  readonly shown: RowsOfGrid;
  /** Takes the number of the row whose editor was opened; undefined: it was closed. */
  readonly onEdit: (row: number | undefined) => void;
  /** The row that a row of `shown` has become. */
  readonly rowNow: (row: GridRow) => GridRow;
}

export function useHeldRows(latest: RowsOfGrid): HeldRows {
  const [held, setHeld] = useState<Held>();
  const shown = rowsToShow(latest, held);
  const drawn = useRef(shown);
  useLayoutEffect(() => {
    drawn.current = shown;
  });
  const onEdit = useCallback(
    (edited: number | undefined): void =>
      setHeld(edited === undefined ? undefined : { ...drawn.current, edited }),
    [],
  );
  return {
    shown,
    onEdit,
    rowNow: (row) => (shown.settled === latest.settled ? row : rowSince(row, latest.settled)),
  };
}

/** The latest rows, or those that are held if the edited row is another one among the latest. */
export function rowsToShow(latest: RowsOfGrid, held: Held | undefined): RowsOfGrid {
  if (!held) return latest;
  return held.rows[held.edited] === latest.rows[held.edited] ? latest : held;
}

/** A row after changes were saved: a new one has got its key. */
export function rowSince(row: GridRow, settled: Settled | undefined): GridRow {
  const known = row.id === undefined ? undefined : settled?.rows.get(row.id);
  return known ? { ...row, id: known.id, known } : row;
}
