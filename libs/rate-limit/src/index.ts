export { withFallback } from './fallback.js';
export { createMemoryLimiter } from './memory-limiter.js';
export { createPostgresLimiter, type LimiterPool } from './postgres-limiter.js';
export { createRedisLimiter, type LimiterRedis } from './redis-limiter.js';
