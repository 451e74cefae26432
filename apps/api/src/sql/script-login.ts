// Whom a script runs as. Without `as` it is the owner of the project or, for operators who may work on rows alone, the
// login of the editor. With `as` it is always that login, which can become no role with more rights than service_role.
import type { ProjectDatabase, ScriptCaller } from '#libs/database';
import { AppError, fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import type { Caller } from '#libs/wire';

import { readWrittenClaims } from '../http/written-claims.js';
import { mayRunAsOwner } from './run-as-owner.js';
import type { RunAsBody } from './sql.dto.js';

type Login = Parameters<ProjectDatabase['answerScript']>[0];

/** The login of a script, and how the audit log names it. */
export interface ScriptLogin {
  readonly login: Login;
  /** The role. */
  readonly target: string;
}

/** Returns the login for a script. Throws INVALID_INPUT and CAPABILITY_REQUIRED for an `as` that cannot be used. */
export async function findLogin(
  project: ProjectRuntime,
  caller: Caller,
  as: RunAsBody | undefined,
): Promise<ScriptLogin> {
  if (as === undefined) {
    return mayRunAsOwner(caller)
      ? { login: 'owner', target: 'owner' }
      : { login: 'editor', target: 'service_role' };
  }
  const { role, userId, claims } = as;
  if (userId !== undefined) {
    if (role !== undefined || claims !== undefined) {
      throw invalid('as', 'give a userId, or a role with or without claims');
    }
    // The claims of a user have the email address, which such operators do not see.
    if (!mayRunAsOwner(caller)) {
      const hint = 'as.userId shows the account of the user; use as.role with as.claims';
      throw fail('CAPABILITY_REQUIRED', { capability: 'secrets.manage' }, { hint });
    }
    return named(await callerOfUser(project, userId));
  }
  if (role === undefined) throw invalid('as', 'give a role or a userId');
  const written = readWrittenClaims(role, claims);
  return named({ role, claims: JSON.stringify(written), subject: written.sub ?? '' });
}

const named = (login: ScriptCaller): ScriptLogin => ({ login, target: login.role });

async function callerOfUser(project: ProjectRuntime, userId: string): Promise<ScriptCaller> {
  try {
    const { role, claims } = await project.db.resolveCaller({ kind: 'impersonated-user', userId });
    return { role, claims, subject: userId };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'IMPERSONATED_USER_NOT_FOUND') {
      throw invalid('as.userId', 'no user of this project has this id');
    }
    if (error.code === 'USER_INACTIVE') {
      throw invalid('as.userId', 'the account of this user is not active');
    }
    throw error;
  }
}

const invalid = (field: string, reason: string): AppError =>
  fail('INVALID_INPUT', { field, reason });
