// Whoever signs up with somebody else's address waits for its owner. When the owner comes, by a mail that was
// sent there, the engine takes passwords, identities and sessions of before away; passkeys, API keys and phone
// numbers are ways in, too, and a second factor of somebody else would keep the owner out.
import type { BetterAuthOptions } from 'better-auth';
import { queryRows, type EnginePool } from '../../engine-pool.js';

/** Where a mail proves an address to somebody who was not signed in before. */
const PROVING_PATHS: ReadonlySet<string> = new Set([
  '/sign-in/email-otp',
  '/magic-link/verify',
  '/email-otp/reset-password',
]);

type UserUpdateHooks = NonNullable<
  NonNullable<NonNullable<BetterAuthOptions['databaseHooks']>['user']>['update']
>;

/** Takes what is not the owner's from a user whose address was proven by somebody else than who signed up. */
export async function revokeUnprovenKeys(pool: EnginePool, userId: string): Promise<void> {
  await queryRows(
    pool,
    `with keys as (delete from auth.apikey where "referenceId" = $1::pg_catalog.text),
       factors as (delete from auth."twoFactor" where "userId"::pg_catalog.text = $1::pg_catalog.text),
       numbers as (
         update auth."user" set "phoneNumber" = null, "phoneNumberVerified" = null
         where id::pg_catalog.text = $1::pg_catalog.text and "phoneNumber" is not null
       )
     delete from auth.passkey where "userId"::pg_catalog.text = $1::pg_catalog.text`,
    [userId],
  );
}

/** The hooks that see an address being proven. */
export function provenAddressHooks(pool: EnginePool): UserUpdateHooks {
  /** Requests that are proving an address at this moment. */
  const proving = new WeakSet<object>();
  return {
    before: async ({ emailVerified }, request) => {
      if (request && emailVerified === true && PROVING_PATHS.has(request.path)) {
        proving.add(request);
      }
    },
    // The engine gives null, whatever its types say, when the user was deleted meanwhile.
    after: async (user: { readonly id: string } | null, request) => {
      if (request && proving.delete(request) && user) await revokeUnprovenKeys(pool, user.id);
    },
  };
}
