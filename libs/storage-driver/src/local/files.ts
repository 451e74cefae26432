import { close, constants, type Dirent, open as openFile, read, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, opendir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fail } from '#libs/errors';
import { aborted } from '../intake.js';
import type { OpenObject, ReadOptions } from '../storage-driver.js';
import { systemErrorCode } from './local-errors.js';

/** Bytes per read from the disk; a sixteenth of it costs twice the processor time. */
const readBytes = 1 << 20;
/** Size of each of the two buffers. */
const sendBytes = 256 * 1024;

/** Opens the file, or a range of it; undefined if it does not exist. Throws INVALID_RANGE, errors of the system. */
export async function openObject(
  path: string,
  options: ReadOptions,
): Promise<OpenObject | undefined> {
  const { signal } = options;
  if (signal?.aborted) throw aborted(signal);
  const file = await absentAsUndefined(() => open(path, constants.O_RDONLY | constants.O_NOFOLLOW));
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const start = options.start ?? 0;
    if (start > 0 && start >= size) throw fail('INVALID_RANGE');
    const end = Math.min(options.end ?? size - 1, size - 1);
    // An empty file has no last byte to name, and reads as empty without an end.
    const range = size === 0 ? {} : { start, end };
    const body = file.createReadStream({ ...range, highWaterMark: readBytes });
    if (signal) destroyOnAbort(body, signal);
    return { body, size, sendTo: (out) => sendRange(file, { start, end, body }, out) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The bytes of the range; ends with `body`, which closes the file. */
interface SentRange {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
  readonly body: Readable;
}

/** One buffer is filled while the other is being sent, and is not reused before it was sent. */
async function sendRange(
  file: FileHandle,
  { start, end, body }: SentRange,
  out: Writable,
): Promise<void> {
  // Aborting the copy destroys the body with an error, which ends the reading below.
  body.on('error', () => undefined);
  const buffers = [Buffer.allocUnsafeSlow(sendBytes), Buffer.allocUnsafeSlow(sendBytes)];
  let sent = Promise.resolve();
  try {
    for (let at = start; at <= end;) {
      const [buffer] = buffers;
      if (!buffer) throw new TypeError('There are two buffers');
      buffers.reverse();
      const { bytesRead } = await file.read(buffer, 0, Math.min(sendBytes, end - at + 1), at);
      if (bytesRead === 0) throw new Error('an object has become shorter');
      at += bytesRead;
      await sent;
      sent = writeTo(out, buffer.subarray(0, bytesRead));
      // The loop awaits this promise; until then its rejection must not count as unhandled.
      sent.catch(() => undefined);
    }
    await sent;
  } finally {
    body.destroy();
  }
}

function writeTo(out: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    out.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * Returns the first bytes of the file, or all if it has fewer; undefined if it does not exist. Uses neither handles nor
 * streams, each of which would cost as much as all of this.
 */
export function readSmallFile(path: string, maxBytes: number): Promise<Buffer | undefined> {
  return absentAsUndefined(
    () =>
      new Promise((resolve, reject) => {
        openFile(path, constants.O_RDONLY | constants.O_NOFOLLOW, (openError, file) => {
          if (openError) {
            reject(openError);
            return;
          }
          read(file, Buffer.allocUnsafe(maxBytes), 0, maxBytes, 0, (readError, count, bytes) => {
            // The bytes are valid even if the descriptor could not be closed.
            close(file, () => undefined);
            if (readError) reject(readError);
            else resolve(bytes.subarray(0, count));
          });
        });
      }),
  );
}

function destroyOnAbort(body: Readable, signal: AbortSignal): void {
  const end = (): void => void body.destroy(aborted(signal));
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  body.once('close', () => signal.removeEventListener('abort', end));
}

/** Returns the attributes of a regular file; undefined if there is none with that name. */
export async function statFile(path: string): Promise<Stats | undefined> {
  const found = await absentAsUndefined(() => lstat(path));
  return found?.isFile() ? found : undefined;
}

/** Writes all bytes at a position of the file; returns their number. */
export async function writeAll(
  file: FileHandle,
  chunks: readonly Buffer[],
  position: number,
): Promise<number> {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  // The system may write fewer bytes than it is given.
  let { bytesWritten: done } = await file.writev(chunks, position);
  while (done < length) {
    const rest = Buffer.concat(chunks).subarray(done);
    done += (await file.write(rest, 0, rest.length, position + done)).bytesWritten;
  }
  return length;
}

/** Removes the file; does nothing if it is absent. */
export async function removeFile(path: string): Promise<void> {
  await absentAsUndefined(() => unlink(path));
}

/** The names in the folder; empty if it does not exist. */
export async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  const opened = await absentAsUndefined(() => opendir(folder));
  if (opened) yield* opened;
}

/** The regular files in the folder, without those that vanish meanwhile. */
export async function* filesIn(
  folder: string,
): AsyncGenerator<{ readonly name: string; readonly facts: Stats }> {
  for await (const { name } of entriesOf(folder)) {
    const facts = await statFile(join(folder, name));
    if (facts) yield { name, facts };
  }
}

/** Runs the work; undefined if the name does not exist or is a symbolic link. */
async function absentAsUndefined<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (ABSENT.has(systemErrorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** With O_NOFOLLOW the system answers ELOOP for a symbolic link. */
const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);
