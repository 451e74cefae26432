// The header x-service-impersonate on the routes of accounts, which work on sessions.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import { rowsOf } from './administration.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let named: SignedIn;
let other: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  named = await project.signUp('named@example.org');
  other = await project.signUp('other@example.org');
});
afterAll(() => deployment.close());

const everything = () =>
  rowsOf(
    project,
    `select u.id, u.name, u.username, a.password, (select count(*) from auth.session) as sessions
     from auth."user" u left join auth.account a on a."userId" = u.id order by u.id`,
  );
const bearerOf = ({ token }: SignedIn) => ({ authorization: `Bearer ${token}` });

const calls = [
  { method: 'GET', path: '/api/auth/get-session' },
  { method: 'POST', path: '/api/auth/update-user', body: { name: 'Changed' } },
  { method: 'POST', path: '/api/auth/sign-out', body: {} },
  { method: 'POST', path: '/api/auth/delete-user', body: { password: userPassword } },
  { method: 'POST', path: '/auth/login', body: { email: 'x@example.org', password: 'x' } },
  { method: 'DELETE', path: '/api/users', body: { password: userPassword } },
];

describe('a user who is named beside the secret key', () => {
  test.each(calls)('is refused at $method $path, whatever else comes', async (call) => {
    const before = await everything();
    const others = [{}, bearerOf(other), { cookie: other.cookie }];
    for (const headers of others) {
      const impersonate = { 'x-service-impersonate': named.id, ...headers };
      const reply = await project.asService({ ...call, headers: impersonate });
      expect(reply.status).toBe(403);
      expect(['IMPERSONATION_NOT_HERE', 'FORBIDDEN']).toContain(asRecord(reply.body)['code']);
    }
    expect(await everything()).toEqual(before);
  });
});

describe('anon beside the secret key', () => {
  const signedOut = { 'x-service-impersonate': 'anon' };

  test('is signed out: neither a bearer nor a cookie of somebody counts', async () => {
    const path = '/api/auth/get-session';
    for (const headers of [bearerOf(other), { cookie: other.cookie }]) {
      const reply = await project.asService({ path, headers: { ...signedOut, ...headers } });
      expect([reply.status, reply.text]).toEqual([200, 'null']);
    }
    const before = await everything();
    const change = { method: 'POST', path: '/api/auth/update-user', body: { name: 'Changed' } };
    const headers = { ...signedOut, ...bearerOf(other) };
    expect((await project.asService({ ...change, headers })).status).toBe(401);
    expect(await everything()).toEqual(before);
  });

  test('signs in like anybody', async () => {
    const reply = await project.asService({
      method: 'POST',
      path: '/api/auth/sign-in/email',
      headers: signedOut,
      body: { email: named.email, password: userPassword },
    });
    expect(reply.status).toBe(200);
  });
});

test.each([
  { name: 'the publishable key', headers: () => ({ apikey: project.publishableKey }) },
  { name: 'a session', headers: () => bearerOf(other) },
])('the header with $name is refused', async ({ headers }) => {
  const reply = await project.send({
    path: '/api/auth/get-session',
    headers: { 'x-service-impersonate': 'anon', ...headers() },
  });
  expect(reply.body).toMatchObject({ status: 403, code: 'IMPERSONATION_REFUSED' });
});

test('a session beside the secret key works as before without the header', async () => {
  const reply = await project.asService({
    path: '/api/auth/get-session',
    headers: bearerOf(other),
  });
  expect(asRecord(asRecord(reply.body)['user'])['id']).toBe(other.id);
});
