import { hashPassword, matchingForm, needsRehash, normalizePassword } from '#libs/passwords';
import type { DataSource } from 'typeorm';

/**
 * Replaces the hash of a password that has just signed in if it was made of the text as it was sent. Only a text that is
 * not normalized can have matched such a hash.
 */
export async function renewHash(
  dataSource: DataSource,
  email: string,
  password: string,
): Promise<void> {
  if (normalizePassword(password) === password) return;
  const [account]: { id: string; password: string }[] = await dataSource.query(
    `select account.id, account.password
     from operator_account account join operator on operator.id = account.operator_id
     where operator.email = $1 and account.provider_id = 'credential'`,
    [email],
  );
  if (!account) return;
  const form = await matchingForm(account.password, password);
  if (form === undefined || !needsRehash(account.password, form)) return;
  // The old hash is named so that a password that was changed meanwhile stays.
  await dataSource.query(
    `update operator_account set password = $1, updated_at = pg_catalog.now()
     where id = $2 and password = $3`,
    [await hashPassword(password), account.id, account.password],
  );
}
