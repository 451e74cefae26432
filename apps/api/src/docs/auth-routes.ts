// What the routes below /api/auth take and answer, for the description of the API. A test compares the list with
// the routes of the engine. Fields are texts unless a type follows; `!` marks those that must be there.

/** Summary, fields of the body or of the query string, and the schema of the answer (auth-schemas.ts). */
export type AuthRouteRow = readonly [summary: string, fields: string, answer: string];

const code = 'email! otp!';
const organizationId = 'organizationId';

export const AUTH_ROUTES: Readonly<Record<string, AuthRouteRow>> = {
  // Sessions and the own account
  'GET /get-session': ['Read the session and its user; null without one', '', 'SessionOrNull'],
  'POST /sign-out': ['End the session', '', 'Done'],
  'GET /list-sessions': ['List your sessions, without their tokens', '', 'List'],
  'POST /revoke-session': ['End one of your sessions', 'id token', 'Done'],
  'POST /revoke-sessions': ['End all of your sessions', '', 'Done'],
  'POST /revoke-other-sessions': ['End all of your sessions but this one', '', 'Done'],
  'POST /update-user': ['Change your name, picture or metadata', 'name image username user_metadata:object', 'Done'],
  'POST /delete-user': ['Delete your account', 'password', 'Done'],
  'POST /change-email': ['Always refused: the address of an account stays', 'newEmail callbackURL', 'Refused'],
  'POST /email-otp/request-email-change': ['Always refused, as change-email', 'newEmail', 'Refused'],
  'POST /email-otp/change-email': ['Always refused, as change-email by code', 'newEmail otp', 'Refused'],
  'GET /token': ['Issue a JSON Web Token for the session', '', 'Jwt'],
  'GET /jwks': ['Read the public keys that verify tokens', '', 'KeySet'],

  // Email and password
  'POST /sign-up/email': ['Create an account with email and password', 'email! password! name username image callbackURL user_metadata:object', 'SignedIn'],
  'POST /sign-in/email': ['Sign in with email and password', 'email! password! callbackURL rememberMe:boolean', 'SignedIn'],
  'POST /change-password': ['Change your password', 'currentPassword! newPassword! revokeOtherSessions:boolean', 'Object'],
  'POST /verify-password': ['Check your password', 'password!', 'Done'],
  'POST /reauthenticate': ['Ask for a code that confirms a new password', '', 'Object'],
  'POST /update-password': ['Set a new password with the old one or a code', 'newPassword! currentPassword nonce', 'Object'],
  'POST /send-verification-email': ['Mail a link that verifies an address', 'email! callbackURL', 'Done'],
  'GET /verify-email': ['Open a verification link; answers a page that asks', 'token! callbackURL', 'Page'],
  'POST /verify-email': ['Verify an address with the token of a link', 'token! callbackURL', 'Object'],
  'POST /request-password-reset': ['Mail a link that sets a new password', 'email! redirectTo', 'Done'],
  'POST /reset-password': ['Set a new password with the token of a link', 'newPassword! token!', 'Done'],
  'GET /reset-password/:token': ['Open a password link', 'callbackURL', 'Page'],
  'POST /email-otp/request-password-reset': ['Mail a code that sets a new password', 'email!', 'Done'],
  'POST /email-otp/reset-password': ['Set a new password with a mailed code', 'email! otp! password!', 'Done'],

  // Codes and links
  'POST /email-otp/send-verification-otp': ['Mail a code', 'email! type!', 'Done'],
  'POST /sign-in/email-otp': ['Sign in with a mailed code', `${code} name image`, 'SignedIn'],
  'POST /email-otp/verify-email': ['Verify an address with a mailed code', code, 'Object'],
  'POST /email-otp/check-verification-otp': ['Check a mailed code without using it up', 'email! type! otp!', 'Done'],
  'POST /sign-in/magic-link': ['Mail a link that signs in', 'email! name callbackURL newUserCallbackURL errorCallbackURL metadata:object', 'Done'],
  'GET /magic-link/verify': ['Open a sign-in link; answers a page that asks', 'token! callbackURL newUserCallbackURL errorCallbackURL', 'Page'],
  'POST /magic-link/verify': ['Sign in with the token of a link', 'token!', 'SignedIn'],
  'GET /admin-link/verify': ['Open the link of an administrator; answers a page that asks', 'token!', 'Page'],
  'POST /admin-link/verify': ['Use the link of an administrator', 'token!', 'Object'],
  'POST /exchange-code': ['Exchange a one-time code for a session', 'code! codeVerifier!', 'SignedIn'],
  'POST /phone-number/send-otp': ['Send a code by SMS', 'phoneNumber!', 'Done'],
  'POST /phone-number/verify': ['Sign in or verify a number with a code', 'phoneNumber! code! disableSession:boolean updatePhoneNumber:boolean', 'Object'],
  'POST /sign-in/phone-number': ['Sign in with number and password', 'phoneNumber! password! rememberMe:boolean', 'SignedIn'],
  'POST /phone-number/request-password-reset': ['Send a code by SMS that sets a new password', 'phoneNumber!', 'Done'],
  'POST /phone-number/reset-password': ['Set a new password with a code from an SMS', 'phoneNumber! otp! newPassword!', 'Done'],

  // Providers
  'POST /sign-in/social': ['Sign in with a provider, by redirect or id token', 'provider! callbackURL newUserCallbackURL errorCallbackURL idToken:object disableRedirect:boolean', 'Object'],
  'POST /link-social': ['Link an identity of a provider to your account', 'provider! callbackURL errorCallbackURL idToken:object disableRedirect:boolean', 'Object'],
  'GET /callback/:provider': ['Return from a provider', 'code state error', 'Page'],
  'POST /callback/:provider': ['Return from a provider that answers by a form', 'code state error', 'Page'],
  'GET /oauth2/callback/:providerId': ['Return from a custom provider', 'code state error', 'Page'],
  'GET /account-info': ['Read what a provider says of you', 'accountId', 'Object'],
  'POST /get-access-token': ['Read the access token of a linked provider', 'providerId! accountId', 'Object'],
  'POST /refresh-token': ['Renew the access token of a linked provider', 'providerId! accountId', 'Object'],
  'GET /list-accounts': ['List the identities of your account', '', 'List'],
  'POST /unlink-account': ['Unlink an identity from your account', 'providerId! accountId', 'Done'],

  // Second factor
  'POST /two-factor/enable': ['Begin the enrolment of a second factor', 'password issuer method', 'Object'],
  'POST /two-factor/disable': ['Remove your second factor', 'password!', 'Done'],
  'POST /two-factor/generate-backup-codes': ['Replace your backup codes', 'password!', 'Object'],
  'POST /two-factor/verify-totp': ['Verify a code of your authenticator', 'code! trustDevice:boolean', 'Object'],
  'POST /two-factor/verify-otp': ['Verify a code that was sent to you', 'code! trustDevice:boolean', 'Object'],
  'POST /two-factor/verify-backup-code': ['Verify a backup code', 'code! trustDevice:boolean', 'Object'],
  'POST /two-factor/send-otp': ['Send a code for the second step', 'channel', 'Done'],
  'GET /two-factor/status': ['Read which second factors you have', '', 'Object'],
  'GET /two-factor/trusted-devices': ['List the devices that skip the second step', '', 'Object'],
  'POST /two-factor/revoke-trusted-device': ['Stop trusting a device', 'id!', 'Done'],

  // Passkeys
  'GET /passkey/generate-register-options': ['Begin the registration of a passkey', 'name authenticatorAttachment', 'Object'],
  'POST /passkey/verify-registration': ['Complete the registration of a passkey', 'response!:object name', 'Object'],
  'GET /passkey/generate-authenticate-options': ['Begin a sign-in with a passkey', '', 'Object'],
  'POST /passkey/verify-authentication': ['Complete a sign-in with a passkey', 'response!:object', 'Object'],
  'GET /passkey/list-user-passkeys': ['List your passkeys', '', 'List'],
  'POST /passkey/update-passkey': ['Rename a passkey', 'id! name!', 'Object'],
  'POST /passkey/delete-passkey': ['Delete a passkey', 'id!', 'Done'],

  // Guests
  'POST /sign-in/anonymous': ['Sign in as a guest', '', 'SignedIn'],
  'POST /upgrade-anonymous': ['Turn a guest into an account', 'email! password! callbackURL', 'Object'],
  'GET /upgrade-anonymous/confirm': ['Open the link that confirms the upgrade of a guest; answers a page that asks', 'token!', 'Page'],
  'POST /upgrade-anonymous/confirm': ['Confirm the upgrade of a guest with the token of a link', 'token!', 'Object'],

  // API keys
  'POST /api-key/create': ['Create an API key; it is shown once', 'name expiresIn:number prefix metadata:object permissions:object', 'Object'],
  'GET /api-key/list': ['List your API keys', '', 'Object'],
  'GET /api-key/get': ['Read one of your API keys', 'id!', 'Object'],
  'POST /api-key/update': ['Change an API key', 'keyId! name enabled:boolean', 'Object'],
  'POST /api-key/delete': ['Delete an API key', 'keyId!', 'Done'],

  // Organizations
  'POST /organization/create': ['Create an organization', 'name! slug! logo metadata:object', 'Object'],
  'POST /organization/update': ['Change an organization', `data!:object ${organizationId}`, 'Object'],
  'POST /organization/delete': ['Delete an organization', 'organizationId!', 'Object'],
  'GET /organization/list': ['List your organizations', '', 'List'],
  'GET /organization/get-organization': ['Read an organization', organizationId, 'Object'],
  'GET /organization/get-full-organization': ['Read an organization with its members', organizationId, 'Object'],
  'POST /organization/set-active': ['Choose the organization of the session', 'organizationId organizationSlug', 'Object'],
  'POST /organization/check-slug': ['Check whether a slug is free', 'slug!', 'Done'],
  'POST /organization/leave': ['Leave an organization', 'organizationId!', 'Object'],
  'GET /organization/list-members': ['List the members', `${organizationId} limit:number offset:number`, 'Object'],
  'GET /organization/get-active-member': ['Read your membership in the active organization', '', 'Object'],
  'GET /organization/get-active-member-role': ['Read your role in the active organization', organizationId, 'Object'],
  'POST /organization/remove-member': ['Remove a member', `memberIdOrEmail! ${organizationId}`, 'Object'],
  'POST /organization/update-member-role': ['Change the role of a member', `memberId! role! ${organizationId}`, 'Object'],
  'POST /organization/has-permission': ['Check your permissions', `permissions!:object ${organizationId}`, 'Object'],
  'POST /organization/invite-member': ['Invite somebody by email', `email! role! ${organizationId} teamId resend:boolean`, 'Object'],
  'POST /organization/accept-invitation': ['Accept an invitation', 'invitationId!', 'Object'],
  'POST /organization/reject-invitation': ['Reject an invitation', 'invitationId!', 'Object'],
  'POST /organization/cancel-invitation': ['Cancel an invitation', 'invitationId!', 'Object'],
  'GET /organization/get-invitation': ['Read an invitation', 'id!', 'Object'],
  'GET /organization/list-invitations': ['List the invitations of an organization', organizationId, 'List'],
  'GET /organization/list-user-invitations': ['List the invitations to you', '', 'List'],
  'POST /organization/create-team': ['Create a team', `name! ${organizationId}`, 'Object'],
  'POST /organization/update-team': ['Change a team', 'teamId! data!:object', 'Object'],
  'POST /organization/remove-team': ['Delete a team', `teamId! ${organizationId}`, 'Object'],
  'GET /organization/list-teams': ['List the teams of an organization', organizationId, 'List'],
  'POST /organization/set-active-team': ['Choose the team of the session', 'teamId', 'Object'],
  'GET /organization/list-user-teams': ['List your teams', '', 'List'],
  'GET /organization/list-team-members': ['List the members of a team', 'teamId', 'List'],
  'POST /organization/add-team-member': ['Add a member to a team', 'teamId! userId!', 'Object'],
  'POST /organization/remove-team-member': ['Remove a member from a team', 'teamId! userId!', 'Object'],

  // Single sign-on
  'POST /sign-in/sso': ['Sign in with single sign-on', 'email providerId domain organizationSlug callbackURL errorCallbackURL newUserCallbackURL', 'Object'],
  'GET /sso/callback/:providerId': ['Return from an OpenID Connect provider', 'code state error', 'Page'],
  'POST /sso/saml2/sp/acs/:providerId': ['Return from a SAML provider', 'SAMLResponse! RelayState', 'Page'],
  'GET /sso/saml2/sp/metadata': ['Read the SAML metadata for a provider', 'providerId! format', 'Xml'],
  'POST /sso/register': ['Register a provider of an organization', 'providerId! issuer! domain! organizationId oidcConfig:object samlConfig:object', 'Object'],
  'GET /sso/providers': ['List the providers of your organizations', '', 'Object'],
  'GET /sso/get-provider': ['Read a provider', 'providerId!', 'Object'],
  'POST /sso/update-provider': ['Change a provider', 'providerId! issuer domain oidcConfig:object samlConfig:object', 'Object'],
  'POST /sso/delete-provider': ['Delete a provider', 'providerId!', 'Object'],
  'POST /sso/verify-domain': ['Prove a domain by its DNS record', 'providerId!', 'Object'],
};
