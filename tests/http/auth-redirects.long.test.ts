// Real links and real flows, each tried with the addresses that a redirect must not lead to, and at last as it
// was meant: what was refused before was not refused because the link was worth nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { EVIL_TARGETS } from '../auth-engine/mail-links.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import type { ProjectUnderTest } from '../support/project.js';
import {
  openSamlIdentityProvider,
  type SamlIdentityProvider,
} from '../support/saml-identity-provider.js';
import { openSmsGateway, type SmsGateway } from '../support/sms-gateway.js';
import { makeSignedIn, usersPath } from './administration.js';
import {
  completeSettings,
  cookiesOf,
  createWith,
  done,
  fieldOf,
  mailedLink,
  post,
  save,
  site,
} from './complete-project.js';
import { leadsAway, originOf, REDIRECTING } from './redirects.js';

const end = `${site}/end`;
let deployment: Deployment;
let sms: SmsGateway;
let saml: SamlIdentityProvider;
let oidc: OidcIdentityProvider;
let project: ProjectUnderTest;
beforeAll(async () => {
  [deployment, sms, saml, oidc] = await Promise.all([
    Deployment.shared('outbound'),
    openSmsGateway(),
    openSamlIdentityProvider(),
    openOidcIdentityProvider(),
  ]);
  project = await createWith(deployment, completeSettings(sms));
  await registerProviders();
});
afterAll(async () => {
  await deployment.close();
  await Promise.all([sms.close(), saml.close(), oidc.close()]);
});

async function registerProviders(): Promise<void> {
  const admin = await makeSignedIn(project, 'admin@example.org', { role: 'ADMIN' });
  const register = (body: object) =>
    done(project.as(admin, { method: 'POST', path: '/api/auth/sso/register', body }));
  const metadata = { idpMetadata: { metadata: saml.metadata } };
  await register({
    providerId: 'saml',
    issuer: saml.entityId,
    domain: 'saml.test',
    samlConfig: metadata,
  });
  await register({
    providerId: 'oidc',
    issuer: oidc.issuer,
    domain: 'oidc.test',
    oidcConfig: { clientId: 'oidc', clientSecret: 'oidc-secret' },
  });
}

/** A link or a form with everything that makes it valid; `change` names another end. */
interface Journey {
  readonly route: string;
  /** The fields that name an end. None of them may lead away. */
  readonly fields: readonly string[];
  /** Makes what is tried. */
  readonly begin: () => Promise<(change: Readonly<Record<string, string>>) => Promise<Reply>>;
  /** What the address begins with that the unchanged link leads to. */
  readonly leadsTo: string;
}

type Change = Readonly<Record<string, string>>;
const open = (link: URL, change: Change): Promise<Reply> => {
  const url = new URL(link);
  for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value);
  return project.send({ path: `${url.pathname}${url.search}` });
};
const press = (link: URL, change: Change): Promise<Reply> => {
  const fields = { ...Object.fromEntries(link.searchParams), ...change };
  return project.send({
    method: 'POST',
    path: link.pathname,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'null',
      'sec-fetch-site': 'same-origin',
    },
    body: new URLSearchParams(fields).toString(),
  });
};

async function magicLink(email: string): Promise<URL> {
  await done(post(project, '/sign-in/magic-link', { email, callbackURL: end }));
  return mailedLink(project, email);
}
async function adminLink(email: string): Promise<URL> {
  const reply = await done(
    project.asService({
      method: 'POST',
      path: `${usersPath}/generate-link`,
      body: { type: 'magiclink', email, redirectTo: end },
    }),
  );
  return new URL(String(asRecord(asRecord(reply.body)['properties'])['action_link']));
}

interface Way {
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly begin?: readonly [string, object];
}

/** Goes to a provider, and comes back with its refusal: that needs no answer of the provider. */
async function comeBack(provider: string, { path, method = 'GET', begin }: Way) {
  const [route, body] = begin ?? ['/sign-in/social', { provider, disableRedirect: true }];
  const begun = await done(post(project, route, { ...body, callbackURL: end }));
  const state = new URL(fieldOf(begun, 'url')).searchParams.get('state') ?? '';
  const cookie = cookiesOf(begun);
  return (change: Change) => {
    const fields = new URLSearchParams({ state, error: 'access_denied', ...change }).toString();
    return method === 'GET'
      ? project.send({ path: `/api/auth/${path}?${fields}`, headers: { cookie } })
      : project.send({
          method,
          path: `/api/auth/${path}`,
          body: fields,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        });
  };
}

const targets = ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL'];
const others = [...targets, 'redirectTo', 'redirect_uri', 'RelayState', 'errorURL'];
const journeys: readonly Journey[] = [
  {
    route: 'POST /api/auth/verify-email',
    fields: ['callbackURL'],
    leadsTo: end,
    begin: async () => {
      const user = await project.signUp('verify@example.org');
      await done(
        post(project, '/send-verification-email', { email: user.email, callbackURL: end }),
      );
      const link = await mailedLink(project, user.email);
      return (change) => press(link, change);
    },
  },
  {
    route: 'GET /api/auth/reset-password/:token',
    fields: ['callbackURL'],
    leadsTo: `${end}?token=`,
    begin: async () => {
      const { email } = await project.signUp('reset@example.org');
      await done(post(project, '/request-password-reset', { email, redirectTo: end }));
      const link = await mailedLink(project, email);
      return (change) => open(link, change);
    },
  },
  {
    route: 'GET /api/auth/magic-link/verify',
    fields: targets,
    leadsTo: end,
    begin: async () => {
      await save(project, 'auth.methods.magicLink', { confirm: false });
      const link = await magicLink('magic-get@example.org');
      return (change) => open(link, change);
    },
  },
  {
    route: 'POST /api/auth/upgrade-anonymous/confirm',
    fields: ['callbackURL'],
    leadsTo: end,
    begin: async () => {
      const guest = await done(post(project, '/sign-in/anonymous', {}));
      await save(project, 'auth.methods.emailPassword', { requireEmailVerification: true });
      const email = 'guest@example.org';
      const headers = { authorization: `Bearer ${fieldOf(guest, 'token')}` };
      await done(post(project, '/upgrade-anonymous', { email, callbackURL: end }, headers));
      await save(project, 'auth.methods.emailPassword', {});
      const link = await mailedLink(project, email);
      return (change) => press(link, change);
    },
  },
  {
    route: 'POST /api/auth/magic-link/verify',
    fields: targets,
    leadsTo: end,
    begin: async () => {
      const link = await magicLink('magic@example.org');
      return (change) => press(link, change);
    },
  },
  {
    route: 'POST /api/auth/admin-link/verify',
    // The link names no end, and none may be added to it.
    fields: targets,
    leadsTo: end,
    begin: async () => {
      const link = await adminLink('handed@example.org');
      return (change) => press(link, change);
    },
  },
  {
    route: 'GET /api/auth/callback/:provider',
    fields: others,
    leadsTo: `${end}?error=access_denied`,
    begin: () => comeBack('github', { path: 'callback/github' }),
  },
  {
    route: 'GET /api/auth/oauth2/callback/:providerId',
    fields: others,
    leadsTo: `${end}?error=access_denied`,
    begin: () => comeBack('acme', { path: 'oauth2/callback/acme' }),
  },
  {
    route: 'POST /api/auth/callback/:provider',
    fields: others,
    // The form is turned into the query of the route above.
    leadsTo: '{project}/api/auth/callback/github?error=access_denied',
    begin: () => comeBack('github', { path: 'callback/github', method: 'POST' }),
  },
  {
    route: 'GET /api/auth/sso/callback/:providerId',
    fields: others,
    leadsTo: `${end}?error=SSO_RESPONSE_INVALID`,
    begin: () =>
      comeBack('oidc', {
        path: 'sso/callback/oidc',
        begin: ['/sign-in/sso', { providerId: 'oidc' }],
      }),
  },
  {
    route: 'POST /api/auth/sso/saml2/sp/acs/:providerId',
    fields: ['RelayState', 'callbackURL'],
    leadsTo: end,
    begin: answerBySaml,
  },
];

/** The form with which an identity provider sends somebody back. */
async function answerBySaml() {
  const begun = await done(post(project, '/sign-in/sso', { providerId: 'saml', callbackURL: end }));
  const {
    acsUrl,
    SAMLResponse,
    RelayState = '',
  } = await saml.respondTo(fieldOf(begun, 'url'), {
    nameId: 'pat@saml.test',
  });
  return (change: Change) =>
    project.send({
      method: 'POST',
      path: new URL(acsUrl).pathname,
      body: new URLSearchParams({ SAMLResponse, RelayState, ...change }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
}

describe.each(journeys)('$route', ({ begin, fields, leadsTo }) => {
  test('leads where it was meant to, and nowhere else', async () => {
    let go = await begin();
    for (const field of fields) {
      for (const target of EVIL_TARGETS) {
        const reply = await go({ [field]: target });
        expect({ field, target, away: leadsAway(project, reply) }).toEqual({ field, target });
        if (reply.status < 400) go = await begin();
      }
    }
    const { status, headers } = await go({});
    const led = `${status} ${headers.location ?? ''}`;
    const meant = `302 ${leadsTo.replace('{project}', originOf(project))}`;
    expect(led.slice(0, meant.length)).toBe(meant);
    expect(led.includes('error=')).toBe(meant.includes('error='));
  });
});

test('there is a row for every route that redirects', () => {
  expect(new Set(journeys.map(({ route }) => route))).toEqual(REDIRECTING);
});
