// Which routes of the auth engine are served. What is not here does not exist: the engine mounts more
// than a project offers (mails, social sign-in, change of address), and a new release may add to it.
import { fail } from '#libs/errors';

export const basePath = '/api/auth';

interface Route {
  readonly method: 'GET' | 'POST';
  /** Whether the request carries a password or makes an account, and so is limited more strictly. */
  readonly isAttempt: boolean;
  readonly cacheControl: string;
}

const read: Route = { method: 'GET', isAttempt: false, cacheControl: 'no-store' };
const write: Route = { ...read, method: 'POST' };
const attempt: Route = { ...write, isAttempt: true };
// Verifiers fetch the keys again when they meet a key id that they do not know (RFC 7517 §4.5).
const publicKeys: Route = { ...read, cacheControl: 'public, max-age=300' };

const ROUTES: Readonly<Record<string, Route>> = {
  '/sign-up/email': attempt,
  '/sign-in/email': attempt,
  '/sign-out': write,
  '/get-session': read,
  '/token': read,
  '/jwks': publicKeys,
  '/update-user': write,
  '/change-password': attempt,
  '/list-sessions': read,
  '/revoke-session': write,
  '/revoke-sessions': write,
  '/revoke-other-sessions': write,
};

/** Every served route, with its full path. */
export function listAuthRoutes(): readonly { readonly method: string; readonly path: string }[] {
  return Object.entries(ROUTES).map(([path, { method }]) => ({
    method,
    path: `${basePath}${path}`,
  }));
}

/** A served route with its path below the base path. */
export interface MatchedRoute extends Route {
  readonly path: string;
}

/** The route of a request. Throws NOT_FOUND, and METHOD_NOT_ALLOWED for a route of another method. */
export function matchRoute(method: string, pathname: string): MatchedRoute {
  const path = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : '';
  const route = Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined;
  if (!route) throw fail('NOT_FOUND', { path: pathname });
  if (route.method !== method) throw fail('METHOD_NOT_ALLOWED', { method });
  return { ...route, path };
}
