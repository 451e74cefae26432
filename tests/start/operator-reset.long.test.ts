// `rowhouse operator reset <email>`: the way back for the only operator, on a deployment that runs and on one that
// is stopped.
import { afterAll, beforeAll, expect, vi, test } from 'vitest';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { totp } from '../console/totp.js';
import { send, type Reply } from '../support/http.js';
import {
  askEmbedded,
  freePorts,
  makeFolder,
  postmasterPid,
  startRowhouse,
  type RowhouseProcess,
} from './rowhouse-process.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const email = 'operator@rowhouse.test';
const chosen = 'correct horse battery';
let folder: string;
let env: Record<string, string>;
let running: RowhouseProcess;
let token: string;

beforeAll(async () => {
  folder = await makeFolder();
  env = {
    ...(await freePorts()),
    DATA_DIR: join(folder, 'data'),
    DEFAULT_PROJECT: 'none',
    OPERATOR_EMAIL: email,
    OPERATOR_PASSWORD: chosen,
  };
  await start();
});
afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  running = startRowhouse(env);
  await running.ready();
}

async function stop(): Promise<void> {
  running.child.kill('SIGTERM');
  await running.ended();
}

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

function reset(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const options = { env: { PATH: process.env['PATH'], ...env, ...more } };
  return new Promise<Ended>((resolve) => {
    const command = ['bin/rowhouse.js', 'operator', 'reset', ...args];
    execFile(process.execPath, command, options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

async function resetPassword(): Promise<string> {
  const { code, stdout, stderr } = await reset([email.toUpperCase()]);
  expect([code, stderr]).toEqual([0, '']);
  const passwords = [...stdout.matchAll(/^password {2}(\S+)$/gm)].map(([, found]) => String(found));
  expect(passwords).toHaveLength(1);
  return String(passwords[0]);
}

function post(path: string, body: object, session?: string): Promise<Reply> {
  const headers = session === undefined ? {} : { authorization: `Bearer ${session}` };
  const origin = `http://localhost:${env['CONSOLE_PORT']}`;
  return send(origin, { method: 'POST', path, body, headers });
}

const login = (password: string, trustToken?: string): Promise<Reply> =>
  post('/platform/login', { email, password, ...(trustToken !== undefined && { trustToken }) });
const field = ({ body }: Reply, name: string): string =>
  String(Object.entries(body ?? {}).find(([key]) => key === name)?.[1]);

test('while the server runs: password, second factor, device, sessions and lock-out', async () => {
  const session = field(await login(chosen), 'token');
  const enrolment = await post('/auth/two-factor/enable', { password: chosen }, session);
  const code = totp(field(enrolment, 'secret'));
  const confirmed = await post(
    '/auth/two-factor/verify-totp',
    { code, trustDevice: true },
    session,
  );
  expect(confirmed.status).toBe(200);
  token = field(confirmed, 'token');
  for (let n = 0; n < 11; n++) await login('wrong');
  expect((await login(chosen)).status).toBe(423);

  const password = await resetPassword();
  expect(password).not.toBe(chosen);
  const signedIn = await login(password);
  expect(signedIn).toMatchObject({
    status: 200,
    body: { mustChangePassword: true, twoFactor: false },
  });
  expect((await login(chosen)).status).toBe(401);
  const ended = await post('/platform/password', {}, token);
  expect(ended.status).toBe(401);
  const barred = await post('/platform/organizations', {}, field(signedIn, 'token'));
  expect(barred).toMatchObject({ status: 403, body: { code: 'PASSWORD_CHANGE_REQUIRED' } });
  const audit = await askEmbedded(
    env['DATA_DIR'] ?? '',
    `select action, operator_id, after from audit_entry where action = 'operator.reset'`,
    'rowhouse',
  );
  expect(audit).toEqual([
    {
      action: 'operator.reset',
      operator_id: null,
      after: { mustChangePassword: true, removeSecondFactor: true },
    },
  ]);
  const devices = await askEmbedded(
    env['DATA_DIR'] ?? '',
    'select id from operator_verification',
    'rowhouse',
  );
  expect(devices).toEqual([]);
});

test.each([
  {
    name: 'an unknown address',
    args: ['other@rowhouse.test'],
    line: 'No operator has the email address other@rowhouse.test',
  },
  {
    name: 'no address',
    args: [],
    line: 'operator reset takes the email address of one operator; see rowhouse --help',
  },
  {
    name: 'a word that is no address',
    args: ['operator'],
    line: 'operator reset takes the email address of one operator; see rowhouse --help',
  },
])('$name is one line and exit code 1', async ({ args, line }) => {
  expect(await reset(args)).toEqual({ code: 1, stdout: '', stderr: `rowhouse: ${line}\n` });
});

test('a folder without a deployment stays as it is', async () => {
  const DATA_DIR = join(folder, 'other');
  const { code, stderr } = await reset([email], { DATA_DIR });
  expect(code).toBe(1);
  expect(stderr).toBe(
    `rowhouse: The data folder ${DATA_DIR} holds no deployment; set DATA_DIR to the folder of the server\n`,
  );
  expect(existsSync(DATA_DIR)).toBe(false);
});

test('while the server is stopped, and the database is stopped again afterwards', async () => {
  await stop();
  const password = await resetPassword();
  expect(await postmasterPid(env['DATA_DIR'] ?? '')).toBeUndefined();
  expect(existsSync(join(env['DATA_DIR'] ?? '', 'rowhouse.lock'))).toBe(false);
  await start();
  expect(await login(password)).toMatchObject({ status: 200, body: { mustChangePassword: true } });
});
