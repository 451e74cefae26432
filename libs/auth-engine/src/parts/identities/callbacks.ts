// What must be right when a browser comes back from a provider, beyond what the engine checks: that it comes
// from the provider that it was sent to, and that an account is not linked to a user who was taken over meanwhile.
import type { AuthContext } from 'better-auth';
import { defineRequestState } from '@better-auth/core/context';
import { getAuthStateVerificationIdentifier } from '@better-auth/core/utils/state';
import { AppError } from '#libs/errors';
import { hook } from '../../endpoint.js';
import { jsonObject, textIn } from '../custom-oauth/foreign-values.js';
import { isForeignProvider } from '../custom-oauth/provider.js';
import type { EnginePool } from '../../engine-pool.js';
import { type LateAccess, withdrawLateAccess } from '../session-policy/unproven-access.js';
import type { Fields } from '../../fields.js';

/** Where the state of a flow keeps the provider that it goes to. */
export const providerField = 'flowProvider';

interface Link extends LateAccess {
  /** Where the browser goes when the account cannot be linked. */
  readonly errorURL: string;
}

const linkOfRequest = defineRequestState<Link | undefined>(() => undefined);

/** Runs before the engine's callback. */
export const checkCallback = hook(async (ctx) => {
  const state = textIn(ctx.query, 'state');
  const id = textIn(ctx.params, 'id');
  // Without a state, and with a form that it turns into a query, the engine knows what to do.
  if (state === undefined || id === undefined) return;
  const flow = await findFlow(ctx.context, state);
  if (!flow) return;
  const problem = await problemOf(ctx.context, flow, id, ctx.query);
  const errorURL = textIn(flow, 'errorURL') ?? ctx.context.options.onAPIError?.errorURL ?? '/';
  if (problem !== undefined) throw ctx.redirect(withError(errorURL, problem));
  const link = flow['link'];
  if (link === undefined) return;
  trustForLink(ctx.context, id);
  const user = await ctx.context.internalAdapter.findUserById(textIn(link, 'userId') ?? '');
  if (user?.emailVerified === false) {
    await linkOfRequest.set({ userId: user.id, since: new Date(), errorURL });
  }
});

/** Runs after the engine's callback. */
export function withdrawLateLink(pool: EnginePool) {
  return hook(async (ctx) => {
    const link = await linkOfRequest.get();
    if (!link || !(await withdrawLateAccess(pool, link))) return;
    throw ctx.redirect(withError(link.errorURL, 'CONCURRENT_CHANGE'));
  });
}

async function findFlow(
  { internalAdapter }: AuthContext,
  state: string,
): Promise<Fields | undefined> {
  const row = await internalAdapter.findVerificationValue(
    getAuthStateVerificationIdentifier(state),
  );
  return row ? jsonObject(row.value) : undefined;
}

/**
 * Returns the error of an answer that must not go on, as the code at the end of the redirect. `id` is the provider whose
 * callback it is.
 */
async function problemOf(
  { socialProviders }: AuthContext,
  flow: Fields,
  id: string,
  query: unknown,
): Promise<string | undefined> {
  // An answer of one provider at the callback of another is a mix-up (RFC 9700 §4.4).
  if (textIn(flow, providerField) !== id) return 'state_mismatch';
  const provider = socialProviders.find((each) => each.id === id);
  if (!provider || !isForeignProvider(provider)) return undefined;
  try {
    const { answersNameIssuer } = await provider.findEndpoints();
    return answersNameIssuer && textIn(query, 'iss') === undefined ? 'issuer_missing' : undefined;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/**
 * Lets an account be linked whatever its provider says about the address. Who links shows both the session
 * and the account at the provider; the address decides nothing there, unlike at a sign-in.
 */
export function trustForLink(context: AuthContext, providerId: string): void {
  // The context belongs to this request alone.
  context.trustedProviders = [providerId];
}

function withError(address: string, code: string): string {
  const [path = '', hash] = address.split('#', 2);
  const separator = path.includes('?') ? '&' : '?';
  return `${path}${separator}error=${code}${hash === undefined ? '' : `#${hash}`}`;
}
