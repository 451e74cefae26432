// Requests with an API key as bearer. A key is for data: of the routes of accounts it opens the one that says
// whose key it is, and no other, so that who has found a key can make neither keys nor tokens of it.
import type { BetterAuthPlugin } from 'better-auth';
import { fail } from '#libs/errors';
import { hook } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { endBan } from '../../ended-bans.js';
import { queryRows, type EnginePool } from '../../engine-pool.js';
import { sessionView, userView } from '../../views.js';
import { hashKey } from './create-key.js';
import { fieldIn } from '../../fields.js';
import { currentRoute } from '../../outgoing-messages.js';

type BeforeHook = NonNullable<NonNullable<BetterAuthPlugin['hooks']>['before']>[number];

/** Answers whose key it is, and refuses keys everywhere else (API_KEY_NOT_ALLOWED). */
export function keyCallers({ pool, settings }: AuthConfig): BeforeHook {
  const { prefix } = settings['auth.apiKey'];
  return {
    matcher: (ctx) => shownKey(ctx, prefix) !== undefined && currentRoute()?.apiKey !== 'public',
    handler: hook(async (ctx) => {
      if (currentRoute()?.apiKey !== 'owner') throw fail('API_KEY_NOT_ALLOWED');
      const key = await findKey(pool, shownKey(ctx, prefix) ?? '');
      const user = key && (await ctx.context.internalAdapter.findUserById(key.userId));
      if (!user) return undefined;
      const isActive = fieldIn(user, 'status') === 'active' || (await endBan(pool, key.userId));
      if (!isActive) throw fail('USER_INACTIVE');
      return ctx.json({ session: sessionView({ ...key, aal: 'aal1' }), user: userView(user) });
    }),
  };
}

function shownKey(
  { headers }: { readonly headers?: Headers | undefined },
  prefix: string,
): string | undefined {
  const bearer = /^bearer +(\S+)$/i.exec(headers?.get('authorization') ?? '')?.[1];
  return bearer?.startsWith(prefix) ? bearer : undefined;
}

interface FoundKey extends Readonly<Record<string, unknown>> {
  readonly userId: string;
}

async function findKey(pool: EnginePool, key: string): Promise<FoundKey | undefined> {
  const [found] = await queryRows<FoundKey>(
    pool,
    `select id, "referenceId" as "userId", "expiresAt", "createdAt", "updatedAt" from auth.apikey
     where key = $1 and enabled is not false and ("expiresAt" is null or "expiresAt" > pg_catalog.now())`,
    [hashKey(key)],
  );
  return found;
}
