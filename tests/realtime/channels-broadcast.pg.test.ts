// Messages between clients of a topic, and from SQL to them.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { ChannelFixture, messagesIn } from './channel-fixture.js';
import type { RealtimeClient } from './realtime-client.js';

let fixture: ChannelFixture;
beforeAll(async () => {
  fixture = await ChannelFixture.open();
}, 60_000);
afterAll(() => fixture.close());

const say = (client: RealtimeClient, topic: string, payload: unknown) =>
  client.ask('rt:send', { topic, event: 'said', payload });

/** Waits for the message `payload`; what was sent before it has arrived by then. */
const heard = (client: RealtimeClient, payload: unknown) =>
  waitFor(() => messagesIn(client).some((one) => JSON.stringify(one) === JSON.stringify(payload)), {
    until: `the message ${JSON.stringify(payload)}`,
  });

test.each([
  { self: false, expected: ['theirs'] },
  { self: true, expected: ['mine', 'theirs'] },
])('with self: $self the sender receives $expected', async ({ self, expected }) => {
  const topic = `self ${self}`;
  const sender = await fixture.joined(topic, { broadcast: { self } });
  const other = await fixture.joined(topic);
  expect(await say(sender, topic, 'mine')).toEqual({ status: 'ok' });
  expect(await say(other, topic, 'theirs')).toEqual({ status: 'ok' });
  await heard(sender, 'theirs');
  await heard(other, 'mine');
  expect(messagesIn(sender)).toEqual(expected);
  expect(messagesIn(other)).toEqual(['mine']);
});

test.each([
  { name: 'an object', payload: { a: [1, null, 'ü"\n\u2028'] } },
  { name: 'a text', payload: 'text' },
  { name: 'null', payload: null },
  { name: 'more than a frame of 64 kB', payload: 'x'.repeat(100_000) },
])('$name arrives as it was sent', async ({ name, payload }) => {
  const sender = await fixture.joined(name, { broadcast: { self: true, ack: true } });
  expect(await say(sender, name, payload)).toEqual({ status: 'ok' });
  await waitFor(() => messagesIn(sender).length === 1);
  expect(sender.frames('rt:msg')).toEqual([{ t: name, event: 'said', payload }]);
});

test('a frame of many receivers is the same for all of them', async () => {
  const clients = await Promise.all([1, 2, 3, 4].map(() => fixture.joined('many')));
  const sender = await fixture.joined('many');
  await say(sender, 'many', 'to all');
  await Promise.all(clients.map((client) => heard(client, 'to all')));
  expect(new Set(clients.map((client) => client.texts('rt:msg').join('\n'))).size).toBe(1);
});

test('a message reaches its topic alone, and no client that has left it', async () => {
  const sender = await fixture.joined('here', { broadcast: { self: true } });
  const elsewhere = await fixture.joined('there');
  const gone = await fixture.joined('here');
  const [first] = [await gone.ask('rt:leave', { topic: 'here' })];
  expect(first).toEqual({ status: 'ok' });
  await say(sender, 'here', 'a word');
  await heard(sender, 'a word');
  const witness = await fixture.joined('there');
  await say(witness, 'there', 'end');
  await heard(elsewhere, 'end');
  expect(messagesIn(elsewhere)).toEqual(['end']);
  expect(messagesIn(gone)).toEqual([]);
  expect(await say(gone, 'here', 'again')).toMatchObject({ status: 'error', code: 'NOT_JOINED' });
});

test('a second join of a topic replaces the first', async () => {
  const client = await fixture.joined('twice', { broadcast: { self: true } });
  await client.ask('rt:join', { topic: 'twice', config: {} });
  const other = await fixture.joined('twice');
  await say(client, 'twice', 'mine');
  await say(other, 'twice', 'theirs');
  await heard(client, 'theirs');
  expect(messagesIn(client)).toEqual(['theirs']);
  expect(messagesIn(other)).toEqual(['mine']);
});

test('leaving twice is no error', async () => {
  const client = await fixture.client();
  expect(await client.ask('rt:leave', { topic: 'never' })).toEqual({ status: 'ok' });
});

test('realtime.send speaks to a public topic if it says so, after the commit', async () => {
  const client = await fixture.joined('sql');
  const undone = `select realtime.send('"undone"', 'said', 'sql', false); select 1 / 0`;
  await expect(fixture.project.sql(undone)).rejects.toThrow('division by zero');
  await fixture.project.sql(`select realtime.send('"private"', 'said', 'sql')`);
  await fixture.project.sql(
    `select realtime.send('{"n": 9007199254740993}', 'said', 'sql', false)`,
  );
  await waitFor(() => messagesIn(client).length > 0);
  expect(client.frames('rt:msg')).toHaveLength(1);
  expect(client.frames('rt:msg')[0]).toMatchObject({ t: 'sql', event: 'said' });
  // As PostgreSQL has it, not as JavaScript would round it.
  expect(client.texts('rt:msg')[0]).toContain('9007199254740993');
});

test.each([
  { name: 'an unknown event', event: 'rt:shout', frame: {}, field: 'event' },
  { name: 'a frame of the server', event: 'rt:msg', frame: {}, field: 'event' },
  { name: 'no topic', event: 'rt:send', frame: { event: 'e' }, field: 'topic' },
  { name: 'no event', event: 'rt:send', frame: { topic: 'here' }, field: 'event' },
  {
    name: 'an unknown field',
    event: 'rt:join',
    frame: { topic: 'a', config: { presense: {} } },
    field: 'config.presense',
  },
])('$name is refused with the field $field', async ({ event, frame, field }) => {
  const client = await fixture.client();
  expect(await client.ask(event, frame)).toMatchObject({
    status: 'error',
    code: 'INVALID_FRAME',
    details: { field },
  });
});
