// A client that comes back says up to where it has received the changes, and receives the rest.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord } from '../support/deployment.js';
import { changesIn, changesOf, changesUntil, ChannelFixture } from './channel-fixture.js';
import type { RealtimeClient } from './realtime-client.js';

let fixture: ChannelFixture;
beforeAll(async () => {
  fixture = await ChannelFixture.open(`
    create table public.steps (id int generated always as identity, text text, owner text);
    create policy everybody on public.steps using (owner is null or owner = (select auth.uid()));
    create table public.others (id int, text text);
    create policy everybody on public.others using (true)`);
}, 60_000);
afterAll(() => fixture.close());

const config = changesOf({ table: 'steps' });
const write = (...texts: readonly string[]) =>
  fixture.project.sql(`insert into steps (text) values ${texts.map((one) => `('${one}')`).join()}`);
const textsIn = (client: RealtimeClient): readonly unknown[] =>
  changesIn(client).map((change) => asRecord(change.new)['text']);

/** The cursor of the newest frame of a client. */
const cursorOf = (client: RealtimeClient): string | undefined =>
  client
    .frames('rt:pg')
    .map(({ cur }) => cur)
    .findLast((cur) => typeof cur === 'string');

async function resumed(resume: unknown, auth: Record<string, unknown> = {}) {
  const client = await fixture.client(auth);
  const ack = await client.ask('rt:join', { topic: 'room', config, resume });
  return { client, ack };
}

test('a cursor of an acknowledgement is followed by everything that committed later', async () => {
  const first = await fixture.client();
  const { cursor } = await first.ask('rt:join', { topic: 'room', config });
  const keeper = await fixture.joined('other', config);
  first.close();
  await write('missed 1', 'missed 2');
  await write('missed 3');
  await changesUntil(keeper, 'missed 3');
  const { client, ack } = await resumed(cursor);
  // Until the missed changes have arrived the client is where it was.
  expect(ack).toMatchObject({ status: 'ok', recovered: true, cursor });
  await write('live');
  await changesUntil(client, 'live');
  expect(textsIn(client)).toEqual(['missed 1', 'missed 2', 'missed 3', 'live']);
});

test('a cursor of a frame is followed by what came after the frame', async () => {
  const first = await fixture.joined('room', config);
  await write('received');
  await changesUntil(first, 'received');
  const cursor = cursorOf(first);
  first.close();
  await write('missed');
  const { client, ack } = await resumed(cursor);
  expect(ack).toMatchObject({ recovered: true });
  await write('later');
  await changesUntil(client, 'later');
  expect(textsIn(client)).toEqual(['missed', 'later']);
});

test('while changes commit all the time, none is missed and none is new twice', async () => {
  const total = 60;
  const seen = new Map<string, unknown>();
  let client = await fixture.joined('room', config);
  const take = (from: RealtimeClient) => {
    for (const frame of from.frames('rt:pg')) {
      for (const { id, d } of frame['e'] as readonly { id: string; d: { new: unknown } }[]) {
        seen.set(id, asRecord(d.new)['text']);
      }
    }
  };
  const writing = (async () => {
    for (let n = 1; n <= total; n += 1) await write(`step ${n}`);
    await write('the end');
  })();
  for (const until of [10, 25, 45]) {
    await changesUntil(client, `step ${until}`);
    take(client);
    client.close();
    const next = await resumed(cursorOf(client));
    expect(next.ack).toMatchObject({ recovered: true });
    client = next.client;
  }
  await Promise.all([writing, changesUntil(client, 'the end')]);
  take(client);
  const expected = Array.from({ length: total }, (_, index) => `step ${index + 1}`);
  // Each event has one id, whatever connection received it.
  expect([...seen.values()].sort()).toEqual([...expected, 'the end'].sort());
}, 60_000);

test('what was missed is shown as the policies are now', async () => {
  const { project } = fixture;
  const user = await project.signUp('ann@example.org');
  const first = await fixture.client({ token: user.token });
  const { cursor } = await first.ask('rt:join', { topic: 'room', config });
  const keeper = await fixture.joined('other', config);
  await project.sql(
    `insert into steps (text, owner) values ('of Ann', '${user.id}'), ('of Bob', 'bob')`,
  );
  await write('of all');
  await changesUntil(keeper, 'of all');
  const mine = await resumed(cursor, { token: user.token });
  const anonymous = await resumed(cursor);
  await changesUntil(mine.client, 'of all');
  await changesUntil(anonymous.client, 'of all');
  expect(textsIn(mine.client)).toEqual(['of Ann', 'of all']);
  expect(textsIn(anonymous.client)).toEqual(['of all']);
});

test.each([
  { name: 'of no server', resume: 'nonsense' },
  { name: 'of another database', resume: '0123456789abcdef.10:10:' },
  { name: 'that is empty', resume: '.' },
])('with a cursor $name nothing is recovered, and the join begins now', async ({ resume }) => {
  const keeper = await fixture.joined('other', config);
  await write('old');
  await changesUntil(keeper, 'old');
  const { client, ack } = await resumed(resume);
  expect(ack).toMatchObject({ status: 'ok', recovered: false, cursor: expect.any(String) });
  await write('new');
  await changesUntil(client, 'new');
  expect(textsIn(client)).toEqual(['new']);
});

test('more than is replayed is not recovered', async () => {
  const first = await fixture.client();
  const { cursor } = await first.ask('rt:join', { topic: 'room', config });
  await fixture.project.sql(`insert into steps (text) select 'n' from generate_series(1, 5001)`);
  await write('last');
  await changesUntil(first, 'last');
  const { client, ack } = await resumed(cursor);
  expect(ack).toMatchObject({ status: 'ok', recovered: false });
  expect(changesIn(client)).toEqual([]);
});

test('a join without a cursor says nothing of recovery', async () => {
  const client = await fixture.client();
  const ack = await client.ask('rt:join', { topic: 'room', config });
  expect(ack).not.toHaveProperty('recovered');
});
