import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openKeyProject, type KeyProject } from './api-key-people.js';
import type { AuthProject } from './auth-project.js';
import { bearer, textAt } from '../support/replies.js';

let project: AuthProject;
let newPerson: KeyProject['newPerson'];
let create: KeyProject['create'];
let keysOf: KeyProject['keysOf'];
beforeAll(async () => {
  ({ project, newPerson, create, keysOf } = await openKeyProject());
});
afterAll(() => project.close());

describe('a key as bearer on the routes of accounts', () => {
  let key: string;
  let userId: string;
  beforeAll(async () => {
    const person = await newPerson();
    userId = person.id;
    key = textAt((await create(person.token)).body, 'key');
  });

  test('tells whose key it is, without the key', async () => {
    const reply = await project.get('/get-session', { headers: bearer(key) });
    expect(reply).toMatchObject({
      status: 200,
      body: { user: { id: userId }, session: { userId, aal: 'aal1', token: null } },
    });
    expect(JSON.stringify(reply.body)).not.toContain(key);
    expect(reply.headers.getSetCookie()).toEqual([]);
  });

  test.each([
    ['POST', '/api-key/create'],
    ['POST', '/api-key/update'],
    ['POST', '/api-key/delete'],
    ['GET', '/api-key/list'],
    ['GET', '/token'],
    ['POST', '/change-password'],
    ['POST', '/update-password'],
    ['POST', '/two-factor/enable'],
    ['POST', '/update-user'],
    ['GET', '/list-sessions'],
    ['POST', '/revoke-sessions'],
    ['POST', '/sign-out'],
    ['POST', '/organization/create'],
    ['POST', '/sign-in/email'],
  ] as const)('is refused: %s %s', async (method, path) => {
    const ask = { headers: bearer(key) };
    const reply =
      method === 'GET'
        ? await project.get(path, ask)
        : await project.post(path, { ...ask, body: {} });
    expect(reply).toMatchObject({ status: 403, body: { code: 'API_KEY_NOT_ALLOWED' } });
    expect(await keysOf(userId)).toHaveLength(1);
  });

  test('opens what is everybody’s', async () => {
    expect((await project.get('/jwks', { headers: bearer(key) })).status).toBe(200);
  });

  test.each([
    { name: 'disabled', change: 'enabled = false', status: 200, body: null },
    { name: 'expired', change: '"expiresAt" = now()', status: 200, body: null },
  ])('is nobody while it is $name', async ({ change, status, body }) => {
    const person = await newPerson();
    const own = textAt((await create(person.token)).body, 'key');
    await project.sql(`update auth.apikey set ${change} where "referenceId" = $1`, [person.id]);
    expect(await project.get('/get-session', { headers: bearer(own) })).toMatchObject({
      status,
      body,
    });
  });

  test('is refused for a user who is not active', async () => {
    const person = await newPerson();
    const own = textAt((await create(person.token)).body, 'key');
    await project.sql(`update auth."user" set status = 'inactive' where id = $1`, [person.id]);
    expect(await project.get('/get-session', { headers: bearer(own) })).toMatchObject({
      status: 403,
      body: { code: 'USER_INACTIVE' },
    });
  });
});
