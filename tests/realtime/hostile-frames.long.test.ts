// Packets of a socket that are the worst for the server, from a visitor without a credential. All projects share the
// event loop that reads them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { holdsLoop } from '../http/event-loop.js';
import { worst } from '../http/worst-bodies.js';
import { ChannelFixture, messagesIn } from './channel-fixture.js';
import type { RealtimeClient } from './realtime-client.js';

const boundMs = 50;
const megabyte = 1024 * 1024;
const events = ['rt:join', 'rt:leave', 'rt:send', 'rt:track', 'rt:untrack', 'rt:token'];

let fixture: ChannelFixture;
beforeAll(async () => {
  fixture = await ChannelFixture.open();
  await fixture.limit({ messageBurst: 10_000, messagesPerSecond: 10_000, joinBurst: 1000 });
}, 60_000);
afterAll(() => fixture.close());

const joined = (): Promise<RealtimeClient> => fixture.joined('public');

/** Sends a packet as it is, without the work that the client does for one. */
function write({ socket }: RealtimeClient, packet: string): void {
  socket.io.engine.write(packet);
}

/** Waits until the packets before have been read: an answer follows, or the server has ended the connection. */
async function settled(client: RealtimeClient): Promise<void> {
  await Promise.race([
    client.ask('rt:leave', { topic: 'other' }),
    waitFor(() => client.socket.disconnected, { until: 'the server disconnects', ms: 20_000 }),
  ]).catch((error: unknown) => {
    if (client.socket.connected) throw error;
  });
}

describe.each(events)('a packet of the event %s', (event) => {
  // The longest that a connection may send; longer ones end it.
  const size = megabyte - 200;

  test.each(Object.keys(worst))('does not hold the event loop: %s', async (name) => {
    const body = worst[name]?.(size) ?? '';
    const packets = [`20["${event}",${body}]`, payloadPacket(event, body)];
    for (const packet of packets) {
      const work = async () => {
        const client = await joined();
        write(client, packet);
        await settled(client);
        client.close();
      };
      expect(await holdsLoop(work, boundMs)).toBe(false);
    }
  });
});

const payloadPacket = (event: string, body: string): string =>
  `20["${event}",{"topic":"public","event":"said","payload":${body}}]`;

test.each(['a connection', 'a connection of another namespace'])(
  'the first packet does not hold the event loop: %s',
  async (name) => {
    const body = worst['many empty objects']?.(megabyte - 200) ?? '';
    const packet = name === 'a connection' ? `0${body}` : `0/admin,${body}`;
    const work = async () => {
      const client = await joined();
      write(client, packet);
      await settled(client);
      client.close();
    };
    expect(await holdsLoop(work, boundMs)).toBe(false);
  },
);

describe('a frame is refused in its acknowledgement', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
  test.each([
    { name: 'nested too deeply', payload: nested(30), reason: 'more than 20 levels deep' },
    {
      name: 'of too many parts',
      payload: Array.from({ length: 10_001 }, () => 0),
      reason: 'more than 10000 members',
    },
    { name: 'with bytes', payload: Buffer.alloc(10), reason: 'has bytes' },
    {
      name: 'with bytes in ten places',
      payload: Array.from({ length: 10 }, () => Buffer.alloc(megabyte - 200)),
      reason: 'has bytes',
    },
  ])('$name, and the connection goes on', async ({ payload, reason }) => {
    const other = await joined();
    const client = await joined();
    const frame = { topic: 'public', event: 'said', payload };
    expect(await client.ask('rt:send', frame)).toMatchObject({
      status: 'error',
      code: 'INVALID_FRAME',
      message: expect.stringContaining(reason),
    });
    expect(await client.ask('rt:send', { ...frame, payload: 'next' })).toEqual({ status: 'ok' });
    await waitFor(() => messagesIn(other).length > 0);
    expect(messagesIn(other)).toEqual(['next']);
    client.close();
    other.close();
  });

  test('bytes that are written as JSON do not hold the event loop', async () => {
    const payload = Array.from({ length: 10 }, () => Buffer.alloc(megabyte - 200));
    const work = async () => {
      const client = await joined();
      await client.ask('rt:send', { topic: 'public', event: 'said', payload });
      client.close();
    };
    expect(await holdsLoop(work, boundMs)).toBe(false);
  });
});

test('values within the limits are carried as they are', async () => {
  const [client, other] = [await joined(), await joined()];
  const payload = {
    list: Array.from({ length: 4_000 }, (_, at) => at),
    text: '[{"'.repeat(10_000),
  };
  expect(await client.ask('rt:send', { topic: 'public', event: 'said', payload })).toEqual({
    status: 'ok',
  });
  await waitFor(() => messagesIn(other).length > 0);
  expect(messagesIn(other)).toEqual([payload]);
});
