import type { ErrorRow } from './error-row.js';

/** The errors of edge functions; a part of the table in codes.ts. */
export const FUNCTION_ERRORS = {
  FUNCTION_REFUSED: { status: 400, message: 'The function cannot run: {reason}' },
  FUNCTION_BODY_TOO_LARGE: { status: 413, message: 'The body is larger than {limit} bytes' },
  FUNCTION_BUSY: { status: 429, message: 'The function {slug} has no room for more requests' },
  FUNCTION_CRASHED: { status: 502, message: 'The function {slug} ended without an answer' },
  FUNCTIONS_UNAVAILABLE: { status: 503, message: 'Functions cannot run: {reason}' },
  FUNCTION_TIMEOUT: { status: 504, message: 'The function {slug} took too long' },
  EDGE_FUNCTION_NOT_FOUND: { status: 404, message: 'There is no function {slug}' },
  FUNCTION_ROUTE_NOT_FOUND: { status: 404, message: 'No function answers at {route}' },
  FUNCTION_VERSION_NOT_FOUND: {
    status: 404,
    message: 'The function {slug} has no version {version}',
  },
  FUNCTION_TOKEN_NOT_FOUND: { status: 404, message: 'There is no token with this id' },
  FUNCTION_TRIGGER_NOT_FOUND: { status: 404, message: 'There is no trigger with this id' },
  FUNCTION_SCHEDULE_NOT_FOUND: { status: 404, message: 'There is no schedule with this id' },
  FUNCTION_TRIGGER_EXISTS: { status: 409, message: 'There is a trigger {name} already' },
  FUNCTION_SCHEDULE_EXISTS: { status: 409, message: 'There is a schedule {name} already' },
  CHANGES_NOT_CAPTURED: {
    status: 400,
    message: 'table: {table} is no table of the schema public whose changes are captured',
  },
  FUNCTION_EXISTS: { status: 409, message: 'There is a function {slug} already' },
  FUNCTION_ROUTE_TAKEN: { status: 409, message: 'Another function answers at {route}' },
  TOO_MANY_FUNCTIONS: { status: 409, message: 'A project has at most {limit} {kind}' },
} as const satisfies Record<string, ErrorRow>;
