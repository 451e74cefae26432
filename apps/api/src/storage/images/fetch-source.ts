import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import { objectAddress, type StoredFile } from '../core/stored-file.js';

/** All bytes of the file. Throws STORAGE_OBJECT_MISSING (404), REQUEST_ABORTED (499), what the driver throws. */
export async function fetchSource(
  project: ProjectRuntime,
  file: StoredFile,
  signal: AbortSignal,
): Promise<Buffer> {
  using lease = await project.files.acquire();
  const opened = await lease.value.driverOf(file.driver).read(objectAddress(file), { signal });
  if (opened?.size !== file.size) {
    opened?.body.destroy();
    const found = opened ? `has ${opened.size}` : 'is not there';
    const cause = new Error(`version ${file.version} has ${file.size} bytes, its object ${found}`);
    throw fail('STORAGE_OBJECT_MISSING', {}, { cause });
  }
  const bytes = Buffer.allocUnsafe(file.size);
  let length = 0;
  for await (const chunk of opened.body) {
    // Bodies of drivers are streams of bytes.
    length += (chunk as Buffer).copy(bytes, length);
  }
  return bytes.subarray(0, length);
}
