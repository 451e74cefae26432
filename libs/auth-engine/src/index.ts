export { restEngineContext } from './async-context.js';
export { createKeyUses, type KeyUse, type KeyUses } from './api-keys/key-uses.js';
export type { Administration, LinkOrder, MadeCode, MadeLink } from './administration.js';
export type {
  AuthHooks,
  AuthLogEntry,
  AuthMail,
  AuthMailOf,
  AuthMessage,
  AuthSettings,
  AuthSms,
  MessageStore,
  OutboundCall,
} from './auth-config.js';
export { countedAddress } from './counted-address.js';
export { cookieNamePrefix, sessionCookieName } from './session-cookie.js';
export { buildAuth, type AuthInstance, type BuildAuthOptions } from './build-auth.js';
export type { EnginePool, RunStatement } from './engine-pool.js';
export type { EngineRequest, RequestContext } from './handle-request.js';
export {
  applySessionPolicy,
  type SessionLifetime,
  type TouchedSession,
} from './parts/session-policy/lifetime.js';
export {
  createSessionUses,
  type SessionUses,
  type SessionUsesOptions,
} from './parts/session-policy/session-uses.js';
export { routeFields, type RouteField } from './route-fields.js';
export { calledRoutes, listAuthRoutes } from './router.js';
export { listSigningKeys, rotateSigningKeys, type RotatedKey } from './signing-keys.js';
export { sessionTokenHash, sessionTokenHashes } from './session-token-hashes.js';
export { verifySignedToken, type SessionHeaders } from './session-token.js';
export { expiredConditions, sweepExpired, type SweepOptions } from './sweep-expired.js';
export { deleteUser, type DeletionCheck, type UserDeletion } from './user-deletion.js';
export { violates } from './auth-errors.js';
export { organizationRefusal } from './parts/organization/refusals.js';
export { checkAddress, isStandInAddress } from './sign-up-policy.js';
export { mergedMetadata } from './metadata.js';
export { newRowId, newUserId } from './user-ids.js';
export { randomToken } from './one-time-values.js';
export type { SsoProviders, SsoUrls } from './parts/sso/manage-providers.js';
export type { SsoChange, SsoProviderView } from './parts/sso/note-change.js';
export type { SsoActor } from './parts/sso/provider-rights.js';
export type { SsoReadiness } from './parts/sso/provider-readiness.js';
export { randomUsername, usernameProblem } from './usernames.js';
export type { ThirdParty } from '#libs/third-party-tokens';
