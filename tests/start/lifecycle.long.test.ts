// One data folder through its life: first start, stop, second start, kill of everything, recovery.
import { afterAll, beforeAll, expect, vi, test } from 'vitest';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '#libs/testing';
import { asRecord } from '../support/deployment.js';
import { send } from '../support/http.js';
import {
  askEmbedded,
  freePorts,
  makeFolder,
  postmasterPid,
  startRowhouse,
  type RowhouseProcess,
} from './rowhouse-process.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const operator = { email: 'operator@rowhouse.test', password: 'correct horse battery' };
let env: Record<string, string>;
let dataDir: string;
let running: RowhouseProcess | undefined;

beforeAll(async () => {
  dataDir = join(await makeFolder(), 'data');
  const probe = new URL('promise-probe.js', import.meta.url).href;
  env = {
    ...(await freePorts()),
    DATA_DIR: dataDir,
    OPERATOR_EMAIL: operator.email,
    OPERATOR_PASSWORD: operator.password,
    NODE_OPTIONS: `--import=${probe}`,
  };
});
afterAll(async () => {
  running?.child.kill('SIGTERM');
  await running?.ended();
  await rm(join(dataDir, '..'), { recursive: true, force: true });
});

async function start(): Promise<RowhouseProcess> {
  running = startRowhouse(env);
  await running.ready();
  return running;
}

async function runningPostmaster(): Promise<number> {
  const pid = await postmasterPid(dataDir);
  if (pid === undefined) throw new Error('no database server runs');
  return pid;
}

test('the first start makes the data folder and prints the URLs of both applications', async () => {
  const rowhouse = await start();
  expect(rowhouse.stdout()).toMatch(
    new RegExp(
      `^ready .*http://localhost:${env['PORT']} .*http://localhost:${env['CONSOLE_PORT']}$`,
      'm',
    ),
  );
  expect(rowhouse.stderr()).toBe('');
  expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600);
  await askEmbedded(dataDir, 'create table kept as select 42 as answer');
});

test('the log of the first start names each step when it begins, and then how long they took', async () => {
  const printed = () => running?.stdout() ?? '';
  await waitFor(() => printed().includes('started in'), { ms: 10_000 });
  const starts = printed()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => asRecord(JSON.parse(line)))
    .filter(({ step, steps }) => step !== undefined || steps !== undefined);
  const took = expect.any(Number);
  const steps = { database: took, 'control plane': took, projects: took, listening: took };
  expect(starts).toMatchObject([
    ...Object.keys(steps).map((step) => ({ step, msg: expect.stringMatching(/^starting: .+/) })),
    { steps, msg: expect.stringMatching(/^started in \d+\.\d s$/) },
  ]);
  expect(starts[0]?.['msg']).toContain(dataDir);
  const times = starts.map(({ time }) => Number(time));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test('after sign-ins of an operator and a user, promises cost what they cost before', async () => {
  const json = (body: object) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const email = 'somebody@rowhouse.test';
  const login = await fetch(
    `http://localhost:${env['CONSOLE_PORT']}/platform/login`,
    json(operator),
  );
  const signUp = await send(`http://localhost:${env['PORT']}`, {
    method: 'POST',
    path: '/api/auth/sign-up/email',
    headers: { host: 'demo.localhost' },
    body: { name: 'Somebody', email, password: operator.password },
  });
  expect([login.status, signUp.status]).toEqual([200, 200]);
  const answers = () => running?.stdout().match(/^promises are .*$/gm) ?? [];
  running?.child.kill('SIGUSR2');
  await waitFor(() => answers().length > 0, { ms: 10_000 });
  expect(answers()).toEqual(['promises are not followed']);
});

test('a second process on the same folder is refused and leaves the first one alone', async () => {
  const second = startRowhouse({ ...env, ...(await freePorts()) });
  expect(await second.ended()).toBe(1);
  const pid = running?.child.pid;
  expect(second.stderr()).toMatch(
    new RegExp(`^rowhouse: The data folder \\S+ is in use by the process ${pid}; .*\\n$`),
  );
  expect(await askEmbedded(dataDir, 'select answer from kept')).toEqual([{ answer: 42 }]);
});

test('SIGTERM ends it with 0 and stops the database', async () => {
  await runningPostmaster();
  running?.child.kill('SIGTERM');
  expect(await running?.ended()).toBe(0);
  expect(await postmasterPid(dataDir)).toBeUndefined();
});

test('a second start goes on with the same data and the same key', async () => {
  const { mtimeMs } = await stat(join(dataDir, 'master.key'));
  await start();
  expect(await askEmbedded(dataDir, 'select answer from kept')).toEqual([{ answer: 42 }]);
  expect((await stat(join(dataDir, 'master.key'))).mtimeMs).toBe(mtimeMs);
});

test('after a kill of the server and its database, the next start recovers what was committed', async () => {
  await askEmbedded(dataDir, 'insert into kept select n from generate_series(1, 10000) n');
  const pid = await runningPostmaster();
  running?.child.kill('SIGKILL');
  process.kill(pid, 'SIGKILL');
  expect(await running?.ended()).toBe('SIGKILL');
  await start();
  expect(await askEmbedded(dataDir, 'select count(*)::int as rows from kept')).toEqual([
    { rows: 10_001 },
  ]);
});

test('after a kill of the server alone, the next start takes its database over', async () => {
  const pid = await runningPostmaster();
  running?.child.kill('SIGKILL');
  await running?.ended();
  const rowhouse = await start();
  expect(await postmasterPid(dataDir)).toBe(pid);
  expect(rowhouse.stdout()).toContain('taking it over');
});

test('Ctrl-C that arrives twice at once, as npm hands it on, still stops in order', async () => {
  running?.child.kill('SIGINT');
  running?.child.kill('SIGINT');
  expect(await running?.ended()).toBe(0);
  expect(await postmasterPid(dataDir)).toBeUndefined();
});

test('a signal during the start stops what was started by then', async () => {
  const rowhouse = startRowhouse(env);
  running = rowhouse;
  await waitFor(() => rowhouse.stdout().includes('PostgreSQL'), { ms: 60_000 });
  await runningPostmaster();
  rowhouse.child.kill('SIGTERM');
  expect(await rowhouse.ended()).toBe(0);
  expect(rowhouse.stderr()).toBe('');
  expect(await postmasterPid(dataDir)).toBeUndefined();
});

test('another master key than the one of the data is refused in one line', async () => {
  const rowhouse = startRowhouse({
    ...env,
    MASTER_KEY: 'not the key that this data was sealed with',
  });
  expect(await rowhouse.ended()).toBe(1);
  expect(rowhouse.stderr()).toBe(
    'rowhouse: MASTER_KEY is not the key that the data of this deployment was sealed with\n',
  );
  expect(await postmasterPid(dataDir)).toBeUndefined();
});
