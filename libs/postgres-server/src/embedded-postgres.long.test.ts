import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, vi, test } from 'vitest';
import { execFile } from 'node:child_process';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findNativeDir } from './binaries.js';
import { ensureCluster } from './cluster.js';
import { openEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.js';
import { place, SYSTEM_FOLDERS } from './placement.js';
import { startServer } from './server.js';
import { describeIf, waitFor } from '#libs/testing';

// Each test has a cluster of its own, whose starts take seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const asRoot = process.getuid?.() === 0;
/** The server is away while it starts again. */
const restart = { ms: 20_000, everyMs: 100, retriesErrors: true };

const said: string[] = [];
const tell = (message: string): void => void said.push(message);
const log = { info: tell, warn: tell, error: tell };

/** A data folder with a cluster as the first start makes it. */
let made: string;
let dataDir: string;
let opened: EmbeddedPostgres[] = [];

beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'rowhouse-pg-made-'));
  await (await openEmbeddedPostgres({ dataDir: made, log })).stop();
  await rm(join(made, 'postgres/server.json'));
});
afterAll(() => rm(made, { recursive: true }));
beforeEach(async () => {
  said.length = 0;
  dataDir = await mkdtemp(join(tmpdir(), 'rowhouse-pg-'));
});
afterEach(async () => {
  const servers = opened.reverse();
  // A stop that fails is a failure of its own test alone.
  opened = [];
  for (const server of servers) await server.stop('immediate');
  await rm(dataDir, { recursive: true });
});

/** Opens the cluster of this test without waiting for the disk; it is stopped after the test. */
async function openServer(
  more: Partial<Parameters<typeof openEmbeddedPostgres>[0]> = {},
): Promise<EmbeddedPostgres> {
  const settings = { fsync: 'off', ...more.settings };
  const server = await openEmbeddedPostgres({ dataDir, log, ...more, settings });
  opened.push(server);
  return server;
}

/** Opens a copy of the cluster that was made, in place of one that takes seconds to make. */
async function openMade(more: Parameters<typeof openServer>[0] = {}): Promise<EmbeddedPostgres> {
  // Its files are of the user of PostgreSQL and stay so.
  await promisify(execFile)('cp', ['-a', `${made}/.`, dataDir]);
  return openServer(more);
}

/** Starts the server as a process leaves it that is killed: nothing would start it again. */
async function startUnwatched(version: string): Promise<void> {
  const nativeDir = findNativeDir();
  const placement = await place({ dataDir, nativeDir, systemFolders: SYSTEM_FOLDERS, log });
  const cluster = await ensureCluster(placement, version, { durable: true });
  await startServer(placement, cluster, { settings: { fsync: 'off' }, wantedPort: undefined });
}

async function ask<T extends pg.QueryResultRow>(server: EmbeddedPostgres, sql: string): Promise<T> {
  const client = new pg.Client(server.url);
  await client.connect();
  try {
    const result = await client.query<T>(sql);
    // Every statement of these tests answers one row, the ones that make something answer an empty one.
    return result.rows[0] ?? ({} as T);
  } finally {
    await client.end();
  }
}

async function postmasterPid(folder = join(dataDir, 'postgres/data')): Promise<number> {
  return Number((await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

describe('a new cluster', () => {
  test('speaks UTF8, sorts by code point, knows the case of letters, and asks for the password', async () => {
    const server = await openMade();
    expect(server.version).toMatch(/^18\./);
    const facts = await ask(
      server,
      `select pg_encoding_to_char(encoding) as encoding, 'É' ilike 'é' as folds, 'a' > 'Z' as by_code_point,
              current_setting('wal_level') as wal, current_setting('password_encryption') as hash
         from pg_database where datname = 'postgres'`,
    );
    const wal = 'logical';
    const hash = 'scram-sha-256';
    expect(facts).toEqual({ encoding: 'UTF8', folds: true, by_code_point: true, wal, hash });
    const wrong = new pg.Client(server.url.replace(/:[^:@]+@/, ':wrong@'));
    await expect(wrong.connect()).rejects.toThrow('password authentication failed');
  });

  test('recovers without opening each of its files, where the system can sync them by one call', async () => {
    const facts = await ask(await openMade(), 'show recovery_init_sync_method');
    const method = process.platform === 'linux' ? 'syncfs' : 'fsync';
    expect(facts).toEqual({ recovery_init_sync_method: method });
  });

  test('has no language whose loops nothing stops', async () => {
    const server = await openMade();
    const facts = await ask(
      server,
      `select count(*) filter (where name ~ 'pl(perl|python|tcl)')::int as languages,
              count(*) filter (where name = 'pg_trgm')::int as others from pg_available_extensions`,
    );
    expect(facts).toEqual({ languages: 0, others: 1 });
  });

  test('keeps its password to its owner', async () => {
    await openMade();
    const { mode } = await stat(join(dataDir, 'postgres/password'));
    expect(mode & 0o777).toBe(0o600);
    await expect(stat(join(dataDir, 'postgres/run/initial-password'))).rejects.toThrow('ENOENT');
  });

  test('is made again when its making was cut off', async () => {
    await mkdir(join(dataDir, 'postgres/data.new/base'), { recursive: true });
    expect(await ask(await openServer(), 'select 1 as one')).toEqual({ one: 1 });
  });
});

test('rows outlive a stop and a start, and so does the port', async () => {
  const first = await openMade();
  await ask(first, 'create table kept as select 42 as answer');
  await first.stop();
  const second = await openServer();
  expect(await ask(second, 'select answer from kept')).toEqual({ answer: 42 });
  expect(new URL(second.url).port).toBe(new URL(first.url).port);
});

test('another port is chosen when the last one is taken', async () => {
  const first = await openMade();
  const { port } = new URL(first.url);
  await first.stop();
  const squatter: Server = createServer().listen(Number(port), '127.0.0.1');
  try {
    const second = await openServer();
    expect(new URL(second.url).port).not.toBe(port);
    expect(await ask(second, 'select 1 as one')).toEqual({ one: 1 });
  } finally {
    squatter.close();
  }
});

describe('a server that still runs', () => {
  test('is taken over when nothing about it changed', async () => {
    await openMade();
    const pid = await postmasterPid();
    await ask(await openServer(), 'select 1');
    expect(await postmasterPid()).toBe(pid);
  });

  test('is restarted when its settings changed', async () => {
    const first = await openMade();
    await first.stop();
    await startUnwatched(first.version);
    const server = await openServer({ settings: { max_connections: '77' } });
    expect(said).toContain('PostgreSQL still runs with other settings: restarting it');
    const facts = await ask(server, `select current_setting('max_connections') as max`);
    expect(facts).toEqual({ max: '77' });
  });
});

describe('after a kill', () => {
  test('the server is started again by itself, with every committed row', async () => {
    const server = await openMade();
    await ask(server, 'create table kept as select 42 as answer');
    process.kill(await postmasterPid(), 'SIGKILL');
    const row = await waitFor(() => ask(server, 'select answer from kept'), restart);
    expect(row).toEqual({ answer: 42 });
    await waitFor(() => said.includes('PostgreSQL runs again'), restart);
  });

  test('a pid that another program now has does not keep the server from starting', async () => {
    const server = await openMade();
    await ask(server, 'create table kept as select 42 as answer');
    const file = join(dataDir, 'postgres/data/postmaster.pid');
    const lines = (await readFile(file, 'utf8')).split('\n');
    await server.stop();
    await writeFile(file, [process.pid, ...lines.slice(1)].join('\n'));
    expect(await ask(await openServer(), 'select answer from kept')).toEqual({ answer: 42 });
  });
});

describe('one line tells that', () => {
  test('the cluster is of another major version', async () => {
    await (await openMade()).stop();
    await writeFile(join(dataDir, 'postgres/data/PG_VERSION'), '17\n');
    await expect(openServer()).rejects.toThrow(
      /holds a database of PostgreSQL 17, and this release runs PostgreSQL 18; [^\n]*$/,
    );
    await writeFile(join(dataDir, 'postgres/data/PG_VERSION'), '18\n');
  });

  test('the password file is missing', async () => {
    await (await openMade()).stop();
    await rm(join(dataDir, 'postgres/password'));
    await expect(openServer()).rejects.toThrow(/^The password file \S+ of the database is missing/);
  });

  test('a setting is wrong, in the words of the server', async () => {
    await expect(openMade({ settings: { max_connections: 'many' } })).rejects.toThrow(
      /^PostgreSQL does not start: invalid value for parameter "max_connections": "many"[^\n]*$/,
    );
  });

  test('the path cannot be handed to a shell', async () => {
    const open = openEmbeddedPostgres({ dataDir: `${dataDir}/$HOME`, log });
    await expect(open).rejects.toThrow('must not hold quotes');
  });
});

describe('the log file', () => {
  const flood = (megabytes: number) => `do $$ begin for n in 1..${megabytes} loop
    raise log '% %', n, repeat('x', 1048576); end loop; end $$`;

  test('is cut off while the server runs, and goes on with what the server writes next', async () => {
    const server = await openMade();
    const file = (
      await ask<{ file: string }>(
        server,
        `select setting || '/../log/postgres.log' as file
       from pg_settings where name = 'data_directory'`,
      )
    )['file'];
    for (let round = 1; round <= 3; round += 1) {
      await ask(server, flood(20));
      await waitFor(async () => (await stat(file)).size < 8 * 1024 * 1024);
      const last = await readFile(`${file}.1`, 'latin1');
      expect(last).toHaveLength(8 * 1024 * 1024);
      expect(last).toContain('xxx');
      await ask(server, `do $$ begin raise log 'the line after round ${round}'; end $$`);
      const kept = await readFile(file, 'latin1');
      expect(kept).toContain(`the line after round ${round}`);
      // The server appends: no hole is left where the cut off part was.
      expect(kept).not.toContain('\0');
    }
  });
});

test('a throw-away cluster is gone after its stop', async () => {
  const server = await openServer({ ephemeral: true });
  expect(await ask(server, `select current_setting('synchronous_commit') as sync`)).toEqual({
    sync: 'off',
  });
  await server.stop();
  await expect(stat(join(dataDir, 'postgres/data'))).rejects.toThrow('ENOENT');
});

describeIf(asRoot, 'only root makes a folder that the user of PostgreSQL does not reach')(
  'root below a folder of its own',
  () => {
    let home: string;
    let nativeDir: string;

    beforeAll(async () => {
      home = await mkdtemp(join(tmpdir(), 'rowhouse-home-'));
      await chmod(home, 0o700);
      nativeDir = join(home, 'native');
      await cp(findNativeDir(), nativeDir, { recursive: true, verbatimSymlinks: true });
      // As an install without scripts leaves it: no links to the libraries.
      const entries = await readdir(join(nativeDir, 'lib'), { withFileTypes: true });
      const links = entries.filter((entry) => entry.isSymbolicLink());
      await Promise.all(links.map((link) => rm(join(nativeDir, 'lib', link.name))));
    });
    afterAll(() => rm(home, { recursive: true }));

    const inHome = async () => {
      const systemFolder = join(dataDir, 'system');
      await mkdir(systemFolder, { recursive: true });
      await chmod(dataDir, 0o711);
      await chmod(home, 0o700);
      return { dataDir: join(home, 'data'), nativeDir, systemFolders: [systemFolder] };
    };

    test('keeps programs and data in a folder of the system, and finds them again', async () => {
      const first = await openServer(await inHome());
      expect(said).toEqual([
        expect.stringMatching(/ is kept in \S+ and not in .* A copy of .* is no backup/),
        expect.stringContaining('it runs from the copy'),
        expect.stringContaining('runs on 127.0.0.1'),
      ]);
      await ask(first, 'create table kept as select 42 as answer');
      await first.stop();
      await chmod(home, 0o711);
      const again = { ...(await inHome()), nativeDir: findNativeDir() };
      said.length = 0;
      expect(await ask(await openServer(again), 'select answer from kept')).toEqual({ answer: 42 });
      // Whoever missed the first start learns it at the next ones, and from the folder itself.
      expect(said[0]).toContain('is no backup');
      const note = join(again.dataDir, 'THE-DATABASE-IS-ELSEWHERE.txt');
      expect(await readFile(note, 'utf8')).toBe(`${said[0]}\n`);
    });

    test('does not start on an empty database when that folder is gone', async () => {
      await rm(join(home, 'data'), { recursive: true, force: true });
      const server = await openServer(await inHome());
      await server.stop();
      await rm(join(dataDir, 'system'), { recursive: true });
      await expect(openServer(await inHome())).rejects.toThrow(/kept in \S+ .*does not exist$/);
    });
  },
);
