import { sessionTokenHash } from '#libs/auth-engine';
import type { DataSource } from 'typeorm';

/** The operator of a session, as currently stored. */
export interface LiveSession {
  readonly sessionId: string;
  readonly operatorId: string;
  readonly email: string;
  readonly name: string;
  readonly isDeploymentAdmin: boolean;
  readonly mustChangePassword: boolean;
  readonly twoFactorEnabled: boolean;
  readonly expiresAt: Date;
}

// A session ends if it is unused for a day. `last_seen_at` is written at most once a minute.
const findLive = `
  with live as (
    select s.id as "sessionId", o.id as "operatorId", o.email, o.name,
           o.is_deployment_admin as "isDeploymentAdmin",
           o.must_change_password as "mustChangePassword",
           o.two_factor_enabled as "twoFactorEnabled",
           s.expires_at as "expiresAt", s.last_seen_at
    from operator_session s join operator o on o.id = s.operator_id
    where s.token_hash = $1 and s.expires_at > pg_catalog.now()
      and s.last_seen_at > pg_catalog.now() - interval '24 hours' and o.status = 'active'
  ), seen as (
    update operator_session set last_seen_at = pg_catalog.now() from live
    where id = live."sessionId" and live.last_seen_at < pg_catalog.now() - interval '1 minute'
  )
  select "sessionId", "operatorId", email, name, "isDeploymentAdmin", "mustChangePassword",
         "twoFactorEnabled", "expiresAt"
  from live`;

/** Returns the live session of `token`, or undefined: unknown, expired, unused for a day, operator disabled. */
export async function findSession(
  dataSource: DataSource,
  token: string,
): Promise<LiveSession | undefined> {
  const rows: LiveSession[] = await dataSource.query(findLive, [sessionTokenHash(token)]);
  return rows[0];
}
