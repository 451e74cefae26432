// Two projects that know the same identity providers: a flow that began in A does not end in B, and what A has
// registered is unknown in B.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { assert, attest, makePasskey } from '../auth-engine/software-authenticator.js';
import { makeSignedIn } from '../http/administration.js';
import {
  completeSettings,
  cookiesOf,
  createWith,
  done,
  fieldOf,
  outcomeOf,
  post,
  save,
  site,
} from '../http/complete-project.js';
import { originOf } from '../http/redirects.js';
import { Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import {
  openSamlIdentityProvider,
  type SamlIdentityProvider,
} from '../support/saml-identity-provider.js';
import { openSmsGateway, type SmsGateway } from '../support/sms-gateway.js';
import { bearer } from '../support/replies.js';

let deployment: Deployment;
let sms: SmsGateway;
let oidc: OidcIdentityProvider;
let saml: SamlIdentityProvider;
let a: ProjectUnderTest;
let b: ProjectUnderTest;
let adminOfA: SignedIn;
let adminOfB: SignedIn;
beforeAll(async () => {
  [deployment, sms, oidc, saml] = await Promise.all([
    Deployment.shared('outbound'),
    openSmsGateway(),
    openOidcIdentityProvider(),
    openSamlIdentityProvider(),
  ]);
  const acme = {
    providerId: 'acme',
    clientId: 'shared',
    clientSecret: 'shared-secret',
    discoveryUrl: oidc.discoveryUrl,
  };
  a = await createWith(deployment, completeSettings(sms, [acme]));
  b = await createWith(deployment, completeSettings(sms, [acme]));
  const redirectUris = [a, b].flatMap((project) =>
    ['oauth2/callback/acme', 'sso/callback/corp'].map(
      (path) => `${originOf(project)}/api/auth/${path}`,
    ),
  );
  oidc.addClient({ clientId: 'shared', redirectUris });
  [adminOfA, adminOfB] = [
    await makeSignedIn(a, 'admin@example.org', { role: 'ADMIN' }),
    await makeSignedIn(b, 'admin@example.org', { role: 'ADMIN' }),
  ];
});
afterAll(async () => {
  await deployment.close();
  await Promise.all([sms.close(), oidc.close(), saml.close()]);
});

const register = (project: ProjectUnderTest, by: SignedIn, body: object) =>
  done(post(project, '/sso/register', body, bearer(by)));
const corp = () => ({
  providerId: 'corp',
  issuer: oidc.issuer,
  domain: 'corp.test',
  oidcConfig: { clientId: 'shared', clientSecret: 'shared-secret' },
});
const samlOf = (providerId: string) => ({
  providerId,
  issuer: saml.entityId,
  domain: `${providerId}.test`,
  samlConfig: { idpMetadata: { metadata: saml.metadata } },
});

/** Where an answer leads, `ok` or the error in the address, and whether it opens a session. */
function arrived(reply: Reply): string {
  const { location } = reply.headers;
  const error = location === undefined ? null : new URL(location, site).searchParams.get('error');
  const isOpen = /session_token=[^;]/.test(cookiesOf(reply));
  return `${outcomeOf(reply)} ${error ?? 'ok'}${isOpen ? ', signed in' : ''}`;
}

/** Goes through the provider and comes back to the callback of a project. */
async function comeBack(begun: Reply, project: ProjectUnderTest, login: string): Promise<Reply> {
  const claims = { email: `${login}@corp.test`, email_verified: true, name: login };
  const callback = new URL(await oidc.signInAt(fieldOf(begun, 'url'), { login, claims }));
  return project.send({
    path: `${callback.pathname}${callback.search}`,
    headers: { cookie: cookiesOf(begun) },
  });
}

describe('a sign-in that began in A', () => {
  test('with a custom provider does not end in B', async () => {
    const begin = () =>
      done(
        post(a, '/sign-in/social', { provider: 'acme', disableRedirect: true, callbackURL: site }),
      );
    expect(arrived(await comeBack(await begin(), b, 'ann'))).toBe('302 state_mismatch');
    expect(arrived(await comeBack(await begin(), a, 'ann'))).toBe('302 ok, signed in');
  });

  test('with an SSO provider by OpenID Connect does not end in B', async () => {
    await register(a, adminOfA, corp());
    await register(b, adminOfB, corp());
    const begin = () => done(post(a, '/sign-in/sso', { providerId: 'corp', callbackURL: site }));
    expect(arrived(await comeBack(await begin(), b, 'bob'))).toMatch(/^(302 (?!ok)\w+|4\d\d .*)$/);
    expect(arrived(await comeBack(await begin(), a, 'bob'))).toBe('302 ok, signed in');
  });

  test('with an SSO provider by SAML does not end in B', async () => {
    await register(a, adminOfA, samlOf('saml'));
    await register(b, adminOfB, samlOf('saml'));
    const begun = await done(post(a, '/sign-in/sso', { providerId: 'saml', callbackURL: site }));
    const answer = await saml.respondTo(fieldOf(begun, 'url'), { nameId: 'pat@saml.test' });
    const { acsUrl, SAMLResponse, RelayState = '' } = answer;
    const postTo = (project: ProjectUnderTest) =>
      project.send({
        method: 'POST',
        path: new URL(acsUrl).pathname,
        body: new URLSearchParams({ SAMLResponse, RelayState }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    expect(arrived(await postTo(b))).not.toContain('signed in');
    expect(arrived(await postTo(a))).toBe('302 ok, signed in');
  });

  test('with a passkey does not end in B', async () => {
    const settings = { enabled: true, rpId: 'localhost', rpName: 'Test' };
    await save(a, 'auth.passkey', settings);
    const passkey = makePasskey();
    const begin = async (project: ProjectUnderTest, kind: string, headers = {}) => {
      const path = `/api/auth/passkey/generate-${kind}-options`;
      const reply = await done(project.send({ path, headers }));
      const challenge = fieldOf(reply, 'challenge');
      const carried = { 'x-challenge-token': String(reply.headers['x-challenge-token']) };
      return { carried, ceremony: { challenge, origin: originOf(b), rpId: 'localhost' } };
    };
    const registration = await begin(b, 'register', bearer(adminOfB));
    const made = { response: attest(passkey, registration.ceremony), name: 'laptop' };
    const headers = { ...bearer(adminOfB), ...registration.carried };
    await done(post(b, '/passkey/verify-registration', made, headers));
    const signIn = async (from: ProjectUnderTest) => {
      const { carried, ceremony } = await begin(from, 'authenticate');
      const response = assert(passkey, ceremony);
      return post(b, '/passkey/verify-authentication', { response }, carried);
    };
    const foreign = await signIn(a);
    expect(foreign.status).toBe(400);
    expect(cookiesOf(foreign)).not.toMatch(/session_token=[^;]/);
    expect((await signIn(b)).status).toBe(200);
  });
});

describe('an SSO provider of A', () => {
  const ways = [
    { name: 'id', body: { providerId: 'only-a' } },
    { name: 'domain', body: { domain: 'only-a.test' } },
    { name: 'address', body: { email: 'pat@only-a.test' } },
  ];
  beforeAll(() => register(a, adminOfA, samlOf('only-a')));

  test.each(ways)('is not found in B by its $name', async ({ body }) => {
    const begin = (project: ProjectUnderTest) =>
      post(project, '/sign-in/sso', { ...body, callbackURL: site });
    expect(outcomeOf(await begin(b))).toBe('404 SSO_PROVIDER_NOT_FOUND');
    expect((await begin(a)).status).toBe(200);
  });

  test('is not read, changed or deleted in B by its administrators', async () => {
    const read = (project: ProjectUnderTest, by: SignedIn, path: string) =>
      project.as(by, { path: `/api/auth/sso/${path}` });
    expect((await read(b, adminOfB, 'providers')).text).not.toContain('only-a');
    expect((await read(b, adminOfB, 'get-provider?providerId=only-a')).status).toBe(404);
    for (const operation of ['update-provider', 'delete-provider']) {
      const body = { providerId: 'only-a' };
      expect((await post(b, `/sso/${operation}`, body, bearer(adminOfB))).status).toBe(404);
      expect((await post(b, `/sso/${operation}`, body, bearer(adminOfA))).status).toBe(401);
    }
    expect((await read(a, adminOfA, 'providers')).text).toContain('only-a');
  });

  test('may have its id in B for another provider', async () => {
    const reply = await register(b, adminOfB, samlOf('only-a'));
    expect(fieldOf(reply, 'redirectURI')).toContain(originOf(b));
  });
});
