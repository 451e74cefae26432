import { createHash } from 'node:crypto';
import { generateId } from '@better-auth/core/utils/id';
import { isRecord } from '#libs/wire';
import { queryRows, type EnginePool } from '../../engine-pool.js';
import { keepValue, randomToken, takeValue, tokenDigest } from '../../one-time-values.js';
import { sessionTokenHash } from '../../session-token-hashes.js';

const lifeSeconds = 60;
/** As the engine's own tokens: letters and digits. */
const tokenLength = 32;

/** Makes a code for a session. A client that sends it back, with the verifier of its challenge, gets the session. */
export async function issueCode(
  pool: EnginePool,
  issue: { readonly sessionId: string; readonly challenge: string | undefined },
): Promise<string> {
  const code = randomToken();
  await keepValue(pool, {
    identifier: identifierOf(code),
    value: JSON.stringify(issue),
    expiresInSeconds: lifeSeconds,
  });
  return code;
}

/**
 * Returns the token of the session of a code; undefined when the code is wrong, used or too old, or when
 * the verifier does not fit. The code is used up in each case. The session gets a new token here: no client was
 * given the one that it was made with, and only the hash of that one is stored.
 */
export async function redeemCode(
  pool: EnginePool,
  { code, verifier }: { readonly code: string; readonly verifier: string | undefined },
): Promise<string | undefined> {
  const value = await takeValue(pool, identifierOf(code));
  const issue: unknown = value === undefined ? undefined : JSON.parse(value);
  if (!isRecord(issue)) return undefined;
  // A verifier without a challenge is refused too: an attacker may have begun the flow without it (RFC 9700 §2.1.1).
  const challenge = verifier && createHash('sha256').update(verifier).digest('base64url');
  if (issue['challenge'] !== challenge) return undefined;
  const token = generateId(tokenLength);
  const changed = await queryRows(
    pool,
    'update auth.session set "tokenHash" = $2 where id = $1 and "expiresAt" > pg_catalog.now() returning 1',
    [issue['sessionId'], sessionTokenHash(token)],
  );
  return changed.length > 0 ? token : undefined;
}

function identifierOf(code: string): string {
  return `one-time-code:${tokenDigest(code)}`;
}
