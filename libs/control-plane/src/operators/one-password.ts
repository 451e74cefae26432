import { sessionTokenHash } from '#libs/auth-engine';
import { fail } from '#libs/errors';
import type { DataSource, EntityManager } from 'typeorm';
import type { AuthReply } from './auth-call.js';

/** The operator as the sign-in saw it. */
interface Standing {
  readonly operatorId: string;
  readonly password: string | null;
  readonly isActive: boolean;
}

const select = `select operator.id as "operatorId", account.password, operator.status = 'active' as "isActive"
  from operator join operator_account account
    on account.operator_id = operator.id and account.provider_id = 'credential'
  where operator.email = $1`;

/**
 * Runs a sign-in of the operator with this address. If the password was replaced or the operator disabled meanwhile,
 * its session or challenge is taken back, because the change did not see it. Then throws INVALID_CREDENTIALS, otherwise
 * the errors of `signIn`.
 */
export async function underOnePassword<T>(
  dataSource: DataSource,
  email: string,
  signIn: () => Promise<AuthReply<T>>,
): Promise<AuthReply<T>> {
  const before = await standingOf(dataSource.manager, select, email);
  const reply = await signIn();
  const isSame = await dataSource.transaction(async (manager) => {
    const now = await standingOf(manager, `${select} for share`, email);
    if (now?.isActive === true && now.password === before?.password) return true;
    if (reply.session !== undefined) {
      const hash = sessionTokenHash(reply.session);
      await manager.query('delete from operator_session where token_hash = $1', [hash]);
    }
    if (now) {
      await manager.query('delete from operator_verification where value = $1', [now.operatorId]);
    }
    return false;
  });
  if (!isSame) throw fail('INVALID_CREDENTIALS');
  return reply;
}

async function standingOf(
  manager: EntityManager,
  sql: string,
  email: string,
): Promise<Standing | undefined> {
  const rows: Standing[] = await manager.query(sql, [email]);
  return rows[0];
}
