// The names of the cookies of accounts.
import { COOKIE_NAMES, cookiePrefix } from '#libs/wire';

/** Returns the name of the cookie that holds the session. */
export function sessionCookieName(baseUrl: string): string {
  return `${cookieNamePrefix(baseUrl)}${COOKIE_NAMES.session}`;
}

/** Returns the start of the names of all cookies of a project at `baseUrl`. */
export function cookieNamePrefix(baseUrl: string): string {
  return `${cookieNameStart(baseUrl)}.`;
}

/**
 * Returns the start of these names without the dot, as the engine takes it. A browser accepts a cookie of the prefix
 * `__Host-` from the host itself alone: no other project can set one for the whole root domain.
 */
export function cookieNameStart(baseUrl: string): string {
  return `${isSecure(baseUrl) ? '__Host-' : ''}${cookiePrefix}`;
}

/** Whether browsers reach the project over TLS, which cookies with that prefix require. */
export function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https://');
}
