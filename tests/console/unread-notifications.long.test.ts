// A client that listens and reads nothing keeps the notifications of all databases in the shared queue as soon as its
// connection takes no more. The server belongs to this file: other tests would fill its queue as well.
import { waitFor } from '#libs/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from 'pg';
import { pino } from 'pino';

import { type RunningLockWatch, startLockWatch } from '../../bin/lock-watch.js';
import { openOwnServer, type OwnServer } from '../support/own-server.js';
import { withClient } from '../support/test-server.js';
import { type ControlPlaneFixture, openFixture } from './control-plane-fixture.js';

let server: OwnServer;
let fixture: ControlPlaneFixture;
let watch: RunningLockWatch;
const warnings: Record<string, unknown>[] = [];
beforeAll(async () => {
  // 32 MB: several times what the system keeps for a connection that is not read.
  server = await openOwnServer({ settings: { max_notify_queue_pages: '4096' } });
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

test('a session whose client does not read is ended, and the queue is free again', async () => {
  const hostile = await fixture.newProject();
  const neighbor = await fixture.newProject();
  const [listener, sender] = [await connect(hostile.url), await connect(hostile.url)];
  const other = await connect(neighbor.url);
  await listener.query('listen x');
  listener.connection.stream.pause();
  const isEnded = (): boolean => warnings.length > 0;
  while (!isEnded()) {
    await sender
      .query(
        `select pg_notify('x', repeat('a', 7900) || i || clock_timestamp()) from generate_series(1, 20) i`,
      )
      .catch((error: unknown) => expect(error).toMatchObject({ code: '54000' }));
  }
  expect(warnings).toMatchObject([{ ref: hostile.ref, reason: 'keeps notifications' }]);
  await waitFor(() =>
    withClient(server.url, async (client) => {
      const { rows } = await client.query('select pg_notification_queue_usage() < 0.01 as is_free');
      return rows[0].is_free === true;
    }),
  );
  await other.query('notify orders');
  listener.connection.stream.destroy();
  await Promise.all([sender.end(), other.end()]);
}, 60_000);
