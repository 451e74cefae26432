import { useCallback, useMemo, useState } from 'react';

import type { GridRow } from './grid-row.js';

interface Marks {
  readonly marked: readonly GridRow[];
  readonly ids: ReadonlySet<string>;
  readonly mark: (row: GridRow, isMarked: boolean) => void;
  readonly clear: () => void;
}

/** The rows whose boxes are ticked. Rows that are not read cannot be. */
export function useMarks(): Marks {
  const [rowById, setRowById] = useState<ReadonlyMap<string, GridRow>>(new Map());
  const mark = useCallback((row: GridRow, isMarked: boolean): void => {
    const { id } = row;
    if (id === undefined) return;
    setRowById((former) => {
      const next = new Map(former);
      if (isMarked) next.set(id, row);
      else next.delete(id);
      return next;
    });
  }, []);
  const ids = useMemo(() => new Set(rowById.keys()), [rowById]);
  return { marked: [...rowById.values()], ids, mark, clear: () => setRowById(new Map()) };
}
