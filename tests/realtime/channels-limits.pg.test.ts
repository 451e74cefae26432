// The limits of channels: each refuses by its own code, and what was there goes on.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import {
  changesOf,
  ChannelFixture,
  disconnected,
  messagesIn,
  refusalOf,
} from './channel-fixture.js';
import type { RealtimeClient } from './realtime-client.js';

let fixture: ChannelFixture;
/** Rates that no test of this file reaches by itself within an hour would need fractions; a second is enough here. */
const wide = {
  maxConnections: 100,
  maxChannels: 3,
  maxBindings: 2,
  joinsPerSecond: 1000,
  joinBurst: 1000,
  messagesPerSecond: 10_000,
  messageBurst: 10_000,
  projectMessagesPerSecond: 100_000,
  maxFrameBytes: 2048,
};
beforeAll(async () => {
  fixture = await ChannelFixture.open(`create table public.notes (id int);
    create policy everybody on public.notes using (true)`);
  await fixture.limit(wide);
}, 60_000);
afterAll(() => fixture.close());

const join = (client: RealtimeClient, topic: string, config: object = {}) =>
  client.ask('rt:join', { topic, config });
const say = (client: RealtimeClient, payload: unknown) =>
  client.ask('rt:send', { topic: 'room', event: 'e', payload });

test('a connection joins so many channels; leaving one makes room', async () => {
  const client = await fixture.client();
  for (const topic of ['a', 'b', 'c']) {
    expect(await join(client, topic)).toMatchObject({ status: 'ok' });
  }
  expect(await join(client, 'd')).toMatchObject({ status: 'error', code: 'TOO_MANY_CHANNELS' });
  // To join again is no other channel.
  expect(await join(client, 'a')).toMatchObject({ status: 'ok' });
  await client.ask('rt:leave', { topic: 'b' });
  expect(await join(client, 'd')).toMatchObject({ status: 'ok' });
});

test('a connection that joins everything at once gets no more channels', async () => {
  const client = await fixture.client();
  const acks = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((topic) => join(client, topic)));
  expect(acks.filter(({ status }) => status === 'ok')).toHaveLength(3);
});

test('a channel has so many bindings', async () => {
  const client = await fixture.client();
  const one = { table: 'notes' };
  expect(await join(client, 'a', changesOf(one, { ...one, event: 'INSERT' }))).toMatchObject({
    status: 'ok',
  });
  const three = changesOf(one, { ...one, event: 'INSERT' }, { ...one, event: 'DELETE' });
  expect(await join(client, 'b', three)).toMatchObject({ code: 'TOO_MANY_BINDINGS' });
});

test.each([
  {
    name: 'joins',
    limits: { joinsPerSecond: 1, joinBurst: 2 },
    ask: (client: RealtimeClient) => join(client, 'room'),
  },
  {
    name: 'messages',
    limits: { messagesPerSecond: 1, messageBurst: 2 },
    ask: (client: RealtimeClient) => say(client, 'x'),
  },
  {
    name: 'messages of the project',
    limits: { projectMessagesPerSecond: 3 },
    ask: (client: RealtimeClient) => say(client, 'x'),
  },
])('too many $name are refused with the time to wait', async ({ limits, ask }) => {
  await fixture.limit({ ...wide, ...limits });
  try {
    const client = await fixture.client();
    await waitFor(async () => (await join(client, 'room'))['status'] === 'ok');
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(client)));
    const refused = answers.find(({ status }) => status === 'error');
    expect(refused).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) });
    expect(refused?.['retryAfterMs']).toBeGreaterThan(0);
    expect(client.socket.connected).toBe(true);
    await waitFor(async () => (await ask(client))['status'] === 'ok');
  } finally {
    await fixture.limit(wide);
  }
});

test('a message larger than the limit reaches no client', async () => {
  const client = await fixture.joined('room', { broadcast: { self: true } });
  expect(await say(client, 'x'.repeat(2049))).toMatchObject({
    status: 'error',
    code: 'FRAME_TOO_LARGE',
  });
  // The limit is one of bytes, not of characters.
  expect(await say(client, 'ü'.repeat(1500))).toMatchObject({ code: 'FRAME_TOO_LARGE' });
  expect(await say(client, 'small')).toEqual({ status: 'ok' });
  await waitFor(() => messagesIn(client).length > 0);
  expect(messagesIn(client)).toEqual(['small']);
});

test.each([
  ['rt:join', { topic: 'other', resume: 'x'.repeat(2048) }],
  ['rt:track', { topic: 'room', payload: { text: 'x'.repeat(2048) } }],
])('a frame of %s that is larger than the limit is refused', async (event, frame) => {
  const client = await fixture.joined('room');
  expect(await client.ask(event, frame)).toMatchObject({ code: 'FRAME_TOO_LARGE' });
});

test('a token larger than the limit is read, so that a connection can go on', async () => {
  const client = await fixture.joined('room');
  const answer = await client.ask('rt:token', { token: 'x'.repeat(2048) });
  expect(answer).toMatchObject({
    status: 'error',
    code: expect.not.stringMatching('FRAME_TOO_LARGE'),
  });
});

test('a packet larger than every limit ends the connection', async () => {
  const client = await fixture.joined('room');
  const others = await fixture.joined('room', { broadcast: { self: true } });
  client.socket.emit('rt:send', { topic: 'room', event: 'e', payload: 'x'.repeat(2 ** 21) });
  await disconnected(client);
  expect(await say(others, 'still here')).toEqual({ status: 'ok' });
  await waitFor(() => messagesIn(others).includes('still here'));
  expect(messagesIn(others)).toEqual(['still here']);
});

test('a project has so many connections; one that ends makes room', async () => {
  await fixture.limit({ ...wide, maxConnections: 1 });
  try {
    expect(await refusalOf(fixture.client())).toMatchObject({
      code: 'TOO_MANY_CONNECTIONS',
      status: 429,
    });
  } finally {
    await fixture.limit(wide);
  }
  const client = await fixture.client();
  expect(client.socket.connected).toBe(true);
});
