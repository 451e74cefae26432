// Callers with a signed token of another issuer. In goes the token, out come the claims that policies see.
// It knows neither requests nor the database.
import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose';

import { fail } from '#libs/errors';

import { foreignClaims, type ForeignClaims } from './foreign-claims.js';
import { type FetchResource, type KeySet, KeySource, withoutLastSlash } from './key-source.js';

export type { ForeignClaims };

/** An issuer as the settings have it; without an address it is left out. */
export interface IssuerSettings {
  readonly name: string;
  /** The claim `iss`, with or without a slash at its end. */
  readonly issuer?: string | undefined;
  /** Absent: found by OpenID Connect discovery. */
  readonly jwksUrl?: string | undefined;
  /** Absent: tokens for every audience are taken, also those made for other applications. */
  readonly audience?: string | undefined;
  /** The claim that identifies the user; `sub` when absent. */
  readonly userIdClaim?: string | undefined;
  /** Which addresses policies see; `verified` when absent. */
  readonly emails?: 'verified' | 'all' | 'none';
  /** Whether policies see the organizations that tokens name; not when absent. */
  readonly organizationClaims?: boolean;
}

export interface ThirdPartyOptions {
  readonly issuers: readonly IssuerSettings[];
  readonly fetch: FetchResource;
  /** Milliseconds. */
  readonly now: () => number;
}

export interface ThirdParty {
  /** The name of the listed issuer that `token` says it is from. Nothing is verified. */
  issuerOf(token: string): string | undefined;
  /**
   * The claims of a token that a listed issuer has signed and that holds now; undefined for any other.
   * Throws ISSUER_UNAVAILABLE when the keys to check it with cannot be read.
   */
  verify(token: string): Promise<ForeignClaims | undefined>;
}

interface Issuer extends IssuerSettings {
  readonly issuer: string;
  readonly keys: KeySource;
}

/** Signatures by a private key alone: a shared one would make a signer of whoever checks. */
const ASYMMETRIC = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const leewaySeconds = 30;
const maxTokenLength = 16_384;
const jwtShape = /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/;

/** Verifies tokens of the listed issuers. Nothing is fetched before the first token. */
export function createThirdParty({ issuers, fetch, now }: ThirdPartyOptions): ThirdParty {
  const issuerByUrl = new Map<string, Issuer>();
  for (const settings of issuers) {
    const { name, issuer, jwksUrl } = settings;
    if (issuer === undefined) continue;
    const keys = new KeySource({ name, issuer, jwksUrl, fetch, now });
    issuerByUrl.set(withoutLastSlash(issuer), { ...settings, issuer, keys });
  }
  const find = (token: string): Issuer | undefined => {
    if (issuerByUrl.size === 0 || token.length > maxTokenLength) return undefined;
    const iss = statedIssuer(token);
    return iss === undefined ? undefined : issuerByUrl.get(withoutLastSlash(iss));
  };
  return {
    issuerOf: (token) => find(token)?.name,
    async verify(token) {
      const issuer = find(token);
      const payload = issuer && (await verifyWith(issuer, token, now()));
      if (!payload) return undefined;
      const { userIdClaim: idClaim = 'sub', emails = 'verified', organizationClaims } = issuer;
      return foreignClaims(payload, {
        idClaim,
        emails,
        organizations: organizationClaims === true,
      });
    },
  };
}

function statedIssuer(token: string): string | undefined {
  if (!jwtShape.test(token)) return undefined;
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === 'string' ? iss : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

async function verifyWith(
  issuer: Issuer,
  token: string,
  nowMs: number,
): Promise<JWTPayload | undefined> {
  const first = await check(issuer, token, nowMs, await issuer.keys.current());
  if (first !== 'unknown key') return first;
  const keys = await issuer.keys.newer();
  if (!keys) return undefined;
  const second = await check(issuer, token, nowMs, keys);
  return second === 'unknown key' ? undefined : second;
}

/** Of the issuer there is nothing left to check: its address in the token is what led here. */
async function check(
  { audience, name }: Issuer,
  token: string,
  nowMs: number,
  keys: KeySet,
): Promise<JWTPayload | 'unknown key' | undefined> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ASYMMETRIC,
      clockTolerance: leewaySeconds,
      currentDate: new Date(nowMs),
      requiredClaims: ['exp'],
      ...(audience !== undefined && { audience }),
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return 'unknown key';
    // Bad tokens, and keys of kinds that are not supported.
    if (error instanceof errors.JOSEError) return undefined;
    // What is left says that a key in the issuer's set is broken or too short.
    throw fail('ISSUER_UNAVAILABLE', { issuer: name }, { cause: error });
  }
}
