// HS256 tokens with nothing but node:crypto, which is the fastest a peer could choose.

import { createHmac, timingSafeEqual } from 'node:crypto';

export interface JwtClaims {
  readonly sub: string;
  /** Seconds since 1970. */
  readonly exp: number;
}

function isClaims(value: unknown): value is JwtClaims {
  return (
    typeof value === 'object' &&
    value !== null &&
    'sub' in value &&
    typeof value.sub === 'string' &&
    'exp' in value &&
    typeof value.exp === 'number'
  );
}

function parseJson(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The claims of a token whose signature and expiry hold; undefined for any other text. */
export function verifyJwt(token: string, secret: string): JwtClaims | undefined {
  const [header, payload, signature, ...rest] = token.split('.');
  if (header === undefined || payload === undefined || signature === undefined) return undefined;
  if (rest.length > 0) return undefined;
  const expected = createHmac('sha256', secret).update(`${header}.${payload}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const claims = parseJson(payload);
  return isClaims(claims) && claims.exp > Date.now() / 1000 ? claims : undefined;
}
