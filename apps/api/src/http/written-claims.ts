// Claims that administrators write by hand, in place of those of a token, to run something as another caller.
import { type AppError, fail } from '#libs/errors';
import { type DatabaseRole, findUnstorable, isRecord } from '#libs/wire';

/** The most characters of claims, as JSON. */
const maxClaimsLength = 8_192;

/** Claims as policies see them. */
export interface WrittenClaims extends Readonly<Record<string, unknown>> {
  readonly role: DatabaseRole;
  readonly sub?: string;
}

/**
 * Returns the claims in the field `as.claims` with the role in them. Without the field there are no others. Throws
 * INVALID_INPUT (400) for claims that contradict the role, or that no token has.
 */
export function readWrittenClaims(role: DatabaseRole, given: unknown = {}): WrittenClaims {
  if (!isRecord(given)) throw invalid('as.claims', 'must be an object');
  const unstorable = findUnstorable(given);
  if (unstorable) throw invalid('as.claims', unstorable.reason);
  const { role: claimed = role, sub, ...others } = given;
  if (claimed !== role) throw invalid('as.claims.role', `must be ${role} or left out`);
  if (sub !== undefined && typeof sub !== 'string') {
    throw invalid('as.claims.sub', 'must be a text');
  }
  const claims = { ...others, ...(sub !== undefined && { sub }), role };
  if (JSON.stringify(claims).length > maxClaimsLength) {
    throw invalid('as.claims', `must have at most ${maxClaimsLength} characters as JSON`);
  }
  return claims;
}

const invalid = (field: string, reason: string): AppError =>
  fail('INVALID_INPUT', { field, reason });
