import { sessionCookieName } from '#libs/auth-engine';
import { allowedOrigins, type Settings } from '#libs/settings';

/** The rules of a project for its HTTP requests. Built again when settings or domains change. */
export interface HttpRules {
  /**
   * Origins whose pages may send cookies, and to which redirects may lead. A custom domain is among them only if
   * `auth.urls` lists it.
   */
  readonly trustedOrigins: readonly string[];
  /**
   * Returns the origin of the pages of a custom domain, by its host name; undefined for every other host. It is trusted
   * only for requests to that host name.
   */
  readonly ownOriginAt: (host: string) => string | undefined;
  readonly areKeysEnforced: boolean;
  /** Name of the session cookie. */
  readonly sessionCookie: string;
}

/** Origins of pages on a developer's own machine. */
const localOrigins = ['http://localhost:*', 'http://127.0.0.1:*'];

/**
 * Returns the rules of `settings` for a project at `baseUrl`. A project on localhost trusts the pages of the same
 * machine.
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

/** The origin of a custom domain: with the scheme and port of the project's own address. */
function originAt(baseUrl: URL, domain: string): string {
  const { protocol, port } = baseUrl;
  return `${protocol}//${domain}${port === '' ? '' : `:${port}`}`;
}
