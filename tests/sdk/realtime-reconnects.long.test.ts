// Connections that end: a network that goes away, a server that drains or cannot be reached, changes that were missed.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import pg from 'pg';

import type { RealtimeChannel } from '#libs/sdk';
import { waitFor } from '#libs/testing';

import { Deployment } from '../support/deployment.js';
import { arrived, follow, joined, Live, message } from './support/live.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let live: Live;
beforeAll(async () => {
  live = await Live.open();
});
afterAll(() => live.close());

let ids = 0;
async function insert(): Promise<number> {
  const id = (ids += 1);
  await live.project.sql(`insert into planets (id, name) values (${id}, 'x')`);
  return id;
}

/** A channel that follows the new planets, by their ids. */
function planets(topic: string): { readonly channel: RealtimeChannel; readonly seen: number[] } {
  const seen: number[] = [];
  const channel = live
    .client()
    .channel(topic)
    .on('postgres_changes', { event: 'INSERT', table: 'planets' }, ({ new: row }) =>
      seen.push(row['id']),
    );
  return { channel, seen };
}

test('a lost connection is opened again, and what was missed arrives once, before what is new', async () => {
  const { channel, seen } = planets('missed');
  const gaps: unknown[] = [];
  const followed = await joined(channel.onGap((gap) => gaps.push(gap)));
  const expected = [await insert()];
  await arrived(seen, 1);
  for (let times = 2; times < 5; times += 1) {
    live.gateway.sockets.refuse(true);
    live.gateway.sockets.cut();
    await arrived(followed.errors, times - 1);
    expected.push(await insert(), await insert());
    live.gateway.sockets.refuse(false);
    await followed.subscribed(times);
    expected.push(await insert());
    expect(await arrived(seen, expected.length)).toEqual(expected);
  }
  expect(new Set(followed.errors)).toEqual(new Set(['CONNECTION_LOST']));
  expect(gaps).toEqual([]);
});

test('while rows commit all the time and the connection is cut, each arrives once', async () => {
  const { channel, seen } = planets('torn');
  const followed = await joined(channel);
  const expected: number[] = [];
  for (let times = 2; times < 6; times += 1) {
    const writing = (async () => {
      for (let n = 0; n < 15; n += 1) expected.push(await insert());
    })();
    live.gateway.sockets.cut();
    await Promise.all([writing, followed.subscribed(times)]);
  }
  await arrived(seen, expected.length);
  expect([...seen].sort((a, b) => a - b)).toEqual(expected);
});

test('a gap is reported: what was missed is too much, and what is new arrives', async () => {
  const { channel, seen } = planets('gap');
  const gaps: unknown[] = [];
  const followed = await joined(channel.onGap((gap) => gaps.push(gap)));
  live.gateway.sockets.refuse(true);
  live.gateway.sockets.cut();
  await followed.failed();
  ids += 6_000;
  await live.project.sql(
    `insert into planets (id, name) select n, 'x' from generate_series(${ids - 5_500}, ${ids}) n`,
  );
  live.gateway.sockets.refuse(false);
  await followed.subscribed(2);
  expect(await arrived(gaps, 1)).toEqual([{ reason: 'missed' }]);
  const id = await insert();
  expect(await arrived(seen, 1)).toEqual([id]);
});

test('a gap is reported when a transaction ends that was open before the join', async () => {
  // Tables whose numbers have the same remainder share a bit of the gate, which the planets keep open.
  await live.project.sql(`
    do $$ begin
      loop
        create table quiet (id int);
        exit when 'quiet'::regclass::oid::int8 % 60 <> 'planets'::regclass::oid::int8 % 60;
        drop table quiet;
      end loop;
    end $$;
    create policy everybody on quiet using (true)`);
  const writer = new pg.Client({ connectionString: live.project.databaseUrl });
  await writer.connect();
  try {
    // No channel follows the table yet.
    await writer.query('begin; insert into quiet values (1)');
    const gaps: unknown[] = [];
    const channel = live
      .client()
      .channel('warming')
      .on('postgres_changes', { event: '*', table: 'quiet' }, () => undefined)
      .onGap((gap) => gaps.push(gap));
    await joined(channel);
    expect(gaps).toEqual([]);
    await writer.query('commit');
    expect(await arrived(gaps, 1)).toEqual([{ reason: 'warming' }]);
  } finally {
    await writer.end();
  }
});

test('presence is tracked again, and others see the same clients as before', async () => {
  const [one, two] = [live.client(), live.client()];
  const channel = one.channel('presence', { presence: { key: 'one' } });
  const followed = await joined(channel);
  await channel.track({ mood: 'fine' });
  const other = await joined(two.channel('presence'));
  expect(Object.keys(other.channel.presenceState())).toEqual(['one']);
  live.gateway.sockets.cut();
  await Promise.all([followed.subscribed(2), other.subscribed(2)]);
  const moods = () => (other.channel.presenceState()['one'] ?? []).map(({ mood }) => mood);
  await waitFor(() => moods().length > 0, { until: 'the first client is present again' });
  expect(moods()).toEqual(['fine']);
});

test('messages while there is no connection are errors, and work again afterwards', async () => {
  const client = live.client();
  const followed = await joined(client.channel('messages', { broadcast: { ack: true } }));
  live.gateway.sockets.refuse(true);
  live.gateway.sockets.cut();
  await followed.failed();
  expect(await followed.channel.send(message('x', 1))).toBe('error');
  live.gateway.sockets.refuse(false);
  await followed.subscribed(2);
  expect(await followed.channel.send(message('x', 1))).toBe('ok');
});

test('channels over the limit of joins join as the server lets them', async () => {
  const path = '/api/admin/settings/realtime';
  const body = { joinsPerSecond: 5, joinBurst: 1 };
  await live.project.asService({ method: 'PUT', path, body });
  try {
    const client = live.client();
    const channels = Array.from({ length: 4 }, (_, index) =>
      follow(client.channel(`room-${index}`)),
    );
    await Promise.all(channels.map((channel) => channel.subscribed()));
    expect(new Set(channels.flatMap(({ errors }) => errors))).toEqual(new Set(['RATE_LIMITED']));
  } finally {
    await live.project.asService({ method: 'PUT', path, body: {} });
  }
});

test('a server that drains sends its clients away, and they come to the next one', async () => {
  const deployment = await Deployment.open();
  const own = await Live.open('', deployment);
  const client = own.client();
  const seen: unknown[] = [];
  const followed = await joined(
    client
      .channel('drained')
      .on('postgres_changes', { event: 'INSERT', table: 'planets' }, ({ new: row }) =>
        seen.push(row['id']),
      ),
  );
  const next = await Deployment.open({}, deployment);
  own.gateway.sockets.leadTo(own.project.through(next.apiOrigin));
  await deployment.stop();
  expect(await followed.failed()).toBe('SHUTTING_DOWN');
  await own.project
    .through(next.apiOrigin)
    .sql(`insert into planets (id, name) values (1, 'meanwhile')`);
  await followed.subscribed(2);
  expect(await arrived(seen, 1)).toEqual([1]);
  await client.removeAllChannels();
  await own.gateway.close();
  const { ref } = own.project;
  const path = `/platform/projects/${ref}?now=true`;
  await next.console({ method: 'DELETE', path, body: { ref } });
  await next.close();
});
