import { sessionTokenHash } from '#libs/auth-engine';
import { fail } from '#libs/errors';
import type { DataSource, EntityManager } from 'typeorm';
import { recordAudit } from '../audit/record-audit.js';
import { requireAuthority } from './authority.js';
import { findSession } from './find-session.js';
import type { OperatorActor } from './operator-actor.js';

/** A session as its owner sees it: without its token. */
export interface SessionView {
  readonly id: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  readonly isCurrent: boolean;
}

/** The current session as the operator sees it. */
export interface CurrentSession {
  readonly operator: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly isDeploymentAdmin: boolean;
    readonly twoFactorEnabled: boolean;
    readonly mustChangePassword: boolean;
  };
  readonly session: { readonly id: string; readonly expiresAt: Date };
}

/** Returns the session of `token` and its operator. Throws UNAUTHORIZED if it is not live. */
export async function getCurrentSession(
  dataSource: DataSource,
  token: string,
): Promise<CurrentSession> {
  const live = await findSession(dataSource, token);
  if (!live) throw fail('UNAUTHORIZED');
  const { operatorId, sessionId, expiresAt, ...operator } = live;
  return { operator: { id: operatorId, ...operator }, session: { id: sessionId, expiresAt } };
}

/** The operator's own open sessions, most recently used first. */
export async function listSessions(
  dataSource: DataSource,
  own: { readonly operatorId: string; readonly sessionId: string },
): Promise<readonly SessionView[]> {
  const sessions: SessionView[] = await dataSource.query(
    `select id, ip, user_agent as "userAgent", created_at as "createdAt",
            last_seen_at as "lastSeenAt", expires_at as "expiresAt", id = $2 as "isCurrent"
     from operator_session where operator_id = $1 and expires_at > pg_catalog.now()
     order by last_seen_at desc, id`,
    [own.operatorId, own.sessionId],
  );
  return sessions;
}

/** Ends one of the operator's own sessions. Throws SESSION_NOT_FOUND. */
export async function revokeSession(
  dataSource: DataSource,
  actor: OperatorActor,
  id: string,
): Promise<void> {
  await dataSource.transaction(async (manager) => {
    const checked = await requireAuthority(manager, actor);
    const [, deleted]: [unknown, number] = await manager.query(
      'delete from operator_session where id = $1 and operator_id = $2',
      [id, actor.operatorId],
    );
    if (deleted === 0) throw fail('SESSION_NOT_FOUND');
    await recordAudit(manager, {
      actor: checked,
      action: 'operator.session.revoke',
      target: id,
    });
  });
}

/** Ends the session of the request. */
export async function signOut(dataSource: DataSource, sessionId: string): Promise<void> {
  await dataSource.query('delete from operator_session where id = $1', [sessionId]);
}

/** Ends all sessions of the operator but the session of `token`. */
export async function revokeOtherSessions(
  manager: EntityManager,
  operatorId: string,
  token: string,
): Promise<void> {
  await manager.query('delete from operator_session where operator_id = $1 and token_hash <> $2', [
    operatorId,
    sessionTokenHash(token),
  ]);
}

/** Ends all sessions, pending challenges and trusted devices of the operator. */
export async function revokeEverything(manager: EntityManager, operatorId: string): Promise<void> {
  await manager.query('delete from operator_session where operator_id = $1', [operatorId]);
  await revokeChallenges(manager, operatorId);
}

/** Ends pending challenges and trusted devices of the operator. */
export async function revokeChallenges(manager: EntityManager, operatorId: string): Promise<void> {
  await manager.query('delete from operator_verification where value = $1', [operatorId]);
}
