import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import {
  openSamlIdentityProvider,
  type SamlIdentityProvider,
} from '../support/saml-identity-provider.js';
import type { AuthProject } from './auth-project.js';
import { EVIL_TARGETS } from './mail-links.js';
import {
  goBack,
  manager,
  oidcBody,
  openSsoProject,
  postSaml,
  register,
  samlBody,
  site,
} from './sso-project.js';
import { at, textAt } from '../support/replies.js';

let project: AuthProject;
let oidc: OidcIdentityProvider;
let saml: SamlIdentityProvider;

beforeAll(async () => {
  [project, oidc, saml] = await Promise.all([
    openSsoProject(),
    openOidcIdentityProvider(),
    openSamlIdentityProvider(),
  ]);
  const admin = await manager(project, 'admin@app.test', { role: 'ADMIN' });
  await register(admin, oidcBody(oidc, 'oidc', 'oidc.test'));
  await register(admin, samlBody(saml, 'saml', 'saml.test'));
});
afterAll(async () => {
  await Promise.all([project.close(), oidc.close(), saml.close()]);
});

describe.each(['oidc', 'saml'])('a sign-in by %s', (providerId) => {
  test.each(EVIL_TARGETS)('leads never to %j', async (target) => {
    for (const field of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL']) {
      const body = { providerId, callbackURL: `${site}/in`, [field]: target };
      const reply = await project.post('/sign-in/sso', { body });
      expect([field, reply.status]).toEqual([field, 403]);
    }
  });
});

test('the origin of an identity provider is no place to return to, and none to send requests from', async () => {
  for (const origin of [oidc.issuer, new URL(saml.ssoUrl).origin]) {
    const body = { providerId: 'oidc', callbackURL: `${origin}/in` };
    expect((await project.post('/sign-in/sso', { body })).status).toBe(403);
    const headers = { origin, cookie: 'a=b' };
    const reply = await project.post('/sign-in/sso', { body: { providerId: 'oidc' }, headers });
    expect([reply.status, at(reply.body, 'code')]).toEqual([403, 'INVALID_ORIGIN']);
  }
});

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
const codeFlow = { 'x-rowhouse-flow': 'rowhouse_code', 'x-code-challenge': challenge };

/** The address that a client without cookies is sent to. */
async function beginCodeFlow(providerId: string): Promise<string> {
  const body = { providerId, callbackURL: `${site}/in` };
  const reply = await project.post('/sign-in/sso', { headers: codeFlow, body });
  return textAt(reply.body, 'url');
}

test.each([
  {
    name: 'OpenID Connect',
    finish: async (email: string) => {
      const url = await beginCodeFlow('oidc');
      const callback = await oidc.signInAt(url, { login: email, claims: { email } });
      return goBack(project, callback);
    },
    email: 'app@oidc.test',
  },
  {
    name: 'SAML',
    finish: async (nameId: string) => {
      const url = await beginCodeFlow('saml');
      return postSaml(project, await saml.respondTo(url, { nameId }));
    },
    email: 'app@saml.test',
  },
])('a client without cookies gets a code at the end of $name', async ({ finish, email }) => {
  const { location, token } = await finish(email);
  expect(token).toBeUndefined();
  expect(location).toMatch(/^https:\/\/app\.example\.com\/in\?rowhouse_code=[\w-]+$/);
  const code = new URL(location).searchParams.get('rowhouse_code');
  const stolen = await project.post('/exchange-code', { body: { code, codeVerifier: 'stolen' } });
  expect(stolen.status).toBe(400);
  const again = new URL((await finish(email)).location).searchParams.get('rowhouse_code');
  const reply = await project.post('/exchange-code', {
    body: { code: again, codeVerifier: verifier },
  });
  expect(at(reply.body, 'user', 'email')).toBe(email);
});
