// THE table of errors: code -> status and public message. Adding an error is one line here.
// Codes beginning with PGRST follow PostgREST 16; the rest are ours. `{name}` in a message is filled
// from the values given to `fail`.

interface ErrorRow {
  readonly status: number;
  readonly message: string;
}

export const ERRORS = {
  // Request grammar (PostgREST group 1)
  PGRST100: { status: 400, message: 'The request could not be parsed: {reason}' },
  PGRST102: { status: 400, message: 'The request body is not valid: {reason}' },
  PGRST103: { status: 416, message: 'The requested range cannot be satisfied: {reason}' },
  PGRST106: { status: 406, message: 'The schema {schema} is not exposed here' },
  PGRST107: { status: 406, message: 'None of the media types {types} can be given: {reason}' },
  PGRST108: { status: 400, message: '{name} is not embedded in this request; name it in select' },
  PGRST116: { status: 406, message: 'Exactly one row was asked for, but there are {rows}' },
  PGRST118: {
    status: 400,
    message: 'Rows cannot be ordered by {name}, because it may lead to more than one row',
  },
  PGRST120: { status: 400, message: 'The embed {name} takes is.null and not.is.null alone' },
  PGRST122: { status: 400, message: 'The Prefer header has values that are not known: {values}' },
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
  INVALID_API_KEY: { status: 401, message: 'The project key is missing or not valid' },
  INVALID_OPERATOR_ASSERTION: { status: 401, message: 'The operator assertion is not valid' },
  FORBIDDEN: { status: 403, message: 'You may not do this' },
  ADMIN_REQUIRED: { status: 403, message: 'This route is for administrators' },
  CAPABILITY_REQUIRED: { status: 403, message: 'This needs the capability {capability}' },
  IMPERSONATION_REFUSED: {
    status: 403,
    message: 'Only the secret key may use the header x-service-impersonate',
  },
  IMPERSONATED_USER_NOT_FOUND: {
    status: 404,
    message: 'There is no user with the id to impersonate',
  },
  USER_INACTIVE: { status: 403, message: 'This account is not active' },
  '42501': { status: 403, message: 'You do not have permission to perform this action.' },
  // Input in general
  INVALID_INPUT: { status: 400, message: '{field}: {reason}' },
  UNKNOWN_FIELD: { status: 400, message: '{field}: there is no such field' },
  INVALID_REQUEST: { status: 400, message: 'The request could not be understood' },
  INVALID_JSON: { status: 400, message: 'The request body is not valid JSON' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The content type {type} is not supported here' },
  BODY_TOO_LARGE: { status: 413, message: 'The request body is larger than {maxBytes} bytes' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The URL and the headers together are too large' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive' },
  URI_TOO_LONG: { status: 414, message: 'The URL is longer than {maxBytes} bytes' },
  NOT_FOUND: { status: 404, message: 'There is nothing at {path}' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'The method {method} is not allowed here' },
  CONFLICT: { status: 409, message: '{reason}' },
  RATE_LIMITED: { status: 429, message: 'Too many requests; try again later' },
  // Settings
  UNKNOWN_SETTINGS_GROUP: { status: 404, message: 'There is no settings group {group}' },
  SETTINGS_REFUSED: { status: 400, message: 'The settings cannot be used: {reason}' },
  // Users
  USERNAME_TAKEN: { status: 409, message: 'This user name is taken' },
  SIGNUP_DISABLED: { status: 403, message: 'Sign-up is closed' },
  EMAIL_DOMAIN_NOT_ALLOWED: { status: 403, message: 'Addresses of this domain may not sign up' },
  USER_ALREADY_EXISTS: { status: 422, message: 'There is an account with this e-mail address' },
  FIELD_NOT_ALLOWED: { status: 400, message: '{field}: this field cannot be set here' },
  SESSION_NOT_FRESH: { status: 403, message: 'Sign in again or give your password' },
  INVALID_PASSWORD: { status: 403, message: 'The password is wrong' },
  USER_NOT_FOUND: { status: 404, message: 'There is no such user' },
  // Projects
  PROJECT_NOT_FOUND: { status: 404, message: 'There is no project at this address' },
  PROJECT_PAUSED: { status: 503, message: 'This project is paused' },
  PROJECT_BUSY: { status: 503, message: 'This project has too many requests waiting' },
  PROJECT_UNAVAILABLE: { status: 503, message: 'This project cannot be reached right now' },
  SHUTTING_DOWN: { status: 503, message: 'The server is shutting down' },
  // The console
  INVALID_CREDENTIALS: { status: 401, message: 'The e-mail address or the password is wrong' },
  ACCOUNT_LOCKED: { status: 423, message: 'Too many failed attempts; try again later' },
  TWO_FACTOR_REQUIRED: { status: 401, message: 'Enter the code of your second factor first' },
  INVALID_CODE: { status: 400, message: 'The code is wrong or was already used' },
  PASSWORD_CHANGE_REQUIRED: { status: 403, message: 'Change your password first' },
  OPERATOR_EXISTS: { status: 409, message: 'There is an operator with this e-mail address' },
  OPERATOR_NOT_FOUND: { status: 404, message: 'There is no such operator' },
  INVITATION_NOT_FOUND: { status: 404, message: 'This invitation does not exist or has expired' },
  WRONG_PASSWORD: { status: 400, message: 'The current password is wrong' },
  SECOND_FACTOR_ENABLED: { status: 409, message: 'The second factor is enabled already' },
  SECOND_FACTOR_NOT_ENABLED: { status: 409, message: 'The second factor is not enabled' },
  SESSION_NOT_FOUND: { status: 404, message: 'There is no such session' },
  TRUSTED_DEVICE_NOT_FOUND: { status: 404, message: 'There is no such trusted device' },
  LAST_DEPLOYMENT_ADMIN: {
    status: 409,
    message: 'A deployment keeps at least one active administrator',
  },
  ORGANIZATION_NOT_FOUND: { status: 404, message: 'There is no such organization' },
  MEMBERSHIP_NOT_FOUND: { status: 404, message: 'There is no such membership' },
  LAST_OWNER: { status: 409, message: 'An organization keeps at least one owner' },
  REF_TAKEN: { status: 409, message: 'The ref {ref} is taken' },
  DOMAIN_TAKEN: { status: 409, message: 'The domain {domain} belongs to a project already' },
  DOMAIN_NOT_FOUND: { status: 404, message: 'The project has no such domain' },
  REF_NOT_CONFIRMED: { status: 400, message: 'Type the ref of the project to confirm' },
  // Database and server
  DATABASE_UNAVAILABLE: { status: 503, message: 'The database cannot be reached right now' },
  REQUEST_ABORTED: { status: 499, message: 'The request was given up before it was answered' },
  SCHEMA_CHANGING: { status: 503, message: 'The schema is being changed right now' },
  RESULT_TOO_LARGE: {
    status: 400,
    message: 'The answer is larger than {maxBytes} bytes; ask for fewer rows or columns',
  },
  PGRST504: { status: 504, message: 'The statement took too long and was cancelled' },
  DATABASE_ERROR: { status: 500, message: 'The database could not answer' },
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;
