// The engine's function for requests. The engine's own `handler` builds its table of routes for every
// request, which costs more than most of them; here it is made once for each instance.
import { runWithAdapter } from '@better-auth/core/context';
import type { AuthContext, BetterAuthOptions } from 'better-auth';
import { router } from 'better-auth/api';

/**
 * Answers requests by the routes of an instance. What requests share is frozen: the engine gives each of them
 * a copy to write to, and a release that wrote to the shared one would fail instead of showing one user's
 * session to another.
 */
export function createEngineHandler(
  context: AuthContext,
  options: BetterAuthOptions,
): (request: Request) => Promise<Response> {
  if (typeof context.options.trustedOrigins === 'function') {
    throw new Error('trusted origins may not depend on the request');
  }
  const shared = Object.freeze(Object.create(null, Object.getOwnPropertyDescriptors(context)));
  const { handler } = router(shared, options);
  return async (request) => await runWithAdapter(context.adapter, () => handler(request));
}
