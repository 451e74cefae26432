// API keys and passkeys of users, which administrators take away.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import { bearer } from '../support/replies.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { auditOf, makeSignedIn, operatorHeaders, rowsOf, usersPath } from './administration.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let user: SignedIn;
let other: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  const path = '/api/admin/settings/auth.apiKey';
  await project.asService({ method: 'PUT', path, body: { enabled: true } });
  user = await makeSignedIn(project, 'keys@example.org');
  other = await makeSignedIn(project, 'other@example.org');
});
afterAll(() => deployment.close());

const remove = (id: string, kind: string, keyId: string) =>
  project.asService({ method: 'DELETE', path: `${usersPath}/${id}/${kind}/${keyId}` });
async function makeKey(): Promise<{ id: string; key: string }> {
  const call = { method: 'POST', path: '/api/auth/api-key/create', body: { name: 'robot' } };
  const { id, key } = asRecord((await project.as(user, call)).body);
  return { id: String(id), key: String(key) };
}
async function makePasskey(): Promise<string> {
  await rowsOf(
    project,
    `insert into auth.passkey
       (id, name, "publicKey", "userId", "credentialID", counter, "deviceType", "backedUp")
     values ('lost', 'phone', 'public', $1, 'credential', 0, 'singleDevice', false)`,
    [user.id],
  );
  return 'lost';
}

describe('DELETE /admin/users/:id/api-keys/:keyId', () => {
  test('the key signs in no longer, and the audit log has its name', async () => {
    const { id, key } = await makeKey();
    const session = () =>
      project.send({ path: '/api/auth/get-session', headers: bearer({ token: key }) });
    expect((await session()).text).toContain(user.id);
    expect((await remove(user.id, 'api-keys', id)).status).toBe(204);
    expect((await session()).text).not.toContain(user.id);
    const [entry] = (await auditOf(project, user.id)).slice(-1);
    expect(entry).toMatchObject({ action: 'user.deleteApiKey', before: { id, name: 'robot' } });
    expect((await remove(user.id, 'api-keys', id)).body).toMatchObject({
      status: 404,
      code: 'API_KEY_NOT_FOUND',
    });
  });

  test('the key of another user is not found', async () => {
    const { id } = await makeKey();
    expect((await remove(other.id, 'api-keys', id)).status).toBe(404);
    expect((await remove(user.id, 'api-keys', id)).status).toBe(204);
  });

  test('an operator without secrets.manage is refused', async () => {
    const { id } = await makeKey();
    const headers = operatorHeaders(deployment, project, ['settings.manage']);
    const path = `${usersPath}/${user.id}/api-keys/${id}`;
    expect((await project.send({ method: 'DELETE', path, headers })).status).toBe(403);
    expect((await remove(user.id, 'api-keys', id)).status).toBe(204);
  });
});

describe('DELETE /admin/users/:id/passkeys/:passkeyId', () => {
  test('the passkey is gone, and only that of the named user', async () => {
    const id = await makePasskey();
    expect((await remove(other.id, 'passkeys', id)).body).toMatchObject({
      code: 'PASSKEY_NOT_FOUND',
    });
    expect((await remove(user.id, 'passkeys', id)).status).toBe(204);
    expect(await rowsOf(project, 'select from auth.passkey')).toEqual([]);
    const [entry] = (await auditOf(project, user.id)).slice(-1);
    expect(entry).toMatchObject({ action: 'user.deletePasskey', before: { name: 'phone' } });
  });
});
