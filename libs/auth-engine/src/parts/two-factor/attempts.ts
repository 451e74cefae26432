// Guesses of second factors. They are counted before they are judged, in one statement, so that no number of
// requests at once has more of them than one after the other.
import { fail } from '#libs/errors';
import { queryRows, type EnginePool } from '../../engine-pool.js';

const windowMinutes = 15;

/** What a code is given for; each is counted apart. */
export type AttemptKind = 'signIn' | 'stepUp';

const COLUMNS = {
  signIn: { attempts: '"signInAttempts"', windowEnd: '"signInWindowEnd"' },
  stepUp: { attempts: '"stepUpAttempts"', windowEnd: '"stepUpWindowEnd"' },
} as const;

interface Attempt {
  readonly factorId: string;
  readonly kind: AttemptKind;
}

/** Counts a guess. Throws RATE_LIMITED when there were `max` in the window of 15 minutes. */
export async function countAttempt(
  pool: EnginePool,
  { factorId, kind, max }: Attempt & { readonly max: number },
): Promise<void> {
  const { attempts, windowEnd } = COLUMNS[kind];
  const rows = await queryRows<{ attempts: number; waitSeconds: number }>(
    pool,
    `update auth."twoFactor" set
       ${attempts} = case when ${windowEnd} > pg_catalog.now() then least(${attempts}, 1000000) + 1 else 1 end,
       ${windowEnd} = case when ${windowEnd} > pg_catalog.now() then ${windowEnd}
         else pg_catalog.now() + pg_catalog.make_interval(mins => ${windowMinutes}) end
     where id = $1
     returning ${attempts} as attempts,
       pg_catalog.ceil(extract(epoch from ${windowEnd} - pg_catalog.now()))::pg_catalog.int4 as "waitSeconds"`,
    [factorId],
  );
  const [counted] = rows;
  if (counted && counted.attempts > max) {
    throw fail('RATE_LIMITED', {}, { retryAfterSeconds: Math.max(1, counted.waitSeconds) });
  }
}

/** Gives the guesses back after a right code. */
export async function forgiveAttempts(
  pool: EnginePool,
  { factorId, kind }: Attempt,
): Promise<void> {
  const { attempts } = COLUMNS[kind];
  await queryRows(pool, `update auth."twoFactor" set ${attempts} = 0 where id = $1`, [factorId]);
}
