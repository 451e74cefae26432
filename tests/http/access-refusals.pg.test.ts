// Refusals say what the caller lacks: who is known is not asked to sign in.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { makeSignedIn, operatorHeaders } from './administration.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let user: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  user = await makeSignedIn(project, 'user@example.org', {});
});
afterAll(() => deployment.close());

const secretKey = () => ({ apikey: project.secretKey });
const operator = () => operatorHeaders(deployment, project, ['content.read', 'content.write']);

describe.each([
  { method: 'PUT', path: '/api/users/username', body: { username: 'emma' } },
  { method: 'PUT', path: '/api/users/image', body: { image: null } },
  { method: 'DELETE', path: '/api/users/', body: {} },
])('$method $path', (call) => {
  test.each([
    { name: 'the secret key', headers: secretKey, hint: 'x-service-impersonate' },
    { name: 'an operator', headers: operator },
  ])('$name is no user of the project', async ({ headers, hint }) => {
    const { status, body } = await project.send({ ...call, headers: headers() });
    expect(status).toBe(403);
    expect(body).toMatchObject({
      code: 'USER_REQUIRED',
      ...(hint && { hint: expect.stringContaining(hint) }),
    });
  });

  test('a visitor is asked to sign in', async () => {
    expect(await project.send(call)).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED', message: 'Sign in to do this' },
    });
  });
});

test('with the publishable key administration is refused with the credential that it needs', async () => {
  const headers = { apikey: project.publishableKey };
  const { status, body } = await project.send({ path: '/api/admin/users', headers });
  expect(status).toBe(401);
  expect(body).toMatchObject({
    code: 'UNAUTHORIZED',
    hint: 'This route takes the secret key, or the session of an administrator of the project',
  });
});

test('a user who is no administrator is not asked to sign in', async () => {
  expect(await project.as(user, { path: '/api/admin/users' })).toMatchObject({
    status: 403,
    body: { code: 'ADMIN_REQUIRED' },
  });
});
