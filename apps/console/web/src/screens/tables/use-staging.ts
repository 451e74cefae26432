// The staged changes of a table, and what saves them and takes them back.
import { useMutation } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';

import { counted } from '../../ui/counted.js';
import { showToast } from '../../ui/toast.js';
import type { SchemaTable } from '../project/schema.js';
import { type Conflict, maxChanges, RefusedChange, saveChanges } from './save.js';
import { type KnownRow, knownSaved, nothingStaged, type Staged, stagedSince } from './staging.js';
import { useUndo } from './use-undo.js';

export interface Staging {
  readonly staged: Staged;
  readonly change: (next: (staged: Staged) => Staged) => void;
  /** Saves what is staged when it is called, also by a change of the same event. */
  readonly save: () => void;
  readonly discard: () => void;
  /** The last end of staged changes; undefined: there was none. */
  readonly settled: Settled | undefined;
  readonly isSaving: boolean;
  /** Takes the last save back; undefined if nothing was saved, or it was taken back. */
  readonly undoLast: (() => void) | undefined;
  /** Why the last save has failed. */
  readonly error: unknown;
  /** The change that the database has refused. */
  readonly refusedId: string | undefined;
  readonly conflicts: readonly Conflict[];
  readonly closeConflicts: () => void;
}

/** Staged changes that were saved or discarded; another object each time. */
export interface Settled {
  /** Rows as they were saved, by the ids that their changes were staged under. */
  readonly rows: ReadonlyMap<string, KnownRow>;
}

interface StagingOptions {
  readonly ref: string;
  readonly table: SchemaTable;
  readonly refresh: () => Promise<void>;
}

export function useStaging({ ref, table, refresh }: StagingOptions): Staging {
  const [staged, setStaged] = useState<Staged>(nothingStaged);
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const [settled, setSettled] = useState<Settled>();
  const latest = useRef(staged);
  useLayoutEffect(() => {
    latest.current = staged;
  }, [staged]);
  const place = { ref, table: table.name };
  const { remember, undo, undoLast } = useUndo({ ref, table, refresh });
  const saving = useMutation({
    mutationFn: (sent: Staged) => saveChanges(place, sent),
    onSuccess: async (saved, sent) => {
      if (saved.kind === 'conflicts') {
        setConflicts(saved.conflicts);
        await refresh();
        return;
      }
      await refresh();
      const written = { rows: saved.rowById, primaryKey: table.primaryKey };
      setStaged((now) => stagedSince(now, sent, written));
      setSettled({ rows: knownSaved(written) });
      remember(saved);
      showToast({
        kind: 'done',
        text: `${counted(saved.changes.length, 'change')} of ${table.name} saved.`,
        undo: { label: 'Undo', run: () => void undo(saved) },
      });
    },
  });
  return {
    staged,
    change: (next) => {
      // A save that is under way goes on, and no second one begins.
      if (!saving.isPending) saving.reset();
      setStaged(next);
    },
    save: () => {
      const { size } = latest.current;
      if (size === 0 || saving.isPending) return;
      if (size > maxChanges) {
        const text = `At most ${counted(maxChanges, 'row')} are saved at once. Import a file for more.`;
        showToast({ kind: 'failed', text });
        return;
      }
      saving.mutate(latest.current);
    },
    discard: () => {
      if (!saving.isPending) saving.reset();
      setStaged(nothingStaged);
      setSettled({ rows: new Map() });
    },
    settled,
    isSaving: saving.isPending,
    undoLast,
    error: saving.error instanceof RefusedChange ? saving.error.cause : saving.error,
    refusedId: saving.error instanceof RefusedChange ? saving.error.id : undefined,
    conflicts,
    closeConflicts: () => setConflicts([]),
  };
}
