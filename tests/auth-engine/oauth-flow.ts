// A project whose custom provider is a real OpenID Connect server, and a browser that signs in there.
import { createOutbound } from '#libs/outbound';

import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import type { OidcPerson } from '../support/oidc-id-token.js';
import { type AuthProject, openAuthProject, type Reply } from './auth-project.js';
import { textAt } from '../support/replies.js';

export const baseUrl = 'http://abc.localhost:8000';
export const clientId = 'rowhouse';
/** Contains characters that must be encoded in a form and in an Authorization header. */
const clientSecret = 'a secret+/%:';

/** A way to call private hosts, which tests run on. */
export const callAnybody = createOutbound({ allowedHosts: ['127.0.0.1'] });

/** Opens a provider at which the project is registered by the callback of `providerId`. */
export function openProvider(
  providerId = 'acme',
  authentication: 'basic' | 'post' | 'none' = 'basic',
): Promise<OidcIdentityProvider> {
  const redirectUris = [`${baseUrl}/api/auth/oauth2/callback/${providerId}`];
  return openOidcIdentityProvider({
    clients: [{ clientId, clientSecret, redirectUris, authentication }],
  });
}

/** An entry of `auth.oauth.custom` for a provider. */
export function customEntry(
  provider: OidcIdentityProvider,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const { discoveryUrl } = provider;
  return { providerId: 'acme', clientId, clientSecret, discoveryUrl, ...more };
}

/** The stored settings with these custom providers, where people may be sent to `app.example.com`. */
export function settingsWith(
  ...providers: readonly Readonly<Record<string, unknown>>[]
): Readonly<Record<string, unknown>> {
  return {
    'auth.oauth.custom': { providers },
    'auth.urls': { siteUrl: 'https://app.example.com' },
  };
}

/** A project with the provider as `acme`. */
export function openProjectWith(
  provider: OidcIdentityProvider,
  more: Readonly<Record<string, unknown>> = {},
): Promise<AuthProject> {
  const settings = settingsWith(customEntry(provider, more));
  return openAuthProject({ settings, call: callAnybody, baseUrl });
}

/** Which way a sign-in goes. */
export interface Journey {
  readonly provider?: string;
  readonly path?: '/sign-in/social' | '/link-social';
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The address at the provider, and the cookies that the beginning of a sign-in leaves. */
export interface Begun {
  readonly url: string;
  readonly cookies: string;
}

/** Begins a sign-in. Throws when it is refused. */
export async function begin(project: AuthProject, journey: Journey = {}): Promise<Begun> {
  const { provider = 'acme', path = '/sign-in/social', body, headers = {} } = journey;
  const reply = await project.post(path, {
    headers,
    body: { provider, callbackURL: 'https://app.example.com/done', disableRedirect: true, ...body },
  });
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  return { url: textAt(reply.body, 'url'), cookies: cookiesOf(reply) };
}

/** Comes back to the project by the address that the provider sent the browser to. */
export function comeBack(project: AuthProject, url: string, cookie: string): Promise<Reply> {
  const { pathname, search } = new URL(url);
  return project.get(`${pathname.slice('/api/auth'.length)}${search}`, { headers: { cookie } });
}

/** The whole sign-in of a person: the answer that sends the browser back to the application. */
export async function signIn(
  project: AuthProject,
  idp: OidcIdentityProvider,
  person: OidcPerson,
  journey: Journey = {},
): Promise<Reply> {
  const { url, cookies } = await begin(project, journey);
  return comeBack(project, await idp.signInAt(url, person), cookies);
}

/** All cookies of an answer, as a browser sends them back. */
export function cookiesOf(reply: Reply): string {
  return reply.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

/** Where an answer sends the browser. */
export function locationOf(reply: Reply): string {
  const location = reply.headers.get('location');
  if (location === null) {
    throw new Error(`no redirect: ${reply.status} ${JSON.stringify(reply.body)}`);
  }
  return location;
}

/** A person with a verified address. */
export function person(login: string, claims: Readonly<Record<string, unknown>> = {}): OidcPerson {
  const email = `${login}@people.example`;
  return { login, claims: { email, email_verified: true, name: login, ...claims } };
}
