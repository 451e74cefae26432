import type { DeploymentFacts } from '#apps/console/server';

import type { Env } from './env.js';
import type { GivenVariable } from './env-variables.js';

/** What the console shows of the process that it runs in. */
export function deploymentFacts(
  env: Env,
  {
    version = 'unknown',
    variables = [],
  }: { readonly version?: string; readonly variables?: readonly GivenVariable[] },
): DeploymentFacts {
  return {
    version,
    roles: env.roles,
    variables,
    dataDir: env.dataDir,
    diskReserveBytes: env.diskReserveBytes,
    database: env.databaseUrl === undefined ? 'embedded' : 'external',
    jobStore: env.redisUrl === undefined ? 'postgres' : 'redis',
    storage: env.storage.driver,
    connectionBudget: env.connectionBudget,
  };
}
