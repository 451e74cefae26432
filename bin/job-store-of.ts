import type { JobStore } from '#libs/jobs';
import type { Env } from './env.js';

/** Returns where the processes of a deployment keep their jobs and send their signals. */
export function jobStoreOf(env: Env, databaseUrl: string, database: string): JobStore {
  if (env.redisUrl !== undefined) return { kind: 'redis', url: env.redisUrl };
  const url = new URL(databaseUrl);
  url.pathname = `/${database}`;
  return { kind: 'postgres', url: url.href };
}
