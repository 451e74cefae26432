import { AppError, fail } from '#libs/errors';
import type { SettingsOf } from '#libs/settings';
import { readEmailAddress } from '#libs/wire';

/** Domains of stand-in addresses: an account with one would take the place of a phone user or a guest. */
const RESERVED_DOMAINS: ReadonlySet<string> = new Set(['phone.local', 'anonymous.local']);

/** The fields that users may change about themselves. */
export const UPDATE_FIELDS: ReadonlySet<string> = new Set(['name', 'image', 'username', 'data']);

const MAX_LENGTHS: Readonly<Record<string, number>> = { email: 254, name: 200, image: 2000 };

/** Returns an address as accounts have it. Throws INVALID_EMAIL. */
export function emailAddress(text: string): string {
  const address = readEmailAddress(text);
  if (address === undefined) throw fail('INVALID_EMAIL');
  return address;
}

/** The domain of an address, in lower case. */
function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

/** Whether an address only stands in for one, as those of phone users and guests do: no mail reaches it. */
export function isStandInAddress(email: string): boolean {
  return RESERVED_DOMAINS.has(domainOf(email));
}

/** Refuses an address that belongs to the platform (INVALID_INPUT): no user may sign up with it. */
export function checkAddress(email: unknown): void {
  if (typeof email !== 'string' || !isStandInAddress(email)) return;
  throw refused('email', `addresses of ${domainOf(email)} are reserved`);
}

/**
 * Refuses an account that the project does not want: sign-up closed (SIGNUP_DISABLED), a domain that is
 * not on the list of allowed ones or that is refused together with its subdomains
 * (EMAIL_DOMAIN_NOT_ALLOWED), a reserved domain (INVALID_INPUT).
 */
export function checkSignUp(policy: SettingsOf<'auth.signup'>, email: unknown): void {
  if (!policy.enabled) throw fail('SIGNUP_DISABLED');
  if (typeof email !== 'string') return;
  checkAddress(email);
  const domain = domainOf(email);
  const allowed = policy.allowedEmailDomains.map((entry) => entry.toLowerCase());
  if (allowed.length > 0 && !allowed.includes(domain)) throw fail('EMAIL_DOMAIN_NOT_ALLOWED');
  const isBlocked = policy.blockedEmailDomains
    .map((entry) => entry.toLowerCase())
    .some((blocked) => domain === blocked || domain.endsWith(`.${blocked}`));
  if (isBlocked) throw fail('EMAIL_DOMAIN_NOT_ALLOWED');
}

/**
 * The same for an account that is about to be made. `mayStandIn` allows an address that stands in for one; such an
 * account is not of a domain that is allowed.
 */
export function checkNewUser(
  policy: SettingsOf<'auth.signup'>,
  { email, mayStandIn }: { readonly email: string; readonly mayStandIn: boolean },
): void {
  const isOurs = mayStandIn && isStandInAddress(email);
  checkSignUp(policy, isOurs ? undefined : email);
  const isListed = policy.allowedEmailDomains.length > 0;
  if (isOurs && isListed) throw fail('EMAIL_DOMAIN_NOT_ALLOWED');
}

/** Whether {@link checkSignUp} lets an account with this address be made. */
export function maySignUp(policy: SettingsOf<'auth.signup'>, email: string): boolean {
  try {
    checkSignUp(policy, email);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
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
