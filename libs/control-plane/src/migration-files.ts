import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** One numbered migration: its file name without `.sql`, and its text. */
export interface MigrationFile {
  readonly name: string;
  readonly sql: string;
}

/**
 * Returns the files of <root>/<folder> in the order of their numbers. The default root is the folder `migrations` of
 * this release; it is searched for upwards from this file, because the compiled code is one level deeper.
 */
export async function readMigrations(
  folder: 'control-plane' | 'project' | 'project-superuser',
  root?: string,
): Promise<MigrationFile[]> {
  const directory =
    root === undefined ? findMigrations(import.meta.dirname, folder) : path.join(root, folder);
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).toSorted();
  return Promise.all(
    files.map(async (file) => ({
      name: path.basename(file, '.sql'),
      sql: await readFile(path.join(directory, file), 'utf8'),
    })),
  );
}

function findMigrations(from: string, folder: string): string {
  const candidate = path.join(from, 'migrations', folder);
  if (existsSync(candidate)) return candidate;
  const parent = path.dirname(from);
  if (parent === from) throw new Error(`There is no folder migrations/${folder} above this file`);
  return findMigrations(parent, folder);
}
