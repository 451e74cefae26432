// One variant in its file: the image, and behind it the checksum of the image. After a power cut a file may have
// its name before it has its content; the checksum tells, and spares every write the wait for the disk.
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

const checksumBytes = 4;

/** The image in the content of a file; undefined when it is not the one that was written. */
export function checkedContent(content: Buffer): Buffer | undefined {
  if (content.length <= checksumBytes) return undefined;
  const bytes = content.subarray(0, -checksumBytes);
  return crc32(bytes) === content.readUInt32BE(bytes.length) ? bytes : undefined;
}

/** How long the file of the image is, in bytes. */
export function fileLength(bytes: Buffer): number {
  return bytes.length + checksumBytes;
}

/** Writes the file under a name of its own first: readers meet it whole, and what a crash leaves is no variant. */
export async function writeVariant(path: string, bytes: Buffer): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32BE(crc32(bytes));
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(temporary, [bytes, checksum], { flag: 'wx', mode: 0o600 });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
