import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openSamlIdentityProvider,
  type SamlIdentityProvider,
} from '../support/saml-identity-provider.js';
import type { AuthProject } from './auth-project.js';
import { begin, manager, openSsoProject, postSaml, register, samlBody } from './sso-project.js';
import { at } from '../support/replies.js';

let project: AuthProject;
let other: AuthProject;
let saml: SamlIdentityProvider;

beforeAll(async () => {
  [project, other, saml] = await Promise.all([
    openSsoProject(),
    openSsoProject(),
    openSamlIdentityProvider(),
  ]);
  const admin = await manager(project, 'admin@app.test', { role: 'ADMIN' });
  await register(admin, samlBody(saml, 'corp', 'corp.test'));
});
afterAll(async () => {
  await Promise.all([project.close(), other.close(), saml.close()]);
});

const routes = [
  ['POST', '/sign-in/sso'],
  ['GET', '/sso/callback/corp'],
  ['POST', '/sso/saml2/sp/acs/corp'],
  ['GET', '/sso/saml2/sp/metadata?providerId=corp'],
  ['POST', '/sso/register'],
  ['GET', '/sso/providers'],
  ['GET', '/sso/get-provider?providerId=corp'],
  ['POST', '/sso/update-provider'],
  ['POST', '/sso/delete-provider'],
  ['POST', '/sso/verify-domain'],
] as const;

test('auth.sso off: every route of it answers 404, until it is on again', async () => {
  const off = await project.rebuild({ 'auth.sso': { enabled: false } });
  for (const [method, path] of routes) {
    const ask = { via: off, body: { providerId: 'corp' } };
    const reply =
      method === 'GET' ? await project.get(path, { via: off }) : await project.post(path, ask);
    expect([path, reply.status]).toEqual([path, 404]);
  }
  expect((await project.post('/sign-in/sso', { body: { providerId: 'corp' } })).status).toBe(200);
});

test('what the plugin has besides is not served', async () => {
  const paths = [
    '/sso/saml2/logout/corp',
    '/sso/saml2/sp/slo/corp',
    '/sso/request-domain-verification',
  ];
  for (const path of paths) expect((await project.post(path, { body: {} })).status).toBe(404);
  expect((await project.get('/sso/callback')).status).toBe(404);
  expect((await project.get('/sso/saml2/sp/acs/corp')).status).toBe(405);
});

test('a provider of one project is unknown in another', async () => {
  const reply = await other.post('/sign-in/sso', { body: { providerId: 'corp' } });
  expect([reply.status, at(reply.body, 'code')]).toEqual([404, 'SSO_PROVIDER_NOT_FOUND']);
  const { url } = await begin(project, { providerId: 'corp', callbackURL: '/' });
  const post = await saml.respondTo(url, { nameId: 'a@corp.test' });
  expect((await postSaml(other, post)).outcome).toBe('404 SSO_PROVIDER_NOT_FOUND');
  const rows = await other.sql(`select from auth."user" where email = 'a@corp.test'`);
  expect(rows).toEqual([]);
});

test('a response for one project does not count in another that knows the same identity provider', async () => {
  const admin = await manager(other, 'admin@app.test', { role: 'ADMIN' });
  await register(admin, samlBody(saml, 'corp', 'corp.test'));
  const { url } = await begin(project, { providerId: 'corp', callbackURL: '/' });
  const post = await saml.respondTo(url, { nameId: 'b@corp.test' });
  expect(await postSaml(other, post)).toMatchObject({ token: undefined });
  expect((await postSaml(project, post)).outcome).toBe('ok');
});

test('an id that a custom provider has, too, is no SSO provider any more', async () => {
  const custom = {
    providerId: 'corp',
    clientId: 'a',
    clientSecret: 'b',
    authorizationUrl: 'https://idp.example/auth',
    tokenUrl: 'https://idp.example/token',
  };
  // A save would be refused; an import may have brought both.
  await project.sql(
    `insert into platform.app_settings (name, value) values ('auth.oauth.custom', $1)`,
    [JSON.stringify({ providers: [custom] })],
  );
  const via = await project.rebuild({
    'auth.sso': { enabled: true },
    'auth.oauth.custom': { providers: [custom] },
  });
  const reply = await project.post('/sign-in/sso', { via, body: { providerId: 'corp' } });
  expect(at(reply.body, 'code')).toBe('SSO_PROVIDER_NOT_FOUND');
  await project.sql(`delete from platform.app_settings`);
});

test('nobody but the engine reads providers', async () => {
  const rows = await project.sql(
    `select r.rolname from pg_roles r
     where r.rolname in ('anon', 'authenticated', 'service_role')
       and (has_table_privilege(r.oid, 'auth."ssoProvider"', 'select')
         or has_table_privilege(r.oid, 'auth."ssoDomain"', 'select'))`,
  );
  expect(rows).toEqual([]);
});
