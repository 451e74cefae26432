import type { JWTPayload } from 'jose';

import { SERVER_CLAIMS } from '#libs/wire';

/** The claims that policies see for a caller with another issuer's token. */
export interface ForeignClaims extends Readonly<Record<string, unknown>> {
  readonly sub: string;
  readonly role: 'authenticated';
  readonly user_role: 'USER';
  readonly aal: 'aal1';
  readonly is_anonymous: false;
  readonly session_id: null;
  /** Empty if the token has no trusted address. */
  readonly email: string;
}

const maxSubjectLength = 255;
/** Claims by which policies recognise organizations of this project. */
const ORGANIZATION_CLAIMS: ReadonlySet<string> = new Set(['org_id', 'org_role', 'team_id']);
/** Claims by which the platform distinguishes its own callers; an issuer never sets them. */
const OWN_CLAIMS: ReadonlySet<string> = new Set(
  SERVER_CLAIMS.filter((name) => !ORGANIZATION_CLAIMS.has(name)),
);
/** Characters that PostgreSQL accepts in no JSON text: NUL and halves of surrogate pairs. */
const unstorable = /\\u(?:0000|d[89a-f])/i;

/** Which claims of a token are trusted, besides the subject. */
export interface ClaimTrust {
  /** The claim that identifies the user. */
  readonly idClaim: string;
  /** `verified`: an address only if the token has `email_verified`. */
  readonly emails: 'verified' | 'all' | 'none';
  /** Whether the issuer may state `org_id`, `org_role` and `team_id`. */
  readonly organizations: boolean;
  /** Whether the issuer may state `app_metadata`. */
  readonly appMetadata: boolean;
}

/**
 * The token's own claims with the claims that the platform sets itself: whatever an issuer writes, its subjects are
 * users without a session here, and never administrators. An address, an organization or `app_metadata` counts only if
 * `trust` allows it, because policies compare them with those that this project has given. Undefined if the claim `idClaim` is missing or empty.
 */
export function foreignClaims(payload: JWTPayload, trust: ClaimTrust): ForeignClaims | undefined {
  const sub = subjectOf(payload[trust.idClaim]);
  if (sub === undefined) return undefined;
  const isStated = (name: string): boolean =>
    !OWN_CLAIMS.has(name) &&
    (trust.organizations || !ORGANIZATION_CLAIMS.has(name)) &&
    (trust.appMetadata || name !== 'app_metadata');
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
  // Some issuers send the flag as a text.
  const isProven = isVerified === true || isVerified === 'true';
  const isBelieved = emails === 'all' || (emails === 'verified' && isProven);
  return isBelieved && typeof email === 'string' ? email : '';
}

function subjectOf(value: unknown): string | undefined {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || text === '' || text.length > maxSubjectLength) return undefined;
  return text;
}
