// The caller of a try: role and claims, as the API's own lookup finds them.
import type { ProjectDatabase, TrialCaller } from '#libs/database';
import { AppError, fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import type { Caller, CallerUser, Credential } from '#libs/wire';

import { readCredential, settleCredential, type ShownCredential } from '../http/credential.js';
import { credentialContext } from '../http/credential-context.js';
import type { WrittenClaims } from '../http/written-claims.js';
import type { TriedCaller } from './try-request.js';

/** The caller, and what it has shown: requests check some of their rules by it. */
export interface ResolvedTry {
  readonly credential: Credential;
  readonly caller: TrialCaller;
}

/**
 * Returns the caller of a try, looked up live. A use of an API key is not counted. Throws IMPERSONATED_USER_NOT_FOUND
 * (404), USER_INACTIVE (403), INVALID_INPUT (400) for a key that the project does not know.
 */
export async function resolveTry(
  project: ProjectRuntime,
  as: TriedCaller,
  now: () => number,
): Promise<ResolvedTry> {
  if (as.kind === 'claims') return claimsCaller(project.db, as);
  const credential = await credentialOf(project, as, now);
  const caller = await project.db.resolveCaller(credential);
  if ('isRefused' in credential && credential.isRefused === true) throw unknownKey(as);
  return { credential, caller };
}

async function credentialOf(
  project: ProjectRuntime,
  as: Exclude<TriedCaller, { kind: 'claims' }>,
  now: () => number,
): Promise<Credential> {
  switch (as.kind) {
    case 'anon':
      return { kind: 'impersonated-anon' };
    case 'user':
      return { kind: 'impersonated-user', userId: as.userId };
    case 'keyId':
      // Requests of a project that accepts no API keys read none.
      if (project.guards.apiKeyPrefix === undefined) throw unknownKey(as);
      return keyCredential(project.db, as.keyId);
    case 'key':
      return shownKey(project, as, now);
  }
}

/** The credential of a key as a header would show it. Tokens of sessions and of other issuers are no keys. */
async function shownKey(
  project: ProjectRuntime,
  as: Extract<TriedCaller, { kind: 'key' }>,
  now: () => number,
): Promise<Credential> {
  const shown = readShownKey(project, as, now);
  if (shown.kind === 'session' || shown.kind === 'foreign-token') throw unknownKey(as);
  return settleCredential(shown, { keyUses: undefined, thirdParty: undefined });
}

function readShownKey(
  project: ProjectRuntime,
  as: Extract<TriedCaller, { kind: 'key' }>,
  now: () => number,
): ShownCredential {
  try {
    return readCredential(
      { authorization: `Bearer ${as.key}` },
      credentialContext(project, {
        // Nothing in the headers is an assertion of an operator.
        assertionKey: Buffer.alloc(0),
        now,
        areKeysEnforced: false,
        isOnRows: false,
        sessionCookie: () => undefined,
      }),
    );
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_API_KEY') throw unknownKey(as);
    throw error;
  }
}

async function keyCredential(
  db: Pick<ProjectDatabase, 'queryAsEngine'>,
  keyId: string,
): Promise<Credential> {
  const [row] = await db.queryAsEngine<{ readonly key: string }>(
    'select key from auth.apikey where id operator(pg_catalog.=) $1',
    [keyId],
  );
  if (!row) throw unknownKey({ kind: 'keyId', keyId });
  return { kind: 'api-key', keyHash: row.key, isCounted: false };
}

function unknownKey(as: TriedCaller): Error {
  const field = as.kind === 'keyId' ? 'as.keyId' : 'as.key';
  const reason = 'is no valid key of this project';
  return fail('INVALID_INPUT', { field, reason });
}

/** Claims as another issuer would have made them. */
async function claimsCaller(
  db: Pick<ProjectDatabase, 'resolveCaller'>,
  { claims }: Extract<TriedCaller, { kind: 'claims' }>,
): Promise<ResolvedTry> {
  const { schemaVersion } = await db.resolveCaller({ kind: 'none' });
  const text = JSON.stringify(claims);
  return {
    credential: credentialLike(claims, text),
    caller: { role: claims.role, claims: text, caller: callerOf(claims), schemaVersion },
  };
}

function credentialLike({ role, sub = '' }: WrittenClaims, claims: string): Credential {
  switch (role) {
    case 'anon':
      return { kind: 'none' };
    case 'authenticated':
      return { kind: 'third-party', subject: sub, claims };
    case 'service_role':
      return { kind: 'secret-key' };
  }
}

function callerOf(claims: WrittenClaims): Caller {
  const { role } = claims;
  switch (role) {
    case 'anon':
      return { role, via: 'none' };
    case 'authenticated':
      return { role, via: 'third-party', user: userOf(claims) };
    case 'service_role':
      return { role, via: 'secret-key' };
  }
}

function userOf(claims: WrittenClaims): CallerUser {
  const textOf = (name: string): string => {
    const value = claims[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    id: textOf('sub'),
    email: textOf('email'),
    role: textOf('user_role'),
    isAnonymous: claims['is_anonymous'] === true,
  };
}
