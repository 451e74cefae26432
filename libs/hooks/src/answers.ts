// What the answers of hooks mean. They come from code of the project, so every part of them is looked at.
import { isRecord, SERVER_CLAIMS } from '#libs/wire';
import type { SignUpAdditions } from './hook-types.js';

const maxMessageLength = 200;
/** Deeper JSON could overflow the stack of code that walks through it. */
const maxDepth = 64;
const defaultRefusal = 'The sign-up was refused';

/** The claims for identity, rights and lifetime. No hook may change them. */
const RESERVED_CLAIMS: ReadonlySet<string> = new Set([
  'iss',
  'aud',
  'exp',
  'nbf',
  'iat',
  'jti',
  ...SERVER_CLAIMS,
]);

type Fields = Readonly<Record<string, unknown>>;

/** What a reading gives: a value, or why there is none. */
export type Reading<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'unusable'; readonly error: string };

/**
 * Returns the message of a hook that rejects a sign-up; undefined when it does not reject. Both
 * `{decision: 'reject', message}` and `{error: {message}}` say so.
 */
export function refusalOf(answer: unknown): string | undefined {
  if (!isRecord(answer)) return undefined;
  const { decision, message, error } = answer;
  if (decision === 'reject') return publicText(message);
  return isRecord(error) ? publicText(error['message']) : undefined;
}

/** What a hook adds to a new user: `app_metadata` and `user_metadata`, each an object or absent. */
export function readSignUp(answer: unknown): Reading<SignUpAdditions> {
  if (answer === undefined) return usable({ app_metadata: {}, user_metadata: {} });
  if (!isRecord(answer)) return unusable('the answer is not an object');
  const { decision, app_metadata = {}, user_metadata = {} } = answer;
  if (decision !== undefined && decision !== 'continue') {
    return unusable('the decision is neither continue nor reject');
  }
  if (!isRecord(app_metadata) || !isRecord(user_metadata)) {
    return unusable('app_metadata and user_metadata must be objects');
  }
  if (!isStorable(answer)) return unusable(notStorable);
  return usable({ app_metadata, user_metadata });
}

/** The claims of a token after its hook, and the names of reserved ones that the hook tried to change. */
export interface ChangedClaims {
  readonly claims: Fields;
  readonly ignored: readonly string[];
}

/**
 * Puts the answer `{claims}` over the claims of a token. A claim that the answer leaves out stays; a
 * reserved one stays as it is, whatever the answer says.
 */
export function readClaims(answer: unknown, claims: Fields): Reading<ChangedClaims> {
  if (answer === undefined) return usable({ claims, ignored: [] });
  const given = isRecord(answer) ? (answer['claims'] ?? {}) : undefined;
  if (!isRecord(given)) return unusable('the answer has no object of claims');
  if (!isStorable(given)) return unusable(notStorable);
  const kept = Object.entries(given).filter(([name]) => !RESERVED_CLAIMS.has(name));
  const ignored = Object.keys(given).filter(
    (name) => RESERVED_CLAIMS.has(name) && given[name] !== claims[name],
  );
  return usable({ claims: { ...claims, ...Object.fromEntries(kept) }, ignored });
}

function publicText(text: unknown): string {
  if (typeof text !== 'string') return defaultRefusal;
  // Neither control characters nor half of a surrogate pair have a place in a message.
  const printable = text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim();
  const short = [...printable].slice(0, maxMessageLength).join('');
  return short === '' ? defaultRefusal : short;
}

const notStorable = 'the answer is nested too deeply, or has characters that cannot be stored';

/** Whether PostgreSQL takes it as jsonb: no NUL, no half of a surrogate pair. */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return !/[\0\p{Cs}]/u.test(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === maxDepth) return false;
  return Object.entries(value).every(
    ([name, inner]) => isStorable(name) && isStorable(inner, depth + 1),
  );
}

function usable<T>(value: T): Reading<T> {
  return { kind: 'value', value };
}

function unusable<T>(error: string): Reading<T> {
  return { kind: 'unusable', error };
}
