// `npm start`, ended in every way in which a person or a supervisor ends it: nothing stays, neither the server nor
// its PostgreSQL nor the lock of the data folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';

import { waitFor } from '#libs/testing';
import { testIf } from '../../libs/testing/src/test-if.js';
import { freePorts, makeFolder } from './rowhouse-process.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const test = testIf(
  existsSync('/proc/self/stat'),
  'no /proc, where the processes of npm are found',
);
const goneMs = 30_000;
let folder: string;
let npm: ChildProcess | undefined;

beforeAll(async () => {
  folder = await makeFolder();
});
afterEach(() => {
  // Whatever a failed test has left; a group that is gone already cannot be signalled.
  try {
    if (npm?.pid !== undefined) process.kill(-npm.pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Parent and name of a process; undefined when it is gone. */
async function statOf(pid: number): Promise<{ name: string; parent: number } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''); // It is gone.
  const [, name = '', state, parent] = /\((.*)\) (\S) (\d+)/.exec(text) ?? [];
  return parent === undefined || state === 'Z' ? undefined : { name, parent: Number(parent) };
}

interface Started {
  readonly npm: number;
  /** Between npm and the server; npm itself where its shell hands over to the server. */
  readonly shell: number;
  readonly server: number;
  readonly postmaster: number;
}

const lockFile = (): string => join(folder, 'rowhouse.lock');

async function start(): Promise<Started> {
  const child = spawn('npm', ['start'], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: folder,
      DRAIN_SECONDS: '2',
      PRE_STOP_SECONDS: '0',
      ...(await freePorts()),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, as a terminal gives each command.
    detached: true,
  });
  npm = child;
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await waitFor(() => /^ready /m.test(output) || child.exitCode !== null, { ms: 240_000 });
  const server = Number(/"pid": ?(\d+)/.exec(await readFile(lockFile(), 'utf8'))?.[1]);
  const shell = (await statOf(server))?.parent ?? 0;
  const [postmaster] = (
    await readFile(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8')
  ).split('\n');
  return { npm: child.pid ?? 0, shell, server, postmaster: Number(postmaster) };
}

async function expectNothingLeft({ server, postmaster }: Started): Promise<void> {
  const left = async (): Promise<unknown[]> =>
    (await Promise.all([server, postmaster].map(statOf))).filter((each) => each !== undefined);
  await waitFor(async () => (await left()).length === 0, { ms: goneMs, everyMs: 50 });
  expect(existsSync(lockFile())).toBe(false);
}

test('SIGTERM to npm alone ends the server and its database', async () => {
  const started = await start();
  process.kill(started.npm, 'SIGTERM');
  await expectNothingLeft(started);
});

test('kill -9 of npm ends the server and its database', async () => {
  const started = await start();
  process.kill(started.npm, 'SIGKILL');
  await expectNothingLeft(started);
});

test('SIGTERM to the shell between npm and the server ends both', async () => {
  const started = await start();
  process.kill(started.shell, 'SIGTERM');
  await expectNothingLeft(started);
});

test('Ctrl-C, which reaches all of them, ends the server and its database', async () => {
  const started = await start();
  const ended = once(npm as ChildProcess, 'exit');
  process.kill(-started.npm, 'SIGINT');
  await Promise.all([ended, expectNothingLeft(started)]);
});
