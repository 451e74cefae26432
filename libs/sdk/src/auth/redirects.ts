/** Signing in by another page: social providers, single sign-on, and what comes back from there. */
import { RowhouseError } from '../error.js';
import { page } from '../page.js';
import {
  cleanAddress,
  flowHeaders,
  readArrival,
  redirectAddress,
  verifierOf,
} from './redirect-flow.js';
import { type CaptchaOption, SignInMethods } from './sign-in.js';
import {
  admit,
  type AuthParts,
  captchaHeader,
  nobody,
  type SignInAnswer,
  type SignInData,
} from './sign-in-answer.js';
import { answered, attempt, type AuthAnswer, invalidInput, needTexts } from './wire.js';

export interface RedirectOptions extends CaptchaOption {
  /** Where the flow leads in the end. Default: the page that begins it, without its query. */
  readonly redirectTo?: string;
  /** Gives the address without going there. Outside of pages nobody goes anywhere. */
  readonly skipBrowserRedirect?: boolean;
}

export interface OAuthOptions extends RedirectOptions {
  /** What is asked of the provider, separated by blanks. */
  readonly scopes?: string;
  /** Added to the provider's address. */
  readonly queryParams?: Readonly<Record<string, string>>;
}

export interface OAuthCredentials {
  readonly provider: string;
  readonly options?: OAuthOptions;
}

export interface IdTokenCredentials {
  readonly provider: string;
  /** The ID token that the provider gave to the program. */
  readonly token?: string;
  /** The same by its other name. */
  readonly idToken?: string;
  /** What the program sent along when it asked the provider, as it stands in the token. */
  readonly nonce?: string;
  /** The provider's access token, when the profile is asked for with it. */
  readonly access_token?: string;
  readonly options?: CaptchaOption;
}

/** One of them says whose identity provider is meant. */
export interface SsoCredentials {
  readonly email?: string;
  readonly domain?: string;
  readonly providerId?: string;
  readonly organizationSlug?: string;
  readonly options?: RedirectOptions;
}

export interface OAuthData {
  readonly provider: string;
  /** The page to go to. */
  readonly url: string;
}

export class RedirectMethods extends SignInMethods {
  #traded: { readonly code: string; readonly answer: Promise<SignInAnswer> } | undefined;

  /** @internal Clients make it. */
  constructor(parts: AuthParts, detectSessionInUrl: boolean) {
    super(parts);
    if (detectSessionInUrl && page.document) parts.source.awaitArrival(this.#arrive());
  }

  /** Signs in with an account elsewhere: goes to the provider's page, which leads back here. */
  signInWithOAuth(credentials: OAuthCredentials): Promise<AuthAnswer<OAuthData>> {
    return attempt(async () => {
      const { provider, options } = credentials;
      needTexts({ provider });
      const headers = await flowHeaders(this.parts.source);
      const url = await this.leave('/sign-in/social', oauthBody(provider, options), {
        headers,
        options,
      });
      return { provider, url };
    });
  }

  /** Signs in with an ID token that a native program has from the provider. */
  signInWithIdToken(credentials: IdTokenCredentials): Promise<SignInAnswer> {
    return answered(async () => {
      const { provider, nonce, options } = credentials;
      needTexts({ provider, token: credentials.token ?? credentials.idToken });
      const body = { provider, idToken: idTokenBody(credentials, nonce) };
      const headers = captchaHeader(options?.captchaToken);
      const { source, asVisitor } = this.parts;
      return admit(source, await asVisitor.submit('/sign-in/social', body, headers));
    }, nobody);
  }

  /** Signs in at the identity provider of an organization, found by address, domain, slug or its own id. */
  signInWithSSO(credentials: SsoCredentials): Promise<AuthAnswer<{ readonly url: string }>> {
    return attempt(async () => {
      const { options, email, domain, providerId, organizationSlug } = credentials;
      if (!(email || domain || providerId || organizationSlug)) {
        throw invalidInput('Give an email, a domain, a providerId or an organizationSlug');
      }
      const callbackURL = redirectAddress(options?.redirectTo);
      if (callbackURL === undefined) throw invalidInput('redirectTo: give where to lead back');
      const headers = await flowHeaders(this.parts.source);
      const body = { email, domain, providerId, organizationSlug, ...backTo(callbackURL) };
      return { url: await this.leave('/sign-in/sso', body, { headers, options }) };
    });
  }

  /** Trades the code that came back in the address for a session. */
  exchangeCodeForSession(code: string): Promise<SignInAnswer> {
    // A code works once: who asks for the same again shares the answer.
    if (this.#traded?.code !== code) this.#traded = { code, answer: this.#trade(code) };
    return this.#traded.answer;
  }

  /**
   * Signs in with what an address brings back from a redirect, by default the address of the page, which is
   * cleaned of it. An address that brings nothing gives no session and no error.
   */
  getSessionFromUrl({ url }: { readonly url?: string | URL } = {}): Promise<SignInAnswer> {
    return answered(async () => {
      const address = url ?? page.location?.href;
      if (address === undefined) throw invalidInput('url: give the address');
      const arrival = readArrival(new URL(address));
      if (arrival.kind === 'none') return nobody;
      if (url === undefined) cleanAddress();
      if (arrival.kind === 'refused') {
        throw new RowhouseError(arrival.message, { status: 400, code: arrival.error });
      }
      const { data, error } = await this.exchangeCodeForSession(arrival.code);
      if (error) throw error;
      return data;
    }, nobody);
  }

  /** Asks the server where to go, and goes there. Gives the address. */
  protected async leave(
    path: string,
    body: object,
    how: {
      readonly headers?: Record<string, string>;
      readonly options: RedirectOptions | undefined;
      readonly asUser?: boolean;
    },
  ): Promise<string> {
    const { headers, options, asUser } = how;
    const wire = asUser ? this.parts.asUser : this.parts.asVisitor;
    const { data } = await wire.call<{ readonly url: string }>('POST', path, {
      body,
      headers: { ...headers, ...captchaHeader(options?.captchaToken) },
      // No code comes back to the user who is signed in: a cookie shows that this browser began.
      withCookies: asUser,
    });
    const { url } = data;
    if (!options?.skipBrowserRedirect) page.location?.assign(url);
    return url;
  }

  #trade(code: string): Promise<SignInAnswer> {
    return answered(async (): Promise<SignInData> => {
      needTexts({ code });
      const { source, asVisitor } = this.parts;
      const codeVerifier = await verifierOf(source);
      const answer = await asVisitor.submit('/exchange-code', { code, codeVerifier });
      await source.memorize('flow');
      return admit(source, answer);
    }, nobody);
  }

  /** Signs in with the code in the page's address when it was this browser that began the flow. */
  async #arrive(): Promise<void> {
    const { href } = page.location ?? {};
    if (href === undefined || readArrival(new URL(href)).kind !== 'code') return;
    if (await this.parts.source.recall('flow')) await this.getSessionFromUrl();
  }
}

/** What the social routes are sent. */
export function oauthBody(provider: string, options: OAuthOptions | undefined): object {
  const { redirectTo, scopes, queryParams } = options ?? {};
  return {
    provider,
    disableRedirect: true,
    ...backTo(redirectAddress(redirectTo)),
    scopes: scopes?.split(/[\s,]+/).filter(Boolean),
    additionalParams: queryParams,
  };
}

function backTo(callbackURL: string | undefined): object {
  return { callbackURL, errorCallbackURL: callbackURL };
}

/** An ID token as the routes take it. */
export function idTokenBody(credentials: IdTokenCredentials, nonce: string | undefined): object {
  const { token, idToken, access_token: accessToken } = credentials;
  return { token: token ?? idToken, nonce, accessToken };
}
