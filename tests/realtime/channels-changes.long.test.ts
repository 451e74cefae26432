// Table changes as an app receives them with the published Socket.IO client.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { SignedIn } from '../support/project.js';
import {
  changesIn,
  changesOf,
  changesUntil,
  ChannelFixture,
  systemFrame,
} from './channel-fixture.js';

let fixture: ChannelFixture;
let ann: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  fixture = await ChannelFixture.open(`
    create table public.planets (id int8 primary key, name text, owner text, secret text);
    grant select, insert, update, delete on public.planets to authenticated;
    revoke select on public.planets from anon;
    grant select (id, name, owner) on public.planets to anon;
    create policy everybody on public.planets to anon using (name <> 'hidden');
    create policy own on public.planets to authenticated
      using (owner = (select auth.uid()) or owner = 'all');
    create table public.parts (id int, name text) partition by range (id);
    create table public.parts_low partition of public.parts for values from (0) to (100);
    create table public.closed (id int primary key);
    revoke all on public.closed from anon;
    create schema other; create table other.things (id int primary key);`);
  ann = await fixture.project.signUp('ann@example.org');
  bob = await fixture.project.signUp('bob@example.org');
}, 60_000);
afterAll(() => fixture.close());

let lastId = 0;
/** Writes a row that everybody may see and that matches the filters of the tests. */
async function writeLast(name: string, owner = 'all'): Promise<string> {
  lastId += 1;
  await fixture.project.sql(
    `insert into planets (id, name, owner) values (${1000 + lastId}, '${name}', '${owner}')`,
  );
  return name;
}
const planets = { table: 'planets' };
const row = (id: number, name: string, owner: string | null = null) => ({ id, name, owner });

test('an inserted row arrives with its digits', async () => {
  const client = await fixture.joined('digits', changesOf(planets));
  await fixture.project.sql(`insert into planets values (9007199254740993, 'Earth', null, 's')`);
  await changesUntil(client, 'Earth');
  expect(client.frames('rt:pg')[0]).toMatchObject({
    t: 'digits',
    e: [{ d: { schema: 'public', table: 'planets', eventType: 'INSERT', old: {} } }],
  });
  expect(client.texts('rt:pg')[0]).toContain('"id":9007199254740993');
});

test.each([
  { event: '*', expected: ['INSERT', 'UPDATE', 'DELETE', 'INSERT'] },
  { event: 'INSERT', expected: ['INSERT', 'INSERT'] },
  { event: 'UPDATE', expected: ['UPDATE'] },
  { event: 'DELETE', expected: ['DELETE'] },
])('a binding with the event $event receives $expected', async ({ event, expected }) => {
  const other = { table: 'planets', event: event === 'DELETE' ? 'INSERT' : 'DELETE' };
  const client = await fixture.joined('all', changesOf({ ...planets, event }));
  await client.ask('rt:join', { topic: 'watch', config: changesOf(other, { table: 'planets' }) });
  await fixture.project.sql(`insert into planets values (1, 'a');
    update planets set name = 'b' where id = 1; delete from planets where id = 1`);
  const last = await writeLast(`end of ${event}`);
  await changesUntil(client, last, 'watch');
  expect(changesIn(client, 'all').map(({ eventType }) => eventType)).toEqual(expected);
});

test('the same event for two bindings arrives once, with the ids of both', async () => {
  const client = await fixture.client();
  const bindings = [planets, { ...planets, event: 'INSERT' }, { ...planets, event: 'DELETE' }];
  const ack = await client.ask('rt:join', { topic: 'room', config: changesOf(...bindings) });
  const ids = (ack['bindings'] as readonly { readonly id: string }[]).map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
  await changesUntil(client, await writeLast('twice'));
  expect(client.frames('rt:pg')).toMatchObject([{ e: [{ b: ids.slice(0, 2) }] }]);
});

test('columns that the role cannot read are left out', async () => {
  const client = await fixture.joined('columns', changesOf(planets));
  await fixture.project.sql(`insert into planets values (2, 'a', null, 'word');
    update planets set name = 'b', secret = 'other word' where id = 2;
    delete from planets where id = 2`);
  await changesUntil(client, await writeLast('end of columns'));
  expect(changesIn(client).slice(0, 3)).toEqual([
    { eventType: 'INSERT', new: row(2, 'a'), old: {} },
    { eventType: 'UPDATE', new: row(2, 'b'), old: row(2, 'a') },
    { eventType: 'DELETE', new: {}, old: row(2, 'b') },
  ]);
  expect(client.texts('rt:pg').join('')).not.toContain('word');
});

test('a row that becomes visible arrives without what it was, and one that is hidden does not', async () => {
  const client = await fixture.joined('visible', changesOf(planets));
  await fixture.project.sql(`insert into planets values (3, 'hidden');
    update planets set name = 'seen' where id = 3; update planets set name = 'hidden' where id = 3;
    delete from planets where id = 3`);
  await changesUntil(client, await writeLast('end of visible'));
  expect(changesIn(client).slice(0, -1)).toEqual([
    { eventType: 'UPDATE', new: row(3, 'seen'), old: {} },
  ]);
});

test('each user receives what their policies show, the secret key everything', async () => {
  const config = changesOf(planets);
  const [ofAnn, ofBob, ofService] = await Promise.all([
    fixture.joined('users', config, { token: ann.token }),
    fixture.joined('users', config, { token: bob.token }),
    fixture.joined('users', config, { apikey: fixture.project.secretKey }),
  ]);
  await writeLast('of Ann', ann.id);
  await writeLast('of Bob', bob.id);
  const last = await writeLast('of all');
  const namesIn = async (client: typeof ofAnn) =>
    (await changesUntil(client, last)).map((change) => (change.new as { name: string }).name);
  expect(await namesIn(ofAnn)).toEqual(['of Ann', 'of all']);
  expect(await namesIn(ofBob)).toEqual(['of Bob', 'of all']);
  expect(await namesIn(ofService)).toEqual(['of Ann', 'of Bob', 'of all']);
});

test.each([
  { filter: 'id=eq.11', expected: [11] },
  { filter: 'id=in.(10,12)', expected: [10, 12] },
  { filter: 'name=like.b%', expected: [11] },
  { filter: 'name=is.null', expected: [13] },
  { filter: 'id=not.lt.12', expected: [12, 13] },
  { filter: 'or=(id.eq.10,name.eq.c)', expected: [10, 12] },
  // As text, 9 would be the greater number.
  { filter: 'id=gt.9', expected: [10, 11, 12, 13] },
])('the filter $filter lets $expected pass', async ({ filter, expected }) => {
  const client = await fixture.joined('filter', changesOf({ ...planets, filter }));
  await client.ask('rt:join', { topic: 'watch', config: changesOf(planets) });
  const auth = { apikey: fixture.project.secretKey };
  const service = await fixture.joined('filter', changesOf({ ...planets, filter }), auth);
  await service.ask('rt:join', { topic: 'watch', config: changesOf(planets) });
  await fixture.project.sql(`insert into planets (id, name) values
    (9, 'x'), (10, 'a'), (11, 'bb'), (12, 'c'), (13, null); delete from planets where id < 14`);
  const last = await writeLast(`end of ${filter}`);
  await changesUntil(service, last, 'watch');
  await changesUntil(client, last, 'watch');
  const idsIn = (receiver: typeof client, eventType: string) =>
    changesIn(receiver, 'filter')
      .filter((change) => change.eventType === eventType)
      .map((change) => (eventType === 'DELETE' ? change.old : change.new) as { id: number })
      .flatMap(({ id }) => (id < 14 ? [id] : []));
  // The policy hides the row without a name from the client, whatever it asks for.
  const seen = expected.filter((id) => id !== 13);
  for (const eventType of ['INSERT', 'DELETE']) {
    expect(idsIn(service, eventType)).toEqual(expected);
    expect(idsIn(client, eventType)).toEqual(seen);
  }
});

describe('a join is refused with', () => {
  const at = 'config.postgres_changes[0]';
  test.each([
    { binding: { table: 'nothing' }, expected: { code: 'PGRST205' } },
    { binding: { table: 'things', schema: 'other' }, expected: { code: 'PGRST106' } },
    { binding: { table: 'parts_low' }, expected: { code: 'PGRST205' } },
    { binding: { table: 'closed' }, expected: { code: '42501' } },
    { binding: {}, expected: { code: 'INVALID_FRAME', details: { field: `${at}.table` } } },
    {
      binding: { table: 'planets', event: 'TRUNCATE' },
      expected: { code: 'INVALID_FRAME', details: { field: `${at}.event` } },
    },
    {
      binding: { table: 'planets', filter: 'id' },
      expected: { code: 'INVALID_FRAME', details: { field: `${at}.filter` } },
    },
    {
      binding: { table: 'planets', filter: 'nothing=eq.1' },
      expected: { code: 'INVALID_FRAME', details: { field: `${at}.filter` } },
    },
    {
      binding: { table: 'planets', filter: 'id=eq.one' },
      expected: { code: 'INVALID_FRAME', details: { field: `${at}.filter` } },
    },
    {
      binding: { table: 'planets', filter: 'secret=eq.word' },
      expected: { code: 'INVALID_FRAME', details: { field: `${at}.filter` } },
    },
  ])('$expected for $binding', async ({ binding, expected }) => {
    const client = await fixture.client();
    const ack = await client.ask('rt:join', { topic: 'bad', config: changesOf(binding) });
    expect(ack).toMatchObject({ status: 'error', ...expected });
    expect(await client.ask('rt:send', { topic: 'bad', event: 'e' })).toMatchObject({
      code: 'NOT_JOINED',
    });
  });
});

test('the rows of a partitioned table arrive under its name', async () => {
  await fixture.project.sql(`grant select on parts to anon;
    create policy everybody on parts using (true)`);
  const client = await fixture.joined('parts', changesOf({ table: 'parts' }));
  await fixture.project.sql(`insert into parts values (1, 'low')`);
  await changesUntil(client, 'low');
  expect(client.frames('rt:pg')).toMatchObject([{ e: [{ d: { table: 'parts' } }] }]);
});

test('a table whose capture is switched off ends its channels', async () => {
  await fixture.project.sql(`create table public.brief (id int primary key);
    grant select on brief to anon; create policy everybody on brief using (true)`);
  const client = await fixture.joined('brief', changesOf({ table: 'brief' }));
  const path = '/api/admin/realtime/tables/brief';
  const body = { enabled: false };
  const reply = await fixture.project.asService({ method: 'PUT', path, body });
  expect(reply.status, reply.text).toBeLessThan(300);
  expect(await systemFrame(client, 'TABLE_NOT_EXPOSED')).toMatchObject({ t: 'brief' });
  const again = await client.ask('rt:join', { topic: 'x', config: changesOf({ table: 'brief' }) });
  expect(again).toMatchObject({ code: 'TABLE_NOT_EXPOSED' });
});

test('a filter that cannot be evaluated any more ends its channel', async () => {
  await fixture.project.sql(`create table public.typed (id int primary key, kind text);
    grant select on typed to anon; create policy everybody on typed using (true)`);
  const binding = { table: 'typed', filter: 'kind=eq.a' };
  const client = await fixture.joined('typed', changesOf(binding));
  const other = await fixture.joined('typed', changesOf({ table: 'typed' }));
  await fixture.project.sql(`alter table typed alter kind type int using 1;
    insert into typed values (1, 1)`);
  expect(await systemFrame(client, 'INVALID_FRAME')).toMatchObject({ t: 'typed' });
  await fixture.project.sql(`alter table typed alter kind type text;
    insert into typed values (2, 'last')`);
  await changesUntil(other, 'last');
  expect(changesIn(client)).toEqual([]);
});

test('a filter that fails on a row ends the channels of those alone who may see the row', async () => {
  await fixture.project.sql(`
    create table public.letters (id int primary key, owner text, secret text, seal bytea);
    grant select on letters to authenticated;
    create policy own on letters to authenticated
      using (owner = (select auth.uid()) or owner = 'all')`);
  const filter = String.raw`or=(id.gt.9,and(secret.like.a*,seal.like.\x5c))`;
  const config = changesOf({ table: 'letters', filter });
  const [ofAnn, ofBob] = [await fixture.as(ann), await fixture.as(bob)];
  for (const client of [ofAnn, ofBob]) {
    expect(await client.ask('rt:join', { topic: 'mail', config })).toMatchObject({ status: 'ok' });
  }
  await fixture.project.sql(`insert into letters values (1, '${bob.id}', 'abc', 'x')`);
  expect(await systemFrame(ofBob, 'INVALID_FRAME')).toMatchObject({ t: 'mail' });
  await fixture.project.sql(`insert into letters values (10, 'all', 'last', 'x')`);
  await changesUntil(ofAnn, 'last');
  expect(ofAnn.frames('rt:system')).toEqual([]);
});
