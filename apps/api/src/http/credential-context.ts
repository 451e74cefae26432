import type { ProjectRuntime } from '#libs/project-runtime';

import type { CredentialContext } from './credential.js';

interface Given extends Pick<
  CredentialContext,
  'assertionKey' | 'areKeysEnforced' | 'isOnRows' | 'sessionCookie'
> {
  readonly now: () => number;
}

/**
 * What the credentials of requests and sockets of a project are checked against. Each request makes one: a literal of
 * all fields, since a spread of two would cost as much as the rest of the check.
 */
export function credentialContext(
  project: ProjectRuntime,
  { assertionKey, areKeysEnforced, isOnRows, sessionCookie, now }: Given,
): CredentialContext {
  const { apiKeyPrefix, thirdParty } = project.guards;
  return {
    ref: project.record.ref,
    keys: project.record.keys,
    assertionKey,
    areKeysEnforced,
    isOnRows,
    sessionCookie,
    verifySigned: (value) => project.auth.verifySignedToken(value),
    apiKeyPrefix,
    isForeign: (token) => thirdParty?.issuerOf(token) !== undefined,
    nowSeconds: () => Math.floor(now() / 1000),
  };
}
