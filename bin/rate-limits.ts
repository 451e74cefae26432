// Where uses are counted: in Redis if the deployment has it, else in the project's own database, so that several
// processes count together; if that fails, each process counts for itself.
import { Redis } from 'ioredis';
import type { Logger } from 'pino';

import {
  createMemoryLimiter,
  createPostgresLimiter,
  createRedisLimiter,
  type LimiterPool,
  withFallback,
} from '#libs/rate-limit';
import type { ProjectRecord } from '#libs/project-runtime';

import type { Env } from './env.js';

export interface RateLimits {
  limiterFor(record: ProjectRecord, pool: LimiterPool): ReturnType<typeof withFallback>;
  close(): void;
}

/** Opens the counters of this process. */
export function openRateLimits(env: Env, log: Logger): RateLimits {
  const redis =
    env.redisUrl === undefined
      ? undefined
      : new Redis(env.redisUrl, { enableOfflineQueue: false, maxRetriesPerRequest: 1 });
  const report = (error: unknown) =>
    log.warn({ err: error }, 'the shared rate limits cannot be reached; each process counts alone');
  // Every command reports its own failure; without a listener a lost connection would end the process.
  redis?.on('error', () => undefined);
  return {
    limiterFor: ({ ref }, pool) =>
      withFallback(
        redis ? createRedisLimiter(redis, `rowhouse:rate:${ref}`) : createPostgresLimiter(pool),
        createMemoryLimiter(() => performance.now()),
        report,
      ),
    close: () => redis?.disconnect(),
  };
}
