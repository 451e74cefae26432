// One variant in its file: the image, followed by its checksum. After a power failure a file may have its name but not
// yet its content. The checksum detects that, so no write has to wait for the disk.
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

const checksumBytes = 4;

/** Returns the image in the content of a file; undefined if the content is incomplete or damaged. */
export function checkedContent(content: Buffer): Buffer | undefined {
  if (content.length <= checksumBytes) return undefined;
  const bytes = content.subarray(0, -checksumBytes);
  return crc32(bytes) === content.readUInt32BE(bytes.length) ? bytes : undefined;
}

/** The length of the file with this image, in bytes. */
export function fileLength(bytes: Buffer): number {
  return bytes.length + checksumBytes;
}

/**
 * Writes the file under a temporary name first: readers never see a part of it, and the rest of a crash is not a
 * variant.
 */
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
