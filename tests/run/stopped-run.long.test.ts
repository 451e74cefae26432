// A run of the tests that is stopped from outside: its PostgreSQL ends and its folder goes, whatever signal the
// processes of the run are sent.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { expect, vi, test } from 'vitest';
import pg from 'pg';
import { waitFor } from '#libs/testing';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Sets a run up and waits. */
const run = `
  const { default: setUp } = await import(${JSON.stringify(pathToFileURL('tests/global-setup.js').href)});
  await setUp();
  console.log(process.env.TEST_DATABASE_URL, process.env.TEST_MEMORY ?? '');
  setInterval(() => {}, 60_000);
`;

test.each([{ signal: 'SIGKILL' }, { signal: 'SIGTERM' }, { signal: 'SIGHUP' }] as const)(
  '$signal to every process of the run leaves neither a server nor a folder',
  async ({ signal }) => {
    // A group of its own, as a shell gives every command: the signal goes to all of it.
    const child = spawn(process.execPath, ['--input-type=module', '-e', run], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'] },
    });
    const [line]: Buffer[] = await once(child.stdout, 'data');
    const [url = '', memory = ''] = String(line).trim().split(' ');
    const folder = await dataDirectory(url);
    expect(existsSync(folder)).toBe(true);
    expect(memory === '' || folder.startsWith(memory)).toBe(true);
    process.kill(-(child.pid ?? 0), signal);
    const isGone = async () => !existsSync(folder) && !existsSync(memory) && !(await answers(url));
    await waitFor(isGone, { ms: 30_000, everyMs: 100 });
  },
);

async function dataDirectory(url: string): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  await client.end();
  return rows[0]?.data_directory ?? '';
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined); // The server may end while it is asked.
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false; // Whatever the reason: it does not answer.
  }
}
