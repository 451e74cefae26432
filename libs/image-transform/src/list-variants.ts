import { opendir, lstat } from 'node:fs/promises';
import { join } from 'node:path';

import { isAbsence } from './absence.js';

export interface KeptVariant {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly usedAtMs: number;
}

/** The files in the subfolders of the folder, in no particular order; empty if the folder does not exist. */
export async function listVariants(folder: string): Promise<KeptVariant[]> {
  const found: KeptVariant[] = [];
  for await (const shard of entriesOf(folder)) {
    if (!shard.isDirectory()) continue;
    // One after the other: there may be very many, and requests read files, too.
    for await (const entry of entriesOf(join(folder, shard.name))) {
      const path = join(folder, shard.name, entry.name);
      const facts = entry.isFile() ? await unlessAbsent(lstat(path)) : undefined;
      if (facts) found.push({ path, size: facts.size, usedAtMs: facts.mtimeMs });
    }
  }
  return found;
}

async function* entriesOf(folder: string) {
  const entries = await unlessAbsent(opendir(folder));
  if (entries) yield* entries;
}

/** The result of the file system; undefined if the file does not exist or was removed meanwhile. */
async function unlessAbsent<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}
