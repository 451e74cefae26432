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
export type { HttpAnswer, HttpCall, HttpRequest } from './http-call.js';
export { jsonProblem } from './json-problem.js';
export type { ProjectRoute } from './project-route.js';
export { findUnstorable, type Unstorable } from './unstorable.js';
