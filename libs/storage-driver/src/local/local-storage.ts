// Objects as files: `<root>/<first two digits of the version>/<version>`, written in `<root>/.tmp` and renamed. Only
// versions become part of a path, so a user's key never reaches the file system.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { assertVersion, isVersion } from '../object-address.js';
import { aborted } from '../intake.js';
import type {
  AppendOptions,
  ObjectAddress,
  ObjectFacts,
  OpenObject,
  ReadOptions,
  StorageDriver,
  StoredObject,
  WriteOptions,
  WrittenObject,
} from '../storage-driver.js';
import { appendObject, completeObject } from './append-object.js';
import { entriesOf, filesIn, openObject, readSmallFile, removeFile, statFile } from './files.js';
import type { Space } from './free-space.js';
import { localError, translated } from './local-errors.js';
import { copyObject, writeObject, type ObjectPaths } from './write-object.js';

const shardName = /^[0-9a-f]{2}$/;
/** Suffix of files that are appended to, as opposed to files of one write. */
const partEnding = '.part';

/**
 * The objects of one project in `root`, an absolute path. The folder is created with the first write; symbolic links in
 * it are never followed.
 */
export function openLocalStorage({ root, space }: LocalStorageOptions): StorageDriver {
  return new LocalStorage(root, space ?? { claim: () => undefined });
}

/** Whether `root` contains any file: an object, or a file that is being written. */
export function hasLocalFiles(root: string): Promise<boolean> {
  return translated(async () => {
    for await (const { name: folder } of entriesOf(root)) {
      for await (const { name } of entriesOf(join(root, folder))) if (name) return true;
    }
    return false;
  });
}

export interface LocalStorageOptions {
  readonly root: string;
  /** Checked before bytes are written; without it only the disk itself reports that it is full. */
  readonly space?: Space;
}

class LocalStorage implements StorageDriver {
  readonly kind = 'local';
  private readonly temporary: string;
  private readonly knownFolders = new Set<string>();

  constructor(
    private readonly root: string,
    private readonly space: Space,
  ) {
    this.temporary = join(root, '.tmp');
  }

  async write(
    address: ObjectAddress,
    content: Readable,
    options: WriteOptions,
  ): Promise<WrittenObject> {
    return writeObject(this.pathsOf(address), content, options);
  }

  async append(address: ObjectAddress, content: Readable, options: AppendOptions): Promise<void> {
    await appendObject(this.pathsOf(address), content, options);
  }

  complete(address: ObjectAddress, { size }: { readonly size: number }): Promise<void> {
    return translated(() => completeObject(this.pathsOf(address), size));
  }

  abandon(address: ObjectAddress): Promise<void> {
    return this.remove(address);
  }

  read(address: ObjectAddress, options: ReadOptions = {}): Promise<OpenObject | undefined> {
    return translated(() => openObject(this.pathsOf(address).final, options));
  }

  readSmall(address: ObjectAddress, maxBytes: number): Promise<Buffer | undefined> {
    return translated(() => readSmallFile(this.pathsOf(address).final, maxBytes));
  }

  async stat(address: ObjectAddress): Promise<ObjectFacts | undefined> {
    const found = await translated(() => statFile(this.pathsOf(address).final));
    return found && { size: found.size, mediaType: undefined };
  }

  copy(from: ObjectAddress, to: ObjectAddress): Promise<void> {
    return translated(() => copyObject(this.pathsOf(from).final, this.pathsOf(to)));
  }

  remove(address: ObjectAddress): Promise<void> {
    const { final, part } = this.pathsOf(address);
    return translated(async () => {
      await removeFile(part);
      await removeFile(final);
    });
  }

  async *list({ signal }: { readonly signal: AbortSignal }): AsyncGenerator<StoredObject> {
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

  removeStale(olderThan: Date, kept: ReadonlySet<string> = new Set()): Promise<number> {
    return translated(async () => {
      let removed = 0;
      for await (const { name, facts } of filesIn(this.temporary)) {
        if (facts.mtime >= olderThan || kept.has(versionOfPart(name))) continue;
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
    // Nothing stays open between calls.
  }

  private pathsOf(address: ObjectAddress): ObjectPaths {
    assertVersion(address);
    const { version } = address;
    const folder = join(this.root, version.slice(0, 2));
    return {
      temporaryFolder: this.temporary,
      temporary: join(this.temporary, version),
      part: join(this.temporary, `${version}${partEnding}`),
      folder,
      final: join(folder, version),
      knownFolders: this.knownFolders,
      space: this.space,
    };
  }
}

function versionOfPart(name: string): string {
  return name.endsWith(partEnding) ? name.slice(0, -partEnding.length) : '';
}
