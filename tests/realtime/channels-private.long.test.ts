// Private topics: policies on realtime.messages decide who receives and who sends.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import type { SignedIn } from '../support/project.js';
import { ChannelFixture, messagesIn, systemFrame } from './channel-fixture.js';
import type { RealtimeClient } from './realtime-client.js';

let fixture: ChannelFixture;
let users: Readonly<Record<'ann' | 'bob', SignedIn>>;
beforeAll(async () => {
  fixture = await ChannelFixture.open(`
    create table public.members (room text, "user" text, may text);
    create function public.may(what text) returns boolean language sql stable security definer
      set search_path = '' as $$ select exists (select from public.members m
        where m.room = realtime.topic() and m."user" = auth.uid() and m.may = what) $$;
    create policy hear on realtime.messages for select to authenticated
      using (extension = 'broadcast' and public.may('hear'));
    create policy see on realtime.messages for select to authenticated
      using (extension = 'presence' and public.may('see'));
    create policy say on realtime.messages for insert to authenticated
      with check (extension = 'broadcast' and public.may('say'));
    create policy appear on realtime.messages for insert to authenticated
      with check (extension = 'presence' and public.may('appear'));`);
  users = {
    ann: await fixture.project.signUp('ann@example.org'),
    bob: await fixture.project.signUp('bob@example.org'),
  };
}, 60_000);
afterAll(() => fixture.close());

/** Lets a user do things in a room. */
async function allow(room: string, name: keyof typeof users, ...things: readonly string[]) {
  for (const thing of things) {
    await fixture.project.sql(
      `insert into members values ('${room}', '${users[name].id}', '${thing}')`,
    );
  }
}
const isPrivate = { private: true };
const enter = (client: RealtimeClient, topic: string, config: object = isPrivate) =>
  client.ask('rt:join', { topic, config });
const say = (client: RealtimeClient, topic: string, payload: unknown) =>
  client.ask('rt:send', { topic, event: 'said', payload });
const heard = (client: RealtimeClient, payload: unknown) =>
  waitFor(() => messagesIn(client).includes(payload), { until: `the message ${String(payload)}` });

describe('a client without a right to receive cannot join', () => {
  test.each([
    { name: 'no right', things: [] },
    { name: 'rights to send alone', things: ['say', 'appear'] },
  ])('with $name', async ({ name, things }) => {
    await allow(name, 'ann', ...things);
    const client = await fixture.as(users.ann);
    expect(await enter(client, name)).toMatchObject({ status: 'error', code: 'CHANNEL_REFUSED' });
    expect(await say(client, name, 'x')).toMatchObject({ code: 'NOT_JOINED' });
  });

  test('signed out', async () => {
    const client = await fixture.client();
    expect(await enter(client, 'anyroom')).toMatchObject({ code: 'CHANNEL_REFUSED' });
  });
});

test.each([
  { right: 'say', send: 'ok', track: 'error' },
  { right: 'appear', send: 'error', track: 'ok' },
])('the right to $right: send $send, track $track', async ({ right, send, track }) => {
  await allow(`do ${right}`, 'ann', 'hear', right);
  const client = await fixture.as(users.ann);
  const topic = `do ${right}`;
  expect(await enter(client, topic)).toMatchObject({ status: 'ok' });
  const answers = [
    { wanted: send, answer: await say(client, topic, 'x') },
    { wanted: track, answer: await client.ask('rt:track', { topic, payload: {} }) },
  ];
  for (const { wanted, answer } of answers) {
    const refused = { status: 'error', code: 'CHANNEL_REFUSED' };
    expect(answer).toMatchObject(wanted === 'ok' ? { status: 'ok' } : refused);
  }
});

test('a client receives what its policies allow: messages, presence, or both', async () => {
  await allow('mixed', 'ann', 'hear');
  await allow('mixed', 'bob', 'see');
  const [ann, bob, service] = [
    await fixture.as(users.ann),
    await fixture.as(users.bob),
    await fixture.client({ apikey: fixture.project.secretKey }),
  ];
  for (const client of [ann, bob, service]) {
    expect(await enter(client, 'mixed')).toMatchObject({ status: 'ok' });
  }
  await service.ask('rt:track', { topic: 'mixed', payload: { here: 1 } });
  await waitFor(() => bob.frames('rt:presence').length > 0);
  await say(service, 'mixed', 'a word');
  await heard(ann, 'a word');
  // A frame that everybody receives, after those that not everybody may.
  await bob.ask('rt:leave', { topic: 'none' });
  expect(messagesIn(bob)).toEqual([]);
  expect(ann.frames('rt:presence')).toEqual([]);
  const late = await fixture.as(users.ann);
  expect(await enter(late, 'mixed')).not.toHaveProperty('presence');
});

test('the public topic of the same name is another room', async () => {
  await allow('double', 'ann', 'hear', 'say', 'see', 'appear');
  const ann = await fixture.as(users.ann);
  const stranger = await fixture.client();
  await enter(ann, 'double');
  await enter(stranger, 'double', { broadcast: { self: true } });
  await say(ann, 'double', 'in private');
  await ann.ask('rt:track', { topic: 'double', payload: { secret: 1 } });
  await waitFor(() => ann.frames('rt:presence').length > 0);
  await fixture.project.sql(`select realtime.send('"from SQL"', 'said', 'double')`);
  await heard(ann, 'from SQL');
  await say(stranger, 'double', 'in public');
  await heard(stranger, 'in public');
  expect(messagesIn(stranger)).toEqual(['in public']);
  expect(stranger.frames('rt:presence')).toEqual([]);
  expect(messagesIn(ann)).toEqual(['from SQL']);
});

test('a changed policy takes rights away from a client that has joined', async () => {
  await allow('changed', 'ann', 'hear', 'say', 'see', 'appear');
  const [ann, service] = [
    await fixture.as(users.ann),
    await fixture.client({ apikey: fixture.project.secretKey }),
  ];
  await enter(ann, 'changed');
  await enter(service, 'changed');
  await ann.ask('rt:track', { topic: 'changed', payload: { here: 1 } });
  await waitFor(() => service.frames('rt:presence').length > 0);
  await fixture.project.sql(`create policy no_sending on realtime.messages as restrictive for insert
    to authenticated with check (realtime.topic() <> 'changed')`);
  await waitFor(async () => (await say(ann, 'changed', 'x'))['code'] === 'CHANNEL_REFUSED');
  // Who may not appear any more is not shown any more.
  await waitFor(() =>
    service.frames('rt:presence').some(({ state }) => Object.keys(state as object).length === 0),
  );
  await fixture.project.sql(`create policy no_hearing on realtime.messages as restrictive for select
    to authenticated using (realtime.topic() <> 'changed')`);
  expect(await systemFrame(ann, 'CHANNEL_REFUSED')).toMatchObject({ t: 'changed' });
  const before = messagesIn(ann).length;
  await say(service, 'changed', 'after');
  // The client still receives what it may.
  await enter(ann, 'open', { broadcast: { self: true } });
  await say(ann, 'open', 'end');
  await heard(ann, 'end');
  expect(messagesIn(ann).slice(before)).toEqual(['end']);
  expect(await say(ann, 'changed', 'x')).toMatchObject({ code: 'NOT_JOINED' });
});

test('a policy that SQL of the API changes ends channels that it closes', async () => {
  await allow('at once', 'ann', 'hear');
  const ann = await fixture.as(users.ann);
  expect(await enter(ann, 'at once')).toMatchObject({ status: 'ok' });
  await fixture.project.sql(`create policy closed on realtime.messages as restrictive for select
    to authenticated using (realtime.topic() <> 'at once')`);
  await waitFor(() => ann.frames('rt:system').length === 1, { until: 'the channel ends' });
  await fixture.project.sql('drop policy closed on realtime.messages');
});

test('a changed policy gives rights to a client that has joined', async () => {
  await allow('given', 'bob', 'hear');
  const bob = await fixture.as(users.bob);
  await enter(bob, 'given');
  expect(await say(bob, 'given', 'x')).toMatchObject({ code: 'CHANNEL_REFUSED' });
  await fixture.project.sql(`create policy given on realtime.messages for insert to authenticated
    with check (realtime.topic() = 'given')`);
  await waitFor(async () => (await say(bob, 'given', 'x'))['status'] === 'ok');
});

test('a policy that raises an error refuses the join', async () => {
  await fixture.project.sql(`create policy broken on realtime.messages for select to anon
    using (case when realtime.topic() = 'broken' then 1 / (length(realtime.topic()) - 6) = 1 else false end)`);
  const client = await fixture.client();
  expect(await enter(client, 'broken')).toMatchObject({ status: 'error', code: '22012' });
  expect(await enter(client, 'other')).toMatchObject({ code: 'CHANNEL_REFUSED' });
});
