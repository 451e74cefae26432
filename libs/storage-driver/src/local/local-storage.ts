// Blobs as files: `<root>/<first two digits of the version>/<version>`, written in `<root>/.tmp` and renamed.
// Only versions become part of a path, so that no key of a user ever meets the file system.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { assertVersion, isVersion } from '../blob-address.js';
import { aborted } from '../intake.js';
import type {
  BlobAddress,
  BlobFacts,
  OpenBlob,
  ReadOptions,
  StorageDriver,
  StoredBlob,
  WriteOptions,
  WrittenBlob,
} from '../storage-driver.js';
import { entriesOf, filesIn, openBlob, removeFile, statFile } from './files.js';
import { localError } from './local-errors.js';
import { copyBlob, writeBlob, type BlobPaths } from './write-blob.js';

const shardName = /^[0-9a-f]{2}$/;

/**
 * The blobs of one project in `root`, an absolute path. The folder is made with the first write; symbolic
 * links in it are never followed.
 */
export function openLocalStorage({ root }: { readonly root: string }): StorageDriver {
  return new LocalStorage(root);
}

class LocalStorage implements StorageDriver {
  readonly kind = 'local';
  private readonly temporary: string;

  constructor(private readonly root: string) {
    this.temporary = join(root, '.tmp');
  }

  async write(
    address: BlobAddress,
    content: Readable,
    options: WriteOptions,
  ): Promise<WrittenBlob> {
    return writeBlob(this.pathsOf(address), content, options);
  }

  read(address: BlobAddress, options: ReadOptions = {}): Promise<OpenBlob | undefined> {
    return translated(() => openBlob(this.pathsOf(address).final, options));
  }

  async stat(address: BlobAddress): Promise<BlobFacts | undefined> {
    const found = await translated(() => statFile(this.pathsOf(address).final));
    return found && { size: found.size, mediaType: undefined };
  }

  copy(from: BlobAddress, to: BlobAddress): Promise<void> {
    return translated(() => copyBlob(this.pathsOf(from).final, this.pathsOf(to)));
  }

  remove(address: BlobAddress): Promise<void> {
    return translated(() => removeFile(this.pathsOf(address).final));
  }

  async *list({ signal }: { readonly signal: AbortSignal }): AsyncGenerator<StoredBlob> {
    try {
      for await (const { name: shard } of entriesOf(this.root)) {
        if (!shardName.test(shard)) continue;
        for await (const { name, facts } of filesIn(join(this.root, shard))) {
          if (signal.aborted) throw aborted(signal);
          if (!isVersion(name) || !name.startsWith(shard)) continue;
          const address = { bucket: '', key: '', version: name };
          yield { address, size: facts.size, modifiedAt: facts.mtime };
        }
      }
    } catch (error) {
      throw localError(error);
    }
  }

  removeStale(olderThan: Date): Promise<number> {
    return translated(async () => {
      let removed = 0;
      for await (const { name, facts } of filesIn(this.temporary)) {
        if (facts.mtime >= olderThan) continue;
        await removeFile(join(this.temporary, name));
        removed += 1;
      }
      return removed;
    });
  }

  removeAll(): Promise<void> {
    return translated(() => rm(this.root, { recursive: true, force: true, maxRetries: 3 }));
  }

  async close(): Promise<void> {
    // Nothing is held open between calls.
  }

  private pathsOf(address: BlobAddress): BlobPaths {
    assertVersion(address);
    const { version } = address;
    const folder = join(this.root, version.slice(0, 2));
    return {
      temporaryFolder: this.temporary,
      temporary: join(this.temporary, version),
      folder,
      final: join(folder, version),
    };
  }
}

/** Runs the work; what the file system refused becomes a public error. */
async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw localError(error);
  }
}
