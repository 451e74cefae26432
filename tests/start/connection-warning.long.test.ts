// On a server with too few connections for owners of projects, a start says so in its log.
import { afterEach, expect, vi, test } from 'vitest';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { openEmbeddedPostgres, type EmbeddedPostgres } from '#libs/postgres-server';
import { waitFor } from '#libs/testing';

import { freePorts, makeFolder, startRowhouse, type RowhouseProcess } from './rowhouse-process.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const warning = 'Direct connections of owners may leave too few for requests';
const quiet = () => undefined;
const log = { info: quiet, warn: quiet, error: quiet };
let folder: string;
let server: EmbeddedPostgres | undefined;
let running: RowhouseProcess | undefined;

afterEach(async () => {
  running?.child.kill('SIGTERM');
  await running?.ended();
  await server?.stop('immediate');
  await rm(folder, { recursive: true, force: true });
});

/** The lines of the log that hold a text. */
function logged(text: string): readonly string[] {
  const lines = running?.stdout().split('\n') ?? [];
  return lines.filter((line) => line.includes(text));
}

test('a start warns when the connections of owners do not fit the server', async () => {
  folder = await makeFolder();
  server = await openEmbeddedPostgres({
    dataDir: join(folder, 'server'),
    ephemeral: true,
    settings: { max_connections: '30' },
    log,
  });
  running = startRowhouse({
    ...(await freePorts()),
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: server.url,
  });
  await running.ready();
  await waitFor(() => logged(warning).length > 0, { ms: 30_000 });
  // One project at most: the first one may not be there yet.
  expect(JSON.parse(logged(warning)[0] ?? '')).toMatchObject({
    level: 40,
    msg: expect.stringMatching(
      /^Direct connections of owners may leave too few for requests \(27 connections for [01] projects, of which the platform needs 100\): set max_connections to at least 10[36] and reserved_connections to 100 in postgresql\.conf$/,
    ),
  });
});
