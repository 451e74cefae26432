// Moves the objects of a project into the driver of new files, one by one, while they are read: a file is in one driver
// until its copy is complete in the other, and its old object stays for its current readers.
import { randomUUID } from 'node:crypto';

import { AppError } from '#libs/errors';

import type { ProjectStorage } from '../project-storage.js';
import { copyObject, WrongContentError } from './copy-object.js';
import { inParallel } from './in-parallel.js';
import {
  countFailures,
  countFiles,
  discardCopy,
  finishRelocation,
  giveUpRelocation,
  isStillThere,
  listMovable,
  type MovableFile,
  moveFile,
  releaseRelocation,
  type RelocationRun,
  renewRelocation,
  saveProgress,
  takeRelocation,
} from './relocation.sql.js';
import { codeOf, type StoreAccess } from './remove-garbage.js';

const copiesAtOnce = 4;
const filesPerPart = 40;
const renewEveryMs = 5000;
/** How long the move waits if a store cannot be used, or if objects have to be removed first. */
const pauseSeconds = 60;

/** Failures of a store rather than of a file: the move waits until the store is available again. */
const STORE_FAILURES: ReadonlySet<string> = new Set([
  'STORAGE_UNAVAILABLE',
  'STORAGE_FULL',
  'STORAGE_NOT_CONFIGURED',
]);

export interface RelocationDeps extends StoreAccess {
  /** For the local driver. An absolute path. */
  readonly storageFolder: string;
}

type Pause = { readonly seconds: number; readonly lastError: string | undefined };

/**
 * Continues the running move, unless another process does, until it has ended, is stopped, has to wait, or the signal
 * aborts. The next process continues from there.
 */
export async function relocateFiles(deps: RelocationDeps, signal: AbortSignal): Promise<void> {
  const run = await takeRelocation(deps.db, randomUUID());
  if (!run) return;
  const lease = keepLease(deps, run, signal);
  let pause: Pause = { seconds: 0, lastError: undefined };
  try {
    pause = await runPasses({ deps, signal: lease.signal }, run);
  } catch (error) {
    pause = { seconds: pauseSeconds, lastError: codeOf(error) };
    if (!lease.signal.aborted) deps.onError(error, 'move files to another driver');
  } finally {
    await lease.end();
    // Does nothing if the move has ended or another process has taken it.
    await releaseRelocation(deps.db, run.runner, signal.aborted ? { ...pause, seconds: 0 } : pause);
  }
}

interface Work {
  readonly deps: RelocationDeps;
  /** Aborts when this process must leave the move alone. */
  readonly signal: AbortSignal;
}

interface StoreWork extends Work {
  readonly storage: ProjectStorage;
}

/** Schedules the next round. */
async function runPasses(work: Work, taken: RelocationRun): Promise<Pause> {
  const { deps, signal } = work;
  const { db } = deps;
  let run = taken;
  // Another process may have moved some of the files of this pass.
  let moved = run.cursor === null ? 0 : 1;
  while (!signal.aborted) {
    const files = await listMovable(db, run, filesPerPart);
    const last = files.at(-1);
    if (last) {
      // Acquired for each batch: the settings may change meanwhile.
      using lease = await deps.acquireStorage();
      if (lease.value.kind !== run.to) {
        await giveUpRelocation(db, run.runner, 'new files now go to another driver');
        break;
      }
      const part = await movePart({ ...work, storage: lease.value }, run, files);
      moved += part.moved;
      run = { ...run, cursor: last.id, failures: merge(run.failures, part.failures) };
      if (signal.aborted || !(await saveProgress(db, run.runner, run))) break;
      continue;
    }
    // New files may be anywhere in the order of ids.
    const rest = (await countFiles(db, run.from)) - countFailures(run.failures);
    if (rest <= 0) {
      await finishRelocation(db, run.runner);
      break;
    }
    run = { ...run, cursor: null, failures: {} };
    if (!(await saveProgress(db, run.runner, run))) break;
    if (moved === 0) return { seconds: pauseSeconds, lastError: undefined };
    moved = 0;
  }
  return { seconds: 0, lastError: undefined };
}

interface PartResult {
  readonly moved: number;
  readonly failures: Readonly<Record<string, number>>;
}

/** Throws the first failure of a store; the files moved until then are counted in the row. */
async function movePart(
  work: StoreWork,
  run: RelocationRun,
  files: readonly MovableFile[],
): Promise<PartResult> {
  const failures: Record<string, number> = {};
  let moved = 0;
  await inParallel(files, copiesAtOnce, async (file) => {
    if (work.signal.aborted) return;
    const outcome = await moveOne(work, run, file);
    if (outcome.kind === 'moved') moved += 1;
    if (outcome.kind === 'failed') failures[outcome.reason] = (failures[outcome.reason] ?? 0) + 1;
  });
  return { moved, failures };
}

type Outcome =
  | { readonly kind: 'moved' | 'skipped' | 'lost' }
  | { readonly kind: 'failed'; readonly reason: string };

async function moveOne(
  { deps, signal, storage }: StoreWork,
  run: RelocationRun,
  file: MovableFile,
): Promise<Outcome> {
  const { db, storageFolder, onError } = deps;
  // A signal for each file, so that listeners which are never removed are collected with it.
  const copy = {
    from: storage.driverOf(run.from),
    to: storage.driverOf(run.to),
    storageFolder,
    signal: AbortSignal.any([signal]),
  };
  try {
    const isCopied = await copyObject(copy, file);
    if (!isCopied) return await missing(deps, run, file);
  } catch (error) {
    if (signal.aborted) return { kind: 'lost' };
    if (isStoreFailure(error)) throw error;
    onError(error, `move the file ${file.id} to another driver`);
    const reason = error instanceof WrongContentError ? error.message : codeOf(error);
    return { kind: 'failed', reason };
  }
  const kind = await moveFile(db, run, file);
  if (kind !== 'moved') await discardCopy(db, run.to, file);
  return { kind };
}

/** Why there was nothing to copy: the file has changed meanwhile, or its object is lost. */
async function missing(
  { db }: RelocationDeps,
  { from }: RelocationRun,
  file: MovableFile,
): Promise<Outcome> {
  const isLost = await isStillThere(db, from, file);
  return isLost ? { kind: 'failed', reason: 'STORAGE_OBJECT_MISSING' } : { kind: 'skipped' };
}

function isStoreFailure(error: unknown): boolean {
  return error instanceof AppError && STORE_FAILURES.has(error.code);
}

function merge(
  some: Readonly<Record<string, number>>,
  others: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const merged = { ...some };
  for (const [reason, count] of Object.entries(others)) {
    merged[reason] = (merged[reason] ?? 0) + count;
  }
  return merged;
}

/** Renews the lease until `end`. The signal aborts with the given signal, and if the lease is lost. */
function keepLease(
  { db, onError }: RelocationDeps,
  { runner }: RelocationRun,
  given: AbortSignal,
): { readonly signal: AbortSignal; end(): Promise<void> } {
  const lost = new AbortController();
  let renewing = Promise.resolve();
  const renew = async (): Promise<void> => {
    try {
      if (!(await renewRelocation(db, runner))) lost.abort();
    } catch (error) {
      // Without the database the state of the lease is unknown.
      onError(error, 'keep the move of files');
      lost.abort();
    }
  };
  const timer = setInterval(() => {
    renewing = renewing.then(renew);
  }, renewEveryMs);
  timer.unref();
  return {
    signal: AbortSignal.any([given, lost.signal]),
    async end() {
      clearInterval(timer);
      await renewing;
    },
  };
}
