// The table of errors: code -> status and public message. Adding an error is one line here. Codes beginning with PGRST
// follow PostgREST 16; the rest are ours. `{name}` in a message is filled from the values passed to `fail`. Errors of
// accounts are in auth-codes.ts, errors of files and buckets in storage-codes.ts, errors of channels in realtime-codes.ts,
// errors of edge functions in function-codes.ts.

import { AUTH_ERRORS } from './auth-codes.js';
import type { ErrorRow } from './error-row.js';
import { FUNCTION_ERRORS } from './function-codes.js';
import { REALTIME_ERRORS } from './realtime-codes.js';
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
  EXPLAIN_REFUSED: {
    publicCode: 'PGRST103',
    status: 403,
    message: 'Query plans are for administrators',
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
  SCHEMA_NOT_FOUND: { status: 404, message: 'There is no schema {schema}' },
  FUNCTION_NOT_FOUND: { status: 404, message: 'There is no function with the id {id}' },
  CONFLICT_TARGET_REFUSED: {
    status: 400,
    message: 'An upsert needs a unique key that is neither deferrable nor WITHOUT OVERLAPS',
  },
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
  INVITATION_MAIL_REQUIRED: {
    status: 403,
    message:
      'The invitation cannot be mailed, because the server has no SMTP_HOST. Set it, or let an administrator of the deployment invite this person',
  },
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
    message:
      'Only the secret key, and operators with secrets.manage on tables, may use the header x-service-impersonate',
  },
  IMPERSONATED_USER_NOT_FOUND: {
    status: 404,
    message: 'There is no user with the id to impersonate',
  },
  ADMIN_NOT_IMPERSONATED: {
    status: 403,
    message: 'Administrators cannot be impersonated',
  },
  IMPERSONATED_SESSION: {
    status: 403,
    message: 'Only the user can do this, not an administrator who impersonates the user',
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
  ROWS_CHANGED: {
    status: 409,
    message: 'Rows have changed since they were read; nothing was written. See details.conflicts',
  },
  NO_PRIMARY_KEY: {
    status: 409,
    message: 'The table {table} has no primary key, which a change of a row needs',
  },
  CONCURRENT_CHANGE: {
    status: 409,
    message: 'Another change of the same data came at the same moment; try again',
  },
  RATE_LIMITED: { status: 429, message: 'Too many requests; try again later' },
  // Settings
  SETTINGS_VERSION_NOT_FOUND: {
    status: 404,
    message: 'The history of this group has no version with this id',
  },
  UNKNOWN_SETTINGS_GROUP: { status: 404, message: 'There is no settings group {group}' },
  SETTINGS_REFUSED: { status: 400, message: 'The settings cannot be used: {reason}' },
  ...AUTH_ERRORS,
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
  POLICY_TEST_NOT_FOUND: { status: 404, message: 'There is no policy test with this id' },
  POLICY_TEST_NAME_TAKEN: { status: 409, message: 'There is a policy test named {name} already' },
  TOO_MANY_POLICY_TESTS: { status: 409, message: 'A project has at most {limit} policy tests' },
  POLICY_TESTS_TOO_LARGE: {
    status: 409,
    message:
      'The policy tests of a project have at most {maxBytes} bytes together; delete some, or make their requests shorter',
  },
  KEPT_MAIL_NOT_FOUND: { status: 404, message: 'There is no mail with this id in the inbox' },
  ...STORAGE_ERRORS,
  ...REALTIME_ERRORS,
  ...FUNCTION_ERRORS,
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
  COLLATION_VERSION_CHANGED: {
    status: 409,
    message:
      'An update of the operating system has changed the collation version of the database {database}, so PostgreSQL refuses to copy it: as the superuser, run REINDEX DATABASE in it and then ALTER DATABASE "{database}" REFRESH COLLATION VERSION',
  },
  UPGRADE_STOPPED: {
    status: 409,
    message: 'The upgrade has stopped in wave {wave}, because too many projects failed',
  },
  UPGRADE_INTERRUPTED: {
    status: 503,
    message: 'The upgrade was interrupted; start it again with rowhouse upgrade --resume',
  },
  PROJECT_SECRETS_UNREADABLE: {
    status: 503,
    message:
      'The stored secrets of this project cannot be opened; the log of the server names them',
  },
  PROJECT_UPGRADING: { status: 503, message: 'This project is being upgraded; try again soon' },
  PROJECT_BUSY: { status: 503, message: 'This project has too many requests waiting' },
  PROJECT_UNAVAILABLE: { status: 503, message: 'This project cannot be reached right now' },
  SHUTTING_DOWN: { status: 503, message: 'The server is shutting down' },
  // The console
  INVALID_CREDENTIALS: { status: 401, message: 'The email address or the password is wrong' },
  ACCOUNT_LOCKED: { status: 423, message: 'Too many failed attempts; try again later' },
  TWO_FACTOR_REQUIRED: { status: 401, message: 'Enter the code of your second factor first' },
  INVALID_CODE: { status: 400, message: 'The code is wrong or was already used' },
  PROVIDER_UNAVAILABLE: {
    status: 503,
    message: 'The sign-in provider {provider} cannot be reached at the moment',
  },
  PASSWORD_CHANGE_REQUIRED: { status: 403, message: 'Change your password first' },
  OPERATOR_EXISTS: { status: 409, message: 'There is an operator with this email address' },
  OPERATOR_NOT_FOUND: { status: 404, message: 'Operator not found' },
  INVITATION_NOT_FOUND: { status: 404, message: 'This invitation does not exist or has expired' },
  INVITATION_FOR_SOMEBODY_ELSE: {
    status: 403,
    message: 'This invitation is for another email address. Sign in with that address to accept it',
  },
  WRONG_PASSWORD: { status: 400, message: 'The current password is wrong' },
  SECOND_FACTOR_ENABLED: { status: 409, message: 'The second factor is enabled already' },
  SECOND_FACTOR_NOT_ENABLED: { status: 409, message: 'The second factor is not enabled' },
  SECOND_FACTOR_UNREADABLE: {
    status: 503,
    message:
      'The stored second factor cannot be read; use a code of another kind, or ask an administrator to remove it',
  },
  API_KEY_NOT_FOUND: { status: 404, message: 'The user has no API key with this id' },
  PASSKEY_NOT_FOUND: { status: 404, message: 'The user has no passkey with this id' },
  SESSION_NOT_FOUND: { status: 404, message: 'Session not found' },
  TRUSTED_DEVICE_NOT_FOUND: { status: 404, message: 'Trusted device not found' },
  LAST_DEPLOYMENT_ADMIN: {
    status: 409,
    message: 'A deployment keeps at least one active administrator',
  },
  ORGANIZATION_NOT_FOUND: { status: 404, message: 'Organization not found' },
  MEMBERSHIP_NOT_FOUND: { status: 404, message: 'Membership not found' },
  LAST_OWNER: { status: 409, message: 'An organization keeps at least one owner' },
  // Projects as the console sees them
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
  // Database and server
  DATABASE_UNAVAILABLE: { status: 503, message: 'The database cannot be reached right now' },
  REQUEST_ABORTED: { status: 499, message: 'The client closed the connection' },
  REPLY_SPACE_EXHAUSTED: {
    status: 503,
    message: 'Too many large answers are being sent; ask for fewer rows or try again later',
  },
  SERVER_BUSY: {
    status: 503,
    message: 'The server is receiving too many large requests; try again later',
  },
  SCHEMA_CHANGING: { status: 503, message: 'The schema is being changed right now' },
  SCHEMA_TOO_LARGE: {
    status: 503,
    message:
      'The description of the tables and functions of this project has more than {megabytes} MB; drop some, or keep them in schemas that are not exposed',
  },
  SQL_CANCELLED: { status: 409, message: 'The script was cancelled; nothing of it was kept' },
  SQL_RUN_NOT_FOUND: {
    status: 404,
    message: 'You run no script with this id, or another process of the deployment runs it',
  },
  SAVED_QUERY_NOT_FOUND: { status: 404, message: 'There is no query with this id' },
  SAVED_QUERY_OF_ANOTHER: {
    status: 403,
    message: 'The query belongs to another author; save a copy to change it',
  },
  TOO_MANY_SAVED_QUERIES: { status: 409, message: '{owner} has at most {limit} saved queries' },
  RESULT_TOO_LARGE: {
    status: 400,
    message: 'The answer is larger than {maxBytes} bytes; ask for fewer rows or columns',
  },
  PGRST504: { status: 504, message: 'The statement took too long and was cancelled' },
  DATABASE_ERROR: { status: 500, message: 'The database could not answer' },
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;
