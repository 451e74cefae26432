// All databases of a server share one queue of notifications. A project that fills it must not take it from the others.
// The server belongs to this file: its queue is small.
import { waitFor } from '#libs/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from 'pg';
import { pino } from 'pino';
import { type RunningLockWatch, startLockWatch } from '../../bin/lock-watch.js';
import { openOwnServer, type OwnServer } from '../support/own-server.js';
import { type ControlPlaneFixture, openFixture } from './control-plane-fixture.js';

let server: OwnServer;
let fixture: ControlPlaneFixture;
let watch: RunningLockWatch;
const warnings: Record<string, unknown>[] = [];
beforeAll(async () => {
  server = await openOwnServer({ settings: { max_notify_queue_pages: '64' } });
  fixture = await openFixture(server.url);
  const log = pino({}, { write: (line) => void warnings.push(JSON.parse(line)) });
  watch = startLockWatch({ databaseUrl: server.url, log });
  watch.nameProjects(fixture.context);
}, 120_000);
afterAll(async () => {
  await watch?.close();
  await fixture?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
}, 60_000);

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
/** Sends notifications until the queue takes no more. */
async function fillQueue(client: Client): Promise<unknown> {
  for (;;) {
    try {
      await client.query(
        `select pg_notify('x', repeat('a', 7900) || i || clock_timestamp()) from generate_series(1, 20) i`,
      );
    } catch (error) {
      return error;
    }
  }
}

test('a session that keeps notifications of all projects is ended, and others notify again', async () => {
  const [hostile, neighbor] = [await fixture.newProject(), await fixture.newProject()];
  const [listener, sender] = [await connect(hostile.url), await connect(hostile.url)];
  const other = await connect(neighbor.url);
  const ended = new Promise((resolve) => listener.once('end', resolve));
  await listener.query('listen x');
  await listener.query('begin');
  await listener.query('select 1');
  expect(await fillQueue(sender)).toMatchObject({ code: '54000' });
  await ended;
  await waitFor(() => other.query(`notify orders`), { retriesErrors: true });
  expect(warnings).toMatchObject([{ ref: hostile.ref, reason: 'keeps notifications' }]);
  await Promise.all([sender.end(), other.end()]);
}, 60_000);
