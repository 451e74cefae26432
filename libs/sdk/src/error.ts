import { isRecord, textOf } from './json.js';

/** What an error carries beside its message. */
export interface ErrorFields {
  readonly status: number;
  readonly code: string;
  readonly details?: unknown;
  readonly hint?: string | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/**
 * Why a request failed: an answer of the server that is an error, or no answer at all (`status` 0 and an
 * empty `code`). Results carry it as `error`; after `throwOnError()` it is thrown.
 */
export class RowhouseError extends Error {
  override readonly name = 'RowhouseError';
  /** The HTTP status, or 0 when the server did not answer. */
  readonly status: number;
  /** The code of the REST standard (`PGRST116`), of PostgreSQL (`23505`) or of the platform; may be empty. */
  readonly code: string;
  /** What more the server knows: a text, or a list of candidates. */
  readonly details: unknown;
  /** What might help. */
  readonly hint: string | undefined;
  /** Names the request in the server's log. */
  readonly requestId: string | undefined;

  constructor(message: string, fields: ErrorFields) {
    super(message, fields.cause === undefined ? {} : { cause: fields.cause });
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details;
    this.hint = fields.hint;
    this.requestId = fields.requestId;
  }

  /** The fields as JSON; `JSON.stringify` would leave the message of an error out. */
  toJSON(): Record<string, unknown> {
    const { name, message, status, code, details, hint, requestId } = this;
    return { name, message, status, code, details, hint, requestId };
  }
}

/** The error of a request that got no answer, with what `fetch` rejected with as its cause. */
export function unreachable(thrown: unknown): RowhouseError {
  if (thrown instanceof RowhouseError) return thrown;
  const because = messageOf(isRecord(thrown) ? thrown['cause'] : undefined);
  const message = `${messageOf(thrown) ?? String(thrown)}${because ? `: ${because}` : ''}`;
  return new RowhouseError(message, { status: 0, code: '', cause: thrown });
}

/** The message of an error. Errors of another frame are no instances of this one's `Error`. */
function messageOf(thrown: unknown): string | undefined {
  return isRecord(thrown) ? textOf(thrown['message']) : undefined;
}
