import type { Readable } from 'node:stream';
import { DeleteObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { aborted, Intake } from '../intake.js';
import type { WriteOptions, WrittenObject } from '../storage-driver.js';
import type { ObjectTarget } from './object-target.js';
import { maxPutBytes, putStream } from './put-object.js';
import { longestUpload, putParts } from './put-parts.js';
import { s3Error } from './s3-errors.js';

/** Writes an object. Throws the public errors of a write. */
export async function writeObject(
  client: S3Client,
  target: ObjectTarget,
  { content, options }: { readonly content: Readable; readonly options: WriteOptions },
): Promise<WrittenObject> {
  const { size, mediaType, signal } = options;
  const maxBytes = Math.min(options.maxBytes, longestUpload(size));
  const intake = new Intake(content, { ...options, maxBytes });
  const write = { client, target, mediaType, signal };
  try {
    if (size !== undefined && size <= maxPutBytes) await putStream(write, intake, size);
    else await putParts(write, intake, size ?? maxBytes);
    return intake.result();
  } catch (error) {
    // All bytes were sent, so the store may have kept the object although its answer did not arrive.
    if (intake.isComplete) await removeUnsure(client, target);
    if (intake.refusal) throw intake.refusal.error;
    throw signal.aborted ? aborted(signal) : s3Error(error);
  } finally {
    intake.stop();
  }
}

async function removeUnsure(client: S3Client, target: ObjectTarget): Promise<void> {
  await client
    .send(new DeleteObjectCommand(target))
    // The error of the write matters more; the sweep of objects without a row removes what stays behind.
    .catch(() => undefined);
}
