import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from './postgres-server-error.js';

/** The state of the server at its last start. */
export interface ServerState {
  readonly port: number;
  /** Version and settings as one text: a running server with a different text is restarted. */
  readonly fingerprint: string;
}

/** Returns the state that `writeState` left in the folder; undefined if it is missing or unreadable. */
export async function readState(folder: string): Promise<ServerState | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, 'server.json'), 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    if (!('port' in value) || !('fingerprint' in value)) return undefined;
    const { port, fingerprint } = value;
    if (typeof port !== 'number' || typeof fingerprint !== 'string') return undefined;
    return { port, fingerprint };
  } catch (error) {
    // The file of another user (after a start as root) is no loss either: another port is chosen.
    const passes = ['ENOENT', 'EACCES'].includes(systemErrorCode(error) ?? '');
    if (passes || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Keeps the state for the next start. */
export async function writeState(folder: string, state: ServerState): Promise<void> {
  const unfinished = join(folder, 'server.json.new');
  await writeFile(unfinished, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  await rename(unfinished, join(folder, 'server.json'));
}
