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
export { isForProxies, isOfAllHosts } from './code-headers.js';
export { COOKIE_NAMES, cookiePrefix } from './cookie-prefix.js';
export { cutValues } from './cut-values.js';
export { decodeComponent } from './decode-component.js';
export { DRIVER_KINDS, type DriverKind } from './driver-kind.js';
export { asciiDomain, readEmailAddress } from './email-address.js';
export { functionSlug } from './function-slug.js';
export { framed } from './framed.js';
export { hopByHopHeaders } from './hop-by-hop.js';
export type { HttpAnswer, HttpCall, HttpRequest } from './http-call.js';
export { isRecord, type JsonRecord } from './is-record.js';
export { jsonProblem } from './json-problem.js';
export { networkOf } from './network-of.js';
export { pageByBytes } from './page-by-bytes.js';
export type { ParameterValue } from './parameter-value.js';
export { parseJson } from './parse-json.js';
export {
  authPath,
  CALLBACK_PATHS,
  edgePath,
  restPath,
  resumablePath,
  settingsPath,
} from './paths.js';
export { continuesHeader, type ProjectRoute } from './project-route.js';
export { quoteIdent } from './quote-ident.js';
export type { RateLimiter, RateRule, RateUse, RateVerdict } from './rate-limiter.js';
export { findUnstorable, type Unstorable } from './unstorable.js';
export { addUsage, latencyBoundsMs, latencyPercentile, noUsage, type Usage } from './usage.js';
