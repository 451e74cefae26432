// The order of a change of rights and what follows it, in one process: what is written or sent after the acknowledgement of
// the change never arrives. Polls are so far apart here that only the change itself can have the reader look.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { saveSettings } from '../isolation/neighbors.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { Call } from '../support/http.js';
import type { SignedIn } from '../support/project.js';
import { textAt } from '../support/replies.js';
import {
  changesIn,
  changesOf,
  changesUntil,
  ChannelFixture,
  disconnected,
  hourlyPace,
  messagesIn,
  systemFrame,
} from './channel-fixture.js';
import type { RealtimeClient } from './realtime-client.js';

let fixture: ChannelFixture;
beforeAll(async () => {
  const deployment = await Deployment.open({ changePace: hourlyPace });
  fixture = await ChannelFixture.in(
    deployment,
    `create table public.notes (text text);
     create policy everybody on public.notes to authenticated using (true);
     create table public.reports (text text);
     create policy admins on public.reports to authenticated
       using ((select auth.jwt() ->> 'user_role') = 'ADMIN');
     create policy admins on realtime.messages to authenticated
       using (realtime.topic() <> 'reports' or (select auth.jwt() ->> 'user_role') = 'ADMIN');`,
  );
  await saveSettings(fixture.project, 'auth.apiKey', { enabled: true });
}, 60_000);
afterAll(() => fixture.close(), 60_000);

const topic = 'room';
const notes = changesOf({ table: 'notes' });

let users = 0;
function newUser(): Promise<SignedIn> {
  users += 1;
  return fixture.project.signUp(`user-${users}@example.org`);
}

async function byUser(user: SignedIn, path: string, body: object = {}): Promise<unknown> {
  const reply = await fixture.project.as(user, { method: 'POST', path, body });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

async function byAdministrator(call: Call): Promise<void> {
  const reply = await fixture.project.asService(call);
  expect(reply.status, reply.text).toBeLessThan(300);
}

/** Over the API, so that it wakes the reader. */
const insert = (table: string, text: string) =>
  byAdministrator({ method: 'POST', path: `/rest/v1/${table}`, body: { text } });

const say = async (client: RealtimeClient, to: string, payload: string): Promise<void> => {
  const answer = await client.ask('rt:send', { topic: to, event: 'e', payload });
  expect(answer).toEqual({ status: 'ok' });
};

const textsIn = (client: RealtimeClient): readonly unknown[] =>
  changesIn(client).map((change) => asRecord(change.new)['text']);

/** What a client shows. */
interface Shown {
  readonly token: string;
  /** Of its API key; empty for a session. */
  readonly keyId: string;
}

interface Ending {
  readonly name: string;
  readonly code: string;
  /** What the client shows; without it the session of the user. */
  readonly auth?: (user: SignedIn) => Promise<Shown>;
  /** Resolves when the change is acknowledged. */
  readonly end: (user: SignedIn, shown: Shown) => Promise<unknown>;
}

const newKey = async (user: SignedIn): Promise<Shown> => {
  const made = await byUser(user, '/api/auth/api-key/create', { name: 'robot' });
  return { token: textAt(made, 'key'), keyId: textAt(made, 'id') };
};

const endings: readonly Ending[] = [
  { name: 'a sign-out', code: 'SESSION_ENDED', end: (user) => byUser(user, '/api/auth/sign-out') },
  {
    name: 'the end of its sessions',
    code: 'SESSION_ENDED',
    end: ({ id }) => byAdministrator({ method: 'DELETE', path: `/api/admin/users/${id}/sessions` }),
  },
  {
    name: 'a deactivation',
    code: 'USER_INACTIVE',
    end: (user) => fixture.act(user, 'deactivate'),
  },
  {
    name: 'the deletion of its user',
    code: 'SESSION_ENDED',
    end: ({ id }) => byAdministrator({ method: 'DELETE', path: `/api/admin/users/${id}` }),
  },
  {
    name: 'the deletion of its API key',
    code: 'SESSION_ENDED',
    auth: newKey,
    end: (user, { keyId }) => byUser(user, '/api/auth/api-key/delete', { keyId }),
  },
  {
    name: 'the end of its API key',
    code: 'SESSION_ENDED',
    auth: newKey,
    end: (user, { keyId }) => byUser(user, '/api/auth/api-key/update', { keyId, enabled: false }),
  },
  {
    name: 'the deletion of its API key by an administrator',
    code: 'SESSION_ENDED',
    auth: newKey,
    end: ({ id }, { keyId }) =>
      byAdministrator({ method: 'DELETE', path: `/api/admin/users/${id}/api-keys/${keyId}` }),
  },
  {
    name: 'a deactivation of the user of its API key',
    code: 'USER_INACTIVE',
    auth: newKey,
    end: (user) => fixture.act(user, 'deactivate'),
  },
];

describe('a client receives nothing that follows the acknowledgement of', () => {
  test.each(endings)('$name', async ({ name, code, auth, end }) => {
    const user = await newUser();
    const shown = (await auth?.(user)) ?? { token: user.token, keyId: '' };
    const client = await fixture.joined(topic, notes, { token: shown.token });
    const witness = await fixture.joined(topic, notes, { token: (await newUser()).token });
    const [before, after] = [`before ${name}`, `after ${name}`];
    await insert('notes', before);
    await changesUntil(client, before);
    await end(user, shown);
    await Promise.all([say(witness, topic, after), insert('notes', after)]);
    await changesUntil(witness, after);
    await disconnected(client);
    expect(await systemFrame(client, code)).toMatchObject({ status: 'closed' });
    expect(textsIn(client)).toEqual([before]);
    expect(messagesIn(client)).toEqual([]);
    expect(witness.socket.connected).toBe(true);
    witness.close();
  });

  test.each([
    {
      name: 'a role that is taken away',
      end: (user: SignedIn) => fixture.act(user, 'demote'),
    },
    {
      name: 'a changed policy',
      end: () =>
        fixture.project.sql(`drop policy admins on public.reports;
          create policy nobody on realtime.messages as restrictive to authenticated
            using (realtime.topic() <> 'reports')`),
    },
  ])('$name, and goes on with what it may receive', async ({ end }) => {
    const user = await newUser();
    await fixture.act(user, 'promote');
    const client = await fixture.client({ token: user.token });
    const witness = await fixture.client({ apikey: fixture.project.secretKey });
    const tables = changesOf({ table: 'notes' }, { table: 'reports' });
    for (const one of [client, witness]) {
      const room = await one.ask('rt:join', { topic, config: tables });
      expect(room).toMatchObject({ status: 'ok' });
      const reports = await one.ask('rt:join', { topic: 'reports', config: { private: true } });
      expect(reports).toMatchObject({ status: 'ok' });
    }
    await Promise.all([say(witness, 'reports', 'shown'), insert('reports', 'shown')]);
    await changesUntil(client, 'shown');
    await end(user);
    await Promise.all([say(witness, 'reports', 'hidden'), insert('reports', 'hidden')]);
    await changesUntil(witness, 'hidden');
    await say(witness, topic, 'last');
    await insert('notes', 'last');
    await changesUntil(client, 'last');
    expect(textsIn(client)).toEqual(['shown', 'last']);
    expect(messagesIn(client)).toEqual(['shown', 'last']);
    expect(await systemFrame(client, 'CHANNEL_REFUSED')).toMatchObject({ t: 'reports' });
    expect(client.socket.connected).toBe(true);
  });
});
