// What stands for a user without being that user's session must not change the account.
import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import { openTokenIssuer, type TokenIssuer } from '../support/token-issuer.js';
import { makeSignedIn, rowsOf, trySignIn } from './administration.js';

const apiKey = 'uak_a-key-of-this-test';
let deployment: Deployment;
let project: ProjectUnderTest;
let issuer: TokenIssuer;
let user: SignedIn;
let foreignToken: string;

beforeAll(async () => {
  issuer = await openTokenIssuer();
  deployment = await Deployment.open({
    env: { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' },
  });
  project = await deployment.createProject();
  await save('auth.apiKey', { enabled: true });
  await issuer.enableIn(project);
  user = await makeSignedIn(project, 'user@example.org');
  await rowsOf(
    project,
    `insert into auth.apikey (id, "configId", "referenceId", key, enabled, "createdAt", "updatedAt")
     values ('key', 'default', $1, $2, true, now(), now())`,
    [user.id, createHash('sha256').update(apiKey).digest('base64url')],
  );
  foreignToken = await issuer.tokenOf('somebody-of-theirs');
});
afterAll(async () => {
  await deployment.close();
  await issuer.close();
});

async function save(group: string, body: object): Promise<void> {
  const path = `/api/admin/settings/${group}`;
  const reply = await project.asService({ method: 'PUT', path, body });
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
}

const changes = [
  { method: 'PUT', path: '/api/users/username', body: { username: 'changed' } },
  { method: 'PUT', path: '/api/users/image', body: { image: 'https://example.org/a.png' } },
  { method: 'DELETE', path: '/api/users/', body: { password: userPassword } },
];
const callers: readonly { readonly name: string; readonly token: () => string }[] = [
  { name: 'an API key', token: () => apiKey },
  { name: "another issuer's token", token: () => foreignToken },
];

describe.each(callers)('$name', ({ token }) => {
  const headers = () => ({ authorization: `Bearer ${token()}` });

  test('is somebody who is signed in', async () => {
    await project.sql('create table if not exists notes (id int)');
    const reply = await project.send({ path: '/rest/v1/notes', headers: headers() });
    expect(reply.status).toBe(200);
    const rpc = `create or replace function who() returns text language sql as 'select auth.role()'`;
    await project.sql(rpc);
    const who = { method: 'POST', path: '/rest/v1/rpc/who', headers: headers(), body: {} };
    expect((await project.send(who)).body).toBe('authenticated');
  });

  test.each(changes)('may not $method $path', async (call) => {
    const before = await rowsOf(project, 'select * from auth."user"');
    const reply = await project.send({ ...call, headers: headers() });
    expect({ status: reply.status, body: reply.body }).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    expect(await rowsOf(project, 'select * from auth."user"')).toEqual(before);
  });
});

describe('a session', () => {
  test('and the secret key in its place may change the name', async () => {
    const call = { method: 'PUT', path: '/api/users/username' };
    const own = await project.as(user, { ...call, body: { username: 'mine' } });
    expect(own.body).toMatchObject({ username: 'mine' });
    const headers = { 'x-service-impersonate': user.id };
    const stood = await project.asService({ ...call, headers, body: { username: 'ours' } });
    expect(stood.body).toMatchObject({ username: 'ours' });
  });

  test('of an impersonated user deletes nobody', async () => {
    const headers = { 'x-service-impersonate': user.id };
    const reply = await project.asService({ method: 'DELETE', path: '/api/users/', headers });
    expect(reply.status).toBe(403);
  });

  test('deletes its account with a password that is not guessed without end', async () => {
    const leaving = await makeSignedIn(project, 'leaving@example.org');
    const guess = (password: string) =>
      project.as(leaving, { method: 'DELETE', path: '/api/users/', body: { password } });
    await save('auth.rateLimits', { signIn: { perIdentifier: 5 } });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      statuses.push((await guess(`wrong ${attempt}`)).status);
    }
    // The sign-in counts, too.
    expect(statuses).toEqual([403, 403, 403, 403, 429, 429]);
    await save('auth.rateLimits', { signIn: { perIdentifier: 1000 } });
    expect((await guess(userPassword)).status).toBe(204);
    expect((await trySignIn(project, leaving.email, userPassword)).status).toBe(401);
  });
});
