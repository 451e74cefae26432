// How an administrator of the deployment sees and ends the sessions of operators.
import { fail } from '#libs/errors';
import type { DataSource } from 'typeorm';
import { recordAudit } from '../audit/record-audit.js';
import { getOperator } from './administer-operators.js';
import { requireAuthority } from './authority.js';
import type { OperatorActor } from './operator-actor.js';
import { listSessions, type SessionView } from './sessions.js';

/** The open sessions of an operator, most recently used first. Throws OPERATOR_NOT_FOUND. */
export async function listSessionsOf(
  dataSource: DataSource,
  actor: OperatorActor & { readonly sessionId: string },
  operatorId: string,
): Promise<readonly SessionView[]> {
  await getOperator(dataSource.manager, operatorId);
  return listSessions(dataSource, { operatorId, sessionId: actor.sessionId });
}

/** Ends one session of an operator. Throws OPERATOR_NOT_FOUND, SESSION_NOT_FOUND. */
export async function endSessionOf(
  dataSource: DataSource,
  actor: OperatorActor,
  { operatorId, id }: { readonly operatorId: string; readonly id: string },
): Promise<void> {
  await dataSource.transaction(async (manager) => {
    const checked = await requireAuthority(manager, actor);
    const { email } = await getOperator(manager, operatorId);
    const [, ended]: [unknown, number] = await manager.query(
      'delete from operator_session where id = $1 and operator_id = $2',
      [id, operatorId],
    );
    if (ended === 0) throw fail('SESSION_NOT_FOUND');
    await recordAudit(manager, {
      actor: checked,
      action: 'operator.session.end',
      target: operatorId,
      before: { email, session: id },
    });
  });
}

/** Ends all sessions of an operator. Throws OPERATOR_NOT_FOUND. */
export async function endSessionsOf(
  dataSource: DataSource,
  actor: OperatorActor,
  operatorId: string,
): Promise<void> {
  await dataSource.transaction(async (manager) => {
    const checked = await requireAuthority(manager, actor);
    const { email } = await getOperator(manager, operatorId);
    const [, sessions]: [unknown, number] = await manager.query(
      'delete from operator_session where operator_id = $1',
      [operatorId],
    );
    await recordAudit(manager, {
      actor: checked,
      action: 'operator.session.end-all',
      target: operatorId,
      before: { email, sessions },
    });
  });
}
