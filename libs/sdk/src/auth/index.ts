/** The types of `client.auth`. */
export type { AuthClient } from './client.js';
export type { AccountMethods, ClaimsData, UserAttributes, UserIdentity } from './account.js';
export type {
  AdminClient,
  AdminMfaClient,
  AdminUserAttributes,
  AdminUserData,
  GenerateLinkParams,
  InviteOptions,
  LinkProperties,
  ListUsersParams,
  UserList,
} from './admin.js';
export type {
  ApiKey,
  ApiKeyClient,
  ApiKeyInput,
  ApiKeyList,
  ApiKeyListOptions,
  ApiKeyUpdate,
} from './api-keys.js';
export type { EnrolledFactor, Factor, MfaClient, MfaVerifyParams } from './mfa.js';
export type { OrganizationClient } from './organization.js';
export type * from './organization-types.js';
export type { Passkey, PasskeyClient, PasskeyInput } from './passkey.js';
export type {
  IdTokenCredentials,
  OAuthCredentials,
  OAuthData,
  OAuthOptions,
  RedirectOptions,
  SsoCredentials,
} from './redirects.js';
export type { Session, SessionUser } from './session.js';
export type { SessionTokens, SignOutOptions } from './session-methods.js';
export type { AuthListener } from './session-source.js';
export type {
  CaptchaOption,
  OtpCredentials,
  PasswordCredentials,
  ResendParams,
  SentAnswer,
  SignUpCredentials,
  SignUpOptions,
  VerifyOtpParams,
} from './sign-in.js';
export type { NoSession, SecondFactor, SignInAnswer, SignInData } from './sign-in-answer.js';
export type {
  OidcConfig,
  SsoClient,
  SsoProvider,
  SsoProviderInput,
  SsoProviderUpdate,
} from './sso.js';
export type { AuthEvent } from './states.js';
export type { AuthAnswer } from './wire.js';
