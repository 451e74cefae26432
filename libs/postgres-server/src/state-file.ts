import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from './postgres-server-error.js';

/** What the last start of the server was like. */
export interface ServerState {
  readonly port: number;
  /** Version and settings in one text: a server that was started with others is restarted. */
  readonly fingerprint: string;
}

/** The state that `writeState` left in the folder; undefined when there is none or it is unreadable. */
export async function readState(folder: string): Promise<ServerState | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, 'server.json'), 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    if (!('port' in value) || !('fingerprint' in value)) return undefined;
    const { port, fingerprint } = value;
    if (typeof port !== 'number' || typeof fingerprint !== 'string') return undefined;
    return { port, fingerprint };
  } catch (error) {
    // Another user's file (a start as root in between) is no loss either: a port is chosen anew.
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
