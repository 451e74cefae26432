export {
  CAPABILITIES,
  adminStanding,
  isRefused,
  type AdminRules,
  type Caller,
  type CallerUser,
  type Capability,
  type Credential,
  type DatabaseRole,
  type OperatorCredential,
} from './caller.js';
export { SERVER_CLAIMS, type ServerClaim } from './claims.js';
export { cookiePrefix } from './cookie-prefix.js';
export { decodeComponent } from './decode-component.js';
export { DRIVER_KINDS, type DriverKind } from './driver-kind.js';
export type { HttpAnswer, HttpCall, HttpRequest } from './http-call.js';
export { isRecord, type JsonRecord } from './is-record.js';
export { jsonProblem } from './json-problem.js';
export { isOneAddress } from './one-address.js';
export type { ProjectRoute } from './project-route.js';
export type { RateLimiter, RateRule, RateUse, RateVerdict } from './rate-limiter.js';
export { findUnstorable, type Unstorable } from './unstorable.js';
