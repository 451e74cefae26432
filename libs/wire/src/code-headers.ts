// Headers that code of a project must not set in its answers: they reach beyond the project.
import { cookiePrefix } from './cookie-prefix.js';

/** Cookies of sessions, and prefixes by which browsers keep cookies to one host. */
const protectedCookie = new RegExp(`(^|,)\\s*(__host-|__secure-|${cookiePrefix}\\.)`, 'i');

/**
 * Whether a cookie would also be sent to other projects, or could replace a session cookie of this one. The text of a
 * cookie without a name is sent back as name and value.
 */
export function isOfAllHosts(cookie: string): boolean {
  return (
    !/^[!#$%&'*+.^_`|~0-9a-z-]+\s*=/i.test(cookie.trim()) ||
    /;\s*domain\s*(=|;|$)/i.test(cookie) ||
    protectedCookie.test(cookie)
  );
}

/** Whether proxies take the body from elsewhere for a header of this name, in lower case. */
export function isForProxies(name: string): boolean {
  return /^(x-accel-|x-sendfile|x-lighttpd-|x-reproxy-)/.test(name);
}
