import { fail } from '#libs/errors';
import { usernameProblem } from '#libs/auth-engine';
import type { ProjectRuntime } from '#libs/project-runtime';
import type { Caller } from '#libs/wire';

import { isImpersonation, setImage, setUsername, type UserView } from './users.sql.js';

/** Gives the caller a user name. Throws INVALID_INPUT, USERNAME_TAKEN, IMPERSONATED_SESSION. */
export async function changeUsername(
  project: ProjectRuntime,
  caller: Caller,
  username: string,
): Promise<UserView> {
  const { id, sessionId } = userOf(caller);
  const reason = usernameProblem(username);
  if (reason !== undefined) throw fail('INVALID_INPUT', { field: 'username', reason });
  const user = await project.db.runAsEngine(async (tx) => {
    // Others know the user by the name, so a change outlasts the session of an administrator.
    if (sessionId !== undefined && (await isImpersonation(tx, sessionId))) {
      throw fail('IMPERSONATED_SESSION');
    }
    return setUsername(tx, id, username);
  });
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
 * Returns the account of the caller: of a session, or of a user that the secret key impersonates. An API key acts for
 * its user on data alone, and another issuer's subject has no account here. Throws UNAUTHORIZED, FORBIDDEN.
 */
function userOf(caller: Caller) {
  if (caller.role !== 'authenticated') throw fail('UNAUTHORIZED');
  if (caller.via !== 'session' && caller.via !== 'impersonation') throw fail('FORBIDDEN');
  return caller.user;
}
