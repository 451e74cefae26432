// The time of an answer tells of no account: for a known and an unknown address the engine does the same work.
// Work is counted in connections taken from the pool, statements, notes of messages and rows written, not in time.
import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MessageOutbox, messageSeal } from '#libs/project-runtime';
import { resolveAll } from '#libs/settings';
import type pg from 'pg';
import { openAuthProject, password, signUp, type AuthProject } from './auth-project.js';

const known = 'known@example.com';
const unknown = 'unknown@example.com';
const settings = { 'auth.urls': { siteUrl: 'https://app.example.com' } };

const phoneSettings = { 'auth.phoneOtp': { enabled: true, signUpOnVerification: false } };
const knownPhone = '+15551230001';
const unknownPhone = '+15551230002';

/** Messages that were announced, each with its project. */
const notes: string[] = [];
let project: AuthProject;
let outbox: MessageOutbox;
beforeAll(async () => {
  project = await openAuthProject({
    settings,
    messages: (pool) => {
      outbox = openOutbox(pool);
      return outbox.forEngine(resolveAll({ 'auth.hooks': { send: { enabled: true } } }, {}));
    },
  });
  await signUp(project, known);
  await project.sql(
    `update auth."user" set "phoneNumber" = $1, "phoneNumberVerified" = true where email = $2`,
    [knownPhone, known],
  );
});
afterAll(async () => {
  outbox.close();
  await project.close();
});

/** Where a project stores its messages, on the pool of the engine. */
function openOutbox(pool: pg.Pool): MessageOutbox {
  return new MessageOutbox({
    ref: 'abc',
    db: {
      queryAsEngine: async (text: string, values?: readonly unknown[]) =>
        (await pool.query(text, values && [...values])).rows,
    },
    seal: messageSeal('abc', randomBytes(32)),
    waiting: {
      note: async (_ref, ids) => void notes.push(...ids),
      addJobs: () => Promise.resolve(),
    },
    canMail: () => true,
    onError: (error) => {
      throw error;
    },
  });
}

const rowsOf = async (): Promise<number> => {
  const [row] = await project.sql(
    `select (select count(*) from auth.verification) + (select count(*) from platform.messages) as rows`,
  );
  return Number(row?.['rows']);
};

const storedMessages = async (): Promise<Record<string, unknown>[]> => [
  ...(await project.sql('select kind, recipient, status from platform.messages order by id')),
];

/** Counts the statements of every connection of the engine's pool from now on. */
function countStatements(): () => number {
  let statements = 0;
  const watched = new Set<pg.PoolClient>();
  const watch = (client: pg.PoolClient): void => {
    if (watched.has(client)) return;
    const query = client.query.bind(client) as pg.PoolClient['query'];
    watched.add(client);
    // The overloads of `query` are one function.
    const counted = (...given: unknown[]): unknown => {
      statements += 1;
      return Reflect.apply(query, client, given);
    };
    Object.assign(client, { query: counted });
  };
  project.pool.on('acquire', watch);
  return () => {
    project.pool.off('acquire', watch);
    // What is left is the method of the class.
    for (const client of watched) Reflect.deleteProperty(client, 'query');
    return statements;
  };
}

/** What a request about somebody costs. */
async function workFor(
  path: string,
  body: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>>,
) {
  const via = await project.rebuild({ ...settings, ...stored });
  // The first request of an instance also prepares it.
  await project.post(path, { body: { ...body, ...first(body) }, via });
  const rowsBefore = await rowsOf();
  const notesBefore = notes.length;
  let connections = 0;
  const count = (): void => void (connections += 1);
  project.pool.on('acquire', count);
  const stop = countStatements();
  const reply = await project.post(path, { body, via });
  const statements = stop();
  project.pool.off('acquire', count);
  expect(reply.status).toBe(200);
  const rows = (await rowsOf()) - rowsBefore;
  return { connections, statements, rows, notes: notes.length - notesBefore, body: reply.body };
}

/** The same request about somebody else. */
function first(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return 'email' in body ? { email: 'first@example.com' } : { phoneNumber: '+15551230003' };
}

const closed = { createUsers: false };
const routes = [
  { name: 'a recovery by link', path: '/request-password-reset', stored: {} },
  { name: 'a link to sign in', path: '/sign-in/magic-link', stored: {} },
  {
    name: 'a link to sign in, where links make no accounts',
    path: '/sign-in/magic-link',
    stored: { 'auth.methods.magicLink': closed },
  },
  {
    name: 'a link to sign in, where neither links nor codes make accounts',
    path: '/sign-in/magic-link',
    stored: { 'auth.methods.magicLink': closed, 'auth.methods.emailOTP': closed },
  },
  {
    name: 'a link to sign in, where codes are off',
    path: '/sign-in/magic-link',
    stored: { 'auth.methods.magicLink': closed, 'auth.methods.emailOTP': { enabled: false } },
  },
  {
    name: 'a link to sign in, where nobody signs up',
    path: '/sign-in/magic-link',
    stored: { 'auth.signup': { enabled: false } },
  },
];

describe('known and unknown addresses cost the same', () => {
  test.each(routes)('$name', async ({ path, stored }) => {
    const yes = await workFor(path, { email: known }, stored);
    const no = await workFor(path, { email: unknown }, stored);
    expect(yes).toEqual(no);
    expect(yes.rows).toBeGreaterThan(0);
    expect(yes.notes).toBe(1);
  });

  test.each(['/phone-number/send-otp', '/phone-number/request-password-reset'])(
    'phone numbers on %s, too',
    async (path) => {
      const yes = await workFor(path, { phoneNumber: knownPhone }, phoneSettings);
      const no = await workFor(path, { phoneNumber: unknownPhone }, phoneSettings);
      expect(yes).toEqual(no);
      expect(yes.notes).toBe(1);
    },
  );

  const code = '/email-otp/send-verification-otp';
  test.each([
    {
      name: 'a sign-up that waits for a proof of the address',
      path: '/sign-up/email',
      body: { password },
      // A new address gets a mail, one that is taken gets none.
      statuses: { known: ['void'], unknown: ['queued'] },
    },
    { name: 'a code to sign in', path: code, body: { type: 'sign-in' } },
    { name: 'a code to prove an address', path: code, body: { type: 'email-verification' } },
    { name: 'a recovery by code', path: '/email-otp/request-password-reset' },
    { name: 'a link that proves an address', path: '/send-verification-email' },
  ])('$name stores one message in both cases', async ({ path, body = {}, statuses }) => {
    const via = await project.rebuild({
      ...settings,
      'auth.methods.emailPassword': { requireEmailVerification: true },
      'auth.methods.emailOTP': closed,
      'auth.signup': { enabled: path === '/sign-up/email' },
    });
    const statusesFor = async (email: string): Promise<unknown[]> => {
      const before = (await storedMessages()).length;
      const reply = await project.post(path, { body: { ...body, email }, via });
      expect(reply.status).toBe(200);
      return (await storedMessages()).slice(before).map(({ status }) => status);
    };
    expect(await statusesFor(known)).toEqual(statuses?.known ?? ['queued']);
    const other = path === '/sign-up/email' ? 'new@example.com' : unknown;
    expect(await statusesFor(other)).toEqual(statuses?.unknown ?? ['void']);
  });
});

test('no mail goes to an unknown address that cannot get an account', async () => {
  const before = (await storedMessages()).length;
  const via = await project.rebuild({ ...settings, 'auth.methods.magicLink': closed });
  await project.post('/request-password-reset', { body: { email: unknown }, via });
  await project.post('/sign-in/magic-link', { body: { email: unknown }, via });
  const nothing = { kind: 'void', recipient: '', status: 'void' };
  expect((await storedMessages()).slice(before)).toEqual([nothing, nothing]);
});

test.each(['', 'no-address', 'a@b', 'a b@example.com'])(
  'a recovery refuses "%s"',
  async (email) => {
    const reply = await project.post('/request-password-reset', { body: { email } });
    expect(reply.status).toBe(400);
  },
);
