// The time of an answer tells of no account: for a known and an unknown address the engine does the same work.
// Work is counted in connections taken from the pool and rows written, not in time.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openAuthProject, signUp, type AuthProject } from './auth-project.js';

const known = 'known@example.com';
const unknown = 'unknown@example.com';
const settings = { 'auth.urls': { siteUrl: 'https://app.example.com' } };

let project: AuthProject;
beforeAll(async () => {
  project = await openAuthProject({ settings });
  await signUp(project, known);
});
afterAll(() => project.close());

const rowsOf = async (): Promise<number> => {
  const [row] = await project.sql('select count(*)::int as rows from auth.verification');
  return Number(row?.['rows']);
};

/** What a request for `email` costs. */
async function workFor(path: string, email: string, stored: Readonly<Record<string, unknown>>) {
  const via = await project.rebuild({ ...settings, ...stored });
  // The first request of an instance also prepares it.
  await project.post(path, { body: { email: 'first@example.com' }, via });
  const rowsBefore = await rowsOf();
  let statements = 0;
  const count = (): void => void (statements += 1);
  project.pool.on('acquire', count);
  const reply = await project.post(path, { body: { email }, via });
  project.pool.off('acquire', count);
  expect(reply.status).toBe(200);
  return { statements, rows: (await rowsOf()) - rowsBefore, body: reply.body };
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
    const yes = await workFor(path, known, stored);
    const no = await workFor(path, unknown, stored);
    expect(yes).toEqual(no);
    expect(yes.rows).toBeGreaterThan(0);
  });
});

test('no mail goes to an unknown address that cannot get an account', async () => {
  const before = project.mails.length;
  const via = await project.rebuild({ ...settings, 'auth.methods.magicLink': closed });
  await project.post('/request-password-reset', { body: { email: unknown }, via });
  await project.post('/sign-in/magic-link', { body: { email: unknown }, via });
  expect(project.mails.slice(before)).toEqual([]);
});

test.each(['', 'no-address', 'a@b', 'a b@example.com'])(
  'a recovery refuses "%s"',
  async (email) => {
    const reply = await project.post('/request-password-reset', { body: { email } });
    expect(reply.status).toBe(400);
  },
);
