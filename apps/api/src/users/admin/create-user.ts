import { newUserId } from '#libs/auth-engine';
import type { Transaction } from '#libs/database';
import { fail } from '#libs/errors';
import { type Announce, appendAudit, type ProjectRuntime } from '#libs/project-runtime';

import { namingTaken, newValues } from './account-values.js';
import { hashChosen } from './administration.js';
import type { Administrator } from './administrator.js';
import type { CreateUserBody } from './users.dto.js';
import {
  type AdminUserView,
  findUser,
  insertUser,
  setPassword,
  type UserValues,
} from './users.sql.js';

/** An answer about one user. */
export interface OneUser {
  readonly user: AdminUserView;
}

/**
 * Makes an account, whatever the rules of sign-up say. Throws USER_ALREADY_EXISTS, USERNAME_TAKEN,
 * PHONE_NUMBER_TAKEN, INVALID_INPUT, and what the rules of passwords throw.
 */
export async function createUser(
  project: ProjectRuntime,
  administrator: Administrator,
  body: CreateUserBody,
): Promise<OneUser> {
  const values = newValues(body);
  // The hash is computed before the transaction: it takes longer than a statement may.
  const passwordHash = await hashChosen(project, body.password);
  return namingTaken(() =>
    project.events.runAnnounced(async (tx, announce) => ({
      user: await addUser({ project, administrator, tx, announce }, { values, passwordHash }),
    })),
  );
}

/** A transaction of an administrator. */
export interface AdminWork {
  readonly project: ProjectRuntime;
  readonly administrator: Administrator;
  readonly tx: Transaction;
  readonly announce: Announce;
}

/** Adds an account in a transaction that is open, with its audit entry and its event. */
export async function addUser(
  { project, administrator, tx, announce }: AdminWork,
  account: { readonly values: UserValues; readonly passwordHash: string | undefined },
): Promise<AdminUserView> {
  const { values, passwordHash } = account;
  const { idType } = project.record;
  const id = newUserId(idType);
  await insertUser(tx, id, values);
  if (passwordHash !== undefined) {
    await setPassword(tx, { userId: id, newRowId: newUserId(idType), hash: passwordHash });
  }
  const user = await findUser(tx, id);
  if (!user) throw fail('USER_NOT_FOUND');
  await appendAudit(tx, {
    actor: administrator.actor,
    action: 'user.create',
    target: id,
    before: undefined,
    after: { ...values, hasPassword: passwordHash !== undefined },
  });
  await announce('user.created', { user });
  return user;
}
