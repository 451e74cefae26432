import type { JWTPayload } from 'jose';

/** What policies see of a caller with another issuer's token. */
export interface ForeignClaims extends Readonly<Record<string, unknown>> {
  readonly sub: string;
  readonly role: 'authenticated';
  readonly user_role: 'USER';
  readonly aal: 'aal1';
  readonly is_anonymous: false;
  readonly session_id: null;
  /** Empty when the token names none that is believed. */
  readonly email: string;
}

const maxSubjectLength = 255;
/** Claims by which the platform tells its own callers apart; an issuer may not set them. */
const OWN_CLAIMS = new Set(['api_key_id', 'api_key_permissions', 'operator', 'has_second_factor']);
/** Claims by which policies know organizations of this project. */
const ORGANIZATION_CLAIMS = new Set(['org_id', 'org_role', 'team_id']);
/** What PostgreSQL takes in no text of JSON: zero characters and halves of surrogate pairs. */
const unstorable = /\\u(?:0000|d[89a-f])/i;

/** What of a token is believed beyond its subject. */
export interface ClaimTrust {
  /** The claim that identifies the user. */
  readonly idClaim: string;
  /** `verified`: an address only when the token says `email_verified`. */
  readonly emails: 'verified' | 'all' | 'none';
  /** Whether `org_id`, `org_role` and `team_id` are the issuer's to state. */
  readonly organizations: boolean;
}

/**
 * The token's own claims with those that the platform decides itself, which have the names that auth.keep_claims
 * (migrations/project/0010_kept_claims.sql) gives them: whatever an issuer writes, its subjects are users without a
 * session here, and never administrators. An address or an organization counts only as far as `trust` says: policies
 * compare them with those of this project. Undefined when the claim `idClaim` identifies nobody.
 */
export function foreignClaims(payload: JWTPayload, trust: ClaimTrust): ForeignClaims | undefined {
  const sub = subjectOf(payload[trust.idClaim]);
  if (sub === undefined) return undefined;
  const isStated = (name: string): boolean =>
    !OWN_CLAIMS.has(name) && (trust.organizations || !ORGANIZATION_CLAIMS.has(name));
  const stated = Object.entries(payload).filter(([name]) => isStated(name));
  const claims: ForeignClaims = {
    org_id: null,
    org_role: null,
    team_id: null,
    app_metadata: {},
    user_metadata: {},
    ...Object.fromEntries(stated),
    sub,
    role: 'authenticated',
    user_role: 'USER',
    aal: 'aal1',
    is_anonymous: false,
    session_id: null,
    email: emailOf(payload, trust),
  };
  return unstorable.test(JSON.stringify(claims)) ? undefined : claims;
}

function emailOf(
  { email, email_verified: isVerified }: JWTPayload,
  { emails }: ClaimTrust,
): string {
  // Some issuers write the flag as a text.
  const isProven = isVerified === true || isVerified === 'true';
  const isBelieved = emails === 'all' || (emails === 'verified' && isProven);
  return isBelieved && typeof email === 'string' ? email : '';
}

function subjectOf(value: unknown): string | undefined {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || text === '' || text.length > maxSubjectLength) return undefined;
  return text;
}
