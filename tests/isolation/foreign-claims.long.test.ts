// What a token of another issuer may say of its user inside a project, and what only the project decides.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { makeSignedIn } from '../http/administration.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { bearer } from '../support/replies.js';
import { openTokenIssuer, type TokenIssuer } from '../support/token-issuer.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let issuer: TokenIssuer;
let user: SignedIn;
beforeAll(async () => {
  issuer = await openTokenIssuer();
  deployment = await Deployment.open({ env: { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' } });
  project = await deployment.createProject({ idType: 'uuid' });
  await issuer.enableIn(project);
  user = await makeSignedIn(project, 'user@example.org');
  await project.sql(`
    create table secrets (id int primary key, owner uuid, text text);
    insert into secrets values (1, '${user.id}', 'of the user'), (2, null, 'of administrators');
    create policy own on secrets to authenticated using (
      owner = auth.uid() or owner = (auth.jwt() ->> 'sub')::uuid);
    create policy admins on secrets to authenticated using (
      auth.jwt() ->> 'user_role' = 'ADMIN' or auth.jwt() ->> 'aal' = 'aal2'
      or auth.jwt() -> 'app_metadata' ->> 'plan' = 'gold' or auth.jwt() ->> 'org_role' = 'owner'
      or (auth.jwt() ->> 'is_anonymous')::boolean or auth.email() = 'user@example.org');
    create function who() returns jsonb language sql as
      $$ select jsonb_build_object('role', current_user, 'claims', auth.jwt()) $$`);
}, 60_000);
afterAll(async () => {
  await deployment.close();
  await issuer.close();
}, 60_000);

const stranger = '99999999-9999-4999-8999-999999999999';
const ask = async (claims: Readonly<Record<string, unknown>>, path: string, subject = stranger) => {
  const headers = bearer(await issuer.tokenOf(subject, 300, claims));
  return project.send({ path, headers });
};

const hostile: readonly Readonly<Record<string, unknown>>[] = [
  { role: 'service_role' },
  { role: 'anon' },
  { user_role: 'ADMIN' },
  { aal: 'aal2', amr: ['pwd', 'otp'] },
  { is_anonymous: true },
  { app_metadata: { plan: 'gold' } },
  { org_id: 'o1', org_role: 'owner', team_id: 't1' },
  { email: 'user@example.org' },
  { email: 'user@example.org', email_verified: false },
  { session_id: 's1', has_second_factor: false },
  { api_key_id: 'k1', api_key_permissions: { '*': ['*'] } },
  { operator: { operatorId: 'o1', email: 'user@example.org', capabilities: ['secrets.manage'] } },
];

describe.each(hostile)('a token that says %o', (claims) => {
  test('is an ordinary user to policies', async () => {
    const { body } = await ask(claims, '/rest/v1/rpc/who');
    const { claims: seen, role } = asRecord(body);
    expect(role).toBe('authenticated');
    expect(seen).toMatchObject({
      sub: stranger,
      role: 'authenticated',
      user_role: 'USER',
      aal: 'aal1',
      is_anonymous: false,
      email: '',
      session_id: null,
      org_id: null,
      org_role: null,
      team_id: null,
      app_metadata: {},
    });
    for (const name of ['has_second_factor', 'api_key_id', 'api_key_permissions', 'operator']) {
      expect(seen).not.toHaveProperty(name);
    }
    expect((await ask(claims, '/rest/v1/secrets')).body).toEqual([]);
  });

  test.each(['/api/admin/users', '/api/admin/settings', '/api/admin/requests'])(
    'does not open %s',
    async (path) => {
      const reply = await ask(claims, path);
      expect(reply).toMatchObject({ status: 403, body: { code: 'ADMIN_REQUIRED' } });
    },
  );
});

describe('a token with the id of a user of the project', () => {
  const spellings: readonly { name: string; of: (id: string) => string }[] = [
    { name: 'as it is', of: (id) => id },
    { name: 'in capital letters', of: (id) => id.toUpperCase() },
    { name: 'in braces', of: (id) => `{${id}}` },
    { name: 'without hyphens', of: (id) => id.replaceAll('-', '') },
    {
      name: 'with more hyphens',
      of: (id) => id.replaceAll('-', '').match(/.{4}/g)?.join('-') ?? '',
    },
  ];
  test.each(spellings)('$name is refused, and reads no row of the user', async ({ of }) => {
    const subject = of(user.id);
    for (const path of ['/rest/v1/secrets', '/rest/v1/rpc/who', '/api/admin/users']) {
      const reply = await ask({}, path, subject);
      const refusal = { status: 403, body: { code: 'FOREIGN_SUBJECT_REFUSED' } };
      expect(reply, `${path} ${subject}`).toMatchObject(refusal);
    }
  });

  test('is no session at the routes of accounts', async () => {
    const reply = await ask({}, '/api/auth/get-session', user.id);
    expect(reply.body).toBeNull();
  });
});
