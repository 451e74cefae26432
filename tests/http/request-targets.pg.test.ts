// A request target that a URL parser would rewrite can be read in two ways: the router by one, the auth engine
// by the other. Both applications refuse it before anything else happens.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { Deployment } from '../support/deployment.js';
import { send } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
});
afterAll(() => deployment.close());

const ambiguous = [
  { name: 'a dot segment', path: '/api/auth/callback/../sign-up/email' },
  { name: 'a dot segment at the end', path: '/api/auth/callback/..' },
  { name: 'a single dot', path: '/api/auth/./sign-up/email' },
  { name: 'an encoded dot segment', path: '/api/auth/callback/%2e%2E/sign-up/email' },
  { name: 'a half-encoded dot segment', path: '/api/auth/callback/.%2e/sign-up/email' },
  {
    name: 'a dot segment behind an encoded slash',
    path: '/api/auth/callback/x%2f../sign-up/email',
  },
  { name: 'a dot segment before an encoded backslash', path: '/api/auth/callback/..%5csign-up' },
  { name: 'a backslash', path: '/api/auth\\sign-up/email' },
  { name: 'two slashes at the start', path: '//evil.example/api/auth/ok' },
  { name: 'a fragment', path: '/api/auth/sign-up/email#x' },
  { name: 'a fragment in the query', path: '/api/auth/sign-up/email?a=1#x' },
  { name: 'a dot segment in the absolute form', path: 'http://{host}/api/auth/callback/../x' },
];

const plain = [
  { name: 'an encoded slash in a name', path: '/rest/v1/a%2Fb' },
  { name: 'dots within a name', path: '/api/files/object/docs/a..b/.hidden/...' },
  { name: 'an encoded dot within a name', path: '/api/files/object/docs/a%2Eb' },
  { name: 'dots and slashes in the query', path: '/rest/v1/none?select=a&x=eq.../../b//c' },
  { name: 'two slashes within the path', path: '/api/files/object/docs/a//b' },
];

describe.each(['apiOrigin', 'consoleOrigin'] as const)('%s', (application) => {
  const ask = (path: string) => {
    const host = application === 'apiOrigin' ? project.host : '127.0.0.1';
    const target = path.replace('{host}', host);
    return send(deployment[application], { path: target, headers: { host } });
  };

  test.each(ambiguous)('$name is refused', async ({ path }) => {
    const { status, body } = await ask(path);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'AMBIGUOUS_TARGET', requestId: expect.any(String) },
    });
  });

  test.each(plain)('$name is served', async ({ path }) => {
    expect((await ask(path)).body).not.toMatchObject({ code: 'AMBIGUOUS_TARGET' });
  });
});

test('a dot segment does not lead around an enforced project key', async () => {
  await project.asService({
    method: 'PUT',
    path: '/api/admin/settings/security.keys',
    body: { enforced: true },
  });
  const email = 'bypass@example.org';
  const body = { email, password: 'correct horse battery', name: 'x' };
  const signUp = (path: string) => project.send({ method: 'POST', path, body });
  await waitFor(async () => (await signUp('/api/auth/sign-up/email')).status === 401);
  for (const { path } of ambiguous.filter((row) => row.path.endsWith('/sign-up/email'))) {
    expect((await signUp(path)).status).toBe(400);
  }
  const users = await project.asService({ path: '/api/admin/users' });
  expect(users.text).not.toContain(email);
});

test('a route that a prefix of a keyless one begins with needs the key', async () => {
  const reply = await project.send({ path: '/api/auth/jwks-and-more' });
  expect(reply.status).toBe(401);
  expect((await project.send({ path: '/api/auth/jwks' })).status).not.toBe(401);
});
