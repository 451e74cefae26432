import { isAPIError } from 'better-auth/api';
import type { BetterAuthPlugin } from 'better-auth';
import { hook } from '../../endpoint.js';

type AfterHook = NonNullable<NonNullable<BetterAuthPlugin['hooks']>['after']>[number];

/** What the engine says of a code that was sent: there is one, so there is an account. */
const TELLING: ReadonlySet<unknown> = new Set(['OTP_EXPIRED', 'TOO_MANY_ATTEMPTS']);

/**
 * Makes every refusal of a code the same on routes whose codes are sent to existing accounts only: otherwise
 * guessing until the engine counts would reveal which addresses have one.
 */
export function refuseAlike(paths: readonly string[]): AfterHook {
  return {
    matcher: ({ path = '' }) => paths.includes(path),
    handler: hook(async (ctx) => {
      const { returned } = ctx.context;
      if (!isAPIError(returned) || !TELLING.has(returned.body?.code)) return undefined;
      // The status of an error is settled by now; that of a response counts.
      return Response.json({ code: 'INVALID_OTP', message: 'Invalid OTP' }, { status: 400 });
    }),
  };
}
