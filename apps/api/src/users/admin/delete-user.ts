import { AppError, deletionError, fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import { isRecord } from '#libs/wire';

import { type Administrator, refuseOwnAccount } from './administrator.js';
import { requireUserId } from './user-ids.js';
import { deleteImpersonationsBy, deleteOneTimeValues, findUser } from './users.sql.js';

/**
 * Deletes an account with everything that belongs to it and what the project's tables cascade. Throws
 * USER_NOT_FOUND, SELF_LOCKOUT, and the database's refusal, with its place, when a table of the project holds on to the
 * user.
 */
export async function removeUser(
  project: ProjectRuntime,
  administrator: Administrator,
  userId: string,
): Promise<void> {
  const id = requireUserId(project, userId);
  refuseOwnAccount(administrator, id);
  const user = await project.db.runAsEngine((tx) => findUser(tx, id));
  if (!user) throw fail('USER_NOT_FOUND');
  const { email, role, status } = user;
  const deletion = {
    userId: id,
    audit: {
      actor: administrator.actor,
      action: 'user.delete',
      target: id,
      before: { email, role, status },
      after: undefined,
    },
    eventData: { user },
  };
  const isDeleted = await project.auth.deleteUser(deletion).catch(async (error: unknown) => {
    throw error instanceof AppError ? deletionError(error, await placeOf(project, error)) : error;
  });
  if (!isDeleted) throw fail('USER_NOT_FOUND');
  await project.db.runAsEngine(async (tx) => {
    await deleteOneTimeValues(tx, user);
    await deleteImpersonationsBy(tx, id);
  });
  await project.accountsWritten();
}

/** The details of the error with the table that it names, and with the column of it that refers to the user. */
async function placeOf(project: ProjectRuntime, { cause, details }: AppError): Promise<unknown> {
  if (!isRecord(cause) || typeof cause['table'] !== 'string') return details;
  const { schema, table: name, constraint, column } = cause;
  const { catalog } = await project.catalog.get();
  const keys = (schema === 'public' && catalog.tableByName.get(name)?.foreignKeys) || [];
  const key =
    keys.find((each) => each.name === constraint) ??
    keys.find(({ target }) => target.schema === 'auth' && target.table === 'user');
  return {
    table: `${String(schema)}.${name}`,
    column: column ?? key?.columns.join(', '),
    constraint,
    detail: details,
  };
}
