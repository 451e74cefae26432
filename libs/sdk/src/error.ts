import { isRecord, textOf } from './json.js';

/** The fields of an error besides its message. */
export interface ErrorFields {
  readonly status: number;
  readonly code: string;
  readonly details?: unknown;
  readonly hint?: string | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/**
 * Why a request failed: an error of the server, or no answer at all (`status` 0 and an empty `code`). Results carry it
 * as `error`; after `throwOnError()` it is thrown.
 */
export class RowhouseError extends Error {
  override readonly name = 'RowhouseError';
  /** The HTTP status, or 0 if the server did not answer. */
  readonly status: number;
  /** The code of the REST standard (`PGRST116`), of PostgreSQL (`23505`) or of the platform; may be empty. */
  readonly code: string;
  /** Further information: a text, or a list of candidates. */
  readonly details: unknown;
  /** How to fix it. */
  readonly hint: string | undefined;
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined;

  constructor(message: string, fields: ErrorFields) {
    super(message, fields.cause === undefined ? {} : { cause: fields.cause });
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details;
    this.hint = fields.hint;
    this.requestId = fields.requestId;
  }

  /** The fields as JSON; `JSON.stringify` would omit the message of an error. */
  toJSON(): Record<string, unknown> {
    const { name, message, status, code, details, hint, requestId } = this;
    return { name, message, status, code, details, hint, requestId };
  }
}

/** The error of a call with invalid arguments, which is not sent: with the status that the server would return. */
export function invalidInput(message: string): RowhouseError {
  return new RowhouseError(message, { status: 400, code: 'INVALID_INPUT' });
}

/** The error of a request without an answer. Its cause is the error of `fetch`. */
export function unreachable(thrown: unknown): RowhouseError {
  if (thrown instanceof RowhouseError) return thrown;
  const because = messageOf(isRecord(thrown) ? thrown['cause'] : undefined);
  const message = `${messageOf(thrown) ?? String(thrown)}${because ? `: ${because}` : ''}`;
  return new RowhouseError(message, { status: 0, code: '', cause: thrown });
}

/** The message of an error. Errors of another frame are not instances of this frame's `Error`. */
function messageOf(thrown: unknown): string | undefined {
  return isRecord(thrown) ? textOf(thrown['message']) : undefined;
}
