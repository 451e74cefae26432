// The cell that has the keyboard. The grid knows it by the numbers of its row and its column. Here it is known by the row
// itself, whose number changes when rows are added and saved.
import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { CellSelectArgs, DataGridHandle } from 'react-data-grid';

import type { GridRow } from './grid-row.js';
import type { Settled } from './use-staging.js';

/** A cell that is to get the focus once; another object asks again. */
export interface WantedCell {
  /** The id of the row. */
  readonly id: string;
  /** The key of the column. */
  readonly column: string;
}

interface ActiveCell {
  readonly row: number;
  readonly column: string;
  /** Undefined while the row is not read, and for the head. */
  readonly id: string | undefined;
}

interface ActiveCellOptions {
  readonly rows: readonly GridRow[];
  readonly columns: readonly { readonly key: string }[];
  readonly wanted: WantedCell | undefined;
  readonly settled: Settled | undefined;
}

interface ActiveCellOfGrid {
  readonly grid: RefObject<DataGridHandle | null>;
  readonly active: RefObject<ActiveCell | undefined>;
  readonly onSelectedCellChange: (args: CellSelectArgs<GridRow>) => void;
}

/**
 * Moves to the cell that is wanted, and stays in the same row and column when rows get other numbers. After changes are
 * saved or discarded the cell has the focus again, unless something else has it. A row that is gone, or is not read at
 * its new place, leaves the cell where it was.
 */
export function useActiveCell(options: ActiveCellOptions): ActiveCellOfGrid {
  const { rows, columns, wanted, settled } = options;
  const grid = useRef<DataGridHandle>(null);
  const active = useRef<ActiveCell>(undefined);
  const movedTo = useRef<WantedCell>(undefined);
  const seen = useRef(settled);
  const go = (row: number, column: string): void => {
    const idx = columns.findIndex(({ key }) => key === column);
    const handle = grid.current;
    if (!handle || idx < 0) return;
    const isThere = active.current?.row === row && active.current.column === column;
    active.current = { row, column, id: rows[row]?.id };
    // The grid gives the focus to a cell that was not selected before, once it is drawn.
    if (isThere) focusSelected(handle);
    else handle.selectCell({ rowIdx: row, idx });
  };
  useLayoutEffect(() => {
    if (!wanted || movedTo.current === wanted) return;
    const row = rows.findIndex(({ id }) => id === wanted.id);
    if (row < 0) return;
    movedTo.current = wanted;
    go(row, wanted.column);
  });
  useLayoutEffect(() => {
    const { current: cell } = active;
    const isSettled = settled !== seen.current;
    seen.current = settled;
    if (!cell || cell.row < 0 || !mayFocus(grid.current, isSettled)) return;
    const { row, column } = cell;
    // A row that was not read when it was selected is known by now.
    const id = cell.id ?? rows[row]?.id;
    const now = id === undefined ? undefined : (isSettled && settled?.rows.get(id)?.id) || id;
    const found = rows[row]?.id === now ? row : rows.findIndex((each) => each.id === now);
    const next = found < 0 ? Math.min(row, rows.length - 1) : found;
    active.current = { row, column, id: now };
    if (next >= 0 && (next !== row || isSettled)) go(next, column);
  }, [rows, settled]);
  return {
    grid,
    active,
    onSelectedCellChange({ row, rowIdx, column }) {
      // The head has no row, whatever the type says.
      const found: GridRow | undefined = row;
      active.current = { row: rowIdx, column: column.key, id: found?.id };
    },
  };
}

/** Whether the focus is in the grid, or was lost with a button that is gone. */
function mayFocus(handle: DataGridHandle | null, isSettled: boolean): boolean {
  const { activeElement, body } = document;
  if (handle?.element?.contains(activeElement) === true) return true;
  return isSettled && (activeElement === null || activeElement === body);
}

function focusSelected({ element }: DataGridHandle): void {
  const cell = element?.querySelector<HTMLElement>('[role=gridcell][aria-selected=true]');
  const within = cell?.querySelector<HTMLElement>('[tabindex="0"]') ?? cell;
  cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  within?.focus({ preventScroll: true });
}
