// The engine checks a relative address and normalises it afterwards. It is given absolute ones only.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
});
afterAll(() => deployment.close());

const hostile = [
  '/..//evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e%2e//evil.example',
  // A mail may hold it many times.
  `/${'a'.repeat(2_048)}`,
];

test.each(hostile)('%s is refused in a query', async (target) => {
  const query = new URLSearchParams({ token: 'x', callbackURL: target }).toString();
  const reply = await project.send({
    method: 'POST',
    path: '/api/auth/verify-email',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: query,
  });
  expect(reply.headers.location).toBeUndefined();
  expect(reply).toMatchObject({ status: 403, body: { code: 'INVALID_CALLBACK_URL' } });
});

test.each(
  hostile.flatMap((target) => [
    { field: 'callbackURL', target },
    { field: 'redirectTo', target },
    { field: 'errorCallbackURL', target },
    { field: 'newUserCallbackURL', target },
  ]),
)('$target is refused as $field of a body', async ({ field, target }) => {
  const body = { email: 'a@example.org', [field]: target };
  const reply = await project.send({
    method: 'POST',
    path: '/api/auth/request-password-reset',
    body,
  });
  expect(reply.status).toBe(403);
  expect(String(asRecord(reply.body)['code'])).toMatch(
    /^INVALID_(?:\w+_)?(?:CALLBACK|REDIRECT)_URL$/,
  );
});

test('a path of the project becomes an absolute address', async () => {
  const query = new URLSearchParams({ token: 'x', callbackURL: '/welcome?a=1' }).toString();
  const reply = await project.send({
    method: 'POST',
    path: '/api/auth/verify-email',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: query,
  });
  const location = reply.headers.location ?? '';
  expect(reply.status).toBe(302);
  expect(new URL(location).hostname).toBe(project.host);
  expect(new URL(location).pathname).toBe('/welcome');
  expect(new URL(location).searchParams.get('error')).not.toBeNull();
});
