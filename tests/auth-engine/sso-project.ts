// A project with SSO, the browsers of its people, and its managers, for the tests of that part.
import { createOutbound } from '#libs/outbound';
import type { OidcIdentityProvider } from '../support/oidc-identity-provider.js';
import type { SamlIdentityProvider, SamlPost } from '../support/saml-identity-provider.js';
import { openAuthProject, signUp } from './auth-project.js';
import type { AuthProject, Reply } from './auth-project.js';
import { at, bearer, textAt } from '../support/replies.js';

export const baseUrl = 'http://abc.localhost:8000';
export const site = 'https://app.example.com';

/** Other groups, and fields of `auth.sso`. */
interface Options {
  readonly sso?: Readonly<Record<string, unknown>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly allowedHosts?: readonly string[];
}

/** The settings of a project with SSO. */
export function ssoSettings({ sso = {}, settings = {} }: Options = {}) {
  return {
    'auth.sso': { enabled: true, ...sso },
    'auth.urls': { siteUrl: `${site}/`, redirectUrls: [] },
    ...settings,
  };
}

/** A project that may call servers of this machine. */
export async function openSsoProject(options: Options = {}): Promise<AuthProject> {
  const { allowedHosts = ['127.0.0.1'] } = options;
  return openAuthProject({
    baseUrl,
    settings: ssoSettings(options),
    call: createOutbound({ allowedHosts }),
  });
}

/** Somebody with a session who asks the routes of SSO. */
export interface Manager {
  readonly id: string;
  readonly email: string;
  readonly headers: Readonly<Record<string, string>>;
  get(operation: string): Promise<Reply>;
  post(operation: string, body: unknown): Promise<Reply>;
}

/** A new user; an administrator when told so. */
export async function manager(
  project: AuthProject,
  email: string,
  { role = 'USER' }: { readonly role?: 'USER' | 'ADMIN' } = {},
): Promise<Manager> {
  const { body } = await signUp(project, email);
  const id = textAt(body, 'user', 'id');
  await project.sql('update auth."user" set role = $2, "emailVerified" = true where id = $1', [
    id,
    role,
  ]);
  const headers = bearer(textAt(body, 'token'));
  return {
    id,
    email,
    headers,
    get: (operation) => project.get(`/sso/${operation}`, { headers }),
    post: (operation, sent) => project.post(`/sso/${operation}`, { headers, body: sent }),
  };
}

/** An organization of this owner; answers its id. */
export async function organizationOf(
  project: AuthProject,
  owner: Manager,
  slug: string,
): Promise<string> {
  const reply = await project.post('/organization/create', {
    headers: owner.headers,
    body: { name: slug, slug },
  });
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  return textAt(reply.body, 'id');
}

interface OidcBody {
  readonly providerId: string;
  readonly issuer: string;
  readonly domain: string;
  readonly oidcConfig: Readonly<Record<string, unknown>>;
}

/** The body that registers this identity provider, and tells it about the project. */
export function oidcBody(idp: OidcIdentityProvider, providerId: string, domain: string): OidcBody {
  const redirectUris = [`${baseUrl}/api/auth/sso/callback/${providerId}`];
  idp.addClient({ clientId: providerId, redirectUris });
  const oidcConfig = { clientId: providerId, clientSecret: `${providerId}-secret` };
  return { providerId, issuer: idp.issuer, domain, oidcConfig };
}

/** The body that registers this identity provider. */
export function samlBody(
  idp: SamlIdentityProvider,
  providerId: string,
  domain: string,
): Record<string, unknown> {
  const issuer = idp.entityId;
  return { providerId, issuer, domain, samlConfig: { idpMetadata: { metadata: idp.metadata } } };
}

/** Registers a provider and fails when it is refused. */
export async function register(by: Manager, body: object): Promise<Reply> {
  const reply = await by.post('register', body);
  if (reply.status !== 200) throw new Error(`register failed: ${JSON.stringify(reply.body)}`);
  return reply;
}

/** Begins a sign-in; answers the address of the identity provider, and the browser's cookies. */
export async function begin(
  project: AuthProject,
  body: Readonly<Record<string, unknown>>,
): Promise<{ readonly url: string; readonly cookie: string }> {
  const reply = await project.post('/sign-in/sso', { body });
  if (reply.status !== 200) throw new Error(`sign-in failed: ${JSON.stringify(reply.body)}`);
  return { url: textAt(reply.body, 'url'), cookie: cookiesOf(reply) };
}

function cookiesOf({ headers }: Reply): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .join('; ');
}

/** Where an answer sends the browser: the error in it, or `ok`, and the session that it sets. */
export interface Arrived {
  readonly location: string;
  readonly outcome: string;
  readonly token: string | undefined;
}

/** Goes to the callback that an identity provider has redirected to. */
export async function goBack(
  project: AuthProject,
  callback: string,
  { cookie = '' }: { readonly cookie?: string } = {},
): Promise<Arrived> {
  const { pathname, search } = new URL(callback);
  const path = `${pathname.replace('/api/auth', '')}${search}`;
  return arrived(await project.get(path, { headers: cookie === '' ? {} : { cookie } }));
}

/** Posts a SAML response as the browser does, without cookies: the page is of another site. */
export async function postSaml(
  project: AuthProject,
  { acsUrl, SAMLResponse, RelayState }: SamlPost,
): Promise<Arrived> {
  const form = { SAMLResponse, ...(RelayState !== undefined && { RelayState }) };
  const reply = await project.post(new URL(acsUrl).pathname.replace('/api/auth', ''), {
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.test' },
  });
  return arrived(reply);
}

function arrived(reply: Reply): Arrived {
  const location = reply.headers.get('location') ?? '';
  const session = reply.headers.getSetCookie().find((line) => line.includes('session_token='));
  const token = /session_token=([^;.]+)/.exec(session ?? '')?.[1];
  const error = location === '' ? undefined : new URL(location, baseUrl).searchParams.get('error');
  const code: unknown = at(reply.body, 'code');
  const outcome = reply.status === 302 ? (error ?? 'ok') : `${reply.status} ${String(code)}`;
  return { location, outcome, token };
}

/** Somebody signs in at an OpenID Connect provider and comes back. */
export async function signInAt(
  project: AuthProject,
  idp: OidcIdentityProvider,
  wish: {
    readonly body: Readonly<Record<string, unknown>>;
    readonly login: string;
    readonly claims: Readonly<Record<string, unknown>>;
  },
): Promise<Arrived> {
  const { url, cookie } = await begin(project, { callbackURL: `${site}/in`, ...wish.body });
  const callback = await idp.signInAt(url, { login: wish.login, claims: wish.claims });
  return goBack(project, callback, { cookie });
}

/** Signs in with another engine of the project, and returns the error in the address at the end, or `ok`. */
export async function outcomeVia(
  project: AuthProject,
  idp: OidcIdentityProvider,
  {
    via,
    body,
    email,
  }: { readonly via: AuthProject['auth']; readonly body: object; readonly email: string },
): Promise<string> {
  const reply = await project.post('/sign-in/sso', { via, body: { ...body, callbackURL: '/' } });
  const cookie = reply.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const callback = await idp.signInAt(textAt(reply.body, 'url'), {
    login: email,
    claims: { email },
  });
  const { pathname, search } = new URL(callback);
  const path = `${pathname.replace('/api/auth', '')}${search}`;
  const done = await project.get(path, { via, headers: { cookie } });
  const location = new URL(done.headers.get('location') ?? '', 'http://abc.test');
  return location.searchParams.get('error') ?? 'ok';
}

/** User and session behind a token, as the database has them. */
export async function sessionOf(
  project: AuthProject,
  token: string | undefined,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const [row] = await project.sql(
    `select u.id, u.email, u.name, u."emailVerified", u.role, s."activeOrganizationId", s.aal
     from auth.session s join auth."user" u on u.id = s."userId" where s."tokenHash" = sha256($1)`,
    [token],
  );
  return row;
}
