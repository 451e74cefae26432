import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Account } from './command.js';
import { makeFor, type Placement } from './placement.js';
import { systemErrorCode } from './system-error.js';

/** The folders of a project, which belong to its user and are closed to all others. */
export interface ProjectFolders {
  readonly account: Account | undefined;
  readonly home: string;
  /** What Deno keeps: downloaded packages and compiled files. */
  readonly denoDir: string;
  /** Has a folder for each version. */
  readonly code: string;
}

/** Creates the folders of a project. */
export async function openProjectFolders(
  placement: Placement,
  ref: string,
): Promise<ProjectFolders> {
  const account = await placement.accountOf(ref);
  await mkdir(join(placement.folder, 'projects'), { recursive: true, mode: 0o711 });
  const root = join(placement.folder, 'projects', ref);
  const folders = {
    account,
    home: join(root, 'home'),
    denoDir: join(root, 'deno'),
    code: join(root, 'code'),
  };
  await makeFor(account, root);
  for (const folder of [folders.home, folders.denoDir, folders.code]) {
    await makeFor(account, folder);
  }
  await closeStores(folders.denoDir);
  return folders;
}

/**
 * Keeps functions from filling the disk without a permission to write: `localStorage` and databases of Deno fail where a
 * file is in the place of their folder.
 */
async function closeStores(denoDir: string): Promise<void> {
  try {
    await writeFile(join(denoDir, 'location_data'), '', { flag: 'wx', mode: 0o400 });
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  }
}
