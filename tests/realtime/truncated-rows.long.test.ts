// Rows that are too large to be sent: who receives their key, and what filters find of them.
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { SignedIn } from '../support/project.js';
import { changesOf, changesUntil, ChannelFixture, systemFrame } from './channel-fixture.js';
import type { RealtimeClient } from './realtime-client.js';

let fixture: ChannelFixture;
let ann: SignedIn;
beforeAll(async () => {
  fixture = await ChannelFixture.open(`
    create table public.docs (id text primary key, owner text, body text);
    create policy by_key on public.docs for select to anon using (id <> '');
    create policy owners on public.docs for select to authenticated using (owner = auth.uid());
    create policy everybody on public.docs for select to authenticated using (true);`);
  ann = await fixture.project.signUp('ann@example.org');
}, 60_000);
afterAll(() => fixture.close());

const large = `(select string_agg(md5(n::text), '') from generate_series(1, 40000) n)`;

const gapsIn = (client: RealtimeClient) => client.frames('rt:system');

/** The changes of a client until the row `last`, with all their fields but the time. */
async function eventsUntil(client: RealtimeClient, last: string): Promise<readonly unknown[]> {
  await changesUntil(client, last);
  const frames = client.frames('rt:pg').flatMap(({ e }) => e as readonly { d: object }[]);
  return frames.map(({ d }) => ({ ...d, commit_timestamp: undefined }));
}

test('a row over 1 MB is its key, for clients whose policies read nothing else', async () => {
  const docs = changesOf({ table: 'docs' });
  const visitor = await fixture.joined('docs', docs);
  const server = await fixture.joined('docs', docs, { apikey: fixture.project.secretKey });
  const owner = await fixture.joined('docs', docs, { token: ann.token });
  await fixture.project.sql(`
    insert into docs values ('a', '${ann.id}', 'small');
    update docs set body = ${large} where id = 'a';
    delete from docs where id = 'a';
    insert into docs values ('last', '${ann.id}', 'small')`);
  const small = { id: 'a', owner: ann.id, body: 'small' };
  const last = { id: 'last', owner: ann.id, body: 'small' };
  const where = { schema: 'public', table: 'docs' };
  const whole = [
    { ...where, eventType: 'INSERT', new: small, old: {} },
    { ...where, eventType: 'INSERT', new: last, old: {} },
  ];
  const [first, end] = whole;
  const truncated = { ...where, truncated: true, old: { id: 'a' } };
  const withKeys = [
    first,
    { ...truncated, eventType: 'UPDATE', new: { id: 'a' } },
    { ...truncated, eventType: 'DELETE', new: {} },
    end,
  ];
  expect(await eventsUntil(visitor, 'last')).toEqual(withKeys);
  expect(await eventsUntil(server, 'last')).toEqual(withKeys);
  // One of the policies reads the owner, whatever the other one says.
  expect(await eventsUntil(owner, 'last')).toEqual(whole);
  expect(gapsIn(visitor)).toEqual([]);
  expect(gapsIn(server)).toEqual([]);
  expect(gapsIn(owner).length).toBeGreaterThan(0);
});

test('a client that comes back learns that a change could not be decided', async () => {
  const auth = { token: ann.token };
  const join = { topic: 'back', config: changesOf({ table: 'docs' }) };
  const first = await fixture.client(auth);
  const { cursor: before } = await first.ask('rt:join', join);
  await fixture.project.sql(`insert into docs values ('cut', '${ann.id}', ${large})`);
  await systemFrame(first, 'CHANGES_MISSED');
  const { cursor: after } = await (await fixture.client(auth)).ask('rt:join', join);
  await fixture.project.sql(`insert into docs values ('back', '${ann.id}', 'small')`);
  const client = await fixture.client(auth);
  const back = await client.ask('rt:join', { ...join, resume: before });
  expect(back).toMatchObject({ status: 'ok', recovered: false });
  expect(await client.ask('rt:join', { ...join, resume: after })).toMatchObject({
    status: 'ok',
    recovered: true,
  });
  await changesUntil(client, 'back');
});

test('a gap says nothing of the row, and nothing to clients without a policy or a binding', async () => {
  await fixture.project.sql(`
    create table public.sealed (id text primary key, owner text, body text);
    create policy owners on public.sealed for select to authenticated using (owner = auth.uid());`);
  const sealed = changesOf({ table: 'sealed' });
  const user = await fixture.joined('sealed', sealed, { token: ann.token });
  const visitor = await fixture.joined('sealed', sealed);
  const other = await fixture.joined('docs', changesOf({ table: 'docs' }), { token: ann.token });
  await fixture.project.sql(`
    insert into sealed values ('secret', 'another', ${large});
    insert into sealed values ('sealed', '${ann.id}', '');
    insert into docs values ('sealed', '${ann.id}', '')`);
  await changesUntil(user, 'sealed');
  await changesUntil(other, 'sealed');
  expect(JSON.stringify([user.frames('rt:pg'), gapsIn(user)])).not.toContain('secret');
  expect(gapsIn(user)).toEqual([
    expect.objectContaining({ t: 'sealed', code: 'CHANGES_MISSED', status: 'error' }),
  ]);
  expect([...gapsIn(visitor), ...gapsIn(other)]).toEqual([]);
});

test('a filter finds null in the columns that are missing', async () => {
  const follow = (topic: string, filter: string) =>
    fixture.joined(topic, changesOf({ table: 'docs', filter }));
  const clients = [
    { client: await follow('by key', 'id=like.f*'), expected: ['f', 'f-last'] },
    { client: await follow('by value', 'owner=eq.me'), expected: ['f-last'] },
    {
      client: await follow('by null', 'or=(owner.is.null,id.eq.f-last)'),
      expected: ['f', 'f-last'],
    },
  ];
  await fixture.project.sql(`insert into docs values ('f', 'me', ${large})`);
  await fixture.project.sql(`insert into docs values ('f-last', 'me', '')`);
  for (const { client, expected } of clients) {
    const events = await eventsUntil(client, 'f-last');
    expect(events.map((event) => (event as { new: { id: string } }).new.id)).toEqual(expected);
  }
});
