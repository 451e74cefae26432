import { newUserId } from '#libs/auth-engine';
import { fail } from '#libs/errors';
import { appendAudit, type ProjectRuntime } from '#libs/project-runtime';

import { type AccountChange, changedValues, namingTaken } from './account-values.js';
import { hashChosen } from './administration.js';
import { type Administrator, refuseOwnAccount } from './administrator.js';
import type { AdminWork, OneUser } from './create-user.js';
import { mailNewPassword } from './mail-new-password.js';
import { requireUserId } from './user-ids.js';
import type { ChangeUserBody } from './users.dto.js';
import {
  type AdminUserView,
  deleteImpersonations,
  deleteImpersonationsBy,
  deleteOneTimeValues,
  deleteSessions,
  findUser,
  lockUser,
  setPassword,
  updateUser,
  type UserValues,
} from './users.sql.js';

/** A change of an account, and what the audit log calls it. */
interface Change {
  readonly userId: string;
  readonly body: AccountChange & Pick<ChangeUserBody, 'password'>;
  readonly action: string;
}

/**
 * Changes an account. What it has already is no change: then nothing is written. Throws USER_NOT_FOUND,
 * SELF_LOCKOUT, USER_ALREADY_EXISTS, USERNAME_TAKEN, PHONE_NUMBER_TAKEN, INVALID_INPUT, and what the rules
 * of passwords throw.
 */
export async function changeUser(
  project: ProjectRuntime,
  administrator: Administrator,
  { userId, body, action }: Change,
): Promise<OneUser> {
  const id = requireUserId(project, userId);
  const { password, ...values } = body;
  const passwordHash = await hashChosen(project, password);
  const { user, messages } = await namingTaken(() =>
    project.events.runAnnounced(async (tx, announce) => {
      const work = { project, administrator, tx, announce };
      const changed = await writeChange(work, id, { values, passwordHash }, action);
      const isNewPassword = passwordHash !== undefined;
      return {
        user: changed,
        messages: isNewPassword ? await mailNewPassword(project, tx, changed) : [],
      };
    }),
  );
  project.outbox.addJobs(messages);
  return { user };
}

/** What the names of the actions in `POST users/:id/:action` change. */
export const ACTIONS: Readonly<Record<string, AccountChange>> = {
  promote: { role: 'ADMIN' },
  demote: { role: 'USER' },
  activate: { status: 'active' },
  deactivate: { status: 'inactive' },
  unban: { status: 'active' },
};

/** Does one of the named actions. Throws INVALID_INPUT for another name, and what {@link changeUser} throws. */
export function actOnUser(
  project: ProjectRuntime,
  administrator: Administrator,
  { userId, action }: { readonly userId: string; readonly action: string },
): Promise<OneUser> {
  const body = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!body) {
    const reason = `must be one of ${Object.keys(ACTIONS).join(', ')}`;
    throw fail('INVALID_INPUT', { field: 'action', reason });
  }
  return changeUser(project, administrator, { userId, body, action: `user.${action}` });
}

async function writeChange(
  { project, administrator, tx, announce }: AdminWork,
  id: string,
  {
    values,
    passwordHash,
  }: { readonly values: AccountChange; readonly passwordHash: string | undefined },
  action: string,
): Promise<AdminUserView> {
  const before = await lockUser(tx, id);
  if (!before) throw fail('USER_NOT_FOUND');
  const next = changedValues(before, values);
  const fields = differing(before, next);
  if (fields.length === 0 && passwordHash === undefined) return before;
  if (fields.includes('role') || fields.includes('status')) refuseOwnAccount(administrator, id);
  if (passwordHash !== undefined || fields.includes('status') || fields.includes('email')) {
    await deleteOneTimeValues(tx, before);
  }
  // The sessions of a deactivated account stay, so that its tokens are refused with USER_INACTIVE instead of
  // running as anon. They end when the account is activated.
  const isActivated = fields.includes('status') && next.status === 'active';
  if (passwordHash !== undefined || isActivated) await deleteSessions(tx, id);
  // Sessions of impersonations administer nothing.
  if (fields.includes('role')) await deleteImpersonations(tx, id);
  // An account that administers no longer does not go on as others.
  if (fields.includes('role') || fields.includes('status')) await deleteImpersonationsBy(tx, id);
  if (fields.length > 0) await updateUser(tx, id, next);
  if (passwordHash !== undefined) {
    const newRowId = newUserId(project.record.idType);
    await setPassword(tx, { userId: id, newRowId, hash: passwordHash });
  }
  const after = await findUser(tx, id);
  if (!after) throw fail('USER_NOT_FOUND');
  await appendAudit(tx, {
    actor: administrator.actor,
    action,
    target: id,
    before: pick(before, fields),
    after: { ...pick(after, fields), ...(passwordHash !== undefined && { password: 'changed' }) },
  });
  if (fields.length > 0) await announce('user.updated', { user: after });
  if (passwordHash !== undefined) await announce('password.changed', { userId: id });
  return after;
}

function differing(before: AdminUserView, next: UserValues): readonly (keyof UserValues)[] {
  // Object.keys of a value gives more than its type names only where a wider value was assigned.
  const names = Object.keys(next) as readonly (keyof UserValues)[];
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(next[name]));
}

function pick(user: AdminUserView, fields: readonly (keyof UserValues)[]): object {
  return Object.fromEntries(fields.map((field) => [field, user[field]]));
}
