// The time between a right password and the second factor. The session is not made before both were given:
// otherwise a password alone could end other sessions, be announced as a sign-in, or leak a token. What the
// client gets instead is a challenge, as a cookie and as a text to send in the header x-mfa-token.
import { COOKIE_NAMES } from '#libs/wire';
import type { GenericEndpointContext } from 'better-auth';
import { APIError } from 'better-auth/api';
import { deleteSessionCookie, expireCookie } from 'better-auth/cookies';
import type { AuthConfig } from '../../auth-config.js';
import { queryRows, type EnginePool } from '../../engine-pool.js';
import { randomToken, tokenDigest } from '../../one-time-values.js';
import { fieldIn } from '../../fields.js';
import { addressesOf } from './channels.js';
import { findFactor } from './factor.sql.js';
import { keepToken, shownToken, type KeptToken } from './kept-tokens.js';
import { isTrusted } from './trusted-devices.js';
import { currentRoute } from '../../outgoing-messages.js';

const kept: KeptToken = { cookie: COOKIE_NAMES.challenge, header: 'x-mfa-token' };

const lifeSeconds = 600;

/**
 * Called before a session is made. Where a password is not enough it ends the request with the challenge as
 * its answer: an error of the engine whose status is 200.
 */
export async function askForSecondFactor(
  config: AuthConfig,
  userId: string,
  ctx: GenericEndpointContext | null,
): Promise<void> {
  if (!ctx || !currentRoute()?.asksSecondFactor) return;
  const factor = await findFactor(config.pool, userId);
  if (!factor?.isVerified || (await isTrusted(config, ctx, userId))) return;
  const mfaToken = await openChallenge(config.pool, ctx, userId);
  const otpChannels = [...(await addressesOf(config, userId)).keys()];
  throw new APIError('OK', {
    twoFactorRedirect: true,
    twoFactorMethods: otpChannels.length > 0 ? ['totp', 'otp'] : ['totp'],
    otpChannels,
    mfaToken,
  });
}

async function openChallenge(
  pool: EnginePool,
  ctx: GenericEndpointContext,
  userId: string,
): Promise<string> {
  const token = randomToken();
  const isRemembered = fieldIn(ctx.body, 'rememberMe') !== false;
  await queryRows(
    pool,
    `with over as (
       delete from auth.second_factor_challenge where user_id = $2 and expires_at <= pg_catalog.now()
     )
     insert into auth.second_factor_challenge (token_hash, user_id, is_remembered, expires_at)
     values ($1, $2, $3, pg_catalog.now() + pg_catalog.make_interval(secs => $4))`,
    [tokenDigest(token), userId, isRemembered, lifeSeconds],
  );
  // A browser that is signed in as another user would go on as that user.
  deleteSessionCookie(ctx);
  keepToken(ctx, kept, { token, lifeSeconds });
  return token;
}

export interface Challenge {
  /** The digest of its token. */
  readonly id: string;
  readonly userId: string;
  readonly isRemembered: boolean;
}

/** The challenge that a request shows. */
export async function findChallenge(
  pool: EnginePool,
  ctx: GenericEndpointContext,
): Promise<Challenge | undefined> {
  const token = shownToken(ctx, kept);
  if (token === undefined) return undefined;
  const rows = await queryRows<Challenge>(
    pool,
    `select token_hash as id, user_id as "userId", is_remembered as "isRemembered"
     from auth.second_factor_challenge where token_hash = $1 and expires_at > pg_catalog.now()`,
    [tokenDigest(token)],
  );
  return rows[0];
}

/** Ends a challenge; false when another request has ended it. Only the request that ends it opens the session. */
export async function takeChallenge(
  pool: EnginePool,
  ctx: GenericEndpointContext,
  { id }: Challenge,
): Promise<boolean> {
  const rows = await queryRows(
    pool,
    'delete from auth.second_factor_challenge where token_hash = $1 returning 1',
    [id],
  );
  expireCookie(ctx, ctx.context.createAuthCookie(kept.cookie));
  return rows.length > 0;
}
