import { createId } from '@paralleldrive/cuid2';
import { violates } from '../../auth-errors.js';
import { queryRows, type EnginePool } from '../../engine-pool.js';

/** What makes a guest a permanent account. */
export interface Upgrade {
  readonly userId: string;
  /** In small letters. */
  readonly email: string;
  readonly emailVerified: boolean;
  /** Undefined: the account has no password. */
  readonly passwordHash: string | undefined;
}

// A guest with a linked identity is permanent, but still has the address of a guest.
const isUpgradable = `("isAnonymous" or email like '%@anonymous.local')`;

/**
 * Makes a guest a permanent account in one statement. `taken`: another account has the address. `no-guest`:
 * the account is permanent, maybe for a moment only.
 */
export async function upgradeGuest(
  pool: EnginePool,
  { userId, email, emailVerified, passwordHash }: Upgrade,
): Promise<'upgraded' | 'taken' | 'no-guest'> {
  try {
    const rows = await queryRows(
      pool,
      `with upgraded as (
         update auth."user"
         set email = $2, "emailVerified" = $3, "isAnonymous" = false, "updatedAt" = pg_catalog.now()
         where id = $1 and ${isUpgradable} returning id
       ), linked as (
         insert into auth.account (id, "accountId", "providerId", "userId", password)
         select $4, id::pg_catalog.text, 'credential', id, $5 from upgraded where $5::pg_catalog.text is not null
       )
       select from upgraded`,
      [userId, email, emailVerified, createId(), passwordHash ?? null],
    );
    return rows.length > 0 ? 'upgraded' : 'no-guest';
  } catch (error) {
    if (violates(error, 'user_email_key')) return 'taken';
    throw error;
  }
}

/** Makes a guest permanent who keeps the address of a guest; nothing for any other account. */
export async function endGuest(pool: EnginePool, userId: string): Promise<void> {
  await queryRows(
    pool,
    `update auth."user" set "isAnonymous" = false, "updatedAt" = pg_catalog.now()
     where id = $1 and "isAnonymous"`,
    [userId],
  );
}

/** Notes that a guest was there: from now on counts for how long it is not used. */
export async function noteGuest(pool: EnginePool, userId: string): Promise<void> {
  await queryRows(
    pool,
    `update auth."user" set "updatedAt" = pg_catalog.now() where id = $1 and "isAnonymous"`,
    [userId],
  );
}
