import type { JWTPayload } from 'jose';

/** What policies see of a caller with another issuer's token. */
export interface ForeignClaims extends Readonly<Record<string, unknown>> {
  readonly sub: string;
  readonly role: 'authenticated';
  readonly user_role: 'USER';
  readonly aal: 'aal1';
  readonly is_anonymous: false;
  readonly session_id: null;
  /** Empty when the token names none. */
  readonly email: string;
}

const maxSubjectLength = 255;
/** Claims by which the platform tells its own callers apart; an issuer may not set them. */
const OWN_CLAIMS = new Set(['api_key_id', 'api_key_permissions', 'operator']);
/** What PostgreSQL takes in no text of JSON: zero characters and halves of surrogate pairs. */
const unstorable = /\\u(?:0000|d[89a-f])/i;

/**
 * The token's own claims with those that the platform decides itself: whatever an issuer writes, its
 * subjects are users without a session here, and never administrators. Undefined when the claim `idClaim`
 * identifies nobody.
 */
export function foreignClaims(payload: JWTPayload, idClaim: string): ForeignClaims | undefined {
  const sub = subjectOf(payload[idClaim]);
  if (sub === undefined) return undefined;
  const stated = Object.entries(payload).filter(([name]) => !OWN_CLAIMS.has(name));
  const { email } = payload;
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
    email: typeof email === 'string' ? email : '',
  };
  return unstorable.test(JSON.stringify(claims)) ? undefined : claims;
}

function subjectOf(value: unknown): string | undefined {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || text === '' || text.length > maxSubjectLength) return undefined;
  return text;
}
