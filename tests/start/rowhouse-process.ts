// Starts the product as a user does, in a folder and on ports of its own.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

import { findEmbeddedPostgres } from '#libs/postgres-server';
import { waitFor } from '#libs/testing';

import { freePort } from '../../libs/testing/src/free-port.js';

/** The first start of all compiles the sources. */
const readyMs = 240_000;

export interface RowhouseProcess {
  readonly child: ChildProcess;
  /** Everything printed so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves when the line "ready" is printed; rejects when the process ends before. */
  ready(): Promise<void>;
  /** Resolves to the exit code, or the name of the signal that ended the process. */
  ended(): Promise<number | string | null>;
}

/** Runs `rowhouse` with these variables and nothing else of ours but the search path. */
export function startRowhouse(env: Readonly<Record<string, string>>): RowhouseProcess {
  const child = spawn(process.execPath, ['bin/rowhouse.js'], {
    env: { PATH: process.env['PATH'], DRAIN_SECONDS: '2', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const closed = once(child, 'close').then(() => child.exitCode ?? child.signalCode);
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended: () => closed,
    async ready() {
      const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
      await waitFor(() => /^ready /m.test(stdout) || hasEnded(), { ms: readyMs });
      if (/^ready /m.test(stdout)) return;
      throw new Error(`it ended before it was ready (${await closed}): ${stderr}`);
    },
  };
}

/** A folder for the data of a test, which the user of PostgreSQL may enter also when root runs the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rowhouse-start-'));
  await chmod(folder, 0o711);
  return folder;
}

/** Two ports that are free now. */
export async function freePorts(): Promise<{ PORT: string; CONSOLE_PORT: string }> {
  return { PORT: String(await freePort()), CONSOLE_PORT: String(await freePort()) };
}

/** A port of 127.0.0.1 that is taken until it is released. */
export async function holdPort(): Promise<{ port: number; release(): Promise<void> }> {
  const server = createServer((socket) => socket.destroy());
  server.listen({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return {
    port: address.port,
    async release() {
      server.close();
      await once(server, 'close');
    },
  };
}

/** The connection string of the superuser of the embedded server of a data folder. */
export async function embeddedUrl(dataDir: string, database: string): Promise<string> {
  const found = await findEmbeddedPostgres(dataDir);
  if (found.kind !== 'running') throw new Error(`no database server runs: ${found.kind}`);
  const url = new URL(found.url);
  url.pathname = `/${database}`;
  return url.href;
}

/** Asks a database of the embedded server of a data folder, as its superuser. */
export async function askEmbedded(
  dataDir: string,
  sql: string,
  database = 'postgres',
): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: await embeddedUrl(dataDir, database) });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The pid of the embedded server; undefined when none runs. */
export async function postmasterPid(dataDir: string): Promise<number | undefined> {
  const file = join(dataDir, 'postgres', 'data', 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text.split('\n')[0]);
}
