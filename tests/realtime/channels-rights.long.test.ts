// Rights that end while a client is connected: nothing that commits afterwards reaches it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { asRecord } from '../support/deployment.js';
import type { SignedIn } from '../support/project.js';
import {
  changesIn,
  changesOf,
  changesUntil,
  ChannelFixture,
  disconnected,
  messagesIn,
  refusalOf,
  systemFrame,
} from './channel-fixture.js';
import type { RealtimeClient } from './realtime-client.js';

let fixture: ChannelFixture;
beforeAll(async () => {
  fixture = await ChannelFixture.open(`
    create table public.notes (id int generated always as identity, text text);
    create policy everybody on public.notes to authenticated using (true);
    revoke select on public.notes from anon;
    create table public.reports (id int generated always as identity, text text);
    create policy admins on public.reports to authenticated using (
      (select auth.jwt() ->> 'user_role') = 'ADMIN' or (select auth.role()) = 'service_role');
    create policy everybody on realtime.messages to authenticated using (true) with check (true);`);
}, 60_000);
afterAll(() => fixture.close());

let users = 0;
function newUser(): Promise<SignedIn> {
  users += 1;
  return fixture.project.signUp(`user-${users}@example.org`);
}
const notes = changesOf({ table: 'notes' });
const write = (text: string) => fixture.project.sql(`insert into notes (text) values ('${text}')`);
const watching = (topic: string, auth: Record<string, unknown>) =>
  fixture.joined(topic, notes, auth);
const textsIn = (client: RealtimeClient): readonly unknown[] =>
  changesIn(client).map((change) => asRecord(change.new)['text']);
const tokenOf = (user: SignedIn) => ({ token: user.token });

describe('a client that', () => {
  test.each([
    {
      name: 'signs out',
      code: 'SESSION_ENDED',
      end: async (user: SignedIn) => {
        const call = { method: 'POST', path: '/api/auth/sign-out', body: {} };
        expect((await fixture.project.as(user, call)).status).toBe(200);
      },
    },
    {
      name: 'has its session revoked in the database',
      code: 'SESSION_ENDED',
      end: (user: SignedIn) =>
        fixture.asSuperuser('delete from auth.session where "userId" = $1', [user.id]),
    },
    {
      name: 'is deactivated',
      code: 'USER_INACTIVE',
      end: (user: SignedIn) => fixture.act(user, 'deactivate'),
    },
    {
      name: 'is deleted',
      code: 'SESSION_ENDED',
      end: (user: SignedIn) =>
        fixture.asSuperuser('delete from auth."user" where id = $1', [user.id]),
    },
  ])('$name is disconnected and receives nothing after the commit', async ({ code, end, name }) => {
    const [user, other] = [await newUser(), await newUser()];
    const [client, witness] = [
      await watching(name, tokenOf(user)),
      await watching(name, tokenOf(other)),
    ];
    await write('before');
    await changesUntil(client, 'before');
    await end(user);
    await write('after');
    await changesUntil(witness, 'after');
    await disconnected(client);
    expect(await systemFrame(client, code)).toMatchObject({ status: 'closed', code });
    expect(textsIn(client)).toEqual(['before']);
    expect(witness.socket.connected).toBe(true);
    expect(await refusalOf(fixture.as(user))).toMatchObject({ code: expect.any(String) });
  });
});

test('a change in the transaction of a sign-out is not seen by who signs out', async () => {
  const user = await newUser();
  const client = await watching('one transaction', tokenOf(user));
  const witness = await watching('one transaction', tokenOf(await newUser()));
  await fixture.asSuperuser(
    `do $$ begin
       delete from auth.session where "userId" = '${user.id}';
       insert into public.notes (text) values ('in one transaction');
     end $$`,
  );
  await changesUntil(witness, 'in one transaction');
  await disconnected(client);
  expect(textsIn(client)).toEqual([]);
});

test('a changed role of a user decides from the commit on', async () => {
  const user = await newUser();
  const config = changesOf({ table: 'reports' });
  const client = await fixture.joined('roles', config, tokenOf(user));
  const auth = { apikey: fixture.project.secretKey };
  const witness = await fixture.joined('roles', config, auth);
  const report = (text: string) =>
    fixture.project.sql(`insert into reports (text) values ('${text}')`);
  const setRole = (role: string) =>
    fixture.asSuperuser('update auth."user" set role = $2 where id = $1', [user.id, role]);
  await report('first');
  await setRole('ADMIN');
  await report('second');
  await changesUntil(client, 'second');
  await setRole('USER');
  await report('third');
  await changesUntil(witness, 'third');
  expect(textsIn(client)).toEqual(['second']);
  expect(client.socket.connected).toBe(true);
});

test('a policy that changes in mid-stream decides about the very next row', async () => {
  const client = await watching('policy', tokenOf(await newUser()));
  const auth = { apikey: fixture.project.secretKey };
  const witness = await fixture.joined('policy', notes, auth);
  await write('shown');
  await changesUntil(client, 'shown');
  await fixture.project
    .sql(`create policy none on notes as restrictive to authenticated using (false);
    insert into notes (text) values ('hidden')`);
  await changesUntil(witness, 'hidden');
  await fixture.project.sql('drop policy none on notes');
  await write('shown again');
  await changesUntil(client, 'shown again');
  expect(textsIn(client)).toEqual(['shown', 'shown again']);
});

test('a grant that is taken away ends the channel', async () => {
  await fixture.project.sql(`create table public.granted (id int);
    create policy everybody on granted using (true); grant select on granted to authenticated`);
  const config = changesOf({ table: 'granted' });
  const client = await fixture.joined('granted', config, tokenOf(await newUser()));
  await fixture.project.sql('revoke select on granted from authenticated');
  expect(await systemFrame(client, '42501')).toMatchObject({ t: 'granted', status: 'error' });
});

describe('a session that expires', () => {
  const expiring = async (): Promise<SignedIn> => {
    const user = await newUser();
    await fixture.asSuperuser(
      `update auth.session set "expiresAt" = now() + interval '2 seconds' where "userId" = $1`,
      [user.id],
    );
    return user;
  };

  test('is told, and closed after a pause without another token', async () => {
    const client = await watching('expired', tokenOf(await expiring()));
    await systemFrame(client, 'TOKEN_EXPIRED');
    expect(client.socket.connected).toBe(true);
    await disconnected(client);
    expect(client.frames('rt:system').map(({ status }) => status)).toEqual(['error', 'closed']);
  });

  test('receives nothing until it has another token, and then what it has missed', async () => {
    const client = await watching('held', tokenOf(await expiring()));
    const witness = await watching('held', { apikey: fixture.project.secretKey });
    const present = { topic: 'held', payload: { name: 'Ann' } };
    await systemFrame(client, 'TOKEN_EXPIRED');
    await write('in the pause');
    await witness.ask('rt:send', { topic: 'held', event: 'e', payload: 'in the pause' });
    expect(await witness.ask('rt:track', present)).toEqual({ status: 'ok' });
    await changesUntil(witness, 'in the pause');
    await waitFor(() => witness.frames('rt:presence').length > 0);
    for (const event of ['rt:join', 'rt:send', 'rt:track']) {
      expect(await client.ask(event, { topic: 'held' })).toMatchObject({ code: 'TOKEN_EXPIRED' });
    }
    expect(textsIn(client)).toEqual([]);
    const { token } = await newUser();
    expect(await client.ask('rt:token', { token })).toEqual({ status: 'ok' });
    await write('after the pause');
    await changesUntil(client, 'after the pause');
    expect(textsIn(client)).toEqual(['in the pause', 'after the pause']);
    expect(messagesIn(client)).toEqual([]);
    const [state] = client.frames('rt:presence').map((frame) => asRecord(frame['state']));
    expect(Object.values(state ?? {})).toEqual([[expect.objectContaining({ name: 'Ann' })]]);
  });

  test('receives what it has missed with the rights of its new token', async () => {
    const config = changesOf({ table: 'reports' });
    const admin = await expiring();
    const setRole = (role: string) =>
      fixture.asSuperuser('update auth."user" set role = $2 where id = $1', [admin.id, role]);
    await setRole('ADMIN');
    const client = await fixture.joined('held reports', config, tokenOf(admin));
    const auth = { apikey: fixture.project.secretKey };
    const witness = await fixture.joined('held reports', config, auth);
    await systemFrame(client, 'TOKEN_EXPIRED');
    await fixture.project.sql(`insert into reports (text) values ('for administrators')`);
    await changesUntil(witness, 'for administrators');
    const { token } = await newUser();
    expect(await client.ask('rt:token', { token })).toEqual({ status: 'ok' });
    await fixture.project.sql(`insert into reports (text) values ('last')`);
    await changesUntil(witness, 'last');
    expect(textsIn(client)).toEqual([]);
  });

  test('goes on with another token', async () => {
    const client = await watching('renewed', tokenOf(await expiring()));
    await systemFrame(client, 'TOKEN_EXPIRED');
    const { token } = await newUser();
    expect(await client.ask('rt:token', { token })).toEqual({ status: 'ok' });
    await write('after the renewal');
    await changesUntil(client, 'after the renewal');
  });
});

describe('rt:token', () => {
  test('changes whose rows are received', async () => {
    const client = await fixture.client();
    expect(await client.ask('rt:join', { topic: 'x', config: notes })).toMatchObject({
      code: '42501',
    });
    const { token } = await newUser();
    expect(await client.ask('rt:token', { token })).toEqual({ status: 'ok' });
    expect(await client.ask('rt:join', { topic: 'x', config: notes })).toMatchObject({
      status: 'ok',
    });
  });

  test('ends the channels that the new user may not have', async () => {
    const client = await watching('fewer', tokenOf(await newUser()));
    await client.ask('rt:join', { topic: 'secret', config: { private: true } });
    await client.ask('rt:join', { topic: 'public', config: { broadcast: { self: true } } });
    await client.ask('rt:token', { token: fixture.project.publishableKey });
    const ended = client.frames('rt:system').map(({ t, code }) => ({ t, code }));
    expect(ended).toEqual(
      expect.arrayContaining([
        { t: 'fewer', code: '42501' },
        { t: 'secret', code: 'CHANNEL_REFUSED' },
      ]),
    );
    await client.ask('rt:send', { topic: 'public', event: 'e', payload: 'still' });
    await waitFor(() => messagesIn(client).includes('still'));
  });

  test('of no session is refused, and what was there stays', async () => {
    const client = await watching('kept', tokenOf(await newUser()));
    expect(await client.ask('rt:token', { token: 'x'.repeat(32) })).toMatchObject({
      status: 'error',
      code: 'SESSION_ENDED',
    });
    await write('still there');
    await changesUntil(client, 'still there');
  });
});
