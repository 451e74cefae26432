// Whose rights a channel has: those of the session of its client, also after it has changed.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import type { RowhouseClient } from '#libs/sdk';
import { waitFor } from '#libs/testing';

import { asSuperuser } from '../support/deployment.js';
import { type SignedIn, userPassword } from '../support/project.js';
import { arrived, follow, type Followed, joined, Live, message } from './support/live.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let live: Live;
let ada: SignedIn;
let bob: SignedIn;
let ids = 0;

beforeAll(async () => {
  live = await Live.open(
    'create policy users_receive on realtime.messages for select to authenticated using (true)',
  );
});
beforeEach(async () => {
  ids += 1;
  ada = await live.project.signUp(`ada${ids}@example.org`);
  bob = await live.project.signUp(`bob${ids}@example.org`);
});
afterAll(() => live.close());

/** Follows the notes that the client may read. */
async function notes(client: RowhouseClient): Promise<Followed & { readonly seen: string[] }> {
  const seen: string[] = [];
  const channel = client
    .channel('notes')
    .on('postgres_changes', { event: '*', table: 'notes' }, ({ new: note }) =>
      seen.push(note['text']),
    );
  return { ...(await joined(channel)), seen };
}

let noteId = 0;
const write = (owner: SignedIn, text: string) =>
  live.project.sql(
    `insert into notes (id, text, owner) values (${(noteId += 1)}, '${text}', '${owner.id}')`,
  );
const signIn = (client: RowhouseClient, { email }: SignedIn) =>
  client.auth.signInWithPassword({ email, password: userPassword });

test('a sign-in gives an open channel the rights of the user, on the same connection', async () => {
  const client = live.client();
  const { seen, statuses } = await notes(client);
  const { opened } = live.gateway.sockets;
  const secret = follow(client.channel('secret', { private: true }));
  expect(await secret.failed()).toBe('CHANNEL_REFUSED');
  await signIn(client, ada);
  // The channel that was refused before has been joined: so the token is there.
  await secret.subscribed();
  await write(ada, 'of Ada');
  expect(await arrived(seen, 1)).toEqual(['of Ada']);
  expect(live.gateway.sockets.opened).toBe(opened);
  expect(statuses).toEqual(['SUBSCRIBED']);
});

test('a sign-out takes them away: the channel goes on as that of a visitor', async () => {
  const client = await live.as(ada);
  const followed = await notes(client);
  await followed.channel.track({ name: 'Ada' });
  const witness = await notes(live.client({}, live.project.secretKey));
  await client.auth.signOut();
  await write(ada, 'after the sign-out');
  await arrived(witness.seen, 1);
  await followed.subscribed(2);
  await write(bob, 'last');
  await arrived(witness.seen, 2);
  expect(followed.seen).toEqual([]);
  expect(followed.channel.presenceState()).toEqual({});
  // Presence is sent in steps, apart from changes.
  await waitFor(() => Object.keys(witness.channel.presenceState()).length === 0);
});

test('another user is another connection, and sees nothing of the first', async () => {
  const client = await live.as(ada);
  const followed = await notes(client);
  await followed.channel.track({ name: 'Ada' });
  await signIn(client, bob);
  await followed.subscribed(2);
  await write(ada, 'of Ada');
  await write(bob, 'of Bob');
  expect(await arrived(followed.seen, 1)).toEqual(['of Bob']);
  expect(followed.channel.presenceState()).toEqual({});
});

test('a refreshed session with the same token changes nothing', async () => {
  const client = await live.as(ada);
  const followed = await notes(client);
  const { opened } = live.gateway.sockets;
  expect((await client.auth.refreshSession()).error).toBeNull();
  await write(ada, 'still there');
  expect(await arrived(followed.seen, 1)).toEqual(['still there']);
  expect(live.gateway.sockets.opened).toBe(opened);
  expect(followed.statuses).toEqual(['SUBSCRIBED']);
});

describe('a session that ends on the server', () => {
  test.each([
    {
      name: 'is revoked',
      code: 'SESSION_ENDED',
      end: (user: SignedIn) =>
        asSuperuser('delete from auth.session where "userId" = $1', {
          database: live.project.database,
          values: [user.id],
        }),
    },
    {
      name: 'expires',
      code: undefined,
      end: (user: SignedIn) =>
        asSuperuser(
          `update auth.session set "expiresAt" = now() + interval '1 second' where "userId" = $1`,
          { database: live.project.database, values: [user.id] },
        ),
    },
  ])('$name: the client is signed out, and its channels go on', async ({ code, end }) => {
    const client = await live.as(ada);
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => events.push(event));
    await end(ada);
    // The connection of the channel has the end of the session that is stored now.
    const followed = follow(client.channel('ended'));
    await followed.subscribed();
    await arrived(events, 2);
    expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_OUT']);
    await followed.subscribed();
    expect(followed.errors.filter((one) => one !== code)).toEqual([]);
    expect((await client.auth.getSession()).data.session).toBeNull();
  });

  test('while a channel is open: it is reported, and the channel is that of a visitor', async () => {
    const client = await live.as(ada);
    const followed = await notes(client);
    await asSuperuser('delete from auth.session where "userId" = $1', {
      database: live.project.database,
      values: [ada.id],
    });
    await followed.subscribed(2);
    expect(followed.errors).toEqual(['SESSION_ENDED']);
    expect((await client.auth.getSession()).data.session).toBeNull();
  });
});

test('a deactivated user keeps the session and is refused', async () => {
  const client = await live.as(ada);
  const followed = await notes(client);
  const path = `/api/admin/users/${ada.id}/deactivate`;
  expect((await live.project.asService({ method: 'POST', path })).status).toBeLessThan(300);
  expect(await followed.failed()).toBe('USER_INACTIVE');
  expect((await client.auth.getSession()).data.session?.access_token).toBe(ada.token);
  await live.project.asService({ method: 'POST', path: `/api/admin/users/${ada.id}/activate` });
  await followed.subscribed(2);
});

describe('without a session', () => {
  test('a secret key receives everything, also if a user is signed in', async () => {
    const client = live.client({}, live.project.secretKey);
    const { seen } = await notes(client);
    await write(ada, 'of Ada');
    await write(bob, 'of Bob');
    expect(await arrived(seen, 2)).toEqual(['of Ada', 'of Bob']);
  });

  test('a secret key may stand in for a user, and another key may not', async () => {
    const headers = { 'x-service-impersonate': ada.id };
    const { seen } = await notes(live.client({ headers }, live.project.secretKey));
    await write(bob, 'of Bob');
    await write(ada, 'of Ada');
    expect(await arrived(seen, 1)).toEqual(['of Ada']);
    const refused = follow(live.client({ headers }).channel('notes'));
    expect(await refused.failed()).toBe('IMPERSONATION_REFUSED');
  });

  test('an authorization in the headers is that of the channels', async () => {
    const headers = { authorization: `Bearer ${ada.token}` };
    const { seen } = await notes(live.client({ headers }));
    await write(bob, 'of Bob');
    await write(ada, 'of Ada');
    expect(await arrived(seen, 1)).toEqual(['of Ada']);
  });
});

describe('another project', () => {
  test('knows no session, no key and no channel of this one', async () => {
    const other = await Live.open();
    try {
      const seen: unknown[] = [];
      const receiver = await joined(
        live
          .client()
          .channel('shared')
          .on('broadcast', { event: '*' }, ({ payload }) => seen.push(payload)),
      );
      const sender = await joined(other.client().channel('shared'));
      expect(await sender.channel.send(message('x', 'from elsewhere'))).toBe('ok');
      // A token of one project ends no session here, and is no session there.
      const stranger = other.client({ headers: { authorization: `Bearer ${ada.token}` } });
      expect(await follow(stranger.channel('shared')).failed()).toBe('SESSION_ENDED');
      for (const key of [live.project.publishableKey, live.project.secretKey]) {
        const lost = follow(other.client({}, key).channel('shared'));
        expect(await lost.failed()).toBe('INVALID_API_KEY');
      }
      await (await joined(live.client().channel('shared'))).channel.send(message('x', 'from here'));
      expect(await arrived(seen, 1)).toEqual(['from here']);
      expect(receiver.statuses).toEqual(['SUBSCRIBED']);
    } finally {
      await other.close();
    }
  });
});
