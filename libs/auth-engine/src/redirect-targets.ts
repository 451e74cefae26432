// Where a request may send its browser on to. Every field that names such an address is decided here, once, before
// the engine sees it: the engine checks a relative address and normalises it afterwards, which is too late.
import { type ErrorCode, fail } from '#libs/errors';
import { isRecord } from '#libs/wire';
import { readMark } from './parts/one-time-code/flow-mark.js';

/** The fields of bodies and queries that name an address to go on to, with the code that refuses a wrong one. */
export const TARGET_FIELDS = {
  callbackURL: 'INVALID_CALLBACK_URL',
  redirectTo: 'INVALID_REDIRECT_URL',
  errorCallbackURL: 'INVALID_ERROR_CALLBACK_URL',
  newUserCallbackURL: 'INVALID_NEW_USER_CALLBACK_URL',
} as const satisfies Readonly<Record<string, ErrorCode>>;

/** Mails hold a target several times. In characters, as most browsers take them. */
const maxTargetLength = 2_048;

export interface TargetRules {
  /** The address of the project; relative targets lead there. */
  readonly baseUrl: string;
  /** Whether the engine trusts an address: one of `auth.urls`, the project's own, or a relative one. */
  readonly isTrusted: (target: string) => boolean;
}

/**
 * Returns the absolute form of a target; undefined when it leads to an address that is not allowed, when it is longer
 * than 2,048 characters, or when its path begins with two slashes, which a browser takes for a host once the origin in
 * front is lost.
 */
export function resolveTarget(
  target: string,
  { baseUrl, isTrusted }: TargetRules,
): string | undefined {
  // The link of a mail names the target with the mark of its flow, which is longer.
  if ((readMark(target)?.url ?? target).length > maxTargetLength) return undefined;
  if (!isTrusted(target) || !URL.canParse(target, baseUrl)) return undefined;
  const url = new URL(target, baseUrl);
  if (url.pathname.startsWith('//')) return undefined;
  if (!target.startsWith('/')) return target;
  return url.origin === new URL(baseUrl).origin ? url.href : undefined;
}

/** Returns a query with its targets resolved. Throws the code of the field (403) for a wrong target. */
export function resolveQueryTargets(query: URLSearchParams, rules: TargetRules): URLSearchParams {
  if (!Object.keys(TARGET_FIELDS).some((field) => query.has(field))) return query;
  return new URLSearchParams(
    [...query].map(([name, value]): [string, string] => [name, resolved(name, value, rules)]),
  );
}

/**
 * Returns a body with its targets resolved; the same value when it names none. Throws like
 * {@link resolveQueryTargets}. Targets that are no text are left for the engine to refuse.
 */
export function resolveBodyTargets(body: unknown, rules: TargetRules): unknown {
  if (!isRecord(body)) return body;
  const named = Object.keys(TARGET_FIELDS).flatMap((field) => {
    const value: unknown = Object.hasOwn(body, field) ? body[field] : undefined;
    return typeof value === 'string' ? [[field, resolved(field, value, rules)] as const] : [];
  });
  return named.length === 0 ? body : { ...body, ...Object.fromEntries(named) };
}

function resolved(name: string, value: string, rules: TargetRules): string {
  const [, code] = Object.entries(TARGET_FIELDS).find(([field]) => field === name) ?? [];
  // The engine takes an empty target for none.
  if (code === undefined || value === '') return value;
  const target = resolveTarget(value, rules);
  if (target === undefined) throw fail(code);
  return target;
}
