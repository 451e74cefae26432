// Takes the last save of a table back.
import { useState } from 'react';

import { asProblem } from '../../api/problem.js';
import { showToast } from '../../ui/toast.js';
import type { SchemaTable } from '../project/schema.js';
import { takeBack } from './save.js';
import { type Change, type RowTexts, undoOf } from './staging.js';

interface LastSave {
  readonly changes: readonly Change[];
  readonly rows: readonly (RowTexts | null)[];
}

interface UndoOptions {
  readonly ref: string;
  readonly table: SchemaTable;
  readonly refresh: () => Promise<void>;
}

interface Undo {
  readonly remember: (saved: LastSave) => void;
  readonly undo: (saved: LastSave) => Promise<void>;
  /** Undefined if nothing was saved, or it was taken back. */
  readonly undoLast: (() => void) | undefined;
}

export function useUndo({ ref, table, refresh }: UndoOptions): Undo {
  const [last, setLast] = useState<LastSave>();
  const undo = async (saved: LastSave): Promise<void> => {
    const { changes, rows } = saved;
    const { name, primaryKey, columns } = table;
    const generated = new Set(
      columns.filter(({ isGenerated }) => isGenerated).map((column) => column.name),
    );
    try {
      await takeBack({ ref, table: name }, undoOf(changes, rows, { primaryKey, generated }));
      setLast((now) => (now === saved ? undefined : now));
      showToast({ kind: 'done', text: `The changes of ${name} are taken back.` });
    } catch (thrown) {
      const { message } = asProblem(thrown);
      showToast({ kind: 'failed', text: `The changes could not be taken back. ${message}` });
    }
    await refresh();
  };
  return { remember: setLast, undo, undoLast: last && (() => void undo(last)) };
}
