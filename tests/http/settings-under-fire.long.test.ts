// Settings that are saved while the project is in use, in two processes of one deployment, by several people at
// once, and with values that cannot work.
import { afterAll, beforeAll, describe, expect, vi, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { asRecord, asSuperuser, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import {
  type OidcIdentityProvider,
  openOidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import { type ProjectUnderTest, userPassword } from '../support/project.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const email = 'ada@example.org';

let first: Deployment;
let second: Deployment;
let here: ProjectUnderTest;
let there: ProjectUnderTest;

beforeAll(async () => {
  const env = { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' };
  first = await Deployment.open({ env });
  second = await Deployment.open({ env }, first);
  here = await first.createProject();
  there = here.through(second.apiOrigin);
  await expectSaved(save(here, 'security.rateLimit', { max: 1_000_000, credentialMax: 1_000_000 }));
  const many = { perAddress: 1_000_000, perIdentifier: 1_000_000 };
  await expectSaved(save(here, 'auth.rateLimits', { signIn: many }));
  await here.signUp(email);
  await waitFor(async () => (await signIn(there)).status === 200);
});
afterAll(async () => {
  await second.stop();
  await first.close();
});

function save(project: ProjectUnderTest, group: string, body: unknown): Promise<Reply> {
  return project.asService({ method: 'PUT', path: `/api/admin/settings/${group}`, body });
}

async function expectSaved(saving: Promise<Reply>): Promise<void> {
  const { status, text } = await saving;
  expect({ status, text }).toMatchObject({ status: 200 });
}

async function read(project: ProjectUnderTest, group: string): Promise<Record<string, unknown>> {
  return asRecord((await project.asService({ path: `/api/admin/settings/${group}` })).body);
}

function signIn(project: ProjectUnderTest): Promise<Reply> {
  const body = { email, password: userPassword };
  return project.send({ method: 'POST', path: '/api/auth/sign-in/email', body });
}

const lifetimeIn = ({ headers }: Reply) =>
  Number(/Max-Age=(\d+)/.exec(headers['set-cookie']?.[0] ?? '')?.[1]);

const inDatabase = (query: string) => asSuperuser(query, { database: here.database });

async function storedVersion(): Promise<number> {
  const [row] = await inDatabase('select version from platform.settings_version');
  return Number(row?.['version']);
}

describe('saves of one group from two processes at once', () => {
  const count = 24;
  /** All fields of a save say which one it was. */
  const bodyOf = (number: number) => ({
    expiresIn: 100_000 + number,
    updateAge: 1000 + number,
    freshAge: 2000 + number,
    timebox: 300_000 + number,
  });

  test('follow one another: the last one wins whole, in the database and in both processes', async () => {
    const before = await storedVersion();
    const replies = await Promise.all(
      Array.from({ length: count }, (_, number) =>
        save(number % 2 === 0 ? here : there, 'auth.sessions', bodyOf(number)),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(count).fill(200));
    // Each answer shows what was sent with it.
    for (const [number, { body }] of replies.entries()) expect(body).toMatchObject(bodyOf(number));

    const audit = await inDatabase(
      `select before, after from platform.audit_log
       where action = 'settings.save' and target = 'auth.sessions' order by id`,
    );
    expect(audit).toHaveLength(count);
    // Each save was decided on what the one before has stored.
    audit.slice(1).forEach((entry, index) => {
      expect(entry['before']).toEqual(audit[index]?.['after']);
    });
    expect(await storedVersion()).toBe(before + count);

    const [row] = await inDatabase(
      `select value from platform.app_settings where name = 'auth.sessions'`,
    );
    const winner = Number(asRecord(row?.['value'])['expiresIn']) - 100_000;
    expect(row?.['value']).toEqual(bodyOf(winner));
    expect(audit.at(-1)?.['after']).toMatchObject(bodyOf(winner));
    for (const project of [here, there]) {
      await waitFor(async () => {
        const shown = await read(project, 'auth.sessions');
        return shown['expiresIn'] === 100_000 + winner && shown['timebox'] === 300_000 + winner;
      });
      await waitFor(async () => lifetimeIn(await signIn(project)) === 100_000 + winner);
    }
  });

  test('of different groups lose neither', async () => {
    const rounds = Array.from({ length: 6 }, (_, round) => round);
    for (const round of rounds) {
      const replies = await Promise.all([
        save(here, 'auth.sessions', bodyOf(round)),
        save(there, 'api.rest', { maxRows: 10 + round }),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    }
    for (const project of [here, there]) {
      await waitFor(async () => {
        const shown = await read(project, 'auth.sessions');
        const rest = await read(project, 'api.rest');
        return shown['freshAge'] === 2005 && rest['maxRows'] === 15;
      });
    }
  });
});

describe('a save that cannot work is refused by the name of the field, and the old instance serves on', () => {
  const custom = { providerId: 'acme', clientId: 'rowhouse' };
  const endpoints = { authorizationUrl: 'https://a.example/a', tokenUrl: 'https://a.example/t' };

  test.each([
    {
      name: 'a custom provider without a client id',
      group: 'auth.oauth.custom',
      body: { providers: [{ providerId: 'acme', ...endpoints }] },
      field: 'providers[0].clientId',
    },
    {
      name: 'a custom provider without any address',
      group: 'auth.oauth.custom',
      body: { providers: [custom] },
      field: 'providers[0].authorizationUrl',
    },
    {
      name: 'a custom provider whose discovery is a script',
      group: 'auth.oauth.custom',
      body: { providers: [{ ...custom, discoveryUrl: 'javascript:alert(1)' }] },
      field: 'providers[0].discoveryUrl',
    },
    {
      name: 'two custom providers of one id',
      group: 'auth.oauth.custom',
      body: {
        providers: [
          { ...custom, ...endpoints },
          { ...custom, ...endpoints },
        ],
      },
      field: 'providers[1].providerId',
    },
    {
      name: 'a social provider that nobody knows',
      group: 'auth.social',
      body: { acme: { enabled: true, clientId: 'a', clientSecret: 'b' } },
      field: 'acme',
    },
    {
      name: 'an issuer without an address',
      group: 'auth.thirdParty',
      body: { enabled: true, issuers: [{ name: 'acme' }] },
      field: 'issuers[0].issuer',
    },
    {
      name: 'a hook without an address',
      group: 'auth.hooks',
      body: { events: { enabled: true } },
      field: 'events.url',
    },
    {
      name: 'passkeys of another domain',
      group: 'auth.passkey',
      body: { enabled: true, rpId: 'a.example', origin: 'https://b.example' },
      field: 'origin',
    },
    {
      name: 'passwords that are too short to be long enough',
      group: 'auth.methods.emailPassword',
      body: { minPasswordLength: 100, maxPasswordLength: 50 },
      field: 'minPasswordLength',
    },
  ])('$name', async ({ group, body, field }) => {
    const version = await storedVersion();
    const shown = await read(here, group);
    let isSaving = true;
    const statuses: number[] = [];
    const users = Array.from({ length: 4 }, async () => {
      do statuses.push((await signIn(here)).status);
      while (isSaving);
    });
    const refused = await save(here, group, body);
    isSaving = false;
    await Promise.all(users);
    expect(refused.status).toBe(400);
    expect(asRecord(refused.body)['message']).toContain(field);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await storedVersion()).toBe(version);
    expect(await read(here, group)).toEqual(shown);
  });
});

test('a method that is turned off during 50 sign-ins: each ends well or is told that it is gone', async () => {
  const group = 'auth.methods.emailPassword';
  let answeredAt = Infinity;
  const outcomes: { readonly beganAt: number; readonly reply: Reply }[] = [];
  const attempt = async () => {
    const beganAt = performance.now();
    outcomes.push({ beganAt, reply: await signIn(here) });
  };
  const inFlight = Array.from({ length: 50 }, attempt);
  const saving = save(here, group, { enabled: false }).then((reply) => {
    answeredAt = performance.now();
    return reply;
  });
  await expectSaved(saving);
  await Promise.all([...inFlight, ...Array.from({ length: 5 }, attempt)]);

  const seen = new Set(outcomes.map(({ reply }) => reply.status));
  expect([...seen].filter((status) => status !== 200 && status !== 404)).toEqual([]);
  // Those that had begun under the old settings ended under them.
  expect(seen).toContain(200);
  const late = outcomes.filter(({ beganAt }) => beganAt > answeredAt);
  expect(late).toHaveLength(5);
  expect(late.map(({ reply }) => reply.status)).toEqual(Array(5).fill(404));
  await waitFor(async () => (await signIn(there)).status === 404);

  await expectSaved(save(there, group, { enabled: true }));
  expect((await signIn(there)).status).toBe(200);
  await waitFor(async () => (await signIn(here)).status === 200);
});

describe('a custom provider whose discovery hangs', () => {
  /** For how long the engine waits for a discovery document. */
  const limitMs = 3000;
  let idp: OidcIdentityProvider;

  beforeAll(async () => {
    idp = await openOidcIdentityProvider({ clients: [{ clientId: 'app', redirectUris: [] }] });
    idp.hang('discovery');
  });
  afterAll(async () => {
    await save(here, 'auth.oauth.custom', { providers: [] });
    await idp.close();
  });

  const goThere = () =>
    here.send({
      method: 'POST',
      path: '/api/auth/sign-in/social',
      body: { provider: 'slow', disableRedirect: true },
    });

  const timed = async (work: () => Promise<Reply>) => {
    const start = performance.now();
    const { status } = await work();
    return { status, ms: performance.now() - start };
  };

  test('delays neither its own save, nor saves of other groups, nor sign-ins by password', async () => {
    const provider = {
      providerId: 'slow',
      clientId: 'app',
      clientSecret: 'app-secret',
      discoveryUrl: idp.discoveryUrl,
    };
    const own = await timed(() => save(here, 'auth.oauth.custom', { providers: [provider] }));
    expect(own.status).toBe(200);
    expect(own.ms).toBeLessThan(limitMs);

    let isWaiting = true;
    const waiting = timed(goThere).finally(() => {
      isWaiting = false;
    });
    await waitFor(async () => idp.requests.some((line) => line.includes('openid-conf')));
    const others = await Promise.all([
      timed(() => signIn(here)),
      timed(() => save(here, 'auth.signup', {})),
      timed(() => save(here, 'api.rest', { maxRows: 7 })),
      timed(() => signIn(here)),
    ]);
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const { ms } of others) expect(ms).toBeLessThan(limitMs);
    // Else nothing was tried while it hung.
    expect({ isWaiting }).toEqual({ isWaiting: true });
    const hung = await waiting;
    expect(hung.status).toBe(503);
    expect(hung.ms).toBeGreaterThanOrEqual(limitMs - 100);
  });

  test('works as soon as it answers', async () => {
    idp.resume();
    await waitFor(async () => (await goThere()).status === 200);
  });
});
