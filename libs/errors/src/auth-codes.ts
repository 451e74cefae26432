import type { ErrorRow } from './error-row.js';

/** The errors of accounts, their organizations and their sign-in; a part of the table in codes.ts. */
export const AUTH_ERRORS = {
  // Users
  USERNAME_TAKEN: { status: 409, message: 'This user name is taken' },
  PHONE_NUMBER_TAKEN: { status: 409, message: 'There is an account with this phone number' },
  SELF_LOCKOUT: { status: 409, message: 'Administrators cannot do this to their own account' },
  FACTOR_NOT_FOUND: { status: 404, message: 'The user does not have this second factor' },
  HOOK_DELIVERY_NOT_FOUND: { status: 404, message: 'There is no event with this id to send again' },
  SIGNUP_DISABLED: { status: 403, message: 'Sign-up is closed' },
  EMAIL_DOMAIN_NOT_ALLOWED: { status: 403, message: 'Addresses of this domain may not sign up' },
  USER_ALREADY_EXISTS: { status: 422, message: 'There is an account with this email address' },
  INVALID_EMAIL: { status: 400, message: 'email: must be an email address' },
  FIELD_NOT_ALLOWED: { status: 400, message: '{field}: this field cannot be set here' },
  SESSION_NOT_FRESH: { status: 403, message: 'Sign in again or enter your password' },
  INVALID_PASSWORD: { status: 403, message: 'The password is wrong' },
  INVALID_OTP: { status: 400, message: 'The code is wrong, has expired or was already used' },
  INVALID_PHONE_NUMBER_OR_PASSWORD: {
    status: 401,
    message: 'The phone number or the password is wrong',
  },
  PHONE_NUMBER_EXIST: { status: 400, message: 'This phone number belongs to another account' },
  CHALLENGE_EXPIRED: { status: 401, message: 'The sign-in has expired; start again' },
  AAL2_REQUIRED: { status: 403, message: 'Enter the code of your second factor first' },
  PASSWORD_TOO_SHORT: { status: 400, message: 'The password cannot be used: {reason}' },
  PASSWORD_TOO_LONG: { status: 400, message: 'The password cannot be used: {reason}' },
  PASSWORD_TOO_WEAK: { status: 400, message: 'The password cannot be used: {reason}' },
  CHANGE_EMAIL_DISABLED: { status: 400, message: 'The address of an account cannot be changed' },
  REAUTHENTICATION_REQUIRED: {
    status: 400,
    message: 'Enter your current password or the code sent by /reauthenticate',
  },
  PERMANENT_ACCOUNT_REQUIRED: { status: 403, message: 'Guests cannot do this; sign up first' },
  PASSWORD_BREACHED: {
    status: 400,
    message: 'This password has appeared in a data breach; choose another one',
  },
  BREACH_CHECK_UNAVAILABLE: {
    status: 503,
    message: 'New passwords cannot be checked right now; try again later',
  },
  USER_NOT_FOUND: { status: 404, message: 'User not found' },
  PASSKEY_REFUSED: { status: 400, message: 'This passkey was not accepted' },
  API_KEY_NOT_ALLOWED: { status: 403, message: 'An API key cannot be used here; sign in' },
  API_KEY_LIMIT_REACHED: { status: 403, message: 'API key limit reached' },
  SIGNUP_REFUSED: { status: 403, message: '{reason}' },
  INVALID_CALLBACK_URL: {
    status: 403,
    message: 'callbackURL must lead to one of the addresses in the settings auth.urls',
  },
  INVALID_REDIRECT_URL: {
    status: 403,
    message: 'redirectTo must lead to one of the addresses in the settings auth.urls',
  },
  INVALID_ERROR_CALLBACK_URL: {
    status: 403,
    message: 'errorCallbackURL must lead to one of the addresses in the settings auth.urls',
  },
  INVALID_NEW_USER_CALLBACK_URL: {
    status: 403,
    message: 'newUserCallbackURL must lead to one of the addresses in the settings auth.urls',
  },
  // Organizations of a project's users
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: {
    status: 403,
    message: 'Member limit of the organization reached',
  },
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS: {
    status: 403,
    message: 'You have reached the limit of organizations',
  },
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS: {
    status: 403,
    message: 'Team limit of the organization reached',
  },
  ORGANIZATION_SLUG_ALREADY_TAKEN: { status: 400, message: 'This slug is taken' },
  YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION: {
    status: 403,
    message: 'You are not a member of this organization',
  },
  NO_ACTIVE_ORGANIZATION: { status: 400, message: 'Name an organization or make one active' },
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER: {
    status: 403,
    message: 'Your role in the organization does not allow changing this member',
  },
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER: {
    status: 403,
    message: 'Your role in the organization does not allow removing this member',
  },
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION: {
    status: 403,
    message: 'Your role in the organization does not allow deleting it',
  },
  YOU_ARE_NOT_ALLOWED_TO_LIST_INVITATIONS: {
    status: 403,
    message: 'Your role in the organization does not allow seeing invitations',
  },
  MEMBER_NOT_FOUND: { status: 404, message: 'Member not found in the organization' },
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: {
    status: 400,
    message: 'The user is a member of this organization already',
  },
  USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION: {
    status: 400,
    message: 'The user is not a member of the organization',
  },
  EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION: {
    status: 403,
    message: 'Verify your email address to see invitations to it',
  },
  TEAM_NOT_FOUND: { status: 404, message: 'Team not found in the organization' },
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM: {
    status: 403,
    message: 'Your role in the organization does not allow deleting teams',
  },
  USER_IS_NOT_A_MEMBER_OF_THE_TEAM: { status: 403, message: 'You are not in this team' },
  // SSO
  SSO_PROVIDER_NOT_FOUND: { status: 404, message: 'SSO provider not found' },
  SSO_PROVIDER_EXISTS: { status: 409, message: 'The id {providerId} is taken' },
  SSO_PROVIDER_LIMIT_REACHED: {
    status: 403,
    message: 'SSO provider limit of the organization reached',
  },
  SSO_PROVIDER_IN_USE: {
    status: 409,
    message: 'People sign in by this provider already; {field} cannot change',
  },
  SSO_PROVIDER_CHANGED: {
    status: 409,
    message: 'The provider was changed by another request; read it again',
  },
  SSO_PROVIDER_INVALID: { status: 400, message: 'The identity provider cannot be used: {reason}' },
  SSO_DOMAIN_TAKEN: { status: 409, message: 'The domain {domain} belongs to another SSO provider' },
  SSO_DOMAIN_NOT_VERIFIED: {
    status: 403,
    message: 'The domain {domain} is not verified for the provider',
  },
  SSO_RESPONSE_INVALID: {
    status: 400,
    message: 'The answer of the identity provider is not valid: {reason}',
  },
  SSO_ACCOUNT_NOT_LINKED: {
    status: 403,
    message: 'The account with this address does not sign in by SSO',
  },
  SSO_EMAIL_NOT_VERIFIED: {
    status: 403,
    message: 'The identity provider has not verified the email address',
  },
} as const satisfies Record<string, ErrorRow>;
