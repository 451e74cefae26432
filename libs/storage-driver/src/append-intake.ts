import type { Readable } from 'node:stream';
import { AppError, fail } from '#libs/errors';
import { Intake } from './intake.js';
import type { AppendOptions } from './storage-driver.js';

/** Where appended content goes. */
export interface AppendSink {
  take(chunk: Buffer): Promise<void>;
  /** Makes everything durable that was taken, and tells of it. */
  store(): Promise<void>;
}

/** The way in for content that goes on where `offset` is. */
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
 * Hands over all content. When it ends in an error, what has come before is stored all the same. Every
 * `checkpointMs` what has come is stored too, so that a process that dies loses no more than that time has brought.
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
    // Whoever asks next gets the error; until then nobody waits for it.
    last.catch(() => undefined);
    return last;
  };
  const timer = setInterval(() => void inTurn(() => sink.store()), checkpointMs).unref();
  try {
    // All of it: the sink knows the size of the whole, so no chunk is held back as perhaps the last one.
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

/** The error with which the content ended; undefined when it was not the content. */
export function appendRefusal(intake: Intake, { size }: AppendOptions): unknown {
  const error = intake.refusal?.error;
  if (!(error instanceof AppError) || error.code !== 'FILE_TOO_LARGE') return error;
  return fail('FILE_TOO_LARGE', { maxBytes: size }, { cause: error });
}
