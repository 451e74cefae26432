import { useQueryClient } from '@tanstack/react-query';
import { Ban, Download, LogOut, Trash2, X } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { showProblem, showToast } from '../../ui/toast.js';
import {
  act,
  type Ban as BanOrder,
  banUser,
  deleteUser,
  endSessions,
  refreshUsers,
} from './actions.js';
import { forEachOf, undoForEachOf } from './bulk.js';
import { banOf, leftOutInWords } from './bulk-ban.js';
import { downloadCsv } from './csv.js';
import type { User } from './queries.js';

const BanDialog = lazy(() => import('./ban-dialog.js'));
const DeleteDialog = lazy(() => import('./delete-dialog.js'));

interface BulkBarProps {
  readonly projectRef: string;
  readonly users: readonly User[];
  readonly onClear: () => void;
}

interface BulkChange {
  /** The users that are changed: all that are selected, unless some are left out. */
  readonly on?: readonly User[];
  /** A sentence about those that are left out. */
  readonly note?: string | undefined;
  readonly work: (id: string) => Promise<unknown>;
  /** What was done with them: `banned`. */
  readonly words: string;
  readonly undo?: (id: string) => Promise<unknown>;
}

/** What can be done with the users that are selected. */
export function BulkBar({ projectRef: ref, users, onClear }: BulkBarProps): ReactNode {
  const queryClient = useQueryClient();
  const [progress, setProgress] = useState<string>();
  const [dialog, setDialog] = useState<'ban' | 'delete'>();
  const run = async ({ on = users, note, work, words, undo }: BulkChange): Promise<void> => {
    setDialog(undefined);
    setProgress(`0 of ${on.length}`);
    const ended = (count: number): void => setProgress(`${count} of ${on.length}`);
    const { done, failed } = await forEachOf(on, ({ id }) => work(id), ended);
    setProgress(undefined);
    await refreshUsers(queryClient, ref);
    const takeBack = async (change: (id: string) => Promise<unknown>): Promise<void> => {
      await undoForEachOf(done, ({ id }) => change(id)).catch(showProblem);
      await refreshUsers(queryClient, ref);
    };
    if (done.length > 0)
      showToast({
        kind: 'done',
        text: [`${counted(done.length, 'user')} ${words}.`, ...(note ? [note] : [])].join(' '),
        ...(undo && { undo: { label: 'Undo', run: () => void takeBack(undo) } }),
      });
    if (failed.length === 0) onClear();
    else showProblem(failed[0]?.error);
  };
  const { banned, leftOut } = banOf(users);
  const note = leftOutInWords(leftOut);
  const askBan = (): void => {
    if (banned.length > 0) setDialog('ban');
    else
      showToast({ kind: 'failed', text: 'Every selected user is deactivated or banned already.' });
  };
  const isBusy = progress !== undefined;
  return (
    <section
      aria-label="Selected users"
      className="sticky top-16 z-10 mb-3 flex flex-wrap items-center gap-2 rounded-lg border border-accent bg-accent-soft px-3 py-2"
    >
      <p role="status" className="mr-auto pl-1 text-[14px] font-medium text-accent">
        {progress ?? `${counted(users.length, 'user')} selected`}
      </p>
      <Button busy={isBusy} onClick={askBan}>
        <Ban aria-hidden className="size-4" />
        Ban
      </Button>
      <Button
        busy={isBusy}
        onClick={() =>
          void run({ work: (id) => endSessions(ref, id), words: 'signed out everywhere' })
        }
      >
        <LogOut aria-hidden className="size-4" />
        Sign out everywhere
      </Button>
      <Button busy={isBusy} onClick={() => downloadCsv(`users-of-${ref}.csv`, users)}>
        <Download aria-hidden className="size-4" />
        Export as CSV
      </Button>
      <Button busy={isBusy} onClick={() => setDialog('delete')}>
        <Trash2 aria-hidden className="size-4 text-danger" />
        Delete
      </Button>
      <Button look="quiet" size="icon" aria-label="Clear the selection" onClick={onClear}>
        <X aria-hidden className="size-4" />
      </Button>
      <Suspense>
        {dialog === 'ban' && (
          <BanDialog
            users={banned}
            note={note}
            onBan={(ban: BanOrder) =>
              run({
                on: banned,
                note,
                work: (id) => banUser(ref, id, ban),
                words: 'banned',
                undo: (id) => act(ref, id, 'unban'),
              })
            }
            onClose={() => setDialog(undefined)}
          />
        )}
        {dialog === 'delete' && (
          <DeleteDialog
            users={users}
            onDelete={() => run({ work: (id) => deleteUser(ref, id), words: 'deleted' })}
            onClose={() => setDialog(undefined)}
          />
        )}
      </Suspense>
    </section>
  );
}
