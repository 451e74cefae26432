import { AppError } from '#libs/errors';
import { adminStanding } from '#libs/wire';

import type { RequestScope } from './request-scope.js';

/**
 * Returns whether the caller administers the project, so that a 404 may name the setting that hides a route. A caller
 * who cannot be served at all is none: the 404 stays what it is.
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
