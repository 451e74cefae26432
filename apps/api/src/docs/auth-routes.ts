// What the routes below /api/auth take and answer, for the description of the API. A test compares the list with
// the routes of the engine. Fields are texts unless a type follows; `!` marks those that must be there, `+` others that
// the example has.
import type { AuthAnswer } from './auth-answers.js';

/**
 * Summary, fields of the body or of the query string, and the schema of the answer (auth-answers.ts). `session` marks
 * routes that are refused without a session.
 */
export type AuthRouteRow = readonly [
  summary: string,
  fields: string,
  answer: AuthAnswer,
  caller?: 'session',
];

const code = 'email! otp!';
const organizationId = 'organizationId';

export const AUTH_ROUTES: Readonly<Record<string, AuthRouteRow>> = {
  // Sessions and the own account
  'GET /get-session': ['Read the session and its user; null without one', '', 'SessionOrNull'],
  'POST /sign-out': ['End the session', '', 'Success'],
  'GET /list-sessions': ['List your sessions, without their tokens', '', 'Sessions', 'session'],
  'POST /revoke-session': ['End one of your sessions', 'id+ token', 'Done', 'session'],
  'POST /revoke-sessions': ['End all of your sessions', '', 'Done', 'session'],
  'POST /revoke-other-sessions': ['End all of your sessions but this one', '', 'Done', 'session'],
  'POST /update-user': ['Change your name, picture or metadata', 'name+ image username user_metadata:object', 'Done', 'session'],
  'POST /delete-user': ['Delete your account', 'password+', 'Deleted', 'session'],
  'POST /change-email': ['Always refused: the address of an account stays', 'newEmail+ callbackURL', 'Refused', 'session'],
  'POST /email-otp/request-email-change': ['Always refused, as change-email', 'newEmail+', 'Refused', 'session'],
  'POST /email-otp/change-email': ['Always refused, as change-email by code', 'newEmail+ otp+', 'Refused', 'session'],
  'GET /token': ['Issue a JSON Web Token for the session', '', 'Jwt', 'session'],
  'GET /jwks': ['Read the public keys that verify tokens', '', 'KeySet'],

  // Email and password
  'POST /sign-up/email': ['Create an account with email and password', 'email! password! name+ username image callbackURL user_metadata:object', 'SignedIn'],
  'POST /sign-in/email': ['Sign in with email and password', 'email! password! callbackURL rememberMe:boolean', 'SignedInOrSecondStep'],
  'POST /change-password': ['Change your password', 'currentPassword! newPassword! revokeOtherSessions:boolean', 'ChangedPassword', 'session'],
  'POST /verify-password': ['Check your password', 'password!', 'Done', 'session'],
  'POST /reauthenticate': ['Ask for a code that confirms a new password', '', 'Done', 'session'],
  'POST /update-password': ['Set a new password with the old one or a code', 'newPassword! currentPassword+ nonce', 'DoneWithUser', 'session'],
  'POST /send-verification-email': ['Mail a link that verifies an address', 'email! callbackURL', 'Done'],
  'GET /verify-email': ['Open a verification link; answers a page that asks', 'token! callbackURL', 'Page'],
  'POST /verify-email': ['Verify an address with the token of a link', 'token! callbackURL', 'DoneWithUser'],
  'POST /request-password-reset': ['Mail a link that sets a new password', 'email! redirectTo', 'LinkSent'],
  'POST /reset-password': ['Set a new password with the token of a link', 'newPassword! token!', 'Done'],
  'GET /reset-password/:token': ['Open a password link', 'callbackURL', 'Redirected'],
  'POST /email-otp/request-password-reset': ['Mail a code that sets a new password', 'email!', 'Success'],
  'POST /email-otp/reset-password': ['Set a new password with a mailed code', 'email! otp! password!', 'Success'],

  // Codes and links
  'POST /email-otp/send-verification-otp': ['Mail a code', 'email! type!', 'Success'],
  'POST /sign-in/email-otp': ['Sign in with a mailed code', `${code} name image`, 'SignedInOrSecondStep'],
  'POST /email-otp/verify-email': ['Verify an address with a mailed code', code, 'DoneWithUser'],
  'POST /email-otp/check-verification-otp': ['Check a mailed code without using it up', 'email! type! otp!', 'Success'],
  'POST /sign-in/magic-link': ['Mail a link that signs in', 'email! name callbackURL+ newUserCallbackURL errorCallbackURL metadata:object', 'Done'],
  'GET /magic-link/verify': ['Open a sign-in link; answers a page that asks', 'token! callbackURL newUserCallbackURL errorCallbackURL', 'Page'],
  'POST /magic-link/verify': ['Sign in with the token of a link', 'token!', 'SignedInOrSecondStep'],
  'GET /admin-link/verify': ['Open the link of an administrator; answers a page that asks', 'token!', 'Page'],
  'POST /admin-link/verify': ['Use the link of an administrator', 'token!', 'Redirected'],
  'POST /exchange-code': ['Exchange a one-time code for a session', 'code! codeVerifier!', 'SignedIn'],
  'POST /phone-number/send-otp': ['Send a code by SMS', 'phoneNumber!', 'CodeSent'],
  'POST /phone-number/verify': ['Sign in or verify a number with a code', 'phoneNumber! code! disableSession:boolean updatePhoneNumber:boolean', 'SignedInOrSecondStep'],
  'POST /sign-in/phone-number': ['Sign in with number and password', 'phoneNumber! password! rememberMe:boolean', 'SignedInOrSecondStep'],
  'POST /phone-number/request-password-reset': ['Send a code by SMS that sets a new password', 'phoneNumber!', 'Done'],
  'POST /phone-number/reset-password': ['Set a new password with a code from an SMS', 'phoneNumber! otp! newPassword!', 'Done'],

  // Providers
  'POST /sign-in/social': ['Sign in with a provider, by redirect or id token', 'provider! callbackURL+ newUserCallbackURL errorCallbackURL idToken:object disableRedirect+:boolean', 'RedirectOrSignedIn'],
  'POST /link-social': ['Link an identity of a provider to your account', 'provider! callbackURL+ errorCallbackURL idToken:object disableRedirect+:boolean', 'Redirect', 'session'],
  'GET /callback/:provider': ['Return from a provider', 'code state error', 'Redirected'],
  'POST /callback/:provider': ['Return from a provider that answers by a form', 'code+ state+ error', 'Redirected'],
  'GET /oauth2/callback/:providerId': ['Return from a custom provider', 'code state error', 'Redirected'],
  'GET /account-info': ['Read what a provider says of you', 'accountId', 'ProviderProfile', 'session'],
  'POST /get-access-token': ['Read the access token of a linked provider', 'accountId+ providerId', 'ProviderTokens', 'session'],
  'POST /refresh-token': ['Renew the access token of a linked provider', 'accountId+ providerId', 'ProviderTokens', 'session'],
  'GET /list-accounts': ['List the identities of your account', '', 'Identities', 'session'],
  'POST /unlink-account': ['Unlink an identity from your account', 'accountId!', 'Done', 'session'],

  // Second factor
  'POST /two-factor/enable': ['Begin the enrolment of a second factor', 'password+ issuer method', 'Enrolment', 'session'],
  'POST /two-factor/disable': ['Remove your second factor', 'password!', 'SecondFactorRemoved', 'session'],
  'POST /two-factor/generate-backup-codes': ['Replace your backup codes', 'password!', 'BackupCodes', 'session'],
  'POST /two-factor/verify-totp': ['Verify a code of your authenticator', 'code! trustDevice+:boolean', 'SignedIn'],
  'POST /two-factor/verify-otp': ['Verify a code that was sent to you', 'code! trustDevice:boolean', 'SignedIn'],
  'POST /two-factor/verify-backup-code': ['Verify a backup code', 'code! trustDevice:boolean', 'SignedIn'],
  'POST /two-factor/send-otp': ['Send a code for the second step', 'channel+', 'SentCode'],
  'GET /two-factor/status': ['Read which second factors you have', '', 'SecondFactors', 'session'],
  'GET /two-factor/trusted-devices': ['List the devices that skip the second step', '', 'TrustedDevices', 'session'],
  'POST /two-factor/revoke-trusted-device': ['Stop trusting a device', 'id!', 'Done', 'session'],

  // Passkeys
  'GET /passkey/generate-register-options': ['Begin the registration of a passkey', 'name authenticatorAttachment', 'PasskeyOptions', 'session'],
  'POST /passkey/verify-registration': ['Complete the registration of a passkey', 'response!:object name+', 'Passkey', 'session'],
  'GET /passkey/generate-authenticate-options': ['Begin a sign-in with a passkey', '', 'PasskeyOptions'],
  'POST /passkey/verify-authentication': ['Complete a sign-in with a passkey', 'response!:object', 'SignedIn'],
  'GET /passkey/list-user-passkeys': ['List your passkeys', '', 'Passkeys', 'session'],
  'POST /passkey/update-passkey': ['Rename a passkey', 'id! name!', 'PasskeyChanged', 'session'],
  'POST /passkey/delete-passkey': ['Delete a passkey', 'id!', 'Done', 'session'],

  // Guests
  'POST /sign-in/anonymous': ['Sign in as a guest', '', 'SignedIn'],
  'POST /upgrade-anonymous': ['Turn a guest into an account', 'email! password! callbackURL', 'DoneWithUser', 'session'],
  'GET /upgrade-anonymous/confirm': ['Open the link that confirms the upgrade of a guest; answers a page that asks', 'token!', 'Page'],
  'POST /upgrade-anonymous/confirm': ['Confirm the upgrade of a guest with the token of a link', 'token!', 'Done'],

  // API keys
  'POST /api-key/create': ['Create an API key; it is shown once', 'name+ expiresIn:number prefix metadata:object permissions:object', 'NewApiKey', 'session'],
  'GET /api-key/list': ['List your API keys', '', 'ApiKeyList', 'session'],
  'GET /api-key/get': ['Read one of your API keys', 'id!', 'ApiKey', 'session'],
  'POST /api-key/update': ['Change an API key', 'keyId! name+ enabled:boolean', 'ApiKey', 'session'],
  'POST /api-key/delete': ['Delete an API key', 'keyId!', 'Success', 'session'],

  // Organizations
  'POST /organization/create': ['Create an organization', 'name! slug! logo metadata:object', 'NewOrganization', 'session'],
  'POST /organization/update': ['Change an organization', `data!:object ${organizationId}`, 'Organization', 'session'],
  'POST /organization/delete': ['Delete an organization', 'organizationId!', 'Organization', 'session'],
  'GET /organization/list': ['List your organizations', '', 'Organizations', 'session'],
  'GET /organization/get-organization': ['Read an organization', organizationId, 'Organization', 'session'],
  'GET /organization/get-full-organization': ['Read an organization with its members', organizationId, 'FullOrganization', 'session'],
  'POST /organization/set-active': ['Choose the organization of the session', 'organizationId+ organizationSlug', 'OrganizationOrNull', 'session'],
  'POST /organization/check-slug': ['Check whether a slug is free', 'slug!', 'Done', 'session'],
  'POST /organization/leave': ['Leave an organization', 'organizationId!', 'Member', 'session'],
  'GET /organization/list-members': ['List the members', `${organizationId} limit:number offset:number`, 'Members', 'session'],
  'GET /organization/get-active-member': ['Read your membership in the active organization', '', 'Member', 'session'],
  'GET /organization/get-active-member-role': ['Read your role in the active organization', organizationId, 'Role', 'session'],
  'POST /organization/remove-member': ['Remove a member', `memberIdOrEmail! ${organizationId}`, 'RemovedMember', 'session'],
  'POST /organization/update-member-role': ['Change the role of a member', `memberId! role! ${organizationId}`, 'Member', 'session'],
  'POST /organization/has-permission': ['Check your permissions', `permissions!:object ${organizationId}`, 'Permission', 'session'],
  'POST /organization/invite-member': ['Invite a person by email', `email! role! ${organizationId} teamId resend:boolean`, 'Invitation', 'session'],
  'POST /organization/accept-invitation': ['Accept an invitation', 'invitationId!', 'AcceptedInvitation', 'session'],
  'POST /organization/reject-invitation': ['Reject an invitation', 'invitationId!', 'RejectedInvitation', 'session'],
  'POST /organization/cancel-invitation': ['Cancel an invitation', 'invitationId!', 'Invitation', 'session'],
  'GET /organization/get-invitation': ['Read an invitation', 'id!', 'InvitationDetail', 'session'],
  'GET /organization/list-invitations': ['List the invitations of an organization', organizationId, 'Invitations', 'session'],
  'GET /organization/list-user-invitations': ['List the invitations to you', '', 'InvitationsToMe', 'session'],
  'POST /organization/create-team': ['Create a team', `name! ${organizationId}`, 'Team', 'session'],
  'POST /organization/update-team': ['Change a team', 'teamId! data!:object', 'Team', 'session'],
  'POST /organization/remove-team': ['Delete a team', `teamId! ${organizationId}`, 'Message', 'session'],
  'GET /organization/list-teams': ['List the teams of an organization', organizationId, 'Teams', 'session'],
  'POST /organization/set-active-team': ['Choose the team of the session', 'teamId+', 'TeamOrNull', 'session'],
  'GET /organization/list-user-teams': ['List your teams', '', 'Teams', 'session'],
  'GET /organization/list-team-members': ['List the members of a team', 'teamId', 'TeamMembers', 'session'],
  'POST /organization/add-team-member': ['Add a member to a team', 'teamId! userId!', 'TeamMember', 'session'],
  'POST /organization/remove-team-member': ['Remove a member from a team', 'teamId! userId!', 'Message', 'session'],

  // Single sign-on
  'POST /sign-in/sso': ['Sign in with single sign-on', 'email providerId+ domain organizationSlug callbackURL+ errorCallbackURL newUserCallbackURL', 'Redirect'],
  'GET /sso/callback/:providerId': ['Return from an OpenID Connect provider', 'code state error', 'Redirected'],
  'POST /sso/saml2/sp/acs/:providerId': ['Return from a SAML provider', 'SAMLResponse! RelayState', 'Redirected'],
  'GET /sso/saml2/sp/metadata': ['Read the SAML metadata for a provider', 'providerId! format', 'Xml'],
  'POST /sso/register': ['Register a provider of an organization', 'providerId! issuer! domain! organizationId oidcConfig+:object samlConfig:object', 'SsoProvider', 'session'],
  'GET /sso/providers': ['List the providers of your organizations', '', 'SsoProviders', 'session'],
  'GET /sso/get-provider': ['Read a provider', 'providerId!', 'SsoProvider', 'session'],
  'POST /sso/update-provider': ['Change a provider', 'providerId! issuer domain+ oidcConfig:object samlConfig:object', 'SsoProvider', 'session'],
  'POST /sso/delete-provider': ['Delete a provider', 'providerId!', 'Success', 'session'],
  'POST /sso/verify-domain': ['Prove a domain by its DNS record', 'providerId!', 'SsoProvider', 'session'],
};
