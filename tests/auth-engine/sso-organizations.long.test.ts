import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import { openSamlIdentityProvider } from '../support/saml-identity-provider.js';
import type { AuthProject } from './auth-project.js';
import {
  begin,
  goBack,
  manager,
  oidcBody,
  openSsoProject,
  organizationOf,
  outcomeVia,
  postSaml,
  register,
  samlBody,
  sessionOf,
  signInAt,
  ssoSettings,
  type Manager,
} from './sso-project.js';
import { at } from '../support/replies.js';

let project: AuthProject;
let idp: OidcIdentityProvider;
let admin: Manager;
let owner: Manager;
let organizationId: string;

beforeAll(async () => {
  [project, idp] = await Promise.all([openSsoProject(), openOidcIdentityProvider()]);
  admin = await manager(project, 'admin@app.test', { role: 'ADMIN' });
  owner = await manager(project, 'owner@corp.test');
  organizationId = await organizationOf(project, owner, 'corp');
  await register(admin, { ...oidcBody(idp, 'corp', 'corp.test'), organizationId });
});
afterAll(async () => {
  await Promise.all([project.close(), idp.close()]);
});

async function rolesOf(email: string): Promise<readonly unknown[]> {
  const rows = await project.sql(
    `select m.role from auth.member m join auth."user" u on u.id = m."userId"
     where u.email = $1 and m."organizationId" = $2`,
    [email, organizationId],
  );
  return rows.map(({ role }) => role);
}

async function limitMembers(maxMembers: number): Promise<void> {
  await project.sql(
    `insert into platform.app_settings (name, value) values ('auth.organization', $1::jsonb)
     on conflict (name) do update set value = excluded.value`,
    [JSON.stringify({ maxMembers })],
  );
}

function arrive(email: string, body: Readonly<Record<string, unknown>> = { providerId: 'corp' }) {
  return signInAt(project, idp, { login: email, claims: { email, email_verified: true }, body });
}

test('who comes by the provider of an organization joins it, and begins in it', async () => {
  const email = 'new@corp.test';
  const done = await arrive(email, { organizationSlug: 'corp' });
  expect(await sessionOf(project, done.token)).toMatchObject({
    email,
    activeOrganizationId: organizationId,
  });
  expect(await rolesOf(email)).toEqual(['member']);
});

test('a member keeps its role', async () => {
  const done = await arrive('owner@corp.test');
  expect(await sessionOf(project, done.token)).toMatchObject({ id: owner.id });
  expect(await rolesOf('owner@corp.test')).toEqual(['owner']);
});

test('a session of another kind has no organization', async () => {
  const [row] = await project.sql(
    'select "activeOrganizationId" as active from auth.session where "userId" = $1 order by "createdAt" limit 1',
    [admin.id],
  );
  expect(row).toEqual({ active: null });
});

test('SSO auto-provisioning stops at maxMembers, and nothing is left of who was one too many', async () => {
  const [{ count } = {}] = await project.sql(
    'select count(*)::int as count from auth.member where "organizationId" = $1',
    [organizationId],
  );
  await limitMembers(Number(count));
  const email = 'onetoomany@corp.test';
  const done = await arrive(email);
  expect(done).toMatchObject({
    outcome: 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED',
    token: undefined,
  });
  expect(await project.sql('select from auth."user" where email = $1', [email])).toEqual([]);
  expect((await arrive('owner@corp.test')).outcome).toBe('ok');
  await limitMembers(0);
});

test('the cap is exact however many come at once', async () => {
  const [{ count } = {}] = await project.sql(
    'select count(*)::int as count from auth.member where "organizationId" = $1',
    [organizationId],
  );
  await limitMembers(Number(count) + 2);
  const flows = await Promise.all(
    Array.from({ length: 5 }, async (_, index) => {
      const email = `crowd${index}@corp.test`;
      const { url, cookie } = await begin(project, { providerId: 'corp', callbackURL: '/' });
      return { cookie, callback: await idp.signInAt(url, { login: email, claims: { email } }) };
    }),
  );
  const done = await Promise.all(
    flows.map(({ callback, cookie }) => goBack(project, callback, { cookie })),
  );
  expect(done.filter(({ outcome }) => outcome === 'ok')).toHaveLength(2);
  expect(
    done.filter(({ outcome }) => outcome === 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED'),
  ).toHaveLength(3);
  await limitMembers(0);
});

test('the cap holds for people who come by SAML', async () => {
  const saml = await openSamlIdentityProvider();
  try {
    await register(admin, { ...samlBody(saml, 'saml', 'saml.test'), organizationId });
    const ask = async (nameId: string) => {
      const { url } = await begin(project, { providerId: 'saml', callbackURL: '/' });
      return postSaml(project, await saml.respondTo(url, { nameId }));
    };
    await limitMembers(1);
    const refused = await ask('full@saml.test');
    expect(refused).toMatchObject({
      outcome: 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED',
      token: undefined,
    });
    await limitMembers(0);
    const done = await ask('full@saml.test');
    expect(await sessionOf(project, done.token)).toMatchObject({
      activeOrganizationId: organizationId,
    });
  } finally {
    await saml.close();
  }
});

test('whom the settings make an admin is one', async () => {
  const via = await project.rebuild(ssoSettings({ sso: { defaultRole: 'admin' } }));
  expect(await outcomeAs(via, 'lead@corp.test')).toBe('ok');
  expect(await rolesOf('lead@corp.test')).toEqual(['admin']);
});

test('a provider of an organization is for its members alone when nobody joins by it', async () => {
  const via = await project.rebuild(ssoSettings({ sso: { joinOrganization: false } }));
  const code = 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION';
  expect(await outcomeAs(via, 'outside@corp.test')).toBe(code);
  expect(await project.sql(`select from auth."user" where email = 'outside@corp.test'`)).toEqual(
    [],
  );
  expect(await outcomeAs(via, 'owner@corp.test')).toBe('ok');
});

test('without organizations their providers are gone', async () => {
  const via = await project.rebuild(
    ssoSettings({ settings: { 'auth.organization': { enabled: false } } }),
  );
  for (const body of [
    { providerId: 'corp' },
    { organizationSlug: 'corp' },
    { domain: 'corp.test' },
  ]) {
    const reply = await project.post('/sign-in/sso', { via, body });
    expect(at(reply.body, 'code')).toBe('SSO_PROVIDER_NOT_FOUND');
  }
});

function outcomeAs(via: AuthProject['auth'], email: string): Promise<string> {
  return outcomeVia(project, idp, { via, body: { providerId: 'corp' }, email });
}
