import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  type S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { maxPutBytes } from './put-object.js';
import { copyMs } from './s3-client.js';
import type { ObjectTarget } from './object-target.js';

const rangeBytes = 512 * 1024 ** 2;

interface Copy {
  readonly source: ObjectTarget;
  readonly target: ObjectTarget;
  /** Longer objects are copied in ranges. */
  readonly wholeUpTo?: number;
  /** Length of a range. */
  readonly partBytes?: number;
}

/** Copies an object inside the store, with its media type. Throws errors of the SDK. */
export async function copyObject(client: S3Client, copy: Copy): Promise<void> {
  const { source, target, wholeUpTo = maxPutBytes, partBytes = rangeBytes } = copy;
  const { ContentLength: size = 0, ContentType: mediaType } = await client.send(
    new HeadObjectCommand(source),
  );
  const from = [source.Bucket, ...source.Key.split('/')].map(encodeURIComponent).join('/');
  if (size > wholeUpTo) {
    await copyRanges(client, { from, target, mediaType, size, partBytes });
    return;
  }
  await client.send(new CopyObjectCommand({ ...target, CopySource: from }), {
    requestTimeout: copyMs,
  });
}

interface RangeCopy {
  readonly from: string;
  readonly target: ObjectTarget;
  readonly mediaType: string | undefined;
  readonly size: number;
  readonly partBytes: number;
}

async function copyRanges(client: S3Client, copy: RangeCopy): Promise<void> {
  const { from, target, mediaType, size, partBytes } = copy;
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ ...target, ContentType: mediaType }),
  );
  const upload = { ...target, UploadId };
  try {
    const parts: CompletedPart[] = [];
    // One after the other: the store copies the bytes itself, and parallel copies only slow each other down.
    for (let start = 0; start < size; start += partBytes) {
      const PartNumber = parts.length + 1;
      const end = Math.min(start + partBytes, size) - 1;
      const { CopyPartResult } = await client.send(
        new UploadPartCopyCommand({
          ...upload,
          PartNumber,
          CopySource: from,
          CopySourceRange: `bytes=${start}-${end}`,
        }),
        { requestTimeout: copyMs },
      );
      parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    await client.send(
      new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }),
      { requestTimeout: copyMs },
    );
  } catch (error) {
    // The error of the copy matters more; `removeStale` removes what stays behind.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}
