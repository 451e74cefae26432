// Keys of a provider, and id tokens made outside its token endpoint, good and bad ones.
import { randomBytes } from 'node:crypto';

import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose';

export interface OidcPerson {
  /** The name at the form; also the `sub`, unless the claims have another. */
  readonly login: string;
  /** Such as `email`, `email_verified` (of any type), `name`, and the `extraClaims` of the provider. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

export interface IdTokenWish {
  /** The audience. */
  readonly clientId: string;
  readonly person: OidcPerson;
  readonly nonce?: string;
  /** By default 300; below zero the token has expired. */
  readonly expiresInSeconds?: number;
  /** Who signs: this provider, a stranger who names this provider's key, or nobody (`alg: none`). */
  readonly signer?: 'provider' | 'stranger' | 'nobody';
}

export interface SigningKey {
  readonly kid: string;
  readonly privateJwk: JWK;
  readonly privateKey: CryptoKey;
}

export async function newSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const kid = randomBytes(8).toString('hex');
  const privateJwk = { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
  return { kid, privateJwk, privateKey };
}

export async function mintIdToken(
  issuer: string,
  { kid, privateKey }: SigningKey,
  wish: IdTokenWish,
): Promise<string> {
  const { clientId, person, nonce, expiresInSeconds = 300, signer = 'provider' } = wish;
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuer,
    aud: clientId,
    sub: person.login,
    // An expired token was made before it expired.
    iat: Math.min(now, now + expiresInSeconds - 1),
    exp: now + expiresInSeconds,
    ...(nonce !== undefined && { nonce }),
    ...person.claims,
  };
  if (signer === 'nobody') return new UnsecuredJWT(claims).encode();
  const key = signer === 'provider' ? privateKey : (await newSigningKey()).privateKey;
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(key);
}
