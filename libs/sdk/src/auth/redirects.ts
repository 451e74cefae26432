/** Signing in with another page: social providers, single sign-on, and the redirects back from them. */
import { invalidInput, RowhouseError } from '../error.js';
import { page } from '../page.js';
import {
  cleanAddress,
  flowHeaders,
  readRedirectResult,
  redirectAddress,
  verifierOf,
} from './redirect-flow.js';
import { type CaptchaOption, SignInMethods } from './sign-in.js';
import {
  completeSignIn,
  type AuthParts,
  captchaHeader,
  signedOut,
  type SignInAnswer,
  type SignInData,
} from './sign-in-answer.js';
import { answered, attempt, type AuthAnswer, needTexts } from './wire.js';

export interface RedirectOptions extends CaptchaOption {
  /** The final target of the flow. Default: the page that begins it, without its query. */
  readonly redirectTo?: string;
  /** Returns the address without opening it. Outside of pages it is never opened. */
  readonly skipBrowserRedirect?: boolean;
}

export interface OAuthOptions extends RedirectOptions {
  /** The requested scopes, separated by blanks. */
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
  /** The ID token that the provider has issued to the program. */
  readonly token?: string;
  /** An alias of `token`. */
  readonly idToken?: string;
  /** The nonce that the program sent to the provider, as it is in the token. */
  readonly nonce?: string;
  /** The provider's access token, to read the profile with it. */
  readonly access_token?: string;
  readonly options?: CaptchaOption;
}

/** One of them selects the identity provider. */
export interface SsoCredentials {
  readonly email?: string;
  readonly domain?: string;
  readonly providerId?: string;
  readonly organizationSlug?: string;
  readonly options?: RedirectOptions;
}

export interface OAuthData {
  readonly provider: string;
  /** The page to open. */
  readonly url: string;
}

export class RedirectMethods extends SignInMethods {
  #traded: { readonly code: string; readonly answer: Promise<SignInAnswer> } | undefined;

  /** @internal Created by the client. */
  constructor(parts: AuthParts, detectSessionInUrl: boolean) {
    super(parts);
    if (detectSessionInUrl && page.document) parts.source.awaitSignIn(this.#signInFromAddress());
  }

  /** Signs in with an account at a provider: opens the provider's page, which redirects back here. */
  signInWithOAuth(credentials: OAuthCredentials): Promise<AuthAnswer<OAuthData>> {
    return attempt(async () => {
      const { provider, options } = credentials;
      needTexts({ provider });
      const headers = await flowHeaders(this.parts.source);
      const url = await this.redirect('/sign-in/social', oauthBody(provider, options), {
        headers,
        options,
      });
      return { provider, url };
    });
  }

  /** Signs in with an ID token that a native program has received from the provider. */
  signInWithIdToken(credentials: IdTokenCredentials): Promise<SignInAnswer> {
    return answered(async () => {
      const { provider, nonce, options } = credentials;
      needTexts({ provider, token: credentials.token ?? credentials.idToken });
      const body = { provider, idToken: idTokenBody(credentials, nonce) };
      const headers = captchaHeader(options?.captchaToken);
      const { source, asVisitor } = this.parts;
      return completeSignIn(source, await asVisitor.submit('/sign-in/social', body, headers));
    }, signedOut);
  }

  /** Signs in with the identity provider of an organization, found by address, domain, slug or its own id. */
  signInWithSSO(credentials: SsoCredentials): Promise<AuthAnswer<{ readonly url: string }>> {
    return attempt(async () => {
      const { options, email, domain, providerId, organizationSlug } = credentials;
      if (!(email || domain || providerId || organizationSlug)) {
        throw invalidInput('email, domain, providerId or organizationSlug is required');
      }
      const callbackURL = redirectAddress(options?.redirectTo);
      if (callbackURL === undefined) throw invalidInput('redirectTo is required');
      const headers = await flowHeaders(this.parts.source);
      const body = { email, domain, providerId, organizationSlug, ...backTo(callbackURL) };
      return { url: await this.redirect('/sign-in/sso', body, { headers, options }) };
    });
  }

  /** Exchanges the code in the address for a session. */
  exchangeCodeForSession(code: string): Promise<SignInAnswer> {
    // A code works once: a second call with the same code shares the result.
    if (this.#traded?.code !== code) this.#traded = { code, answer: this.#trade(code) };
    return this.#traded.answer;
  }

  /**
   * Signs in with the result of a redirect in an address, by default the address of the page, from which it is removed.
   * An address without a result gives no session and no error.
   */
  getSessionFromUrl({ url }: { readonly url?: string | URL } = {}): Promise<SignInAnswer> {
    return answered(async () => {
      const address = url ?? page.location?.href;
      if (address === undefined) throw invalidInput('url is required');
      const result = readRedirectResult(new URL(address));
      if (result.kind === 'none') return signedOut;
      if (url === undefined) cleanAddress();
      if (result.kind === 'refused') {
        throw new RowhouseError(result.message, { status: 400, code: result.error });
      }
      const { data, error } = await this.exchangeCodeForSession(result.code);
      if (error) throw error;
      return data;
    }, signedOut);
  }

  /** Requests the address of the other page, opens it, and returns it. */
  protected async redirect(
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
      // A signed-in user receives no code: a cookie shows that this browser began the flow.
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
      return completeSignIn(source, answer);
    }, signedOut);
  }

  /** Signs in with the code in the page's address if this browser began the flow. */
  async #signInFromAddress(): Promise<void> {
    const { href } = page.location ?? {};
    if (href === undefined || readRedirectResult(new URL(href)).kind !== 'code') return;
    if (await this.parts.source.recall('flow')) await this.getSessionFromUrl();
  }
}

/** The body of a social sign-in. */
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

/** The body of a sign-in with an ID token. */
export function idTokenBody(credentials: IdTokenCredentials, nonce: string | undefined): object {
  const { token, idToken, access_token: accessToken } = credentials;
  return { token: token ?? idToken, nonce, accessToken };
}
