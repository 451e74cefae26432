// The table of errors: code -> status and public message. Adding an error is one line here. Codes beginning with PGRST
// follow PostgREST 16; the rest are ours. `{name}` in a message is filled from the values passed to `fail`. Errors of
// files and buckets are in storage-codes.ts.

import type { ErrorRow } from './error-row.js';
import { STORAGE_ERRORS } from './storage-codes.js';

export const ERRORS = {
  // Request grammar (PostgREST group 1)
  PGRST100: { status: 400, message: 'The request could not be parsed: {reason}' },
  PGRST102: { status: 400, message: 'The request body is not valid: {reason}' },
  PGRST103: { status: 416, message: 'The requested range cannot be satisfied: {reason}' },
  PGRST106: { status: 406, message: 'The schema {schema} is not exposed here' },
  PGRST107: {
    status: 406,
    message: 'Cannot produce any of the accepted media types ({types}): {reason}',
  },
  PGRST108: { status: 400, message: '{name} is not embedded in this request; name it in select' },
  PGRST116: { status: 406, message: 'Exactly one row was requested, but the result has {rows}' },
  PGRST118: {
    status: 400,
    message: 'Rows cannot be ordered by {name}, because it may lead to more than one row',
  },
  PGRST120: { status: 400, message: 'The embed {name} supports only is.null and not.is.null' },
  PGRST122: { status: 400, message: 'Unknown preferences in the Prefer header: {values}' },
  PGRST124: {
    status: 400,
    message: 'The write touches {rows} rows, more than max-affected allows',
  },
  // Catalog (PostgREST group 2)
  PGRST200: { status: 400, message: 'There is no relationship between {from} and {to}' },
  PGRST201: {
    status: 300,
    message: 'More than one relationship leads from {from} to {to}; choose one of them',
  },
  PGRST202: { status: 404, message: 'There is no function {function} with {arguments}' },
  PGRST203: {
    status: 300,
    message: 'More than one function {function} takes these arguments',
  },
  PGRST204: { status: 400, message: 'There is no column {column} in {table}' },
  PGRST205: { status: 404, message: 'There is no table {table}' },
  CAST_REFUSED: { status: 400, message: 'A request cannot cast values to the type {type}' },
  DEFINER_NOT_ALLOWED: {
    status: 403,
    message: 'The function {function} runs with the rights of its owner and is not allowed here',
  },
  BATCH_REFERENCE_MISSING: {
    status: 400,
    message: 'The batch refers to a row that an earlier operation did not give',
  },
  UNFILTERED_WRITE: {
    status: 400,
    message: '{method} without a filter would touch every row; add a filter',
  },
  NO_ROWS_MATCHED: { status: 404, message: 'No row matches the filters' },
  // The caller
  UNAUTHORIZED: { status: 401, message: 'Sign in to do this' },
  USER_REQUIRED: { status: 403, message: 'Only signed-in users of the project can use this route' },
  INVALID_API_KEY: { status: 401, message: 'The project key is missing or not valid' },
  INVALID_OPERATOR_ASSERTION: { status: 401, message: 'The operator assertion is not valid' },
  FORBIDDEN: { status: 403, message: 'You are not allowed to do this' },
  ADMIN_REQUIRED: { status: 403, message: 'This route is for administrators' },
  DEPLOYMENT_ADMIN_REQUIRED: {
    status: 403,
    message: 'Only administrators of the deployment can use this route',
  },
  CAPABILITY_REQUIRED: { status: 403, message: 'The capability {capability} is required' },
  CLIENT_ADDRESS_REFUSED: {
    status: 403,
    message: 'Only the secret key may use the header x-service-client-ip',
  },
  IMPERSONATION_NOT_HERE: {
    status: 403,
    message:
      'x-service-impersonate cannot name a user here; use /api/admin/users with the secret key',
  },
  IMPERSONATION_REFUSED: {
    status: 403,
    message: 'Only the secret key may use the header x-service-impersonate',
  },
  IMPERSONATED_USER_NOT_FOUND: {
    status: 404,
    message: 'There is no user with the id to impersonate',
  },
  USER_INACTIVE: { status: 403, message: 'This account is not active' },
  FOREIGN_SUBJECT_REFUSED: {
    status: 403,
    message: 'The subject of this token has the id of an account of this project',
  },
  ISSUER_UNAVAILABLE: {
    status: 503,
    message: 'The keys of the issuer {issuer} cannot be read right now',
  },
  API_KEY_EXHAUSTED: { status: 429, message: 'This API key has no uses left' },
  CAPTCHA_MISSING: { status: 400, message: 'Missing CAPTCHA response' },
  CAPTCHA_FAILED: { status: 403, message: 'Captcha verification failed' },
  CAPTCHA_UNAVAILABLE: { status: 503, message: 'The CAPTCHA cannot be checked right now' },
  '42501': { status: 403, message: 'You do not have permission to perform this action.' },
  // Input in general
  INVALID_INPUT: { status: 400, message: '{field}: {reason}' },
  UNKNOWN_FIELD: { status: 400, message: 'Unknown field: {field}' },
  INVALID_REQUEST: { status: 400, message: 'The request could not be understood' },
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
  AMBIGUOUS_TARGET: {
    status: 400,
    message: 'The URL has dot segments, backslashes or other parts that can be read in two ways',
  },
  JSON_TOO_COMPLEX: { status: 400, message: 'The request body {reason}' },
  INVALID_JSON: { status: 400, message: 'The request body is not valid JSON' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The content type {type} is not supported here' },
  BODY_TOO_LARGE: { status: 413, message: 'The request body is larger than {maxBytes} bytes' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The URL and the headers together are too large' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive' },
  URI_TOO_LONG: { status: 414, message: 'The URL is longer than {maxBytes} bytes' },
  NOT_FOUND: { status: 404, message: 'Not found: {path}' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'The method {method} is not allowed here' },
  CONFLICT: { status: 409, message: '{reason}' },
  CONCURRENT_CHANGE: {
    status: 409,
    message: 'Another change of the same data came at the same moment; try again',
  },
  RATE_LIMITED: { status: 429, message: 'Too many requests; try again later' },
  // Settings
  UNKNOWN_SETTINGS_GROUP: { status: 404, message: 'There is no settings group {group}' },
  SETTINGS_REFUSED: { status: 400, message: 'The settings cannot be used: {reason}' },
  // Users
  USERNAME_TAKEN: { status: 409, message: 'This user name is taken' },
  PHONE_NUMBER_TAKEN: { status: 409, message: 'There is an account with this phone number' },
  SELF_LOCKOUT: { status: 409, message: 'Administrators cannot do this to their own account' },
  FACTOR_NOT_FOUND: { status: 404, message: 'The user does not have this second factor' },
  HOOK_DELIVERY_NOT_FOUND: { status: 404, message: 'There is no event with this id to send again' },
  SIGNUP_DISABLED: { status: 403, message: 'Sign-up is closed' },
  EMAIL_DOMAIN_NOT_ALLOWED: { status: 403, message: 'Addresses of this domain may not sign up' },
  USER_ALREADY_EXISTS: { status: 422, message: 'There is an account with this e-mail address' },
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
  // Messages
  EMAIL_NOT_CONFIGURED: { status: 503, message: 'No mail server is set up for this project' },
  SMS_NOT_CONFIGURED: { status: 503, message: 'No SMS provider is set up for this project' },
  MAIL_REFUSED: { status: 502, message: 'The mail server refused the mail: {reason}' },
  MAIL_DEFERRED: {
    status: 503,
    message: 'The mail server does not accept mail at the moment: {reason}',
  },
  MAIL_UNREACHABLE: { status: 503, message: 'The mail server cannot be used: {reason}' },
  SMS_REFUSED: { status: 502, message: 'The SMS provider refused the message: {reason}' },
  SMS_UNREACHABLE: { status: 503, message: 'The SMS provider cannot be used: {reason}' },
  MESSAGE_NOT_FOUND: { status: 404, message: 'There is no message with this id' },
  MESSAGE_SENT: { status: 409, message: 'The message was sent already' },
  MESSAGE_EXPIRED: { status: 409, message: 'The code or the link of the message has expired' },
  KEPT_MAIL_NOT_FOUND: { status: 404, message: 'There is no mail with this id in the inbox' },
  ...STORAGE_ERRORS,
  // Projects
  PROJECT_NOT_FOUND: { status: 404, message: 'There is no project at this address' },
  PROJECT_PAUSED: { status: 503, message: 'This project is paused' },
  PROJECT_NEEDS_NEWER_RELEASE: {
    status: 503,
    message: 'This project was upgraded to a release that is newer than this server can serve',
  },
  PROJECT_NOT_UPGRADED: {
    status: 503,
    message: 'This project has not been upgraded to the release of this server yet',
  },
  NO_SNAPSHOT: { status: 409, message: 'There is no snapshot of the project {ref}' },
  UPGRADE_STOPPED: {
    status: 409,
    message: 'The upgrade has stopped in wave {wave}, because too many projects failed',
  },
  UPGRADE_INTERRUPTED: {
    status: 503,
    message: 'The upgrade was interrupted; start it again with rowhouse upgrade --resume',
  },
  PROJECT_UPGRADING: { status: 503, message: 'This project is being upgraded; try again soon' },
  PROJECT_BUSY: { status: 503, message: 'This project has too many requests waiting' },
  PROJECT_UNAVAILABLE: { status: 503, message: 'This project cannot be reached right now' },
  SHUTTING_DOWN: { status: 503, message: 'The server is shutting down' },
  // The console
  INVALID_CREDENTIALS: { status: 401, message: 'The e-mail address or the password is wrong' },
  ACCOUNT_LOCKED: { status: 423, message: 'Too many failed attempts; try again later' },
  TWO_FACTOR_REQUIRED: { status: 401, message: 'Enter the code of your second factor first' },
  INVALID_CODE: { status: 400, message: 'The code is wrong or was already used' },
  PROVIDER_UNAVAILABLE: {
    status: 503,
    message: 'The sign-in provider {provider} cannot be reached at the moment',
  },
  PASSWORD_CHANGE_REQUIRED: { status: 403, message: 'Change your password first' },
  OPERATOR_EXISTS: { status: 409, message: 'There is an operator with this e-mail address' },
  OPERATOR_NOT_FOUND: { status: 404, message: 'Operator not found' },
  INVITATION_NOT_FOUND: { status: 404, message: 'This invitation does not exist or has expired' },
  INVITATION_FOR_SOMEBODY_ELSE: {
    status: 403,
    message:
      'This invitation is for another e-mail address. Sign in with that address to accept it',
  },
  WRONG_PASSWORD: { status: 400, message: 'The current password is wrong' },
  SECOND_FACTOR_ENABLED: { status: 409, message: 'The second factor is enabled already' },
  SECOND_FACTOR_NOT_ENABLED: { status: 409, message: 'The second factor is not enabled' },
  SESSION_NOT_FOUND: { status: 404, message: 'Session not found' },
  TRUSTED_DEVICE_NOT_FOUND: { status: 404, message: 'Trusted device not found' },
  LAST_DEPLOYMENT_ADMIN: {
    status: 409,
    message: 'A deployment keeps at least one active administrator',
  },
  ORGANIZATION_NOT_FOUND: { status: 404, message: 'Organization not found' },
  MEMBERSHIP_NOT_FOUND: { status: 404, message: 'Membership not found' },
  LAST_OWNER: { status: 409, message: 'An organization keeps at least one owner' },
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
    message: 'Verify your e-mail address to see invitations to it',
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
    message: 'The identity provider has not verified the e-mail address',
  },
  REF_TAKEN: { status: 409, message: 'The ref {ref} is taken' },
  REF_BEING_RELEASED: {
    status: 409,
    message:
      'An earlier project with the ref {ref} is being removed. Try again in a minute, or use another ref',
  },
  OPERATION_NOT_FOUND: {
    status: 404,
    message: 'Operation not found or cannot be retried',
  },
  DOMAIN_TAKEN: {
    status: 409,
    message: 'Another project has verified the domain {domain}',
  },
  TOO_MANY_DOMAINS: { status: 409, message: 'A project has at most {limit} {kind} domains' },
  DOMAIN_NOT_FOUND: { status: 404, message: 'The project does not have this domain' },
  KEY_NOT_FOUND: { status: 404, message: 'The project has no key with this id' },
  REF_NOT_CONFIRMED: { status: 400, message: 'Type the ref of the project to confirm' },
  // Calls of addresses that a project has configured
  OUTBOUND_REFUSED: { status: 400, message: 'The address {host} is not allowed: {reason}' },
  OUTBOUND_FAILED: { status: 502, message: 'The server at {host} could not be reached' },
  OUTBOUND_TIMEOUT: { status: 504, message: 'The server at {host} did not answer in time' },
  HOOK_FAILED: { status: 503, message: 'The {hook} hook did not respond' },
  SIGNUP_REFUSED: { status: 403, message: '{reason}' },
  // Places where the bytes of files are stored
  FILE_TOO_LARGE: { status: 413, message: 'The file is larger than {maxBytes} bytes' },
  UPLOAD_SIZE_MISMATCH: { status: 400, message: 'The content is not the announced {size} bytes' },
  INVALID_RANGE: { status: 416, message: 'The range begins behind the end of the content' },
  STORAGE_OBJECT_MISSING: { status: 404, message: 'The stored content is missing' },
  STORAGE_OBJECT_EXISTS: { status: 409, message: 'Content is stored under this version already' },
  STORAGE_UNAVAILABLE: { status: 503, message: 'The file storage cannot be reached right now' },
  PROJECT_STORAGE_FULL: { status: 507, message: 'The project has no room for this upload' },
  STORAGE_FULL: { status: 507, message: 'The file storage has no space left' },
  // Database and server
  DATABASE_UNAVAILABLE: { status: 503, message: 'The database cannot be reached right now' },
  REQUEST_ABORTED: { status: 499, message: 'The client closed the connection' },
  REPLY_SPACE_EXHAUSTED: {
    status: 503,
    message: 'Too many large answers are being sent; ask for fewer rows or try again later',
  },
  SCHEMA_CHANGING: { status: 503, message: 'The schema is being changed right now' },
  SCHEMA_TOO_LARGE: {
    status: 503,
    message:
      'The description of the tables and functions of this project has more than {megabytes} MB; drop some, or keep them in schemas that are not exposed',
  },
  RESULT_TOO_LARGE: {
    status: 400,
    message: 'The answer is larger than {maxBytes} bytes; ask for fewer rows or columns',
  },
  PGRST504: { status: 504, message: 'The statement took too long and was cancelled' },
  DATABASE_ERROR: { status: 500, message: 'The database could not answer' },
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;
