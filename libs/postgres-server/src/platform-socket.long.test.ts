// The platform reaches its embedded server over a Unix socket, and over TCP there are only the owners of projects.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.js';
import { findEmbeddedPostgres } from './running-postgres.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const quiet = (): void => undefined;
const log = { info: quiet, warn: quiet, error: quiet };
/** SQLSTATE invalid_authorization_specification: the rules refuse the connection before any password is checked. */
const refusedByRules = '28000';

let dataDir: string;
let opened: EmbeddedPostgres[] = [];
let strayFolders: string[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rowhouse-socket-'));
  await chmod(dataDir, 0o711);
});
afterEach(async () => {
  for (const server of opened.reverse()) await server.stop('immediate');
  opened = [];
  for (const folder of [dataDir, ...strayFolders]) await rm(folder, { recursive: true });
  strayFolders = [];
});

async function openServer(
  folder = dataDir,
  settings: Readonly<Record<string, string>> = {},
): Promise<EmbeddedPostgres> {
  const server = await openEmbeddedPostgres({
    dataDir: folder,
    log,
    settings: { fsync: 'off', ...settings },
  });
  opened.push(server);
  return server;
}

/** Returns the SQLSTATE with which the server refuses a connection; undefined if it accepts it. */
async function refusalOf(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
    return undefined;
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.code;
    throw error;
  }
}

function overTcp(server: EmbeddedPostgres): string {
  const url = new URL(server.url);
  url.searchParams.delete('host');
  return url.href;
}

const socketFolderOf = (server: EmbeddedPostgres): string =>
  new URL(server.url).searchParams.get('host') ?? '';

/** Where `folder` keeps the rules that initdb wrote, with which earlier releases ran: every login over TCP. */
const rulesOfInitdb = (folder: string) => ({
  hba_file: join(folder, 'postgres/data/pg_hba.conf'),
});

test('the superuser connects over the socket, and over TCP it is refused', async () => {
  const server = await openServer();
  expect(await refusalOf(server.url)).toBeUndefined();
  expect(await refusalOf(overTcp(server))).toBe(refusedByRules);
  expect(await findEmbeddedPostgres(dataDir)).toEqual({ kind: 'running', url: server.url });
});

describe('a data folder of an earlier release', () => {
  test('starts with the new rules', async () => {
    const earlier = await openServer(dataDir, rulesOfInitdb(dataDir));
    expect(await refusalOf(overTcp(earlier))).toBeUndefined();
    await earlier.stop();
    await rm(join(dataDir, 'postgres/pg_hba.conf'));
    expect(await refusalOf(overTcp(await openServer()))).toBe(refusedByRules);
  });

  test('keeps the rules of initdb, with which the earlier release starts again', async () => {
    await (await openServer()).stop();
    const earlier = await openServer(dataDir, rulesOfInitdb(dataDir));
    expect(await refusalOf(overTcp(earlier))).toBeUndefined();
  });
});

describe('the folder of the socket', () => {
  const modeOf = async (folder: string): Promise<number> => (await stat(folder)).mode & 0o777;

  test('is closed to other users, also if a copy of the data folder opened it', async () => {
    const server = await openServer();
    const folder = socketFolderOf(server);
    expect(await modeOf(folder)).toBe(0o700);
    await server.stop();
    await chmod(folder, 0o755);
    await openServer();
    expect(await modeOf(folder)).toBe(0o700);
  });

  test.each([
    { name: 'is too long for a socket', part: 'long'.repeat(20) },
    { name: 'has a comma', part: 'a,b' },
  ])('is a temporary one if the path of the cluster $name', async ({ part }) => {
    const folder = join(dataDir, part);
    const server = await openServer(folder);
    const socketFolder = socketFolderOf(server);
    strayFolders.push(socketFolder);
    expect(socketFolder).not.toContain(folder);
    expect(await modeOf(socketFolder)).toBe(0o700);
    expect(await refusalOf(server.url)).toBeUndefined();
    expect(await findEmbeddedPostgres(folder)).toEqual({ kind: 'running', url: server.url });
    // The next start takes the same one.
    await server.stop();
    expect(socketFolderOf(await openServer(folder))).toBe(socketFolder);
  });

  test('is not a temporary one that others can open', async () => {
    const folder = join(dataDir, 'a,b');
    const hash = createHash('sha256').update(join(folder, 'postgres')).digest('hex').slice(0, 16);
    const taken = join(tmpdir(), `rowhouse-${hash}`);
    await mkdir(taken);
    await chmod(taken, 0o777);
    const socketFolder = socketFolderOf(await openServer(folder));
    strayFolders.push(taken, socketFolder);
    expect(socketFolder).toBe(`${taken}-1`);
    expect(await readdir(taken)).toEqual([]);
  });

  test('goes with a throw-away cluster', async () => {
    const folder = join(dataDir, 'a,b');
    const server = await openEmbeddedPostgres({ dataDir: folder, log, ephemeral: true });
    await server.stop('immediate');
    await expect(stat(socketFolderOf(server))).rejects.toThrow('ENOENT');
  });
});
