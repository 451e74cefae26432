export type { AuthLogEntry, AuthSettings } from './auth-options.js';
export { buildAuth, type AuthInstance, type BuildAuthOptions } from './build-auth.js';
export type { EnginePool } from './engine-pool.js';
export type { RequestContext } from './handle-request.js';
export { verifyPassword } from './passwords.js';
export {
  createRateLimiter,
  type RateLimiter,
  type RateRule,
  type RateVerdict,
} from './rate-limiter.js';
export { listAuthRoutes } from './routes.js';
export { verifySignedToken, type SessionHeaders } from './session-token.js';
export { sweepExpired } from './sweep-expired.js';
export { usernameProblem } from './usernames.js';
