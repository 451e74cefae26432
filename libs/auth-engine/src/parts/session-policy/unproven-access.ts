// An attacker may sign up with an address that belongs to another person, and wait for the owner to use the account.
// When the owner proves the address by a mail, every way in that was added before is deleted: the engine deletes
// passwords, identities and sessions at a sign-in by mail, and sessions at a password reset. The rest is done here.
import type { BetterAuthOptions } from 'better-auth';
import { queryRows, type EnginePool } from '../../engine-pool.js';
import { currentRoute } from '../../outgoing-messages.js';

/** The identity that a password belongs to. */
export const passwordIdentity = 'credential';

type UserUpdateHooks = NonNullable<
  NonNullable<NonNullable<BetterAuthOptions['databaseHooks']>['user']>['update']
>;

/**
 * Deletes the identities except those of the providers `kept`, API keys, passkeys, second factors and the phone
 * number of a user whose address was just proven and whose sessions of before are gone. A request under way that adds
 * a way in looks at both afterwards ({@link withdrawLateAccess}).
 */
export async function revokeUnprovenKeys(
  pool: EnginePool,
  userId: string,
  kept: readonly string[],
): Promise<void> {
  await queryRows(
    pool,
    `with keys as (delete from auth.apikey where "referenceId" = $1::pg_catalog.text),
       identities as (
         delete from auth.account
         where "userId"::pg_catalog.text = $1::pg_catalog.text
           and "providerId" <> all ($2::pg_catalog.text[])
       ),
       factors as (delete from auth."twoFactor" where "userId"::pg_catalog.text = $1::pg_catalog.text),
       numbers as (
         update auth."user" set "phoneNumber" = null, "phoneNumberVerified" = null
         where id::pg_catalog.text = $1::pg_catalog.text and "phoneNumber" is not null
       )
     delete from auth.passkey where "userId"::pg_catalog.text = $1::pg_catalog.text`,
    [userId, kept],
  );
}

export interface LateAccess {
  readonly userId: string;
  /** When the request began, by the clock of this process, which dates the rows too. */
  readonly since: Date;
}

/**
 * Deletes the ways in that a request has added to a user who was taken over since it began: the address is proven,
 * and no session of before is left. Returns whether that was so. A takeover does both before it deletes ways in, so
 * one of the two finds what the other one missed.
 */
export async function withdrawLateAccess(
  pool: EnginePool,
  { userId, since }: LateAccess,
): Promise<boolean> {
  const takenOver = await queryRows(
    pool,
    `select 1 from auth."user" u where u.id = $1 and u."emailVerified" and not exists (
       select from auth.session s where s."userId" = u.id and s."createdAt" < $2
     )`,
    [userId, since],
  );
  if (takenOver.length === 0) return false;
  await queryRows(
    pool,
    `with keys as (
         delete from auth.apikey
         where "referenceId" = $1::pg_catalog.text and "createdAt" >= $2
       ),
       identities as (
         delete from auth.account
         where "userId"::pg_catalog.text = $1::pg_catalog.text and "createdAt" >= $2
       ),
       factors as (delete from auth."twoFactor" where "userId"::pg_catalog.text = $1::pg_catalog.text)
     delete from auth.passkey
     where "userId"::pg_catalog.text = $1::pg_catalog.text and "createdAt" >= $2`,
    [userId, since],
  );
  return true;
}

/** The hooks that see an address being proven. */
export function provenAddressHooks(pool: EnginePool): UserUpdateHooks {
  /** Requests that are proving an address at this moment. */
  const proving = new WeakMap<object, readonly string[]>();
  return {
    before: async ({ emailVerified }, request) => {
      const kept = currentRoute()?.provesAddress?.keptIdentities;
      if (request && kept && emailVerified === true) proving.set(request, kept);
    },
    // The engine gives null, whatever its types say, when the user was deleted meanwhile.
    after: async (user: { readonly id: string } | null, request) => {
      const kept = request && proving.get(request);
      if (!kept || !user) return;
      proving.delete(request);
      await revokeUnprovenKeys(pool, user.id, kept);
    },
  };
}
