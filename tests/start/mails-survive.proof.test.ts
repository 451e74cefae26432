// A mail or an SMS that was asked for is sent, also when the process is killed between its answer and its delivery.
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, vi, test } from 'vitest';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { waitFor } from '#libs/testing';
import { send } from '../support/http.js';
import { type MailServer, openMailServer } from '../support/mail-server.js';
import { bearer, textAt } from '../support/replies.js';
import { openSmsGateway, type SmsGateway } from '../support/sms-gateway.js';
import { freePorts, makeFolder, type RowhouseProcess, startRowhouse } from './rowhouse-process.js';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const operator = { email: 'operator@rowhouse.test', password: 'correct horse battery' };
let env: Record<string, string>;
let dataDir: string;
let mailServer: MailServer;
let gateway: SmsGateway;
/** The status with which the gateway refuses every SMS; undefined: it takes them. */
let refusal: number | undefined;
let running: RowhouseProcess | undefined;

beforeAll(async () => {
  mailServer = await openMailServer();
  gateway = await openSmsGateway(() => refusal);
  dataDir = join(await makeFolder(), 'data');
  env = {
    ...(await freePorts()),
    ...mailServer.env,
    SMTP_PROJECTS: 'all',
    DATA_DIR: dataDir,
    OUTBOUND_ALLOWED_HOSTS: '127.0.0.1',
    OPERATOR_EMAIL: operator.email,
    OPERATOR_PASSWORD: operator.password,
  };
});
afterEach(async () => {
  running?.child.kill('SIGTERM');
  await running?.ended();
});
afterAll(async () => {
  await mailServer.close();
  await gateway.close();
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

async function toConsole(path: string, body: object, headers: Record<string, string> = {}) {
  const origin = `http://localhost:${env['CONSOLE_PORT']}`;
  const reply = await send(origin, { method: 'POST', path, body, headers });
  expect([200, 201]).toContain(reply.status);
  return reply.body;
}

/** Makes a project whose codes go to the gateway, and returns what its clients send with each request. */
async function projectWithSms(): Promise<Readonly<Record<string, string>>> {
  const token = textAt(await toConsole('/platform/login', operator), 'token');
  const project = { name: 'Texts', ref: 'texts' };
  const made = await toConsole('/platform/projects', project, bearer(token));
  const host = { host: 'texts.localhost' };
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const groups = {
    'phone.sms': { provider: 'webhook', webhook: { url: `${gateway.origin}/hook`, secret } },
    'auth.phoneOtp': { enabled: true },
  };
  for (const [group, body] of Object.entries(groups)) {
    const reply = await send(`http://localhost:${env['PORT']}`, {
      method: 'PUT',
      path: `/api/admin/settings/${group}`,
      headers: { ...host, apikey: textAt(made, 'secretKey') },
      body,
    });
    expect(reply.status, reply.text).toBe(200);
  }
  return host;
}

async function askForCode(headers: Readonly<Record<string, string>>, phoneNumber: string) {
  const reply = await send(`http://localhost:${env['PORT']}`, {
    method: 'POST',
    path: '/api/auth/phone-number/send-otp',
    headers,
    body: { phoneNumber },
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
  await waitFor(() => missing().length === 0, { ms: 90_000 });
  expect(addresses.map((to) => mailServer.mailsTo(to).length)).toEqual([1, 1, 1]);
});

test('a killed process loses no SMS', async () => {
  const rowhouse = await start();
  const headers = await projectWithSms();
  await askForCode(headers, '+15551230000');
  await gateway.waitForSms('+15551230000');
  refusal = 503;
  const numbers = ['+15551230001', '+15551230002', '+15551230003'];
  await Promise.all(numbers.map((number) => askForCode(headers, number)));
  rowhouse.child.kill('SIGKILL');
  expect(await rowhouse.ended()).toBe('SIGKILL');
  const missing = () => numbers.filter((to) => gateway.messagesTo(to).length === 0);
  expect(missing()).toEqual(numbers);
  refusal = undefined;
  await start();
  await waitFor(() => missing().length === 0, { ms: 90_000 });
});
