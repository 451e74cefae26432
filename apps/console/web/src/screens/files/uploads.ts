// The uploads of this tab: they go on while other screens are open, and end with the session. Which upload of the server
// belongs to which file is kept in the session storage, so that a file that is chosen again after a reload goes on.
import { useSyncExternalStore } from 'react';

import { asProblem, type Problem } from '../../api/problem.js';
import { currentSession, keptPrefix, onSessionChange } from '../../session/session.js';
import { showProblem } from '../../ui/toast.js';
import { giveUp, sendFile } from './transfer.js';
import { mayPass } from './tus.js';

/** `exists`: there is a file with this key, and the person has not said that it is replaced. */
export type UploadState = 'waiting' | 'sending' | 'paused' | 'done' | 'exists' | 'failed';

export interface Upload {
  readonly id: number;
  readonly ref: string;
  readonly bucket: string;
  readonly key: string;
  readonly size: number;
  readonly sent: number;
  readonly state: UploadState;
  readonly problem?: Problem;
}

/** A file with its place below the folder that it was dropped into. */
export interface PickedFile {
  readonly path: string;
  readonly file: File;
}

export interface UploadTarget {
  readonly ref: string;
  /** Names the operator, whose uploads are found again. */
  readonly owner: string;
  readonly bucket: string;
  /** Empty, or with a slash at the end. */
  readonly folder: string;
}

interface Work extends Upload {
  readonly owner: string;
  readonly file: File;
  readonly upsert: boolean;
  readonly stop: AbortController;
}

/** Uploads at a time. */
const width = 3;
/** Progress is shown at most this often. */
const showMs = 150;

const listeners = new Set<() => void>();
const works = new Map<number, Work>();
let shown: readonly Upload[] = [];
let timer: number | undefined;
let lastId = 0;

onSessionChange(() => {
  if (currentSession() !== undefined) return;
  for (const { stop } of works.values()) stop.abort(new Error('the session has ended'));
  works.clear();
  show();
});

/** The uploads of this tab, in the order in which they were added. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
}

export function addUploads(target: UploadTarget, files: readonly PickedFile[]): void {
  const { ref, owner, bucket, folder } = target;
  for (const { path, file } of files) {
    lastId += 1;
    const progress = { size: file.size, sent: 0, state: 'waiting' } as const;
    const place = { ref, owner, bucket, key: folder + path };
    const stop = new AbortController();
    works.set(lastId, { id: lastId, ...place, ...progress, file, upsert: false, stop });
  }
  work();
}

/** Stops an upload so that it can go on. */
export function pauseUpload(id: number): void {
  const found = works.get(id);
  if (found?.state !== 'sending' && found?.state !== 'waiting') return;
  change(id, { state: 'paused' });
  found.stop.abort(new Error('paused'));
  work();
}

/** Goes on with an upload, or replaces the file that is there. */
export function resumeUpload(id: number, options: { readonly upsert?: boolean } = {}): void {
  const found = works.get(id);
  if (!found || found.state === 'done' || found.state === 'sending') return;
  const { upsert = found.upsert } = options;
  works.set(id, {
    ...withoutProblem(found),
    state: 'waiting',
    upsert,
    stop: new AbortController(),
  });
  work();
}

/** Ends an upload for good; the server deletes what it has of it. */
export function cancelUpload(id: number): void {
  const found = works.get(id);
  if (!found) return;
  works.delete(id);
  found.stop.abort(new Error('cancelled'));
  const uploadId = keptId(found);
  keepId(found, undefined);
  if (uploadId !== undefined) giveUp(found.ref, uploadId).catch(showUnlessLeft);
  work();
}

/** Without the connection, or while the request that was stopped still ends, the server deletes the upload a day later. */
function showUnlessLeft(error: unknown): void {
  const { code } = asProblem(error);
  if (code !== 'UNREACHABLE' && code !== 'UPLOAD_BUSY') showProblem(error);
}

/** Takes the uploads out of the list that have arrived. */
export function clearDone(): void {
  for (const { id, state } of works.values()) if (state === 'done') works.delete(id);
  show();
}

function work(): void {
  const sending = [...works.values()].filter(({ state }) => state === 'sending').length;
  const waiting = [...works.values()].filter(({ state }) => state === 'waiting');
  for (const next of waiting.slice(0, Math.max(0, width - sending))) {
    change(next.id, { state: 'sending' });
    void run(next);
  }
  show();
}

async function run(started: Work): Promise<void> {
  const { id, ref, bucket, key, file, upsert, stop } = started;
  // A change that comes after the upload was stopped is of the one before.
  const update = (next: Partial<Work>): void => {
    if (!stop.signal.aborted) change(id, next);
  };
  try {
    await sendFile({
      ref,
      bucket,
      key,
      file,
      upsert,
      uploadId: keptId(started),
      signal: stop.signal,
      onUpload: (uploadId) => keepId(started, uploadId),
      onProgress: (sent) => update({ sent: Math.min(sent, file.size) }),
    });
    update({ state: 'done', sent: file.size });
  } catch (error) {
    const problem = asProblem(error);
    const isTaken = problem.code === 'FILE_EXISTS';
    // With another error the upload can go on; these end it.
    if (!stop.signal.aborted && !mayPass(problem)) keepId(started, undefined);
    update({ state: isTaken ? 'exists' : 'failed', problem });
  }
  work();
}

function change(id: number, next: Partial<Work>): void {
  const found = works.get(id);
  if (!found) return;
  works.set(id, { ...found, ...next });
  timer ??= window.setTimeout(show, showMs);
}

function show(): void {
  window.clearTimeout(timer);
  timer = undefined;
  shown = [...works.values()];
  const isBusy = shown.some(({ state }) => state === 'sending' || state === 'waiting');
  if (isBusy) window.addEventListener('beforeunload', askBefore);
  else window.removeEventListener('beforeunload', askBefore);
  for (const listener of listeners) listener();
}

/** The browser asks before it leaves the page. */
function askBefore(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function withoutProblem({ problem: _problem, ...rest }: Work): Work {
  return rest;
}

/** The same file for the same place, chosen again. */
function nameOf({ ref, owner, bucket, key, file }: Work): string {
  const facts = [bucket, key, file.size, file.lastModified];
  return `${keptPrefix}upload.${owner}.${ref}.${JSON.stringify(facts)}`;
}

function keptId(found: Work): string | undefined {
  return window.sessionStorage.getItem(nameOf(found)) ?? undefined;
}

function keepId(found: Work, uploadId: string | undefined): void {
  const name = nameOf(found);
  if (uploadId === undefined) {
    window.sessionStorage.removeItem(name);
    return;
  }
  try {
    window.sessionStorage.setItem(name, uploadId);
  } catch (error) {
    // The storage is full: the upload goes on in this tab alone.
    if (!(error instanceof DOMException)) throw error;
  }
}
