// The deletion of an account by its owner.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type AuthProject, cookieOf, openAuthProject, password, signUp } from './auth-project.js';
import { bearer, textAt } from '../support/replies.js';

let project: AuthProject;
const events: { readonly type: string; readonly data: unknown }[] = [];

beforeAll(async () => {
  project = await openAuthProject({
    settings: { 'auth.sessions': { freshAge: 60 }, 'auth.methods.anonymous': { enabled: true } },
    hooks: { emit: async (type, data) => void events.push({ type, data }) },
  });
});
afterAll(() => project.close());

async function newUser(email: string) {
  const { body } = await signUp(project, email);
  return { id: textAt(body, 'user', 'id'), headers: bearer(textAt(body, 'token')) };
}
const ageSessions = (id: string) =>
  project.sql(
    `update auth.session set "createdAt" = now() - interval '2 minutes' where "userId" = $1`,
    [id],
  );
const isThere = async (id: string) =>
  (await project.sql('select from auth."user" where id = $1', [id])).length > 0;
const erase = (headers: Readonly<Record<string, string>>, body: unknown = {}) =>
  project.post('/delete-user', { headers, body });

describe('POST /delete-user', () => {
  test('a fresh session is enough, and everything of the user is gone', async () => {
    const { id, headers } = await newUser('fresh@example.org');
    const reply = await erase(headers);
    expect({ status: reply.status, body: reply.body }).toEqual({
      status: 200,
      body: { success: true, message: 'User deleted' },
    });
    expect(await isThere(id)).toBe(false);
    expect((await project.get('/get-session', { headers })).body).toBeNull();
    expect(reply.headers.getSetCookie().join()).toMatch(/session_token=;.*Max-Age=0/);
    const told = events.filter(({ type }) => type === 'user.deleted');
    expect(told.at(-1)).toMatchObject({ data: { user: { id, email: 'fresh@example.org' } } });
  });

  test.each([
    { name: 'nothing', body: {}, code: 'SESSION_NOT_FRESH', status: 403 },
    {
      name: 'a wrong password',
      body: { password: 'wrong' },
      code: 'INVALID_PASSWORD',
      status: 403,
    },
    { name: 'an empty password', body: { password: '' }, code: 'INVALID_PASSWORD', status: 403 },
    { name: 'a token', body: { token: 'x' }, code: 'FIELD_NOT_ALLOWED', status: 400 },
    { name: 'a number', body: { password: 1 }, code: 'INVALID_INPUT', status: 400 },
  ])('an older session with $name is refused', async ({ name, body, code, status }) => {
    const { id, headers } = await newUser(`${name.replaceAll(' ', '-')}@example.org`);
    await ageSessions(id);
    const count = events.length;
    const reply = await erase(headers, body);
    expect({ status: reply.status, body: reply.body }).toMatchObject({ status, body: { code } });
    expect(await isThere(id)).toBe(true);
    expect(events).toHaveLength(count);
  });

  test('an older session with the password deletes', async () => {
    const { id, headers } = await newUser('older@example.org');
    await ageSessions(id);
    expect((await erase(headers, { password })).status).toBe(200);
    expect(await isThere(id)).toBe(false);
  });

  test('a wrong password refuses a fresh session, too', async () => {
    const { id, headers } = await newUser('typo@example.org');
    expect((await erase(headers, { password: 'typo' })).status).toBe(403);
    expect(await isThere(id)).toBe(true);
  });

  test('an account without a password needs a fresh session', async () => {
    const { id, headers } = await newUser('codes-only@example.org');
    await project.sql('delete from auth.account where "userId" = $1', [id]);
    await ageSessions(id);
    expect((await erase(headers, { password })).body).toMatchObject({ code: 'INVALID_PASSWORD' });
    expect((await erase(headers)).body).toMatchObject({ code: 'SESSION_NOT_FRESH' });
    await project.sql('update auth.session set "createdAt" = now() where "userId" = $1', [id]);
    expect((await erase(headers)).status).toBe(200);
    expect(await isThere(id)).toBe(false);
  });

  test('nobody and the cookie of a foreign page delete nothing', async () => {
    const reply = await signUp(project, 'csrf@example.org');
    expect((await erase({})).status).toBe(401);
    const foreign = { cookie: cookieOf(reply), origin: 'https://evil.example' };
    expect((await erase(foreign)).status).toBe(403);
    expect(await isThere(textAt(reply.body, 'user', 'id'))).toBe(true);
  });

  test('of several at once one deletes and none fails', async () => {
    const { headers } = await newUser('race@example.org');
    const replies = await Promise.all(Array.from({ length: 5 }, () => erase(headers)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
  });
});
