import { sessionCookieName } from '#libs/auth-engine';
import { allowedOrigins, type Settings } from '#libs/settings';

/** What of a project decides how its HTTP requests are admitted. Built again when settings or domains change. */
export interface HttpRules {
  /**
   * Origins whose pages may send cookies, and to which redirects may lead. A custom domain is among them only where
   * `auth.urls` lists it.
   */
  readonly trustedOrigins: readonly string[];
  /**
   * Returns the origin of the pages of a custom domain, by its host name; undefined for every other host. It is
   * trusted for requests that arrive under that name, and for nothing else.
   */
  readonly ownOriginAt: (host: string) => string | undefined;
  readonly areKeysEnforced: boolean;
  /** Name of the cookie that holds the session. */
  readonly sessionCookie: string;
}

/** Origins of pages served by a developer's own machine. */
const localOrigins = ['http://localhost:*', 'http://127.0.0.1:*'];

/**
 * Returns the rules under `settings` for a project that is reached at `baseUrl`. A project on localhost trusts the
 * pages of the same machine.
 */
export function httpRules(settings: Settings, baseUrl: URL, domains: readonly string[]): HttpRules {
  const listed = allowedOrigins(settings['auth.urls']);
  const isLocal = baseUrl.hostname === 'localhost' || baseUrl.hostname.endsWith('.localhost');
  return {
    trustedOrigins: [baseUrl.origin, ...listed, ...(isLocal ? localOrigins : [])],
    ownOriginAt: (host) => (domains.includes(host) ? originAt(baseUrl, host) : undefined),
    areKeysEnforced: settings['security.keys'].enforced,
    sessionCookie: sessionCookieName(baseUrl.href),
  };
}

/** The origin of a custom domain: it is reached the same way as the project's own address. */
function originAt(baseUrl: URL, domain: string): string {
  const { protocol, port } = baseUrl;
  return `${protocol}//${domain}${port === '' ? '' : `:${port}`}`;
}
