// Decides from method and path whether a CAPTCHA guards a request. It knows neither the project nor the service that
// checks proofs.
import { restPath } from '#libs/wire';

import { decodeEscapes, pathReadings, withAlias, withoutLastSlashes } from './path-readings.js';

const tablesBases = withAlias(`${restPath}/`);

/** The auth requests that can be guarded. Each route of the auth engine names the one that it belongs to. */
export const CAPTCHA_ENDPOINTS = [
  'sign-up',
  'sign-in-password',
  'sign-in-anonymous',
  'magic-link',
  'email-code',
  'sms-code',
  'recovery-email',
  'recovery-phone',
] as const;
export type CaptchaEndpoint = (typeof CAPTCHA_ENDPOINTS)[number];

/**
 * The class of a route. `never` is for the route on which an administrator turns the CAPTCHA off: a list that covered
 * it could never be changed again, because the console has no proof to show.
 */
export type CaptchaClass = CaptchaEndpoint | 'never';

/** The two lists of `auth.attackProtection`. */
export interface CaptchaLists {
  readonly captchaAuthEndpoints: readonly CaptchaEndpoint[];
  /** `POST /rest/v1/orders` or `/api/edge/*`; without a method the rule covers every method. */
  readonly captchaRoutes: readonly string[];
}

const routePattern = /^(?:(GET|HEAD|POST|PUT|PATCH|DELETE) +)?([/*][^\s?#\\]*)$/i;
const writing = new Set<string | undefined>([undefined, 'POST', 'PUT', 'PATCH', 'DELETE']);

interface Rule {
  /** Undefined covers every method. */
  readonly method: string | undefined;
  /** The path, split at its stars. */
  readonly parts: readonly string[];
}

/** Why `text` is not a route that can be guarded, as the end of a sentence about it; undefined if it is. */
export function captchaRouteProblem(text: string): string | undefined {
  return routePattern.test(text)
    ? undefined
    : 'must be a path or a method and a path, such as POST /rest/v1/orders or /api/edge/*';
}

/**
 * Compiles the lists to a function that returns whether a CAPTCHA guards a request: its method, its target (path, with
 * or without query) and the class of its route. `OPTIONS` is never guarded, and `HEAD` counts as `GET`. Routes that
 * `captchaRouteProblem` rejects guard nothing. A rule holds for a path with and without `/api` in front, whichever of
 * the two it names. A batch counts as a write to every table, because its body names the tables.
 */
export function compileCaptchaRules(
  lists: CaptchaLists,
): (method: string, target: string, routeClass?: CaptchaClass) => boolean {
  const endpoints: ReadonlySet<string> = new Set(lists.captchaAuthEndpoints);
  const named = lists.captchaRoutes.flatMap(parseRule);
  const rules = named.some(mayWriteTables)
    ? [...named, ...parseRule(`POST ${tablesBases[0]}batch`)]
    : named;
  if (endpoints.size === 0 && rules.length === 0) return () => false;
  return (method, target, routeClass) => {
    if (method === 'OPTIONS' || routeClass === 'never') return false;
    if (routeClass !== undefined && endpoints.has(routeClass)) return true;
    if (rules.length === 0) return false;
    const asked = method === 'HEAD' ? 'GET' : method;
    return pathReadings(target).some((path) => rules.some((rule) => covers(rule, asked, path)));
  };
}

function parseRule(text: string): readonly Rule[] {
  const [, named, path] = routePattern.exec(text) ?? [];
  if (path === undefined) return [];
  const method = named?.toUpperCase();
  const glob = withoutLastSlashes(path.replace(/\/{2,}/g, '/'));
  return [
    { method: method === 'HEAD' ? 'GET' : method, parts: glob.split('*').map(decodeEscapes) },
  ];
}

/** Whether the rule may cover a write to some table. */
function mayWriteTables({ method, parts }: Rule): boolean {
  if (!writing.has(method)) return false;
  const [start = ''] = parts;
  return tablesBases.some(
    (base) => start.startsWith(base) || (parts.length > 1 && base.startsWith(start)),
  );
}

function covers({ method, parts }: Rule, asked: string, path: string): boolean {
  if (method !== undefined && method !== asked) return false;
  // The router takes a path with and without a last slash, and so `/files/*` covers `/files` too.
  return matches(parts, path) || matches(parts, `${path}/`);
}

/** Whether `text` consists of the parts in order, with anything between them. Linear in the length of `text`. */
function matches(parts: readonly string[], text: string): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
