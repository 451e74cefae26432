import type { Readable } from 'node:stream';
import { AppError, fail } from '#libs/errors';
import { Intake } from './intake.js';
import type { AppendOptions } from './storage-driver.js';

/** The destination of appended content. */
export interface AppendSink {
  take(chunk: Buffer): Promise<void>;
  /** Makes everything durable that was taken, and reports it. */
  store(): Promise<void>;
}

/** Returns the intake for content that continues at `offset`. */
export function appendIntake(content: Readable, options: AppendOptions): Intake {
  const { size, offset, mediaType, signal, inspectHead } = options;
  return new Intake(content, {
    maxBytes: size - offset,
    mediaType,
    signal,
    ...(offset === 0 && inspectHead && { inspectHead }),
  });
}

/**
 * Passes all content to the sink. If the content ends in an error, the bytes before it are stored all the same. What
 * has arrived is also stored every `checkpointMs`, so that a crash loses only the bytes since then.
 */
export async function takeAll(
  intake: Intake,
  sink: AppendSink,
  checkpointMs: number,
): Promise<void> {
  // One after the other: the sink takes nothing while it stores.
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work);
    // The next caller receives the error; until then no code waits for the promise.
    last.catch(() => undefined);
    return last;
  };
  const timer = setInterval(() => void inTurn(() => sink.store()), checkpointMs).unref();
  try {
    // Without holding back a last chunk: the sink knows the size of the whole object.
    await intake.pump((chunk) => inTurn(() => sink.take(chunk)));
  } catch (error) {
    clearInterval(timer);
    if (intake.refusal) await inTurn(() => sink.store());
    throw error;
  } finally {
    clearInterval(timer);
  }
  await inTurn(() => sink.store());
}

/** The error with which the content ended; undefined if the sink failed. */
export function appendRefusal(intake: Intake, { size }: AppendOptions): unknown {
  const error = intake.refusal?.error;
  if (!(error instanceof AppError) || error.code !== 'FILE_TOO_LARGE') return error;
  return fail('FILE_TOO_LARGE', { maxBytes: size }, { cause: error });
}
