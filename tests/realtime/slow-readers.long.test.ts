// Clients that make the server keep something for them: one that does not read, and one that connects many times over.
import type { Socket as TcpSocket } from 'node:net';
import { Manager } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { asRecord } from '../support/deployment.js';
import { send } from '../support/http.js';
import { ChannelFixture, messagesIn } from './channel-fixture.js';
import type { RealtimeClient } from './realtime-client.js';

let fixture: ChannelFixture;
beforeAll(async () => {
  fixture = await ChannelFixture.open();
  await fixture.limit({
    messagesPerSecond: 10_000,
    messageBurst: 10_000,
    projectMessagesPerSecond: 10_000,
  });
}, 60_000);
afterAll(() => fixture.close());

async function stats(): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await fixture.project.asService({ path: '/api/admin/realtime/stats' });
  return asRecord(body);
}
const connections = async (): Promise<unknown> => (await stats())['connections'];

/** The WebSocket of a client. */
function webSocketOf({ socket }: RealtimeClient) {
  const { ws } = socket.io.engine.transport as unknown as {
    readonly ws: { readonly _socket: TcpSocket; send(packet: string): void };
  };
  return ws;
}

const textsIn = (client: RealtimeClient): readonly string[] =>
  messagesIn(client).flatMap((one) => (typeof one === 'string' ? [one] : []));

test('messages that a client does not read in time are left out, and counted in framesDropped', async () => {
  const slow = await fixture.joined('busy');
  const sender = await fixture.joined('busy');
  const { _socket: connection } = webSocketOf(slow);
  connection.pause();
  const payload = 'x'.repeat(200_000);
  let sent = 0;
  const say = async (one: unknown): Promise<void> => {
    const answer = await sender.ask('rt:send', { topic: 'busy', event: 'e', payload: one });
    expect(answer).toEqual({ status: 'ok' });
    sent += 1;
  };
  // As much as the system takes by itself, and 1 MB.
  await waitFor(
    async () => {
      await say(payload);
      return Number((await stats())['framesDropped']) > 0;
    },
    { until: 'a message is left out', ms: 20_000 },
  );
  const { framesDropped } = await stats();
  connection.resume();
  const last = await waitFor(
    async () => {
      await say(`last ${sent}`);
      return textsIn(slow).find((one) => one.startsWith('last'));
    },
    { until: 'the client receives messages again', ms: 20_000 },
  );
  expect(slow.socket.connected).toBe(true);
  // One is one frame here: the sender does not receive its own.
  const leftOut = Number((await stats())['framesDropped']);
  expect(leftOut).toBeGreaterThanOrEqual(Number(framesDropped));
  const before = textsIn(slow).indexOf(last);
  expect(before + leftOut).toBe(Number(last.slice('last '.length)));
  const { ref } = fixture.project;
  const { text } = await send(fixture.deployment.apiOrigin, { path: '/metrics' });
  expect(text).toContain(`rowhouse_realtime_frames_dropped_total{project="${ref}"} ${leftOut}`);
  slow.close();
  sender.close();
  await waitFor(async () => (await connections()) === 0, { until: 'its clients have left' });
});

test('a client that does not read is disconnected, also one that says that it is alive', async () => {
  const slow = await fixture.joined('flood');
  const sender = await fixture.joined('flood');
  expect(await connections()).toBe(2);
  const ws = webSocketOf(slow);
  ws._socket.pause();
  const payload = 'x'.repeat(200_000);
  await waitFor(
    async () => {
      ws.send('3');
      for (let n = 0; n < 10; n += 1) {
        const answer = await sender.ask('rt:send', { topic: 'flood', event: 'e', payload });
        expect(answer).toEqual({ status: 'ok' });
      }
      return (await connections()) === 1;
    },
    { until: 'the client is disconnected', ms: 20_000 },
  );
  slow.close();
});

test('a connection is one client, however often it asks before the first answer', async () => {
  const before = await connections();
  const { apiOrigin, host } = fixture.project;
  const options = { path: '/ws', transports: ['websocket'], reconnection: false };
  const manager = new Manager(apiOrigin, {
    ...options,
    extraHeaders: { host },
    autoConnect: false,
  });
  const ended = new Promise((resolve) => manager.once('close', resolve));
  manager.open((error) => {
    expect(error).toBeUndefined();
    for (let n = 0; n < 200; n += 1) manager.engine.write('0');
  });
  await ended;
  await waitFor(async () => (await connections()) === before, { until: 'its clients have left' });
});
