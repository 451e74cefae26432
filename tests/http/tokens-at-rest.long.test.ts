// Whoever reads a dump of the databases can sign in nowhere with it: of every token that a user is given, by
// whichever way to sign in, there are only hashes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { assert, attest, makePasskey } from '../auth-engine/software-authenticator.js';
import { codeAfter } from '../support/authenticator.js';
import { dumpOf, tablesWith } from '../support/database-dump.js';
import { linkedTokens, tokensIn } from '../support/given-tokens.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import { ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import {
  openSamlIdentityProvider,
  type SamlIdentityProvider,
} from '../support/saml-identity-provider.js';
import { openSmsGateway, type SmsGateway } from '../support/sms-gateway.js';
import { makeSignedIn, usersPath } from './administration.js';
import {
  codeIn,
  completeSettings,
  cookiesOf,
  createWith,
  done,
  fieldOf,
  mailedCode,
  mailedLink,
  post,
  site,
} from './complete-project.js';
import { originOf } from './redirects.js';
import { bearer } from '../support/replies.js';

/** Remembers every token that it is given. */
class RememberingProject extends ProjectUnderTest {
  readonly given = new Set<string>();

  override async send(call: Call): Promise<Reply> {
    const reply = await super.send(call);
    for (const token of tokensIn(reply)) this.given.add(token);
    return reply;
  }

  /** The link in the next mail to an address. */
  async mailedLink(address: string): Promise<URL> {
    const link = await mailedLink(this, address);
    for (const token of linkedTokens(link.href)) this.given.add(token);
    return link;
  }
}

let deployment: Deployment;
let sms: SmsGateway;
let oidc: OidcIdentityProvider;
let saml: SamlIdentityProvider;
let project: RememberingProject;
let admin: SignedIn;
beforeAll(async () => {
  [deployment, sms, oidc, saml] = await Promise.all([
    Deployment.shared('outbound'),
    openSmsGateway(),
    openOidcIdentityProvider(),
    openSamlIdentityProvider(),
  ]);
  const client = { clientId: 'shop', clientSecret: 'secret-of-shop' };
  const acme = { providerId: 'acme', ...client, discoveryUrl: oidc.discoveryUrl };
  project = new RememberingProject(await createWith(deployment, completeSettings(sms, [acme])));
  const paths = ['oauth2/callback/acme', 'sso/callback/corp'];
  const redirectUris = paths.map((path) => `${originOf(project)}/api/auth/${path}`);
  oidc.addClient({ ...client, redirectUris });
  admin = await makeSignedIn(project, 'admin@example.org', { role: 'ADMIN' });
  const corp = { providerId: 'corp', issuer: oidc.issuer, domain: 'corp.test', oidcConfig: client };
  const samlConfig = { idpMetadata: { metadata: saml.metadata } };
  const works = { providerId: 'works', issuer: saml.entityId, domain: 'works.test', samlConfig };
  for (const body of [corp, works]) await done(post(project, '/sso/register', body, bearer(admin)));
});
afterAll(async () => {
  await deployment.close();
  await Promise.all([sms, oidc, saml].map((service) => service.close()));
});

const codeFlow = { 'x-rowhouse-flow': 'rowhouse_code' };
const withForm = (path: string, body: string) =>
  done(
    project.send({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    }),
  );
const press = (link: URL) => withForm(link.pathname, link.search.slice(1));
const person = (name: string) => makeSignedIn(project, `${name}@example.org`);
const isSignedIn = async (reply: Reply): Promise<void> => {
  const token = /session_token=([^;.]+)/.exec(cookiesOf(reply))?.[1] ?? fieldOf(reply, 'token');
  const shown = await project.as({ ...admin, token }, { path: '/api/auth/get-session' });
  expect(asRecord(shown.body)).toMatchObject({ session: { token } });
};
const goToProvider = async (begun: Reply, login: string): Promise<Reply> => {
  const claims = { email: `${login}@corp.test`, email_verified: true, name: login };
  const callback = new URL(await oidc.signInAt(fieldOf(begun, 'url'), { login, claims }));
  const path = `${callback.pathname}${callback.search}`;
  return done(project.send({ path, headers: { cookie: cookiesOf(begun) } }));
};
const exchange = (reply: Reply) => {
  const code = new URL(reply.headers.location ?? '').searchParams.get('rowhouse_code');
  return done(post(project, '/exchange-code', { code }));
};
const social = { provider: 'acme', disableRedirect: true, callbackURL: site };
const passkeyStep = async (kind: string, headers = {}) => {
  const path = `/api/auth/passkey/generate-${kind}-options`;
  const reply = await done(project.send({ path, headers }));
  const ceremony = {
    challenge: fieldOf(reply, 'challenge'),
    origin: originOf(project),
    rpId: 'localhost',
  };
  return { ceremony, carried: { 'x-challenge-token': String(reply.headers['x-challenge-token']) } };
};

const ways: readonly (readonly [string, () => Promise<unknown>])[] = [
  [
    'a password',
    async () => {
      const { email } = await project.signUp('password@example.org');
      await isSignedIn(
        await done(post(project, '/sign-in/email', { email, password: userPassword })),
      );
    },
  ],
  [
    'a code by mail',
    async () => {
      const { email } = await person('code');
      await done(post(project, '/email-otp/send-verification-otp', { email, type: 'sign-in' }));
      const otp = await mailedCode(project, email);
      await isSignedIn(await done(post(project, '/sign-in/email-otp', { email, otp })));
    },
  ],
  [
    'a link by mail',
    async () => {
      const { email } = await person('link');
      await done(post(project, '/sign-in/magic-link', { email }));
      await isSignedIn(await press(await project.mailedLink(email)));
      await done(post(project, '/sign-in/magic-link', { email }));
      await project.mailedLink(email);
    },
  ],
  [
    'a code at the end of redirects',
    async () => {
      const { email } = await person('exchange');
      await done(post(project, '/sign-in/magic-link', { email }, codeFlow));
      await isSignedIn(await exchange(await press(await project.mailedLink(email))));
      await done(post(project, '/sign-in/magic-link', { email }, codeFlow));
      await press(await project.mailedLink(email));
    },
  ],
  [
    'a phone number',
    async () => {
      const phoneNumber = '+15559870001';
      await done(post(project, '/phone-number/send-otp', { phoneNumber }));
      const code = codeIn((await sms.waitForSms(phoneNumber)).text);
      await isSignedIn(await done(post(project, '/phone-number/verify', { phoneNumber, code })));
    },
  ],
  ['no name at all', async () => isSignedIn(await done(post(project, '/sign-in/anonymous', {})))],
  [
    'a passkey',
    async () => {
      const owner = await person('passkey');
      const passkey = makePasskey();
      const begun = await passkeyStep('register', bearer(owner));
      const made = { response: attest(passkey, begun.ceremony), name: 'laptop' };
      const headers = { ...bearer(owner), ...begun.carried };
      await done(post(project, '/passkey/verify-registration', made, headers));
      const { ceremony, carried } = await passkeyStep('authenticate');
      const response = assert(passkey, ceremony);
      await isSignedIn(
        await done(post(project, '/passkey/verify-authentication', { response }, carried)),
      );
      await passkeyStep('authenticate');
    },
  ],
  [
    'a second factor, on a trusted device',
    async () => {
      const owner = await person('factor');
      const { email } = owner;
      const password = { password: userPassword };
      const enabled = await done(post(project, '/two-factor/enable', password, bearer(owner)));
      const uri = fieldOf(enabled, 'totpURI');
      const confirm = { code: codeAfter(uri, -1) };
      await done(post(project, '/two-factor/verify-totp', confirm, bearer(owner)));
      const waiting = await done(post(project, '/sign-in/email', { email, ...password }));
      const headers = { 'x-mfa-token': fieldOf(waiting, 'mfaToken') };
      const body = { code: codeAfter(uri, 0), trustDevice: true };
      const verified = await done(post(project, '/two-factor/verify-totp', body, headers));
      await isSignedIn(verified);
      const trusted = { 'x-trust-token': String(verified.headers['x-trust-token']) };
      await isSignedIn(
        await done(post(project, '/sign-in/email', { email, ...password }, trusted)),
      );
      await done(post(project, '/sign-in/email', { email, ...password }));
    },
  ],
  [
    'an account at a provider',
    async () => {
      await isSignedIn(
        await goToProvider(await done(post(project, '/sign-in/social', social)), 'ann'),
      );
      const begun = await done(post(project, '/sign-in/social', social, codeFlow));
      await isSignedIn(await exchange(await goToProvider(begun, 'ann')));
      await done(post(project, '/sign-in/social', social));
    },
  ],
  [
    'single sign-on by OpenID Connect',
    async () => {
      const body = { providerId: 'corp', callbackURL: site };
      await isSignedIn(await goToProvider(await done(post(project, '/sign-in/sso', body)), 'bob'));
    },
  ],
  [
    'single sign-on by SAML',
    async () => {
      const begun = await done(
        post(project, '/sign-in/sso', { providerId: 'works', callbackURL: site }),
      );
      const answer = await saml.respondTo(fieldOf(begun, 'url'), { nameId: 'pat@works.test' });
      const { acsUrl, SAMLResponse, RelayState = '' } = answer;
      const form = new URLSearchParams({ SAMLResponse, RelayState }).toString();
      await isSignedIn(await withForm(new URL(acsUrl).pathname, form));
    },
  ],
  [
    'a link of an administrator',
    async () => {
      const body = { type: 'magiclink', email: 'invited@example.org' };
      await makeSignedIn(project, body.email);
      const path = `${usersPath}/generate-link`;
      const link = async () => {
        const reply = await done(project.asService({ method: 'POST', path, body }));
        return new URL(String(asRecord(asRecord(reply.body)['properties'])['action_link']));
      };
      await isSignedIn(await press(await link()));
      await link();
    },
  ],
  [
    'a password that was forgotten',
    async () => {
      const { email } = await person('forgotten');
      await done(post(project, '/request-password-reset', { email }));
      await project.mailedLink(email);
    },
  ],
  [
    'an API key and a signed token',
    async () => {
      const owner = await person('keys');
      await done(post(project, '/api-key/create', { name: 'k' }, bearer(owner)));
      await done(project.as(owner, { path: '/api/auth/token' }));
    },
  ],
  [
    'a token of a bucket',
    async () => {
      const path = '/api/admin/storage/buckets';
      await done(project.asService({ method: 'POST', path, body: { slug: 'docs' } }));
      const body = { name: 'reader', kind: 'read' };
      await done(project.asService({ method: 'POST', path: `${path}/docs/tokens`, body }));
    },
  ],
];

describe('after a sign-in by', () => {
  test.each(ways)('%s no token stands in a database', async (_name, signIn) => {
    project.given.clear();
    await signIn();
    expect(project.given.size).toBeGreaterThan(0);
    for (const database of [project.database, deployment.ground.databaseName]) {
      const dump = await dumpOf(database);
      const found = [...project.given].flatMap((token) =>
        tablesWith(dump, token).map((table) => `${table}: ${token}`),
      );
      expect(found).toEqual([]);
    }
  });
});
