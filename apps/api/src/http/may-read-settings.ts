import { AppError } from '#libs/errors';
import { adminStanding } from '#libs/wire';

import type { RequestScope } from './request-scope.js';

/**
 * Whether the caller administers the project, so that a 404 may name the setting that disables a route. False if the
 * lookup of the caller fails: then the 404 stays unchanged.
 */
export async function mayReadSettings({ lease, credential }: RequestScope): Promise<boolean> {
  if (credential.kind === 'none' || credential.kind === 'impersonated-anon') return false;
  const project = lease.value;
  try {
    const { caller } = await project.db.resolveCaller(credential);
    return adminStanding(caller, project.guards) === 'admin';
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return false;
    throw error;
  }
}
