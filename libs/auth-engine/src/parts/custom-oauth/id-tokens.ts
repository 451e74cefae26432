// Id tokens of a provider (OpenID Connect Core §3.1.3.7): who signed them, for whom, until when, and that
// they answer the request that they came with.
import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose';
import type { OutboundCall } from '../../auth-config.js';
import type { Endpoints } from './endpoints.js';

const keysTimeoutMs = 3000;
/** How often a token that names an unknown key may have the keys fetched again. */
const keysPauseMs = 2000;
const clockToleranceSeconds = 30;
const requiredClaims = ['iss', 'sub', 'aud', 'exp', 'iat'];

/** Only asymmetric ones: with a symmetric one, a party that can check a token can make one. */
const SAFE_ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(
  ' ',
);

export interface IdTokenCheck {
  readonly endpoints: Endpoints;
  readonly clientId: string;
  /** Undefined asks for none; the caller refuses a token that has one all the same. */
  readonly nonce: string | undefined;
}

/** The claims of a token if everything about it is right. Throws otherwise. */
export type IdTokenVerifier = (token: string, check: IdTokenCheck) => Promise<JWTPayload>;

/** A verifier that fetches the keys by `call` and keeps them. */
export function createIdTokenVerifier(call: OutboundCall): IdTokenVerifier {
  let kept: { readonly url: string; readonly keys: JWTVerifyGetKey } | undefined;
  const keysAt = (url: string): JWTVerifyGetKey => {
    if (kept?.url !== url) kept = { url, keys: remoteKeys(url, call) };
    return kept.keys;
  };
  return async (token, { endpoints, clientId, nonce }) => {
    const { issuer, keysUrl, algorithms = SAFE_ALGORITHMS } = endpoints;
    if (issuer === undefined || keysUrl === undefined) throw new Error('its keys are not known');
    const { payload } = await jwtVerify(token, keysAt(keysUrl), {
      issuer,
      audience: clientId,
      algorithms: SAFE_ALGORITHMS.filter((name) => algorithms.includes(name)),
      requiredClaims,
      clockTolerance: clockToleranceSeconds,
    });
    checkFor(payload, { clientId, nonce });
    return payload;
  };
}

function remoteKeys(url: string, call: OutboundCall): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: keysTimeoutMs,
    cooldownDuration: keysPauseMs,
    [customFetch]: async (address: string) => {
      const { status, text } = await call({ url: address, timeoutMs: keysTimeoutMs });
      return new Response(text, { status });
    },
  });
}

/**
 * The claims of a token that came from the token endpoint itself over TLS: that replaces the signature
 * where no keys are known (OpenID Connect Core §3.1.3.7, point 6). Throws when anything else is wrong.
 */
export function readDirectIdToken(token: string, check: IdTokenCheck): JWTPayload {
  const { issuer, tokenUrl } = check.endpoints;
  if (!tokenUrl.startsWith('https://')) throw new Error('it came over a connection without TLS');
  const payload = decodeJwt(token);
  const missing = requiredClaims.find((claim) => payload[claim] === undefined);
  if (missing !== undefined) throw new Error(`it has no ${missing}`);
  if (issuer !== undefined && payload.iss !== issuer) throw new Error('it is of another issuer');
  if (![payload.aud].flat().includes(check.clientId)) throw new Error('it is for another client');
  if ((payload.exp ?? 0) < Date.now() / 1000 - clockToleranceSeconds) {
    throw new Error('it has expired');
  }
  checkFor(payload, check);
  return payload;
}

function checkFor(
  payload: JWTPayload,
  { clientId, nonce }: Pick<IdTokenCheck, 'clientId' | 'nonce'>,
): void {
  if (nonce !== undefined && payload['nonce'] !== nonce) throw new Error('its nonce is another');
  // A token for several audiences names the one that it was made for.
  if ([payload.aud].flat().length > 1 && payload['azp'] !== clientId) {
    throw new Error('it was made for another party');
  }
}
