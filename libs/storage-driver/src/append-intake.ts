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

/** Hands over all content. When it ends in an error, what has come before is stored all the same. */
export async function takeAll(intake: Intake, sink: AppendSink): Promise<void> {
  try {
    for await (const chunk of intake.chunks()) await sink.take(chunk);
  } catch (error) {
    if (intake.refusal) await sink.store();
    throw error;
  }
  await sink.store();
}

/** The error with which the content ended; undefined when it was not the content. */
export function appendRefusal(intake: Intake, { size }: AppendOptions): unknown {
  const error = intake.refusal?.error;
  if (!(error instanceof AppError) || error.code !== 'FILE_TOO_LARGE') return error;
  return fail('FILE_TOO_LARGE', { maxBytes: size }, { cause: error });
}
