// The character NUL, which PostgreSQL can neither store nor compare: requests that hold it are refused by field.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openAuthProject, password, signUp, type AuthProject } from './auth-project.js';
import { bearer, textAt } from '../support/replies.js';

let project: AuthProject;
let token: string;

beforeAll(async () => {
  project = await openAuthProject();
  token = textAt((await signUp(project, 'ada@example.com')).body, 'token');
});
afterAll(() => project.close());

const email = 'a\0da@example.com';

test.each([
  { path: '/sign-in/email', body: { email, password }, field: 'email' },
  { path: '/sign-up/email', body: { email, password }, field: 'email' },
  { path: '/request-password-reset', body: { email }, field: 'email' },
  { path: '/reset-password', body: { token: 'a\0', newPassword: password }, field: 'token' },
  { path: '/revoke-session', body: { token: 'a\0' }, field: 'token' },
  { path: '/update-user', body: { user_metadata: { a: ['\0'] } }, field: 'user_metadata' },
  { path: '/update-user', body: { user_metadata: { 'a\0': 1 } }, field: 'user_metadata' },
])('POST $path with NUL in $field', async ({ path, body, field }) => {
  const reply = await project.post(path, { body, headers: bearer(token) });
  expect(reply).toMatchObject({
    status: 400,
    body: { code: 'INVALID_INPUT', message: `${field}: must not contain the character NUL` },
  });
});

test('a query with NUL', async () => {
  const reply = await project.get('/verify-email?token=a%00b');
  expect(reply).toMatchObject({
    status: 400,
    body: { message: 'token: must not contain the character NUL' },
  });
});

test('a path with NUL', async () => {
  const reply = await project.get('/reset-password/a%00b?callbackURL=/');
  expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
});
