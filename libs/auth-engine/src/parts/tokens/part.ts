// Signed tokens for other servers, and the keys to verify them with. They are always on (specification:
// Settings groups).
import type { Jwk } from 'better-auth/plugins/jwt';
import { jwt } from 'better-auth/plugins/jwt';
import { jwtClaims } from '../../jwt-claims.js';
import { type AuthPart, read } from '../../part.js';
import { currentKeys, jwtAlgorithm, type SigningKey } from '../../signing-keys.js';
import { membershipClaims } from './membership-claims.js';

// Verifiers fetch the keys again when they meet a key id that they do not know (RFC 7517 §4.5).
const publicKeys = {
  ...read,
  cacheControl: 'public, max-age=300',
  isKeyless: true,
} as const;

export const tokens: AuthPart = {
  name: 'tokens',
  routes: {
    '/token': {
      ...read,
      summary: 'Issue a JSON Web Token for the session',
      answer: 'Jwt',
      needsSession: true,
    },
    '/jwks': {
      ...publicKeys,
      summary: 'Read the public keys that verify tokens',
      answer: 'KeySet',
      apiKey: 'public',
    },
  },
  build: ({ settings, pool, baseUrl, hooks }) => {
    const { expiresIn, audience, rotateAfterDays, graceDays } = settings['auth.tokens'];
    return {
      plugins: [
        jwt({
          disableSettingJwtHeader: true,
          jwks: { disablePrivateKeyEncryption: true, keyPairConfig: { alg: jwtAlgorithm } },
          adapter: {
            getJwks: async () =>
              (await currentKeys(pool, { rotateAfterDays, graceDays })).map(engineKey),
          },
          jwt: {
            issuer: baseUrl,
            audience,
            expirationTime: `${expiresIn}s`,
            definePayload: async (session) => {
              const { user } = session;
              const membership = await membershipClaims(pool, session.session.id);
              const claims = { ...jwtClaims(session), ...membership };
              return hooks.accessToken ? hooks.accessToken({ userId: user.id, claims }) : claims;
            },
          },
        }),
      ],
    };
  },
};

/** A key as the engine knows it. It signs with the newest one, which must never be a replaced one. */
function engineKey({ id, publicKey, privateKey, createdAt, expiresAt }: SigningKey): Jwk {
  const key = { id, publicKey, privateKey, alg: jwtAlgorithm } as const;
  return expiresAt === null ? { ...key, createdAt } : { ...key, createdAt: new Date(0), expiresAt };
}
