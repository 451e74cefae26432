// The server ends every connection, forty times, while both applications are used and projects open, and also while
// the product starts. A request is done or refused with 503, and the process lives.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, vi, test } from 'vitest';

import { waitFor } from '#libs/testing';
import {
  askEmbedded,
  freePorts,
  makeFolder,
  type RowhouseProcess,
  startRowhouse,
} from '../start/rowhouse-process.js';
import { type Call, send } from '../support/http.js';
import { asRecord } from '../support/deployment.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const rounds = 40;
const startKills = 6;
const operator = { email: 'operator@rowhouse.test', password: 'a long enough password' };
const refs = ['first', 'second', 'third'];
const terminateAll = `select pg_catalog.pg_terminate_backend(pid) from pg_catalog.pg_stat_activity
   where backend_type = 'client backend' and pid <> pg_catalog.pg_backend_pid()`;

let folder: string;
let env: Record<string, string>;
let rowhouse: RowhouseProcess;
let operatorToken: string;
const keyByRef = new Map<string, string>();
let accounts = 0;

beforeAll(async () => {
  folder = await makeFolder();
  env = {
    ...(await freePorts()),
    DATA_DIR: join(folder, 'data'),
    OPERATOR_EMAIL: operator.email,
    OPERATOR_PASSWORD: operator.password,
    DEFAULT_PROJECT: 'none',
    // One project is open at a time, so that requests to three open them again and again.
    MAX_LIVE_PROJECTS: '1',
    LOG_LEVEL: 'fatal',
  };
  rowhouse = startRowhouse(env);
  await rowhouse.ready();
  operatorToken = await signIn();
  for (const ref of refs) await makeProject(ref);
});
afterAll(async () => {
  rowhouse.child.kill('SIGTERM');
  await rowhouse.ended();
  await rm(folder, { recursive: true, force: true });
});

const apiOrigin = () => `http://127.0.0.1:${env['PORT']}`;
const consoleOrigin = () => `http://127.0.0.1:${env['CONSOLE_PORT']}`;
const bearer = () => ({ authorization: `Bearer ${operatorToken}` });

async function signIn(): Promise<string> {
  const path = '/platform/login';
  const { body } = await send(consoleOrigin(), { method: 'POST', path, body: operator });
  return String(asRecord(body)['token']);
}

async function makeProject(ref: string): Promise<void> {
  const reply = await send(consoleOrigin(), {
    method: 'POST',
    path: '/platform/projects',
    headers: bearer(),
    body: { name: ref, ref },
  });
  if (reply.status !== 201) throw new Error(`no project: ${reply.status} ${reply.text}`);
  keyByRef.set(ref, String(asRecord(reply.body)['secretKey']));
  const made = await toProject(ref, {
    method: 'POST',
    path: '/api/admin/sql',
    body: { query: 'create table notes (id int generated always as identity, text text)' },
  });
  if (made.status !== 200) throw new Error(`no table: ${made.status} ${made.text}`);
}

function toProject(ref: string, call: Call) {
  const headers = { host: `${ref}.localhost`, apikey: keyByRef.get(ref) ?? '', ...call.headers };
  return send(apiOrigin(), { ...call, headers });
}

/** The requests that are sent over and over, each by a client of its own. */
function clients(): readonly (() => Promise<{ readonly status: number; readonly text: string }>)[] {
  const notes = '/rest/v1/notes';
  return [
    ...refs.flatMap((ref) => [
      () => toProject(ref, { path: `${notes}?limit=1` }),
      () => toProject(ref, { method: 'POST', path: notes, body: { text: 'x' } }),
    ]),
    () => toProject('first', { path: '/api/auth/get-session' }),
    () =>
      toProject('second', {
        method: 'POST',
        path: '/api/admin/users',
        body: { email: `user-${(accounts += 1)}@example.org`, password: operator.password },
      }),
    () => toProject('third', { path: '/api/health-check' }),
    () => send(apiOrigin(), { path: '/readyz' }),
    () => send(consoleOrigin(), { path: '/readyz' }),
    () => send(consoleOrigin(), { path: '/platform/projects', headers: bearer() }),
    () => send(consoleOrigin(), { path: '/auth/get-session', headers: bearer() }),
    () => send(consoleOrigin(), { method: 'POST', path: '/platform/login', body: operator }),
    () =>
      send(consoleOrigin(), {
        method: 'PATCH',
        path: '/platform/projects/first',
        headers: bearer(),
        body: { name: 'renamed' },
      }),
  ];
}

const killAll = (): Promise<unknown> => askEmbedded(env['DATA_DIR'] ?? '', terminateAll);

test('forty times, under traffic on both applications', async () => {
  const wrong: string[] = [];
  const counts = { done: 0, refused: 0 };
  let isOver = false;
  const running = clients().map((client) => ({ client, answers: 0 }));
  const traffic = running.map(async (sender, index) => {
    while (!isOver) {
      const { status, text } = await sender.client();
      sender.answers += 1;
      if (status === 503) counts.refused += 1;
      else if (status >= 200 && status < 300) counts.done += 1;
      else wrong.push(`${index}: ${status} ${text}`);
    }
  });
  const failing = Promise.all(traffic);
  for (let round = 0; round < rounds; round += 1) {
    const before = running.map(({ answers }) => answers);
    await killAll();
    const haveAllAnswered = waitFor(async () =>
      running.every(({ answers }, index) => answers > (before[index] ?? 0)),
    );
    await Promise.race([haveAllAnswered, failing]).catch((error: unknown) => {
      isOver = true;
      throw error;
    });
  }
  isOver = true;
  await failing;
  expect([...new Set(wrong)]).toEqual([]);
  expect(counts.done).toBeGreaterThan(rounds);
  expect(counts.refused).toBeGreaterThan(0);
  expect(rowhouse.child.exitCode).toBeNull();
  await expectHealthy();
});

test('while the product starts', async () => {
  rowhouse.child.kill('SIGTERM');
  expect(await rowhouse.ended()).toBe(0);
  rowhouse = startRowhouse(env);
  let kills = 0;
  const isStarting = () => rowhouse.child.exitCode === null && !/^ready /m.test(rowhouse.stdout());
  while (kills < startKills && isStarting()) {
    const [row] = await askEmbedded(
      env['DATA_DIR'] ?? '',
      `select pg_catalog.count(*) filter (where pg_terminate_backend)::pg_catalog.int4 as ended
         from (${terminateAll}) as ended`,
    ).catch(() => []);
    if (Number(asRecord(row ?? {})['ended']) > 0) kills += 1;
  }
  await rowhouse.ready();
  expect(kills).toBeGreaterThan(0);
  expect(rowhouse.stderr()).toBe('');
  await expectHealthy();
});

/** Everything answers again, and the process never said that it ends. */
async function expectHealthy(): Promise<void> {
  await waitFor(async () => {
    const replies = await Promise.all(clients().map((client) => client()));
    return replies.every(({ status }) => status < 300);
  });
  expect(rowhouse.stdout()).not.toContain('nobody caught');
  expect(rowhouse.child.exitCode).toBeNull();
}
