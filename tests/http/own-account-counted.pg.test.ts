// The deletion of the own account is counted before its body is read, as the routes of the auth engine are.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import { makeSignedIn } from './administration.js';
import { outcomeOf, post, save } from './complete-project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let user: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  user = await makeSignedIn(project, 'counted@example.org');
});
afterAll(() => deployment.close());

const deleteSelf = async (body: object) =>
  outcomeOf(await project.as(user, { method: 'DELETE', path: '/api/users', body }));

/** Longer than the body of a form may be. */
const tooLong = { password: 'x'.repeat(70_000) };

test('a body is refused for its length or its form while requests are allowed', async () => {
  expect(await deleteSelf(tooLong)).toBe('413 BODY_TOO_LARGE');
  expect(await deleteSelf({ password: 1 })).toBe('400 INVALID_INPUT');
  expect(await deleteSelf({ password: 'wrong password' })).toBe('403 INVALID_PASSWORD');
});

test('above the limit no body is read', async () => {
  await save(project, 'security.rateLimit', { windowSeconds: 600, max: 5 });
  const outcomes: string[] = [];
  // One after the other: the count of the one before decides.
  for (let sent = 0; sent < 6; sent += 1) outcomes.push(await deleteSelf(tooLong));
  expect(outcomes.at(-1)).toBe('429 RATE_LIMITED');
});

test('a request without a body deletes the account of a fresh session', async () => {
  await save(project, 'security.rateLimit', { enabled: false });
  const reply = await project.as(user, { method: 'DELETE', path: '/api/users' });
  expect(reply.status).toBe(204);
  const again = { email: user.email, password: userPassword };
  expect((await post(project, '/sign-in/email', again)).status).toBe(401);
});
