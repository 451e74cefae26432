import { afterAll, beforeAll, expect, test } from 'vitest';
import { asSuperuser, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import {
  openSamlIdentityProvider,
  type SamlIdentityProvider,
} from '../support/saml-identity-provider.js';
import { at, textAt } from '../support/replies.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let admin: SignedIn;
let saml: SamlIdentityProvider;

beforeAll(async () => {
  [deployment, saml] = await Promise.all([Deployment.shared(), openSamlIdentityProvider()]);
  project = await deployment.createProject();
  const path = '/api/admin/settings/auth.sso';
  const saved = await project.asService({ method: 'PUT', path, body: { enabled: true } });
  if (saved.status !== 200) throw new Error(saved.text);
  admin = await project.signUp('admin@app.test');
  await asSuperuser(`update auth."user" set role = 'ADMIN' where id = $1`, {
    database: project.database,
    values: [admin.id],
  });
});
afterAll(async () => {
  await Promise.all([deployment.close(), saml.close()]);
});

test('an identity provider on another site posts its answer, and the browser is signed in', async () => {
  const registered = await project.as(admin, {
    method: 'POST',
    path: '/api/auth/sso/register',
    body: {
      providerId: 'corp',
      issuer: saml.entityId,
      domain: 'corp.test',
      samlConfig: { idpMetadata: { metadata: saml.metadata } },
    },
  });
  expect([registered.status, at(registered.body, 'domainVerified')]).toEqual([200, true]);
  const begun = await project.send({
    method: 'POST',
    path: '/api/auth/sign-in/sso',
    body: { email: 'pat@corp.test', callbackURL: '/in' },
  });
  const post = await saml.respondTo(textAt(begun.body, 'url'), { nameId: 'pat@corp.test' });
  const { acsUrl, SAMLResponse, RelayState = '' } = post;
  expect(acsUrl).toBe(textAt(registered.body, 'redirectURI'));
  const done = await project.send({
    method: 'POST',
    path: new URL(acsUrl).pathname,
    body: new URLSearchParams({ SAMLResponse, RelayState }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://idp.example',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    },
  });
  expect(done.status).toBe(302);
  const { hostname, pathname } = new URL(done.headers.location ?? '');
  expect([hostname, pathname]).toEqual([project.host, '/in']);
  const cookie = done.headers['set-cookie']?.find((line) => line.includes('session_token'));
  const session = await project.send({
    path: '/api/auth/get-session',
    headers: { cookie: cookie?.split(';')[0] ?? '' },
  });
  expect(at(session.body, 'user', 'email')).toBe('pat@corp.test');
});

test('the metadata are served as XML', async () => {
  const reply = await project.send({ path: '/api/auth/sso/saml2/sp/metadata?providerId=corp' });
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/xml']);
});

test('a secret that cannot be opened refuses sign-ins by name, and leaves the provider to be changed', async () => {
  const { database } = project;
  const sealed = 'sealed:1:of-another-project';
  const key = `"samlConfig"::jsonb ->> 'privateKey'`;
  await asSuperuser(
    `update auth."ssoProvider"
     set "samlConfig" = ("samlConfig"::jsonb || jsonb_build_object('privateKey', $1::text))::text`,
    { database, values: [sealed] },
  );
  const signIn = { providerId: 'corp', callbackURL: '/in' };
  const begun = await project.send({ method: 'POST', path: '/api/auth/sign-in/sso', body: signIn });
  expect([begun.status, at(begun.body, 'code')]).toEqual([400, 'SSO_PROVIDER_INVALID']);
  expect(at(begun.body, 'message')).toContain('its stored privateKey cannot be opened');
  const body = { providerId: 'corp', domain: 'corp.test,corp2.test' };
  const path = '/api/auth/sso/update-provider';
  expect((await project.as(admin, { method: 'POST', path, body })).status).toBe(200);
  const stored = await asSuperuser(`select ${key} as key from auth."ssoProvider"`, { database });
  expect(stored).toEqual([{ key: sealed }]);
});

test('turned off, it is gone with the next request', async () => {
  const path = '/api/admin/settings/auth.sso';
  await project.asService({ method: 'PUT', path, body: { enabled: false } });
  const call = { method: 'POST', path: '/api/auth/sign-in/sso', body: { providerId: 'corp' } };
  expect((await project.send(call)).status).toBe(404);
});
