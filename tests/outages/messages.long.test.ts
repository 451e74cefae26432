// Sending a mail writes to the control plane first. When only the control plane is unavailable, the client gets 503.
import { afterAll, beforeAll, expect, test } from 'vitest';

import pg from 'pg';
import { pino } from 'pino';

import { waitFor } from '#libs/testing';
import { asRecord, Deployment, testDatabaseUrl } from '../support/deployment.js';
import { openMailServer, type MailServer } from '../support/mail-server.js';

let mailServer: MailServer;
let deployment: Deployment;
let controlPlane: pg.Client;
const lines: string[] = [];

beforeAll(async () => {
  mailServer = await openMailServer();
  const log = pino({}, { write: (line) => void lines.push(line) });
  deployment = await Deployment.open({ env: { ...mailServer.env, MAIL_INBOX: 'false' }, log });
  const url = new URL(testDatabaseUrl());
  url.pathname = `/${deployment.ground.databaseName}`;
  controlPlane = new pg.Client({ connectionString: url.href });
  await controlPlane.connect();
}, 60_000);
afterAll(async () => {
  await controlPlane.end();
  await deployment.close();
  await mailServer.close();
});

test('a mail that the control plane cannot record: 503, a log entry with the request, and the next request sends it', async () => {
  const project = await deployment.createProject();
  const body = { email: 'away@example.org' };
  await controlPlane.query('begin; lock table waiting_message');
  const asked = project.send({ method: 'POST', path: '/api/auth/sign-in/magic-link', body });
  const end = `
    select pg_catalog.pg_terminate_backend(pid) from pg_catalog.pg_locks
    where relation = 'waiting_message'::pg_catalog.regclass and not granted`;
  await waitFor(async () => ((await controlPlane.query(end)).rowCount ?? 0) > 0);
  const reply = await asked;
  await controlPlane.query('rollback');
  expect(reply.status).toBe(503);
  const { code, requestId } = asRecord(reply.body);
  expect(code).toBe('DATABASE_UNAVAILABLE');
  expect(reply.headers['retry-after']).toBe('1');
  const failure = lines.find((line) => line.includes('failed: auth engine of'));
  expect(JSON.parse(failure ?? '{}')).toMatchObject({
    requestId,
    err: { message: expect.stringContaining('terminat') },
  });
  await project.send({ method: 'POST', path: '/api/auth/sign-in/magic-link', body });
  await mailServer.waitForMail(body.email);
  expect(mailServer.mailsTo(body.email)).toHaveLength(1);
});
