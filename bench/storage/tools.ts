// Programs of the system that the figures are held against, and that send and receive files.

import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnv } from '../env.js';

const LIMIT_MS = 120_000;
// Servers are often not on the path of a user.
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin'];

/** The file of a program, on the path or among the servers; undefined where it is not installed. */
export function findProgram(name: string, searchPath: readonly string[]): string | undefined {
  return [...searchPath, ...SERVER_FOLDERS]
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        // Any reason why a file cannot be run means the same here: it is not the program.
        return false;
      }
    });
}

/** What a program writes, in the language that its output is read in. Rejects when it fails. */
export async function outputOf(
  file: string,
  args: readonly string[],
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const env = childEnv({ LC_ALL: 'C' });
  return promisify(execFile)(file, [...args], { env, timeout: LIMIT_MS });
}
