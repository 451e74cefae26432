import { fail } from '#libs/errors';
import { usernameProblem, verifyPassword } from '#libs/auth-engine';
import type { ProjectRuntime } from '#libs/project-runtime';
import type { Caller } from '#libs/wire';

import {
  deleteUser,
  findDeletionProof,
  setImage,
  setUsername,
  type UserView,
} from './users.sql.js';

/** Gives the caller a user name. Throws INVALID_INPUT, USERNAME_TAKEN. */
export async function changeUsername(
  project: ProjectRuntime,
  caller: Caller,
  username: string,
): Promise<UserView> {
  const { id } = userOf(caller);
  const reason = usernameProblem(username);
  if (reason !== undefined) throw fail('INVALID_INPUT', { field: 'username', reason });
  const user = await project.db.runAsEngine((tx) => setUsername(tx, id, username));
  if (!user) throw fail('USERNAME_TAKEN');
  return user;
}

/** Sets or clears the caller's picture. */
export async function changeImage(
  project: ProjectRuntime,
  caller: Caller,
  image: string | null,
): Promise<UserView> {
  const { id } = userOf(caller);
  const user = await project.db.runAsEngine((tx) => setImage(tx, id, image));
  if (!user) throw fail('USER_NOT_FOUND');
  return user;
}

/**
 * Deletes the caller's account. The session must be fresh (`auth.sessions.freshAge`) or the password
 * given. Throws SESSION_NOT_FRESH, INVALID_PASSWORD; an impersonated user cannot be deleted this way.
 */
export async function deleteSelf(
  project: ProjectRuntime,
  caller: Caller,
  password: string | undefined,
): Promise<void> {
  const { id, sessionId } = userOf(caller);
  if (sessionId === undefined) throw fail('FORBIDDEN');
  const proof = await project.db.runAsEngine((tx) => findDeletionProof(tx, id, sessionId));
  if (!proof) throw fail('UNAUTHORIZED');
  // The hash is computed between two transactions: it takes longer than a statement may.
  if (password !== undefined) {
    const isRight =
      proof.passwordHash !== null && (await verifyPassword(proof.passwordHash, password));
    if (!isRight) throw fail('INVALID_PASSWORD');
  } else if (proof.sessionAgeSeconds > project.settings.get('auth.sessions').freshAge) {
    throw fail('SESSION_NOT_FRESH');
  }
  await project.db.runAsEngine((tx) => deleteUser(tx, id));
}

function userOf(caller: Caller) {
  if (caller.role !== 'authenticated') throw fail('UNAUTHORIZED');
  return caller.user;
}
