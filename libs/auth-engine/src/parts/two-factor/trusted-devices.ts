// Devices that need no second factor for a while: a user who has given one may have the device remembered. The
// device keeps a random token (a cookie, or the header x-trust-token), the database its digest.
import { COOKIE_NAMES } from '#libs/wire';
import { createId } from '@paralleldrive/cuid2';
import type { GenericEndpointContext } from 'better-auth';
import { getIP } from 'better-auth/api';
import type { AuthConfig } from '../../auth-config.js';
import { queryRows, type EnginePool } from '../../engine-pool.js';
import { randomToken, tokenDigest } from '../../one-time-values.js';
import { keepToken, shownToken, type KeptToken } from './kept-tokens.js';

const kept: KeptToken = { cookie: COOKIE_NAMES.trustedDevice, header: 'x-trust-token' };

const daySeconds = 86_400;
const maxUserAgentLength = 400;

/** A device as its owner sees it. */
export interface TrustedDevice {
  readonly id: string;
  readonly userAgent: string | null;
  readonly ipAddress: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  /** Whether the request comes from it. */
  readonly isCurrent: boolean;
}

/** Remembers the device of a request and answers its token; undefined where no device is trusted. */
export async function trustDevice(
  { pool, settings }: AuthConfig,
  ctx: GenericEndpointContext,
  userId: string,
): Promise<string | undefined> {
  const seconds = settings['auth.twoFactor'].trustDeviceDays * daySeconds;
  if (seconds === 0) return undefined;
  const token = randomToken();
  const headers = ctx.headers ?? new Headers();
  await queryRows(
    pool,
    `with over as (
       delete from auth.trusted_device where user_id = $3 and expires_at <= pg_catalog.now()
     )
     insert into auth.trusted_device (id, token_hash, user_id, user_agent, ip_address, expires_at)
     values ($1, $2, $3, $4, $5, pg_catalog.now() + pg_catalog.make_interval(secs => $6))`,
    [
      createId(),
      tokenDigest(token),
      userId,
      headers.get('user-agent')?.slice(0, maxUserAgentLength),
      getIP(headers, ctx.context.options),
      seconds,
    ],
  );
  keepToken(ctx, kept, { token, lifeSeconds: seconds });
  return token;
}

/** Whether a request comes from a device that the user has trusted. */
export async function isTrusted(
  { pool, settings }: AuthConfig,
  ctx: GenericEndpointContext,
  userId: string,
): Promise<boolean> {
  const digest = shownDigest(ctx);
  if (digest === undefined || settings['auth.twoFactor'].trustDeviceDays === 0) return false;
  const rows = await queryRows(
    pool,
    `update auth.trusted_device set last_used_at = pg_catalog.now()
     where token_hash = $1 and user_id = $2 and expires_at > pg_catalog.now() returning 1`,
    [digest, userId],
  );
  return rows.length > 0;
}

/** The devices of a user, the one that was used last first. */
export function listTrustedDevices(
  pool: EnginePool,
  ctx: GenericEndpointContext,
  userId: string,
): Promise<readonly TrustedDevice[]> {
  return queryRows<TrustedDevice>(
    pool,
    `select id, user_agent as "userAgent", ip_address as "ipAddress", created_at as "createdAt",
       last_used_at as "lastUsedAt", expires_at as "expiresAt",
       token_hash is not distinct from $2 as "isCurrent"
     from auth.trusted_device where user_id = $1 and expires_at > pg_catalog.now()
     order by last_used_at desc, id`,
    [userId, shownDigest(ctx)],
  );
}

/** Stops trusting a device; false when the user does not have it. */
export async function revokeTrustedDevice(
  pool: EnginePool,
  { userId, deviceId }: { readonly userId: string; readonly deviceId: string },
): Promise<boolean> {
  const rows = await queryRows(
    pool,
    'delete from auth.trusted_device where id = $1 and user_id = $2 returning 1',
    [deviceId, userId],
  );
  return rows.length > 0;
}

function shownDigest(ctx: GenericEndpointContext): string | undefined {
  const token = shownToken(ctx, kept);
  return token === undefined ? undefined : tokenDigest(token);
}
