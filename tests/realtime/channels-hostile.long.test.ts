// What strangers send to sockets: each gets an answer, or is disconnected with the reason, and everybody else goes on.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { asRecord } from '../support/deployment.js';
import {
  changesOf,
  ChannelFixture,
  disconnected,
  messagesIn,
  systemFrame,
} from './channel-fixture.js';
import type { RealtimeClient } from './realtime-client.js';

let fixture: ChannelFixture;
let other: RealtimeClient;
beforeAll(async () => {
  fixture = await ChannelFixture.open(`
    create table public."we""ird 'table" (id int, "co""l'umn" text);
    create policy everybody on public."we""ird 'table" using (true)`);
  other = await fixture.joined('room', { broadcast: { self: true } });
}, 60_000);
afterAll(() => fixture.close());

const goesOn = async (client: RealtimeClient, payload: unknown) => {
  expect(await client.ask('rt:send', { topic: 'room', event: 'e', payload })).toEqual({
    status: 'ok',
  });
  await waitFor(() =>
    messagesIn(client).some((one) => JSON.stringify(one) === JSON.stringify(payload)),
  );
};

test('an event whose name is a number, or of no frame, gets an answer', async () => {
  const { socket } = await fixture.client();
  for (const event of [7, 'rt:nothing', 'toString']) {
    // What the client library would not send of itself.
    const answer = await socket.timeout(5_000).emitWithAck(event as string, {});
    expect(answer).toMatchObject({ status: 'error', code: 'INVALID_FRAME' });
  }
});

/** Sends text to the server as it is: a packet of Engine.IO. */
function sendText({ socket }: RealtimeClient, text: string): void {
  // The transport has a WebSocket; its type does not say so.
  const { ws } = socket.io.engine.transport as unknown as { ws: { send(text: string): void } };
  ws.send(text);
}

test.each([
  { name: 'an unknown type of Socket.IO', text: '49["rt:send",{}]' },
  { name: 'an event without a name', text: '42{}' },
  { name: 'an event that is not JSON', text: '42["said",{]' },
  { name: 'an event of another namespace', text: '42/admin,["rt:send",{}]' },
  { name: 'another event with too many parts', text: `42["said",[${'[],'.repeat(10_001)}[]]]` },
  { name: 'an unknown type of Engine.IO', text: 'x' },
  { name: 'a ping, which is for the server', text: '2' },
])('a packet that is $name ends its connection with the reason', async ({ text }) => {
  const client = await fixture.joined('room');
  sendText(client, text);
  await disconnected(client);
  expect(client.frames('rt:system')).toEqual([
    {
      status: 'closed',
      code: 'INVALID_FRAME',
      message: expect.stringMatching(/^frame: (?:is|has) /),
    },
  ]);
  await goesOn(other, text.slice(0, 20));
});

test('a client that disconnects from Socket.IO does not keep its connection', async () => {
  const client = await fixture.joined('room');
  sendText(client, '41');
  await disconnected(client);
  await goesOn(other, 'without it');
});

test('a frame that is not JSON gets an answer, and its connection goes on', async () => {
  const client = await fixture.joined('room', { broadcast: { self: true } });
  const { engine } = client.socket.io;
  const answers: unknown[] = [];
  engine.on('packet', ({ data }: { data?: unknown }) => {
    if (typeof data === 'string' && data.startsWith('399')) answers.push(JSON.parse(data.slice(3)));
  });
  sendText(client, '4299["rt:send",{]');
  await waitFor(() => answers.length > 0, { until: 'an answer' });
  expect(answers).toEqual([
    [expect.objectContaining({ code: 'INVALID_FRAME', details: { field: 'frame' } })],
  ]);
  await goesOn(client, 'after it');
});

test('a packet of more than 1 MB ends its connection with the code 1009 of WebSocket', async () => {
  const client = await fixture.joined('room');
  const codes: unknown[] = [];
  client.socket.on('disconnect', (_, details) => {
    const { context } = asRecord(details);
    // A getter of the event, which a copy would not have.
    codes.push(context instanceof Object && 'code' in context ? context.code : undefined);
  });
  client.socket.emit('rt:send', { topic: 'room', event: 'e', payload: 'x'.repeat(1024 * 1024) });
  await waitFor(() => codes.length > 0, { until: 'the connection ends' });
  expect(codes).toEqual([1009]);
  await goesOn(other, 'after the packet');
});

test.each([
  { name: 'no frame', value: null },
  { name: 'a list', value: [] },
  {
    name: 'a prototype',
    value: JSON.parse('{"topic":"a","__proto__":{"isPrivate":true}}') as object,
  },
  { name: 'a constructor', value: { topic: 'a', constructor: {} } },
  { name: 'a topic that is an object', value: { topic: { length: 3 } } },
  { name: 'a topic of NUL', value: { topic: '\0' } },
  { name: 'half of a surrogate pair', value: { topic: '\ud800' } },
  {
    name: 'bindings in an object',
    value: { topic: 'a', config: { postgres_changes: { length: 1 } } },
  },
  { name: 'a cursor that is a list', value: { topic: 'a', resume: ['x'] } },
  {
    name: 'ten thousand bindings',
    value: {
      topic: 'a',
      config: changesOf(...Array.from({ length: 10_000 }, () => ({ table: 't' }))),
    },
  },
  {
    name: 'a thousand bindings',
    code: 'TOO_MANY_BINDINGS',
    value: {
      topic: 'a',
      config: changesOf(...Array.from({ length: 1_000 }, () => ({ table: 't' }))),
    },
  },
  {
    name: 'a filter that is too long',
    value: {
      topic: 'a',
      config: changesOf({ table: 't', filter: `id=in.(${'1,'.repeat(3_000)}1)` }),
    },
  },
  {
    name: 'a filter that is too deep',
    value: {
      topic: 'a',
      config: changesOf({ table: 't', filter: `and=${'(and'.repeat(900)}${')'.repeat(900)}` }),
    },
  },
])('a join with $name is refused by its code', async ({ value, code = 'INVALID_FRAME' }) => {
  const client = await fixture.client();
  const answer: unknown = await client.socket.timeout(5_000).emitWithAck('rt:join', value);
  expect(answer).toMatchObject({ status: 'error', code, message: expect.any(String) });
  await goesOn(other, 'still here');
});

test('names with quotes are names', async () => {
  const table = `we"ird 'table`;
  const topic = `to"pic '`;
  const client = await fixture.client();
  const join = (filter: string) =>
    client.ask('rt:join', { topic, config: changesOf({ table, filter }) });
  // The grammar of filters escapes a quote with a backslash, and SQL by another quote.
  expect(await join(`"co""l'umn"=eq.it's`)).toMatchObject({ code: 'INVALID_FRAME' });
  expect(await join(`"co\\"l'umn"=eq.it's`)).toMatchObject({ status: 'ok' });
  await fixture.project.sql(`insert into "we""ird 'table" values (1, 'it''s')`);
  await waitFor(() => client.frames('rt:pg').length > 0);
  expect(client.frames('rt:pg')[0]).toMatchObject({
    t: `to"pic '`,
    e: [{ d: { table, new: { id: 1, [`co"l'umn`]: `it's` } } }],
  });
});

test('a client that goes on over its limits is disconnected with the reason', async () => {
  const client = await fixture.joined('room');
  for (let n = 0; n < 5_000; n += 1) client.socket.emit('rt:send', { topic: 'room', event: 'e' });
  expect(await systemFrame(client, 'RATE_LIMITED')).toMatchObject({
    status: 'closed',
    retryAfterMs: expect.any(Number),
  });
  await disconnected(client);
  await waitFor(async () => {
    const answer = await other.ask('rt:send', {
      topic: 'room',
      event: 'e',
      payload: 'after the flood',
    });
    return answer['status'] === 'ok';
  });
});

test('a slow filter ends its own channel, and no other one of its role', async () => {
  await fixture.project.sql(`
    create type public.mood as enum (${Array.from({ length: 10 }, (_, n) => `'m${n}'`).join(', ')});
    create function public.is_slowly(public.mood, public.mood) returns bool strict language plpgsql as
      $$ begin perform pg_sleep(2); return true; end $$;
    create operator public.= (leftarg = public.mood, rightarg = public.mood, function = public.is_slowly);
    create table public.moods (id int, mood public.mood);
    create policy everybody on public.moods using (true)`);
  const slow = Array.from({ length: 10 }, (_, n) => ({ table: 'moods', filter: `mood=eq.m${n}` }));
  const hostile = await fixture.joined('slow', changesOf(...slow));
  const filtered = changesOf({ table: 'moods', filter: 'id=gt.0' });
  const innocent = await fixture.joined('fast', filtered);
  await fixture.project.sql(`insert into public.moods values (1, 'm1')`);
  expect(await systemFrame(hostile, 'FILTER_TOO_SLOW')).toMatchObject({
    t: 'slow',
    message: expect.stringContaining('takes too long on changes of the table moods'),
  });
  await waitFor(() => innocent.frames('rt:pg').length > 0);
  expect(innocent.frames('rt:system')).toEqual([]);
});

test('what is tracked in a topic has a limit, which other topics do not feel', async () => {
  const path = '/api/admin/settings/realtime';
  const body = { presence: { maxBytes: 65_536, updates: 100 } };
  await fixture.project.asService({ method: 'PUT', path, body });
  const payload = { text: 'x'.repeat(60_000) };
  const codes: unknown[] = [];
  for (let n = 0; n < 20; n += 1) {
    const client = await fixture.joined('crowd');
    const answer = await client.ask('rt:track', { topic: 'crowd', payload });
    codes.push(answer['code'] ?? answer['status']);
  }
  expect(codes.filter((code) => code === 'ok').length).toBeGreaterThan(10);
  expect(codes.at(-1)).toBe('PRESENCE_FULL');
  const late = await fixture.joined('another crowd');
  expect(await late.ask('rt:track', { topic: 'another crowd', payload })).toEqual({ status: 'ok' });
});

test('filters of a connection on one table are bounded, and a channel that ends frees its part', async () => {
  const client = await fixture.client();
  const join = (n: number, count = 20) => {
    const filters = Array.from({ length: count }, (_, place) => `id=eq.${n * 20 + place}`);
    const bindings = filters.map((filter) => ({ table: `we"ird 'table`, filter }));
    return client.ask('rt:join', { topic: `filters ${n}`, config: changesOf(...bindings) });
  };
  for (let n = 0; n < 10; n++) expect(await join(n)).toMatchObject({ status: 'ok' });
  expect(await join(10, 1)).toMatchObject({
    code: 'TOO_MANY_BINDINGS',
    message: 'A connection can have at most 200 filters on one table in postgres_changes',
  });
  await client.ask('rt:leave', { topic: 'filters 0' });
  expect(await join(10, 1)).toMatchObject({ status: 'ok' });
});
