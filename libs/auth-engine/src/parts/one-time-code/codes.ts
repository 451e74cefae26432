import { createHash } from 'node:crypto';
import { queryRows, type EnginePool } from '../../engine-pool.js';
import { keepValue, randomToken, takeValue, tokenDigest } from '../../one-time-values.js';
import { isObject } from '../../refusal.js';

const lifeSeconds = 60;

/** Makes a code for a session. Whoever gives it back, with the verifier of its challenge, gets the session. */
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
 * The token of the session that a code stands for; undefined when the code is wrong, used or too old, or when
 * the verifier does not fit. The code is used up in each case.
 */
export async function redeemCode(
  pool: EnginePool,
  { code, verifier }: { readonly code: string; readonly verifier: string | undefined },
): Promise<string | undefined> {
  const value = await takeValue(pool, identifierOf(code));
  const issue: unknown = value === undefined ? undefined : JSON.parse(value);
  if (!isObject(issue)) return undefined;
  // A verifier without a challenge is refused too: somebody may have begun the flow without it (RFC 9700 §2.1.1).
  const challenge = verifier && createHash('sha256').update(verifier).digest('base64url');
  if (Reflect.get(issue, 'challenge') !== challenge) return undefined;
  const rows = await queryRows<{ token: string }>(
    pool,
    'select token from auth.session where id = $1 and "expiresAt" > pg_catalog.now()',
    [Reflect.get(issue, 'sessionId')],
  );
  return rows[0]?.token;
}

function identifierOf(code: string): string {
  return `one-time-code:${tokenDigest(code)}`;
}
