import { fail } from '#libs/errors';
import { findUnstorable, isRecord, jsonProblem } from '#libs/wire';
import { emailAddress } from './sign-up-policy.js';
import { fieldIn } from './fields.js';
import type { MatchedRoute } from './part.js';

/** A body as it was sent and as it was understood. */
export interface SentBody {
  readonly text: string;
  readonly value: unknown;
  readonly kind: 'json' | 'form';
}

/** Reads the body of a request. Rejects with BODY_TOO_LARGE when there are more than `maxBytes`. */
export type ReadText = (maxBytes: number) => Promise<string>;

/**
 * The body of a request, which must be JSON unless the route takes forms too: a form could be sent by any
 * web page. Throws UNSUPPORTED_MEDIA_TYPE, INVALID_JSON, JSON_TOO_COMPLEX, and what `readText` throws.
 */
export async function readBody(
  headers: Headers,
  { body: kind, maxBodyBytes }: Pick<MatchedRoute, 'body' | 'maxBodyBytes'>,
  readText: ReadText,
): Promise<SentBody | undefined> {
  const text = await readText(maxBodyBytes);
  if (text === '') return undefined;
  const type = headers.get('content-type') ?? '';
  if (kind === 'form' && /^application\/x-www-form-urlencoded *(;|$)/i.test(type)) {
    return { text, value: Object.fromEntries(new URLSearchParams(text)), kind: 'form' };
  }
  if (!/^application\/json *(;|$)/i.test(type)) throw fail('UNSUPPORTED_MEDIA_TYPE', { type });
  const reason = jsonProblem(text);
  if (reason !== undefined) throw fail('JSON_TOO_COMPLEX', { reason });
  try {
    return { text, value: JSON.parse(text), kind: 'json' };
  } catch (error) {
    throw fail('INVALID_JSON', {}, { cause: error });
  }
}

/** The body with another value, in the form in which it was sent. */
export function withValue(body: SentBody, value: unknown): SentBody {
  if (value === body.value) return body;
  const text =
    body.kind === 'json'
      ? JSON.stringify(value)
      : new URLSearchParams(Object.entries(Object(value))).toString();
  return { ...body, text, value };
}

/** The body with the address of the account that it is about as accounts have it. Throws INVALID_EMAIL. */
export function withAddress(
  body: SentBody,
  { identifiedBy = [] }: Pick<MatchedRoute, 'identifiedBy'>,
): SentBody {
  const email = identifiedBy.includes('email') ? fieldIn(body.value, 'email') : undefined;
  if (typeof email !== 'string') return body;
  return withValue(body, { ...Object(body.value), email: emailAddress(email) });
}

/** Fields that are hashed and never stored: a wrong one is a wrong password. */
const hashed: ReadonlySet<string> = new Set(['password', 'newPassword', 'currentPassword']);

/** Throws INVALID_INPUT, with the name of the field, for a text that the database cannot hold. */
export function refuseUnstorable(value: unknown): void {
  const stored = isRecord(value)
    ? Object.fromEntries(Object.entries(value).filter(([field]) => !hashed.has(field)))
    : value;
  const found = findUnstorable(stored);
  if (found) throw fail('INVALID_INPUT', { field: found.field ?? 'body', reason: found.reason });
}
