import { fail } from '#libs/errors';
import type { SettingsOf } from '#libs/settings';

/** Domains of stand-in addresses: an account with one would take the place of a phone user or a guest. */
const RESERVED_DOMAINS: ReadonlySet<string> = new Set(['phone.local', 'anonymous.local']);

/** The fields that a sign-up may send. Everything else about an account is decided by the platform. */
export const SIGN_UP_FIELDS: ReadonlySet<string> = new Set([
  'email',
  'password',
  'name',
  'username',
  'image',
  'callbackURL',
  'rememberMe',
]);

/** The fields that users may change about themselves. */
export const UPDATE_FIELDS: ReadonlySet<string> = new Set(['name', 'image', 'username']);

const MAX_LENGTHS: Readonly<Record<string, number>> = { email: 254, name: 200, image: 2000 };

/**
 * Refuses an account that the project does not want: sign-up closed (SIGNUP_DISABLED), a domain that is
 * not on the list (EMAIL_DOMAIN_NOT_ALLOWED), a reserved domain (INVALID_INPUT).
 */
export function checkSignUp(policy: SettingsOf<'auth.signup'>, email: unknown): void {
  if (!policy.enabled) throw fail('SIGNUP_DISABLED');
  if (typeof email !== 'string') return;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (RESERVED_DOMAINS.has(domain)) {
    throw fail('INVALID_INPUT', { field: 'email', reason: `addresses of ${domain} are reserved` });
  }
  const allowed = policy.allowedEmailDomains.map((entry) => entry.toLowerCase());
  if (allowed.length > 0 && !allowed.includes(domain)) throw fail('EMAIL_DOMAIN_NOT_ALLOWED');
}

/**
 * Refuses a body with a field that is not in `allowed` (FIELD_NOT_ALLOWED), or with a text that
 * PostgreSQL cannot store: one with a NUL, or an address longer than any that works (RFC 5321 §4.5.3.1).
 */
export function checkFields(body: object, allowed: ReadonlySet<string>): void {
  for (const [field, value] of Object.entries(body)) {
    if (!allowed.has(field)) throw fail('FIELD_NOT_ALLOWED', { field });
    if (typeof value !== 'string') continue;
    if (value.includes('\0')) throw refused(field, 'must not contain the character NUL');
    if (value.length > maxLengthOf(field)) {
      throw refused(field, `must have at most ${maxLengthOf(field)} characters`);
    }
  }
}

function maxLengthOf(field: string): number {
  return MAX_LENGTHS[field] ?? Infinity;
}

function refused(field: string, reason: string): Error {
  return fail('INVALID_INPUT', { field, reason });
}
