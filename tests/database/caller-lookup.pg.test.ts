import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProjectDatabase } from '#libs/database';
import type { Credential } from '#libs/wire';
import { createProject, ids, type ProjectFixture } from './project-fixture.js';

const claimsQuery = {
  text: `select json_build_object('role', current_user, 'claims', auth.jwt())::text`,
  values: [],
};
const session = (token: string): Credential => ({ kind: 'session', token });

interface Seen {
  readonly role: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

async function seenBy(db: ProjectDatabase, credential: Credential): Promise<Seen> {
  const { results } = await db.runTable({ credential, queries: [claimsQuery], readOnly: true });
  const seen: Seen = JSON.parse(results[0]?.rows.first(0).toString() ?? '');
  return seen;
}

describe.each(['text', 'uuid'] as const)('in a project of %s ids', (idType) => {
  let project: ProjectFixture;
  let db: ProjectDatabase;
  beforeAll(async () => {
    project = await createProject(idType);
    db = project.open();
  });
  afterAll(() => project.drop());

  const signedOut = { role: 'anon', via: 'none' };
  const ada = { id: ids.ada, email: 'ada@example.test', role: 'ADMIN', isAnonymous: false };
  const bob = { id: ids.bob, email: 'bob@example.test', role: 'USER', isAnonymous: true };
  const operator = { operatorId: 'op1', email: `o'p"@example.test`, capabilities: [] };

  const callers: { name: string; credential: Credential; caller: object }[] = [
    { name: 'no credential is anon', credential: { kind: 'none' }, caller: signedOut },
    { name: 'an unknown token is anon', credential: session('nobody'), caller: signedOut },
    { name: 'an empty token is anon', credential: session(''), caller: signedOut },
    { name: 'a token with a zero byte is anon', credential: session('a\0b'), caller: signedOut },
    { name: 'an expired session is anon', credential: session('old-token'), caller: signedOut },
    {
      name: 'a session is its user',
      credential: session('ada-token'),
      caller: { role: 'authenticated', via: 'session', user: { ...ada, sessionId: 's-ada' } },
    },
    {
      name: 'a guest says so',
      credential: session('bob-token'),
      caller: { role: 'authenticated', via: 'session', user: { ...bob, sessionId: 's-bob' } },
    },
    {
      name: 'the secret key is the service role',
      credential: { kind: 'secret-key' },
      caller: { role: 'service_role', via: 'secret-key' },
    },
    {
      name: 'an impersonated user has no session',
      credential: { kind: 'impersonated-user', userId: ids.bob },
      caller: { role: 'authenticated', via: 'impersonation', user: bob },
    },
    {
      name: 'impersonated anon',
      credential: { kind: 'impersonated-anon' },
      caller: { role: 'anon', via: 'impersonation' },
    },
    {
      name: 'an operator is the service role',
      credential: { kind: 'operator', operator },
      caller: { role: 'service_role', via: 'operator', operator },
    },
  ];
  test.each(callers)('$name', async ({ credential, caller }) => {
    const resolved = await db.resolveCaller(credential);
    expect(resolved.caller).toEqual(caller);
    expect(resolved.schemaVersion).toMatch(/^\d+$/);
    const asTransaction = await db.runAs(credential, (tx) => Promise.resolve(tx.caller));
    expect(asTransaction).toEqual(caller);
  });

  const refused: { name: string; credential: Credential; code: string; status: number }[] = [
    {
      name: 'an inactive user is refused',
      credential: session('gone-token'),
      code: 'USER_INACTIVE',
      status: 403,
    },
    {
      name: 'an inactive user cannot be impersonated',
      credential: { kind: 'impersonated-user', userId: ids.gone },
      code: 'USER_INACTIVE',
      status: 403,
    },
    ...['nobody', '', 'a\0b', `${ids.ada}x`, `' or true --`].map((userId) => ({
      name: `there is no user ${JSON.stringify(userId)} to impersonate`,
      credential: { kind: 'impersonated-user' as const, userId },
      code: 'IMPERSONATED_USER_NOT_FOUND',
      status: 404,
    })),
  ];
  test.each(refused)('$name', async ({ credential, code, status }) => {
    await expect(db.resolveCaller(credential)).rejects.toMatchObject({ code, status });
    await expect(seenBy(db, credential)).rejects.toMatchObject({ code, status });
    await expect(db.runAs(credential, () => Promise.resolve())).rejects.toMatchObject({ code });
  });

  const noOrganization = { org_id: null, org_role: null, team_id: null };
  const adaClaims = {
    sub: ids.ada,
    role: 'authenticated',
    user_role: 'ADMIN',
    email: 'ada@example.test',
    is_anonymous: false,
    app_metadata: { plan: 'pro' },
    user_metadata: {},
  };
  const seen: { name: string; credential: Credential; seen: Seen }[] = [
    {
      name: 'signed-out claims name the role only',
      credential: session('nobody'),
      seen: { role: 'anon', claims: { role: 'anon' } },
    },
    {
      name: 'a member has organization and team',
      credential: session('ada-token'),
      seen: {
        role: 'authenticated',
        claims: {
          ...adaClaims,
          aal: 'aal2',
          session_id: 's-ada',
          org_id: 'org1',
          org_role: 'owner',
          team_id: 'team1',
        },
      },
    },
    {
      name: 'an active organization without membership does not count',
      credential: session('ada-elsewhere'),
      seen: {
        role: 'authenticated',
        claims: { ...adaClaims, aal: 'aal1', session_id: 's-ada2', ...noOrganization },
      },
    },
    {
      name: 'a team of another organization does not count',
      credential: session('ada-mixed'),
      seen: {
        role: 'authenticated',
        claims: {
          ...adaClaims,
          aal: 'aal1',
          session_id: 's-ada3',
          org_id: 'org1',
          org_role: 'owner',
          team_id: null,
        },
      },
    },
    {
      name: 'an impersonated user has neither session nor organization',
      credential: { kind: 'impersonated-user', userId: ids.ada },
      seen: {
        role: 'authenticated',
        claims: { ...adaClaims, aal: 'aal1', session_id: null, ...noOrganization },
      },
    },
    {
      name: 'the service role',
      credential: { kind: 'secret-key' },
      seen: { role: 'service_role', claims: { role: 'service_role' } },
    },
    {
      name: 'an operator is named in the claims',
      credential: { kind: 'operator', operator },
      seen: {
        role: 'service_role',
        claims: { role: 'service_role', operator: { id: 'op1', email: `o'p"@example.test` } },
      },
    },
  ];
  test.each(seen)('claims: $name', async ({ credential, seen: expected }) => {
    expect(await seenBy(db, credential)).toEqual(expected);
  });

  test('an end of the membership is seen by the next request', async () => {
    await project.admin.query(
      `insert into auth.member (id, "organizationId", "userId", role) values ('m2', 'org1', $1, 'owner')`,
      [ids.bob],
    );
    await project.admin.query(`update auth.member set role = 'admin' where id = 'm1'`);
    expect((await seenBy(db, session('ada-token'))).claims['org_role']).toBe('admin');
    await project.admin.query(`update auth."user" set status = 'banned' where email like 'ada%'`);
    await expect(seenBy(db, session('ada-token'))).rejects.toMatchObject({ code: 'USER_INACTIVE' });
    await project.admin.query(`update auth."user" set status = 'active' where email like 'ada%'`);
    await project.admin.query(`update auth.member set role = 'owner' where id = 'm1'`);
  });
});
