// Another issuer of tokens, whose users the project does not know.
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

import { openHttpRecorder } from './http-recorder.js';
import type { ProjectUnderTest } from './project.js';

export interface TokenIssuer {
  /** A token that is valid for five minutes unless it is said otherwise, with further claims. */
  tokenOf(
    subject: string,
    seconds?: number,
    claims?: Readonly<Record<string, unknown>>,
  ): Promise<string>;
  /** Lets the users of the issuer in. */
  enableIn(project: ProjectUnderTest): Promise<void>;
  close(): Promise<void>;
}

export async function openTokenIssuer(): Promise<TokenIssuer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1' };
  const server = await openHttpRecorder(() => ({ body: { keys: [jwk] } }));
  const { origin } = server;
  return {
    tokenOf: (subject, seconds = 300, claims = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
        .setIssuer(origin)
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime(`${seconds}s`)
        .sign(privateKey),
    async enableIn(project) {
      const issuers = [{ name: 'main', issuer: origin, jwksUrl: `${origin}/jwks` }];
      const path = '/api/admin/settings/auth.thirdParty';
      const body = { enabled: true, issuers };
      const saved = await project.asService({ method: 'PUT', path, body });
      if (saved.status !== 200) throw new Error(`${saved.status} ${saved.text}`);
    },
    close: () => server.close(),
  };
}
