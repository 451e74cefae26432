// Changes of accounts through this process hold at once for open sockets. Polls are so far apart here that only the
// change itself can have the reader look.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { Deployment } from '../support/deployment.js';
import type { Call } from '../support/http.js';
import { type SignedIn, userPassword } from '../support/project.js';
import { ChannelFixture, hourlyPace, systemFrame } from './channel-fixture.js';
import type { RealtimeClient } from './realtime-client.js';

let fixture: ChannelFixture;
beforeAll(async () => {
  const deployment = await Deployment.open({ changePace: hourlyPace });
  fixture = await ChannelFixture.in(
    deployment,
    `create policy admins on realtime.messages for select to authenticated
       using ((select auth.jwt() ->> 'user_role') = 'ADMIN')`,
  );
}, 60_000);
afterAll(() => fixture.close(), 60_000);

let users = 0;
function newUser(): Promise<SignedIn> {
  users += 1;
  return fixture.project.signUp(`user-${users}@example.org`);
}

/** Waits for a system frame for less than any timer of the hub. */
function systemFrameSoon(client: RealtimeClient, code: string): Promise<unknown> {
  const find = () => client.frames('rt:system').find((frame) => frame['code'] === code);
  return waitFor(find, { until: `the system frame ${code}`, ms: 5_000 });
}

async function byUser(user: SignedIn, path: string, body: object = {}): Promise<void> {
  const reply = await fixture.project.as(user, { method: 'POST', path, body });
  expect(reply.status, reply.text).toBe(200);
}

async function byAdministrator(call: Call): Promise<void> {
  const reply = await fixture.project.asService(call);
  expect(reply.status, reply.text).toBeLessThan(300);
}

/** Another session of a user. */
async function signInAgain(user: SignedIn): Promise<SignedIn> {
  const body = { email: user.email, password: userPassword };
  const call = { method: 'POST', path: '/api/auth/sign-in/email', body } as const;
  const reply = await fixture.project.send(call);
  expect(reply.status, reply.text).toBe(200);
  const { token } = reply.body as { readonly token: string };
  return { ...user, token };
}

describe('a client is disconnected at once when', () => {
  test.each([
    {
      name: 'its user signs out',
      code: 'SESSION_ENDED',
      end: (user: SignedIn) => byUser(user, '/api/auth/sign-out'),
    },
    {
      name: 'its user ends the other sessions',
      code: 'SESSION_ENDED',
      end: async (user: SignedIn) =>
        byUser(await signInAgain(user), '/api/auth/revoke-other-sessions'),
    },
    {
      name: 'its user changes the password',
      code: 'SESSION_ENDED',
      end: async (user: SignedIn) =>
        byUser(await signInAgain(user), '/api/auth/change-password', {
          currentPassword: userPassword,
          newPassword: 'another long password',
          revokeOtherSessions: true,
        }),
    },
    {
      name: 'its user deletes the account',
      code: 'SESSION_ENDED',
      end: (user: SignedIn) => byUser(user, '/api/auth/delete-user', { password: userPassword }),
    },
    {
      name: 'an administrator ends its sessions',
      code: 'SESSION_ENDED',
      end: ({ id }: SignedIn) =>
        byAdministrator({ method: 'DELETE', path: `/api/admin/users/${id}/sessions` }),
    },
    {
      name: 'an administrator sets another password',
      code: 'SESSION_ENDED',
      end: ({ id }: SignedIn) => {
        const path = `/api/admin/users/${id}/reset-password`;
        return byAdministrator({ method: 'POST', path, body: { password: 'a third password' } });
      },
    },
    {
      name: 'an administrator deactivates its user',
      code: 'USER_INACTIVE',
      end: (user: SignedIn) => fixture.act(user, 'deactivate'),
    },
    {
      name: 'an administrator deletes its user',
      code: 'SESSION_ENDED',
      end: ({ id }: SignedIn) =>
        byAdministrator({ method: 'DELETE', path: `/api/admin/users/${id}` }),
    },
  ])('$name', async ({ code, end }) => {
    const [user, other] = [await newUser(), await newUser()];
    const [client, witness] = [await fixture.as(user), await fixture.as(other)];
    await end(user);
    expect(await systemFrameSoon(client, code)).toMatchObject({ status: 'closed', code });
    await waitFor(() => client.socket.disconnected, { until: 'the server disconnects' });
    expect(witness.socket.connected).toBe(true);
  });
});

test('a role that is taken away holds at once for the channels of its user', async () => {
  const user = await newUser();
  await fixture.act(user, 'promote');
  const client = await fixture.joined('admins', { private: true }, { token: user.token });
  await fixture.act(user, 'demote');
  expect(await systemFrameSoon(client, 'CHANNEL_REFUSED')).toMatchObject({ t: 'admins' });
  expect(client.socket.connected).toBe(true);
});

test('settings that shorten sessions hold for open sockets', async () => {
  const client = await fixture.as(await newUser());
  const path = '/api/admin/settings/auth.sessions';
  await byAdministrator({ method: 'PUT', path, body: { timebox: 3 } });
  // After the three seconds.
  await systemFrame(client, 'TOKEN_EXPIRED');
});
