// A mail that was asked for is sent, also when the process is killed between its answer and its delivery.
import { afterAll, beforeAll, expect, vi, test } from 'vitest';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { send } from '../support/http.js';
import { type MailServer, openMailServer } from '../support/mail-server.js';
import {
  freePorts,
  makeFolder,
  type RowhouseProcess,
  startRowhouse,
  until,
} from './rowhouse-process.js';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

let env: Record<string, string>;
let dataDir: string;
let mailServer: MailServer;
let running: RowhouseProcess | undefined;

beforeAll(async () => {
  mailServer = await openMailServer();
  dataDir = join(await makeFolder(), 'data');
  env = {
    ...(await freePorts()),
    ...mailServer.env,
    SMTP_PROJECTS: 'all',
    DATA_DIR: dataDir,
    OPERATOR_EMAIL: 'operator@rowhouse.test',
    OPERATOR_PASSWORD: 'correct horse battery',
  };
});
afterAll(async () => {
  running?.child.kill('SIGTERM');
  await running?.ended();
  await mailServer.close();
  await rm(join(dataDir, '..'), { recursive: true, force: true });
});

async function start(): Promise<RowhouseProcess> {
  running = startRowhouse(env);
  await running.ready();
  return running;
}

async function askForLink(email: string): Promise<void> {
  const reply = await send(`http://localhost:${env['PORT']}`, {
    method: 'POST',
    path: '/api/auth/sign-in/magic-link',
    headers: { host: 'demo.localhost' },
    body: { email },
  });
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 });
}

test('a killed process loses no mail', async () => {
  const rowhouse = await start();
  await askForLink('first@example.org');
  await mailServer.waitForMail('first@example.org');
  const addresses = ['a@example.org', 'b@example.org', 'c@example.org'];
  await Promise.all(addresses.map(askForLink));
  rowhouse.child.kill('SIGKILL');
  expect(await rowhouse.ended()).toBe('SIGKILL');
  const missing = () => addresses.filter((to) => mailServer.mailsTo(to).length === 0);
  expect(missing().length).toBeGreaterThan(0);
  await start();
  await until(() => missing().length === 0, 90_000);
  expect(addresses.map((to) => mailServer.mailsTo(to).length)).toEqual([1, 1, 1]);
});
