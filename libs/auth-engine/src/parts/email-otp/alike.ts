import { isAPIError } from 'better-auth/api';
import type { BetterAuthPlugin } from 'better-auth';
import type { AuthConfig } from '../../auth-config.js';
import { hook } from '../../endpoint.js';
import { currentRoute } from '../../outgoing-messages.js';

type AfterHook = NonNullable<NonNullable<BetterAuthPlugin['hooks']>['after']>[number];

/** What the engine says of a code that was sent: there is one, so there is an account. */
const TELLING: ReadonlySet<unknown> = new Set(['OTP_EXPIRED', 'TOO_MANY_ATTEMPTS']);

/**
 * Makes every refusal of a code the same on routes whose codes are sent to existing accounts only: otherwise
 * guessing until the engine counts would reveal which addresses have one.
 */
export function refuseAlike(config: AuthConfig): AfterHook {
  const isOpen = isOpenToAll(config);
  return {
    matcher: () => {
      const refusesAlike = currentRoute()?.refusesAlike;
      return refusesAlike === 'always' || (refusesAlike === 'unlessOpen' && !isOpen);
    },
    handler: hook(async (ctx) => {
      const { returned } = ctx.context;
      if (!isAPIError(returned) || !TELLING.has(returned.body?.code)) return undefined;
      // The status of an error is settled by now; that of a response counts.
      return Response.json({ code: 'INVALID_OTP', message: 'Invalid OTP' }, { status: 400 });
    }),
  };
}

/** Whether every address gets a code to sign in with. */
function isOpenToAll({ settings }: AuthConfig): boolean {
  const { enabled, allowedEmailDomains, blockedEmailDomains } = settings['auth.signup'];
  const hasLists = allowedEmailDomains.length > 0 || blockedEmailDomains.length > 0;
  return settings['auth.methods.emailOTP'].createUsers && enabled && !hasLists;
}
