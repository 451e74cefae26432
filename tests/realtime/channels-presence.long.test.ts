// Who is in a topic, as its clients see it.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { ChannelFixture } from './channel-fixture.js';
import type { RealtimeClient } from './realtime-client.js';

let fixture: ChannelFixture;
beforeAll(async () => {
  fixture = await ChannelFixture.open();
  await fixture.limit({
    presence: { updates: 3, windowSeconds: 3600, maxFields: 2, maxBytes: 100 },
  });
}, 60_000);
afterAll(() => fixture.close());

type State = Readonly<Record<string, readonly Record<string, unknown>[]>>;
const track = (client: RealtimeClient, topic: string, payload: object) =>
  client.ask('rt:track', { topic, payload });
const stateIn = (client: RealtimeClient): State | undefined =>
  client.frames('rt:presence').at(-1)?.['state'] as State | undefined;
const joined = (topic: string, key?: string) =>
  fixture.joined(topic, key === undefined ? {} : { presence: { key } });

/** The state without the references, which the server makes. */
const shown = (state: State | undefined): unknown =>
  Object.fromEntries(
    Object.entries(state ?? {}).map(([key, entries]) => [
      key,
      entries.map(({ presence_ref: ref, ...payload }) => {
        expect(ref).toEqual(expect.any(String));
        return payload;
      }),
    ]),
  );

/** Waits for the state `expected`. */
const sees = (client: RealtimeClient, expected: object) =>
  waitFor(() => JSON.stringify(shown(stateIn(client))) === JSON.stringify(expected), {
    until: `the state ${JSON.stringify(expected)}`,
  });

test('all members receive the whole state, the newest payload of each', async () => {
  const [ann, bob] = await Promise.all([joined('room', 'ann'), joined('room', 'bob')]);
  expect(await track(ann, 'room', { at: 1 })).toEqual({ status: 'ok' });
  await sees(bob, { ann: [{ at: 1 }] });
  await track(ann, 'room', { at: 2 });
  await sees(bob, { ann: [{ at: 2 }] });
  await track(bob, 'room', { at: 3 });
  await sees(ann, { ann: [{ at: 2 }], bob: [{ at: 3 }] });
  expect(ann.frames('rt:presence').at(-1)).toMatchObject({ t: 'room' });
});

test('a client that joins receives the state with its acknowledgement', async () => {
  const ann = await joined('late', 'ann');
  await track(ann, 'late', { at: 1 });
  const late = await fixture.client();
  const ack = await late.ask('rt:join', { topic: 'late' });
  expect(shown(ack['presence'] as State)).toEqual({ ann: [{ at: 1 }] });
});

test('two clients with one key have an entry each', async () => {
  const [first, second] = await Promise.all([joined('shared', 'ann'), joined('shared', 'ann')]);
  await track(first, 'shared', { on: 'phone' });
  await sees(second, { ann: [{ on: 'phone' }] });
  await track(second, 'shared', { on: 'desk' });
  await waitFor(() => stateIn(first)?.['ann']?.length === 2);
  first.close();
  await sees(second, { ann: [{ on: 'desk' }] });
});

test('without a key each client has its own', async () => {
  const [first, second] = await Promise.all([joined('keyless'), joined('keyless')]);
  await track(first, 'keyless', { n: 1 });
  await track(second, 'keyless', { n: 1 });
  await waitFor(() => Object.keys(stateIn(first) ?? {}).length === 2);
});

test.each([
  { name: 'untracks', end: (ann: RealtimeClient) => ann.ask('rt:untrack', { topic: 'untracks' }) },
  { name: 'leaves', end: (ann: RealtimeClient) => ann.ask('rt:leave', { topic: 'leaves' }) },
  { name: 'disconnects', end: async (ann: RealtimeClient) => ann.close() },
  {
    name: 'joins again',
    end: (ann: RealtimeClient) => ann.ask('rt:join', { topic: 'joins again' }),
  },
])('a member that $name is gone', async ({ name, end }) => {
  const [ann, bob] = await Promise.all([joined(name, 'ann'), joined(name, 'bob')]);
  await track(ann, name, { here: true });
  await sees(bob, { ann: [{ here: true }] });
  await end(ann);
  await sees(bob, {});
});

test.each([
  { name: 'before the join', topic: 'never', payload: {}, code: 'NOT_JOINED' },
  { name: 'too large', topic: 'bad', payload: { a: 'x'.repeat(100) }, code: 'PRESENCE_TOO_LARGE' },
  { name: 'too many fields', topic: 'bad', payload: { a: 1, b: 2, c: 3 }, code: 'INVALID_FRAME' },
])('a payload $name is refused with $code', async ({ topic, payload, code }) => {
  const client = await joined('bad');
  const other = await joined('bad', 'other');
  expect(await track(client, topic, payload)).toMatchObject({ status: 'error', code });
  await track(other, 'bad', { a: 1 });
  await sees(client, { other: [{ a: 1 }] });
  other.close();
  await sees(client, {});
});

test('track and untrack count against the same limit', async () => {
  const client = await joined('limit');
  const answers = [
    await track(client, 'limit', { n: 1 }),
    await client.ask('rt:untrack', { topic: 'limit' }),
    await track(client, 'limit', { n: 2 }),
    await client.ask('rt:untrack', { topic: 'limit' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'error']);
  expect(answers.at(-1)).toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterMs: expect.any(Number),
  });
  expect(await client.ask('rt:send', { topic: 'limit', event: 'e' })).toEqual({ status: 'ok' });
});
