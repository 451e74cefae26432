// A release that is to come: the migrations of this one with some more, as files in a folder.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Folder = 'control-plane' | 'project' | 'project-superuser';

/** The text of a migration by its folder and name, such as `project/0990_more`. */
export type AddedMigrations = Readonly<Record<`${Folder}/${string}`, string>>;

export interface NextRelease {
  /** The folder with its migrations. */
  readonly migrationsRoot: string;
  remove(): Promise<void>;
}

/** Makes the folder of a release that has all migrations of this one, and `added`. */
export async function nextRelease(added: AddedMigrations): Promise<NextRelease> {
  const migrationsRoot = await mkdtemp(join(tmpdir(), 'rowhouse-next-'));
  await cp('migrations', migrationsRoot, { recursive: true });
  for (const [path, sql] of Object.entries(added)) {
    await writeFile(join(migrationsRoot, `${path}.sql`), sql);
  }
  return { migrationsRoot, remove: () => rm(migrationsRoot, { recursive: true, force: true }) };
}
