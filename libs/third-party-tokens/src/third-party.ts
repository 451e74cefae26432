// Callers with a signed token of another issuer: verifies the token and returns the claims that policies see. It knows
// neither requests nor the database.
import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose';

import { fail } from '#libs/errors';

import { foreignClaims, type ForeignClaims } from './foreign-claims.js';
import { type FetchResource, type KeySet, KeySource, withoutLastSlash } from './key-source.js';

export type { ForeignClaims };

/** An issuer from the settings; an entry without an address is ignored. */
export interface IssuerSettings {
  readonly name: string;
  /** The claim `iss`, with or without a trailing slash. */
  readonly issuer?: string | undefined;
  /** If absent, found by OpenID Connect discovery. */
  readonly jwksUrl?: string | undefined;
  /** If absent, tokens for every audience are accepted, also those made for other applications. */
  readonly audience?: string | undefined;
  /** The claim that identifies the user; default `sub`. */
  readonly userIdClaim?: string | undefined;
  /** Which addresses policies see; default `verified`. */
  readonly emails?: 'verified' | 'all' | 'none';
  /** Whether policies see the organizations in tokens; default false. */
  readonly organizationClaims?: boolean;
  /** Whether policies see `app_metadata` of tokens; default false. */
  readonly appMetadata?: boolean;
}

export interface ThirdPartyOptions {
  readonly issuers: readonly IssuerSettings[];
  readonly fetch: FetchResource;
  /** Milliseconds. */
  readonly now: () => number;
}

export interface ThirdParty {
  /** Returns the name of the listed issuer in the claim `iss` of `token`. Verifies nothing. */
  issuerOf(token: string): string | undefined;
  /**
   * Returns the claims of a valid token that a listed issuer has signed; undefined for any other. Throws
   * ISSUER_UNAVAILABLE if the keys to check it with cannot be read.
   */
  verify(token: string): Promise<ForeignClaims | undefined>;
}

interface Issuer extends IssuerSettings {
  readonly issuer: string;
  readonly keys: KeySource;
}

/** Only algorithms with a private key: with a shared key every verifier could also sign. */
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
      const { userIdClaim: idClaim = 'sub', emails = 'verified' } = issuer;
      return foreignClaims(payload, {
        idClaim,
        emails,
        organizations: issuer.organizationClaims === true,
        appMetadata: issuer.appMetadata === true,
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
    // Invalid tokens, and keys of kinds that are not supported.
    if (error instanceof errors.JOSEError) return undefined;
    // The remaining errors mean that a key in the issuer's set is broken or too short.
    throw fail('ISSUER_UNAVAILABLE', { issuer: name }, { cause: error });
  }
}
