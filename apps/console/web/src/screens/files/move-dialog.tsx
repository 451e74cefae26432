import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field, Tick } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Notice } from '../../ui/notice.js';
import { shownName } from '../../ui/shown-name.js';
import { showProblem, showToast } from '../../ui/toast.js';
import type { BulkResult } from '../users/bulk.js';
import { useProject } from '../project/use-project.js';
import { type BulkMove, type Move, movesInto, movesTo, runMoves } from './file-actions.js';
import { folderOf, typedFolder } from './names.js';
import type { Entry } from './queries.js';

/** Files that stayed where they are. */
interface Left {
  /** The place that was typed. */
  readonly typed: string;
  readonly failed: BulkResult<Move>['failed'];
}

interface MoveDialogProps {
  readonly kind: 'move' | 'copy';
  readonly bucket: string;
  /** The folder that is open: empty, or with a slash at the end. */
  readonly folder: string;
  readonly entries: readonly Entry[];
  /** Files have been moved or copied. */
  readonly onEnd: () => Promise<void>;
  readonly onClose: () => void;
}

/** Moves or copies files and folders within their bucket: one to another key, several into another folder. */
export default function MoveDialog(props: MoveDialogProps): ReactNode {
  const { kind, bucket, folder, entries, onEnd, onClose } = props;
  const { ref } = useProject();
  const [one] = entries;
  const single = entries.length === 1 && one ? one : undefined;
  const [typed, setTyped] = useState(single ? suggestedKey(single, kind) : folder);
  const [upsert, setUpsert] = useState(false);
  const [progress, setProgress] = useState<{ readonly ended: number; readonly of: number }>();
  /** What failed on the way to which place. */
  const [left, setLeft] = useState<Left>();
  const order: BulkMove = { ref, bucket, kind, upsert };
  /** After a failure, those that are left. */
  const movesOf = async (): Promise<readonly Move[]> => {
    if (left?.typed === typed) return left.failed.map(({ item }) => item);
    if (single) return movesTo(ref, bucket, single, targetOf(single, typed));
    return movesInto(ref, bucket, entries, typedFolder(typed));
  };
  const moving = useMutation({
    mutationFn: async () => {
      const moves = await movesOf();
      const count = (ended: number): void => setProgress({ ended, of: moves.length });
      count(0);
      return runMoves(order, moves, count);
    },
    async onSuccess(result) {
      setProgress(undefined);
      if (result.done.length > 0) await onEnd();
      if (result.done.length > 0) showDone(order, result.done, onEnd);
      if (result.failed.length === 0) onClose();
      else setLeft({ typed, failed: result.failed });
    },
  });
  const isFolderInto =
    kind === 'move' &&
    entries.some((entry) => entry.kind === 'folder' && isWithin(single, typed, entry.key));
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isFolderInto) return;
    moving.mutate();
  };
  const what = single ? shownName(single.name) : counted(entries.length, 'item');
  const verb = kind === 'move' ? 'Move' : 'Copy';
  return (
    <Dialog title={`${verb} ${what}`} onClose={onClose}>
      <form onSubmit={submit}>
        <DialogBody>
          <Field
            label={
              single ? (single.kind === 'folder' ? 'New folder' : 'New key') : 'Into the folder'
            }
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            hint={
              single
                ? 'The whole path in the bucket, with slashes between folders.'
                : 'The path of a folder; empty for the top of the bucket. It need not exist.'
            }
            problem={isFolderInto ? 'A folder cannot be moved into itself.' : undefined}
            required={single !== undefined}
            autoComplete="off"
            spellCheck={false}
            autoFocus
          />
          <Tick
            label="Replace files that exist there"
            checked={upsert}
            onChange={(event) => setUpsert(event.currentTarget.checked)}
          />
          {progress && (
            <p role="status" className="text-[14px] text-soft">
              {progress.ended.toLocaleString('en')} of {counted(progress.of, 'file')}
            </p>
          )}
          <ProblemNotice of={moving.error} />
          {left && !moving.isPending && <LeftFiles failed={left.failed} kind={kind} />}
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>{left ? 'Close' : 'Cancel'}</Button>
          <Button type="submit" look="primary" busy={moving.isPending}>
            {verb}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** Which files stayed where they are, and why the first one did. */
function LeftFiles({
  failed,
  kind,
}: {
  readonly failed: Left['failed'];
  readonly kind: 'move' | 'copy';
}): ReactNode {
  const [first] = failed;
  return (
    <>
      <ProblemNotice
        of={first?.error}
        effect={`${counted(failed.length, 'file')} could not be ${kind === 'move' ? 'moved' : 'copied'}.`}
      />
      <Notice kind="plain">
        <ul className="max-h-40 overflow-y-auto text-[13px]">
          {failed.slice(0, 20).map(({ item }) => (
            <li key={item.id} className="break-all">
              <bdi>{shownName(item.from)}</bdi>
            </li>
          ))}
        </ul>
      </Notice>
    </>
  );
}

/** A message with the way back: moved files go back. Copies stay, and what was replaced is gone. */
function showDone(order: BulkMove, done: readonly Move[], onEnd: () => Promise<void>): void {
  const undo = async (): Promise<void> => {
    const back = done.map(({ id, from, to }) => ({ id, from: to, to: from }));
    const { failed } = await runMoves({ ...order, upsert: false }, back, () => undefined);
    if (failed[0]) showProblem(failed[0].error);
    await onEnd();
  };
  const words = order.kind === 'move' ? 'moved' : 'copied';
  showToast({
    kind: 'done',
    text: `${counted(done.length, 'file')} ${words}.`,
    ...(order.kind === 'move' &&
      !order.upsert && { undo: { label: 'Undo', run: () => void undo() } }),
  });
}

/** For a copy a key that is free as a rule: `a/photo copy.png`. */
function suggestedKey(entry: Entry, kind: 'move' | 'copy'): string {
  if (kind === 'move') return entry.key;
  if (entry.kind === 'folder') return `${entry.key.slice(0, -1)} copy/`;
  const dot = entry.name.lastIndexOf('.');
  const [base, extension] =
    dot > 0 ? [entry.name.slice(0, dot), entry.name.slice(dot)] : [entry.name, ''];
  return `${folderOf(entry.key)}${base} copy${extension}`;
}

/** A key that ends with a slash is a folder, in which the file keeps its name. */
function targetOf(entry: Entry, typed: string): string {
  if (entry.kind === 'folder') return typedFolder(typed);
  return typed.endsWith('/') ? typedFolder(typed) + entry.name : typed.trim();
}

function isWithin(single: Entry | undefined, typed: string, folder: string): boolean {
  const target = typedFolder(typed);
  if (single && target === folder) return false;
  return target.startsWith(folder);
}
