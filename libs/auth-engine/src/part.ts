// What a part of the auth engine is: one way to sign in or one thing that accounts can do, with its routes
// and with what the engine needs for it. The list of parts is parts/index.ts.
import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth';
import type { AuthConfig } from './auth-config.js';
import type { CaptchaEndpoint } from '#libs/captcha';
import type { CarriedCookie } from './carried-cookies.js';

/** The path above all routes of the engine. */
export const basePath = '/api/auth';

/** The kinds of request that are counted apart; each has its limits in the settings `auth.rateLimits`. */
export type LimitKind =
  'signUp' | 'signIn' | 'anonymous' | 'sendEmail' | 'sendSms' | 'verifyCode' | 'passwordReset';

export interface Route {
  readonly method: 'GET' | 'POST';
  /** Counted under this kind beside the limit over all routes. */
  readonly limit?: LimitKind;
  /** The fields of the body that name whom the request is about: an address, a number, a user name. */
  readonly identifiedBy?: readonly string[];
  readonly cacheControl: string;
  /** A form may be sent by any web page: only identity providers that answer by one get it. */
  readonly body: 'json' | 'form';
  readonly maxBodyBytes: number;
  /** Whether the route answers without a project key: mails and identity providers send browsers here. */
  readonly isKeyless?: true;
  /** Whether the route adds a way into the account of the session: a key, an identity, a password, a factor. */
  readonly addsAccess?: true;
  /** What the CAPTCHA settings call the request. */
  readonly captcha?: CaptchaEndpoint;
}

/** A served route with its path below the base path, as it is in the table: `/callback/:provider`. */
export interface MatchedRoute extends Route {
  readonly path: string;
}

/** Routes by their path below `/api/auth`; `:name` stands for one segment. */
export type RouteTable = Readonly<Record<string, Route | readonly Route[]>>;

const kilobyte = 1024;
/** For metadata of identity providers, and for their answers. */
export const maxDocumentBytes = 512 * kilobyte;

export const read: Route = {
  method: 'GET',
  cacheControl: 'no-store',
  body: 'json',
  maxBodyBytes: 64 * kilobyte,
};
export const write: Route = { ...read, method: 'POST' };
/** A GET that a browser is sent to by a mail or by an identity provider. */
export const landing: Route = { ...read, isKeyless: true };

/** A POST that is counted under `limit`, and also for each of the fields of its body that names somebody. */
export function limited(limit: LimitKind, ...identifiedBy: readonly string[]): Route {
  return { ...write, limit, identifiedBy };
}

/** The route, which gives the user of the session another way in. */
export function addingAccess(route: Route): Route {
  return { ...route, addsAccess: true };
}

/** The route, guarded while the settings list `captcha`. */
export function guarded(captcha: CaptchaEndpoint, route: Route): Route {
  return { ...route, captcha };
}

/** Options of the engine that belong to one part alone: two parts never set the same. */
export type PartEngineOptions = Pick<
  BetterAuthOptions,
  'emailAndPassword' | 'emailVerification' | 'socialProviders' | 'account'
>;

/** What the engine needs for a part under some settings. */
export interface BuiltPart {
  readonly plugins?: readonly BetterAuthPlugin[];
  readonly options?: PartEngineOptions;
  /** Cookies of the engine that clients without cookies carry in headers. */
  readonly carriedCookies?: readonly CarriedCookie[];
}

export interface AuthPart {
  /** Names the part in errors. */
  readonly name: string;
  readonly routes: RouteTable;
  /** The settings without which `build` returns undefined; absent for a part that is always there. */
  readonly neededSettings?: readonly string[];
  /**
   * What the engine needs for the part; undefined when the settings turn it off: then none of its routes
   * is there. Throws SETTINGS_REFUSED for settings that cannot work.
   */
  readonly build: (config: AuthConfig) => BuiltPart | undefined | Promise<BuiltPart | undefined>;
}
