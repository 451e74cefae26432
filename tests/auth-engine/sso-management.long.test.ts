import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import {
  openSamlIdentityProvider,
  type SamlIdentityProvider,
} from '../support/saml-identity-provider.js';
import { type AuthProject, engineRequest } from './auth-project.js';
import {
  baseUrl,
  manager,
  oidcBody,
  openSsoProject,
  organizationOf,
  register,
  samlBody,
  signInAt,
  type Manager,
} from './sso-project.js';
import { at } from '../support/replies.js';

let project: AuthProject;
let oidc: OidcIdentityProvider;
let saml: SamlIdentityProvider;
let admin: Manager;
let owner: Manager;
let stranger: Manager;
let organizationId: string;

beforeAll(async () => {
  [project, oidc, saml] = await Promise.all([
    openSsoProject({ sso: { maxProvidersPerOrganization: 3 } }),
    openOidcIdentityProvider(),
    openSamlIdentityProvider(),
  ]);
  admin = await manager(project, 'admin@app.test', { role: 'ADMIN' });
  owner = await manager(project, 'owner@corp.test');
  stranger = await manager(project, 'stranger@app.test');
  organizationId = await organizationOf(project, owner, 'corp');
  await organizationOf(project, stranger, 'other');
});
afterAll(async () => {
  await Promise.all([project.close(), oidc.close(), saml.close()]);
});

let providers = 0;
/** The body of a provider that nobody has yet. */
function newBody(): ReturnType<typeof oidcBody> {
  providers += 1;
  return oidcBody(oidc, `p${providers}`, `p${providers}.test`);
}

test('SSO provider register answers redirectURI and no secret', async () => {
  const body = newBody();
  const { body: answer } = await register(admin, body);
  expect(answer).toMatchObject({
    providerId: body.providerId,
    type: 'oidc',
    issuer: oidc.issuer,
    domain: body.domain,
    domainVerified: true,
    organizationId: null,
    redirectURI: `${baseUrl}/api/auth/sso/callback/${body.providerId}`,
    oidcConfig: { clientId: body.providerId, tokenEndpoint: `${oidc.issuer}/token` },
  });
  expect(JSON.stringify(answer)).not.toContain('secret"');
  expect(JSON.stringify(answer)).not.toContain(`${body.providerId}-secret`);
});

test('with SAML redirectURI is where responses go, and the metadata name it', async () => {
  const { body } = await register(admin, samlBody(saml, 'saml1', 'saml1.test'));
  const acs = `${baseUrl}/api/auth/sso/saml2/sp/acs/saml1`;
  const spMetadataUrl = `${baseUrl}/api/auth/sso/saml2/sp/metadata?providerId=saml1`;
  expect(body).toMatchObject({ type: 'saml', redirectURI: acs, spMetadataUrl });
  expect(at(body, 'samlConfig', 'certificates')).toHaveLength(1);
  const context = { ip: '203.0.113.1', requestId: 'request-1' };
  const metadata = await project.auth.handle(engineRequest(new Request(spMetadataUrl)), context);
  const xml = await metadata.text();
  expect(metadata.headers.get('content-type')).toMatch(/xml/);
  expect(xml).toContain(`Location="${acs}"`);
  expect(xml).toContain('WantAssertionsSigned="true"');
});

test('SSO provider management: list, get by providerId, update, delete', async () => {
  const body = newBody();
  const providerId = body.providerId;
  await register(admin, body);
  const listed = at((await admin.get('providers')).body, 'providers');
  expect(listed).toContainEqual(expect.objectContaining({ providerId }));
  const { body: one } = await admin.get(`get-provider?providerId=${providerId}`);
  expect(one).toMatchObject({ providerId, issuer: oidc.issuer });
  for (const shown of [listed, one]) expect(JSON.stringify(shown)).not.toContain('clientSecret');
  const changed = await admin.post('update-provider', {
    providerId,
    oidcConfig: { scopes: ['email'] },
  });
  expect(changed.body).toMatchObject({
    oidcConfig: { scopes: ['openid', 'email'], clientId: providerId },
  });
  const claims = { email: `a@${body.domain}`, email_verified: true };
  const still = await signInAt(project, oidc, { login: 'updated', claims, body: { providerId } });
  expect(still.outcome).toBe('ok');
  expect((await admin.post('delete-provider', { providerId })).body).toEqual({ success: true });
  expect((await admin.get(`get-provider?providerId=${providerId}`)).status).toBe(404);
  expect((await project.post('/sign-in/sso', { body: { providerId } })).status).toBe(404);
});

test('secrets are sealed at rest', async () => {
  await register(admin, newBody());
  const rows = await project.sql(
    'select "oidcConfig" from auth."ssoProvider" where "oidcConfig" is not null',
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    const config: unknown = JSON.parse(String(row['oidcConfig']));
    expect(at(config, 'clientSecret')).toMatch(/^sealed:1:/);
  }
});

test('an organization owner manages a provider scoped to it; it counts as its own, not the project’s', async () => {
  const body = { ...newBody(), organizationId };
  const providerId = body.providerId;
  const { body: answer } = await register(owner, body);
  expect(answer).toMatchObject({ organizationId, domainVerified: false });
  expect(at(answer, 'domains', '0', 'record')).toMatchObject({ type: 'TXT' });
  expect(at((await owner.get('providers')).body, 'providers')).toEqual([answer]);
  expect((await owner.post('update-provider', { providerId, domain: 'own.test' })).status).toBe(
    200,
  );
  expect((await owner.post('delete-provider', { providerId })).status).toBe(200);
});

test('only an organization owner or admin may manage a provider scoped to it', async () => {
  const body = { ...newBody(), organizationId };
  const providerId = body.providerId;
  await register(owner, body);
  const member = await manager(project, 'member@corp.test');
  await project.sql(
    `insert into auth.member (id, "organizationId", "userId", role) values ('m1', $1, $2, 'member')`,
    [organizationId, member.id],
  );
  const attempts = (by: Manager) => [
    by.post('register', { ...newBody(), organizationId }),
    by.get(`get-provider?providerId=${providerId}`),
    by.post('update-provider', { providerId, domain: 'evil.test' }),
    by.post('verify-domain', { providerId }),
    by.post('delete-provider', { providerId }),
  ];
  for (const by of [member, stranger]) {
    const replies = await Promise.all(attempts(by));
    expect(replies.map((reply) => [reply.status, at(reply.body, 'code')])).toEqual(
      replies.map(() => [403, 'FORBIDDEN']),
    );
    expect((await by.get('providers')).body).toEqual({ providers: [] });
  }
  await project.sql(`update auth.member set role = 'admin' where id = 'm1'`);
  expect((await member.get(`get-provider?providerId=${providerId}`)).status).toBe(200);
  expect((await owner.post('delete-provider', { providerId })).status).toBe(200);
});

test('a project-wide provider is managed by administrators alone', async () => {
  const body = newBody();
  const providerId = body.providerId;
  expect((await owner.post('register', body)).status).toBe(403);
  await register(admin, body);
  expect((await owner.get(`get-provider?providerId=${providerId}`)).status).toBe(403);
  expect((await owner.post('delete-provider', { providerId })).status).toBe(403);
});

test('without a session nothing is managed', async () => {
  const replies = await Promise.all([
    project.get('/sso/providers'),
    project.post('/sso/register', { body: newBody() }),
    project.post('/sso/delete-provider', { body: { providerId: 'p1' } }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([401, 401, 401]);
});

test('an organization has no more providers than it may, however many come at once', async () => {
  const bodies = Array.from({ length: 6 }, () => ({ ...newBody(), organizationId }));
  const replies = await Promise.all(bodies.map((body) => owner.post('register', body)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
  const refused = replies.filter(({ status }) => status !== 200);
  expect(new Set(refused.map((reply) => at(reply.body, 'code')))).toEqual(
    new Set(['SSO_PROVIDER_LIMIT_REACHED']),
  );
});

test('an id is taken in every spelling, and also by several at once', async () => {
  const body = { ...newBody(), providerId: 'Taken' };
  const replies = await Promise.all([admin.post('register', body), admin.post('register', body)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  const reply = await admin.post('register', { ...newBody(), providerId: 'taken' });
  expect([reply.status, at(reply.body, 'code')]).toEqual([409, 'SSO_PROVIDER_EXISTS']);
});

test('an id whose people are still known is not given again', async () => {
  await project.sql(
    `insert into auth.account (id, "accountId", "providerId", "userId") values ('old', 'sub', 'gone', $1)`,
    [owner.id],
  );
  const reply = await admin.post('register', { ...newBody(), providerId: 'gone' });
  expect(at(reply.body, 'code')).toBe('SSO_PROVIDER_EXISTS');
});

test('the people of a provider go with it, also when its organization is deleted', async () => {
  const leader = await manager(project, 'leader@lost.test');
  const lost = await organizationOf(project, leader, 'lost');
  const body = { ...newBody(), organizationId: lost };
  await register(leader, body);
  await project.sql(
    `insert into auth.account (id, "accountId", "providerId", "userId") values ('lost', 'sub', $1, $2)`,
    [body.providerId, leader.id],
  );
  await project.sql('delete from auth.organization where id = $1', [lost]);
  expect(await project.sql(`select from auth.account where id = 'lost'`)).toEqual([]);
});

test('a provider outlives the user who has registered it', async () => {
  const passing = await manager(project, 'passing@app.test', { role: 'ADMIN' });
  const body = newBody();
  await register(passing, body);
  await project.sql('delete from auth."user" where id = $1', [passing.id]);
  expect((await admin.get(`get-provider?providerId=${body.providerId}`)).status).toBe(200);
});

test('another identity provider cannot take over the people of a provider', async () => {
  const other = await openOidcIdentityProvider();
  try {
    const body = newBody();
    const providerId = body.providerId;
    await register(admin, body);
    oidcBody(other, providerId, 'any.test');
    const moved = { providerId, issuer: other.issuer };
    expect((await admin.post('update-provider', moved)).body).toMatchObject({
      issuer: other.issuer,
    });
    expect((await admin.post('update-provider', { ...moved, issuer: oidc.issuer })).status).toBe(
      200,
    );
    const claims = { email: `a@${body.domain}` };
    await signInAt(project, oidc, { login: 'known', claims, body: { providerId } });
    const reply = await admin.post('update-provider', moved);
    expect([reply.status, at(reply.body, 'code')]).toEqual([409, 'SSO_PROVIDER_IN_USE']);
  } finally {
    await other.close();
  }
});
