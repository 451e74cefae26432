// The folder of a project's files. A process without a data folder keeps no files and removes none.
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';

/** The folder of the project's files: `<data folder>/projects/<ref>`. */
export function projectFolder(dataDir: string, ref: string): string {
  return path.join(dataDir, 'projects', ref);
}

/** Whether files are left under the ref. */
export function hasFiles(dataDir: string | undefined, ref: string): boolean {
  return dataDir !== undefined && existsSync(projectFolder(dataDir, ref));
}

/** Creates the folder, accessible only to the owner of the process. */
export async function createFolder(dataDir: string | undefined, ref: string): Promise<void> {
  if (dataDir === undefined) return;
  await mkdir(projectFolder(dataDir, ref), { recursive: true, mode: 0o700 });
}

/** Removes the folder with everything in it. */
export async function removeFolder(dataDir: string | undefined, ref: string): Promise<void> {
  if (dataDir === undefined) return;
  await rm(projectFolder(dataDir, ref), { recursive: true, force: true });
}
