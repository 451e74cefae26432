// `NODE_ENV=production npm ci && npm start` in a copy of the sources without anything that was installed or built: the
// start has all that it needs to compile the program and to build the pages.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, expect, vi } from 'vitest';

import { waitFor } from '#libs/testing';
import { testIf } from '../../libs/testing/src/test-if.js';
import { freePorts, makeFolder } from './rowhouse-process.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

const test = testIf(existsSync('.git'), 'no .git, which lists the files of the sources');
const run = promisify(execFile);
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function newFolder(): Promise<string> {
  const folder = await makeFolder();
  folders.push(folder);
  return folder;
}

/** A copy of the files that git knows. */
async function copySources(): Promise<string> {
  const folder = await newFolder();
  const { stdout } = await run('git', ['ls-files', '-z'], { maxBuffer: 64 * 1024 * 1024 });
  const files = stdout.split('\0').filter((file) => file !== '' && existsSync(file));
  for (const file of files) await cp(file, join(folder, file));
  return folder;
}

test('a production installation starts, and serves both applications', async () => {
  const cwd = await copySources();
  const dataDir = await newFolder();
  const ports = await freePorts();
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    ...ports,
  };
  // The packages were fetched for the installation in which this test runs.
  await run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd, env });
  expect(existsSync(join(cwd, 'node_modules', 'oxlint'))).toBe(false);

  const npm = spawn('npm', ['start'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(npm, 'exit');
  let output = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  try {
    await waitFor(() => /^ready /m.test(output) || npm.exitCode !== null, { ms: 300_000 });
    expect(output).toMatch(/^ready /m);
    const api = await fetch(`http://127.0.0.1:${ports.PORT}/readyz`);
    const page = await fetch(`http://127.0.0.1:${ports.CONSOLE_PORT}/`);
    expect([api.status, page.status]).toEqual([200, 200]);
    const [, script] = /<script [^>]*src="([^"]+)"/.exec(await page.text()) ?? [];
    const loaded = await fetch(new URL(script ?? '/none', page.url));
    expect(loaded.headers.get('content-type')).toMatch(/javascript/);
  } finally {
    npm.kill('SIGTERM');
    await ended;
    // npm does not wait for the server, nor for its PostgreSQL.
    const files = ['rowhouse.lock', join('postgres', 'data', 'postmaster.pid')];
    const isGone = () => files.every((file) => !existsSync(join(dataDir, file)));
    await waitFor(isGone, { until: 'the server has ended', ms: 60_000 });
  }
});
