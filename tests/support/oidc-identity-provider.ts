// An OpenID Connect provider of its own: real discovery, codes, PKCE and tokens by `oidc-provider`, with users
// as a test describes them, keys that can be rotated, and the failures that such a provider has.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import type { JWTPayload } from 'jose';
import { Provider, type ClientMetadata, type Configuration } from 'oidc-provider';

import { freePort } from '#libs/testing';

import {
  type IdTokenWish,
  mintIdToken,
  newSigningKey,
  type OidcPerson,
  type SigningKey,
} from './oidc-id-token.js';
import { memoryStorage } from './oidc-storage.js';
import { walkThroughForms } from './oidc-sign-in.js';
import { alteredIdToken, isUnalteredCall } from './oidc-token-change.js';
import { Outage } from './outage.js';

/** An application that sends people here. */
export interface OidcClient {
  readonly clientId: string;
  /** By default `<clientId>-secret`. */
  readonly clientSecret?: string;
  readonly redirectUris: readonly string[];
  /** How it shows its secret at the token endpoint; `none` for a public client. By default `basic`. */
  readonly authentication?: 'basic' | 'post' | 'none';
}

export interface OidcOptions {
  readonly clients?: readonly OidcClient[];
  /** Claims beyond OpenID's own, handed out with the scope `openid`. */
  readonly extraClaims?: readonly string[];
}

/** What can fail on its own. */
export type OidcPart = 'discovery' | 'authorization' | 'token' | 'userinfo' | 'keys';

const PART_BY_PATH: Readonly<Record<string, OidcPart>> = {
  '/.well-known/openid-configuration': 'discovery',
  '/auth': 'authorization',
  '/token': 'token',
  '/me': 'userinfo',
  '/jwks': 'keys',
};

const TTL_SECONDS = {
  Interaction: 600,
  Grant: 3600,
  Session: 3600,
  AccessToken: 3600,
  AuthorizationCode: 60,
  IdToken: 3600,
  RefreshToken: 86_400,
} as const;

/** Opens a provider on a free port of 127.0.0.1. */
export async function openOidcIdentityProvider(
  options: OidcOptions = {},
): Promise<OidcIdentityProvider> {
  const port = await freePort();
  const provider = new OidcIdentityProvider(
    `http://127.0.0.1:${port}`,
    options,
    await newSigningKey(),
  );
  await provider.listen(port);
  return provider;
}

export class OidcIdentityProvider {
  /** Every request since the start: `GET /jwks`. */
  readonly requests: string[] = [];
  readonly #server: Server;
  readonly #outage = new Outage<OidcPart>();
  readonly #clients = new Map<string, ClientMetadata>();
  readonly #subjectByLogin = new Map<string, string>();
  readonly #claimsBySubject = new Map<string, NonNullable<OidcPerson['claims']>>();
  readonly #configuration: Configuration;
  #keys: readonly [SigningKey, ...SigningKey[]];
  #provider: Provider;
  #change: ((claims: JWTPayload) => JWTPayload) | undefined;

  /** Use {@link openOidcIdentityProvider}. */
  constructor(
    readonly issuer: string,
    options: OidcOptions,
    key: SigningKey,
  ) {
    for (const client of options.clients ?? []) this.addClient(client);
    this.#keys = [key];
    this.#configuration = this.#configure(options);
    this.#provider = this.#build();
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end(String(error));
      });
    });
  }

  get discoveryUrl(): string {
    return `${this.issuer}/.well-known/openid-configuration`;
  }

  async listen(port: number): Promise<void> {
    // Longer than any test lasts: a connection that is reused is not closed under the caller's hands.
    this.#server.keepAliveTimeout = 600_000;
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  addClient({ clientId, clientSecret, redirectUris, authentication = 'basic' }: OidcClient): void {
    const method =
      authentication === 'none' ? 'none' : (`client_secret_${authentication}` as const);
    this.#clients.set(clientId, {
      client_id: clientId,
      ...(authentication !== 'none' && { client_secret: clientSecret ?? `${clientId}-secret` }),
      redirect_uris: [...redirectUris],
      token_endpoint_auth_method: method,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    });
  }

  /** Also for people who sign in with a browser of their own at the login form. */
  addPerson({ login, claims = {} }: OidcPerson): void {
    const subject = typeof claims['sub'] === 'string' ? claims['sub'] : login;
    this.#subjectByLogin.set(login, subject);
    this.#claimsBySubject.set(subject, claims);
  }

  /**
   * Goes to an authorization URL as `person`, who signs in at the form and agrees to everything, or who
   * `refuses`. Returns the redirect URL with `code` and `state` (or `error`), without going there.
   */
  signInAt(url: string, person: OidcPerson, { refuses = false } = {}): Promise<string> {
    this.addPerson(person);
    return walkThroughForms(url, { login: person.login, ...(refuses && { refuse: 'yes' }) });
  }

  /** An id token such as a native SDK hands to an application. */
  mintIdToken(wish: IdTokenWish): Promise<string> {
    return mintIdToken(this.issuer, this.#keys[0], wish);
  }

  /** Signs with a new key from now on. The old ones stay published unless they are dropped. */
  async rotateKeys({ dropOld = false } = {}): Promise<void> {
    this.#keys = [await newSigningKey(), ...(dropOld ? [] : this.#keys)];
    this.#provider = this.#build();
  }

  /** Changes the claims of id tokens before they leave the token endpoint, rightly signed all the same. */
  alterIdTokens(change: ((claims: JWTPayload) => JWTPayload) | undefined): void {
    this.#change = change;
  }

  /** Answers nothing until `resume`: neither this part nor, without one, anything. */
  hang(part?: OidcPart): void {
    this.#outage.begin({ part, kind: 'hang' });
  }

  /** Answers with this status until `resume`. */
  fail(status = 500, part?: OidcPart): void {
    this.#outage.begin({ part, kind: 'fail', status });
  }

  /** Is well again; requests that hang are answered. */
  resume(): void {
    this.#outage.end();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    this.resume();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '/' } = request;
    const path = url.split('?')[0] ?? '';
    if (isUnalteredCall(request)) return this.#provider.callback()(request, response);
    this.requests.push(`${method} ${path}`);
    const part = PART_BY_PATH[path];
    if ((await this.#outage.strikes(part, response)) === 'answered') return;
    if (path.startsWith('/login/')) return this.#login(request, response);
    if (part === 'token' && this.#change !== undefined) {
      const [{ kid, privateKey }] = this.#keys;
      return alteredIdToken({ request, response, change: this.#change, kid, privateKey });
    }
    await this.#provider.callback()(request, response);
  }

  /** The login form, and what it sends. Asked for consent, a person who has signed in sends it once more. */
  async #login(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const details = await this.#provider.interactionDetails(request, response);
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(loginPage(request.url ?? ''));
      return;
    }
    const form = await formOf(request);
    const result =
      form.get('refuse') !== null
        ? { error: 'access_denied', error_description: 'The person refuses.' }
        : details.prompt.name === 'consent'
          ? { consent: { grantId: await this.#grantFor(details) } }
          : { login: { accountId: this.#subjectOf(form.get('login') ?? '') } };
    await this.#provider.interactionFinished(request, response, result);
  }

  #subjectOf(login: string): string {
    return this.#subjectByLogin.get(login) ?? login;
  }

  async #grantFor(details: Awaited<ReturnType<Provider['interactionDetails']>>): Promise<string> {
    const grant = new this.#provider.Grant({
      clientId: String(details.params['client_id']),
      ...(details.session && { accountId: details.session.accountId }),
    });
    grant.addOIDCScope(String(details.params['scope']));
    return grant.save();
  }

  #build(): Provider {
    const keys = this.#keys.map(({ privateJwk }) => privateJwk);
    return new Provider(this.issuer, { ...this.#configuration, jwks: { keys } });
  }

  #configure({ extraClaims = [] }: OidcOptions): Configuration {
    return {
      adapter: memoryStorage(this.#clients),
      cookies: { keys: [randomBytes(16).toString('hex')] },
      claims: {
        openid: ['sub', ...extraClaims],
        email: ['email', 'email_verified'],
        profile: ['name', 'given_name', 'family_name', 'picture', 'preferred_username', 'locale'],
      },
      // Clients that never ask the userinfo endpoint find the claims in the id token.
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => false },
      interactions: { url: (_context, { uid }) => `/login/${uid}` },
      ttl: TTL_SECONDS,
      renderError: (context, { error, error_description }) => {
        context.body = { error, error_description };
      },
      findAccount: (_context, subject) => {
        const claims = this.#claimsBySubject.get(subject);
        return { accountId: subject, claims: () => ({ ...claims, sub: subject }) };
      },
      loadExistingGrant: async ({ oidc }) => {
        const accountId = oidc.session?.accountId;
        const clientId = oidc.client?.clientId;
        if (accountId === undefined || clientId === undefined) return undefined;
        const grant = new oidc.provider.Grant({ clientId, accountId });
        grant.addOIDCScope([...oidc.requestParamScopes].join(' '));
        await grant.save();
        return grant;
      },
    };
  }
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

function loginPage(action: string): string {
  return `<!doctype html><title>Sign in</title><form method="post" action="${action}">
<input name="login" autofocus><button>Sign in</button></form>`;
}
