import type { GenericEndpointContext, Session } from 'better-auth';
import { getSessionFromCtx } from 'better-auth/api';
import { fail } from '#libs/errors';
import type { EnginePool } from '../../engine-pool.js';
import { findChallenge, type Challenge } from './challenge.js';

/** Whose second factor a request gives: of a sign-in that waits for it, or of a session that lives. */
export type Holder =
  | (Challenge & { readonly kind: 'signIn' })
  | {
      readonly kind: 'stepUp';
      /** The session's id. */
      readonly id: string;
      readonly userId: string;
      readonly session: Session;
    };

/** The holder. A sign-in comes first: it is newer than a session beside it. Throws CHALLENGE_EXPIRED. */
export async function findHolder(pool: EnginePool, ctx: GenericEndpointContext): Promise<Holder> {
  const challenge = await findChallenge(pool, ctx);
  if (challenge) return { ...challenge, kind: 'signIn' };
  const found = await getSessionFromCtx(ctx);
  if (!found) throw fail('CHALLENGE_EXPIRED');
  const { session } = found;
  return { kind: 'stepUp', id: session.id, userId: session.userId, session };
}
