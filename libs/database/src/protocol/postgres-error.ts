// ErrorResponse of the protocol: fields of one code byte and a zero-terminated text, closed by a zero.

import { AppError, databaseError } from '#libs/errors';

const FIELD = {
  code: 'C',
  message: 'M',
  detail: 'D',
  hint: 'H',
  schema: 's',
  table: 't',
  column: 'c',
  constraint: 'n',
  routine: 'R',
} as const;

type FieldName = keyof typeof FIELD;

/** A failure that the server reported, with the fields that it sent. It goes to the log, never to a caller. */
export class PostgresError extends Error {
  readonly code: string;
  readonly detail: string | undefined;
  readonly hint: string | undefined;
  readonly table: string | undefined;
  readonly constraint: string | undefined;
  /** The C function that raised it; does not change with the language of the messages. */
  readonly routine: string | undefined;
  /** Index of the query that failed, among those of its request; set when the batch ends. */
  query: number | undefined;

  constructor(fields: Readonly<Partial<Record<FieldName, string>>>) {
    super(fields.message ?? 'The server reported an error without a message');
    this.name = 'PostgresError';
    this.code = fields.code ?? 'XX000';
    this.detail = fields.detail;
    this.hint = fields.hint;
    this.table = fields.table;
    this.constraint = fields.constraint;
    this.routine = fields.routine;
  }
}

/** The error in the body of an ErrorResponse. */
export function readPostgresError(bytes: Buffer, start: number, end: number): PostgresError {
  const byCode = new Map<string, string>();
  let at = start;
  while (at < end && bytes[at] !== 0) {
    const stop = bytes.indexOf(0, at + 1);
    if (stop < 0 || stop >= end) break;
    byCode.set(String.fromCharCode(bytes[at] ?? 0), bytes.toString('utf8', at + 1, stop));
    at = stop + 1;
  }
  const fields: Partial<Record<FieldName, string>> = {};
  for (const name of fieldNames) {
    const value = byCode.get(FIELD[name]);
    if (value !== undefined) fields[name] = value;
  }
  return new PostgresError(fields);
}

/** Replaces an error that was too long to be read. */
export function tooLongToRead(bytes: number): PostgresError {
  const code = '54000'; // program_limit_exceeded
  return new PostgresError({ code, message: `The error has ${bytes} bytes and was not read` });
}

// Object.keys is typed as string[]; the keys of a literal table are exactly these names.
const fieldNames = Object.keys(FIELD) as FieldName[];

/** The error for the caller. */
export function toAppError(error: PostgresError): AppError {
  const { code, message, detail, hint, constraint } = error;
  return databaseError({ code, message, detail, hint, constraint }, error);
}

const REFUSED = '42501';

/** A session refused a statement of the platform and was closed: code of the project had left a role in it. */
export function isDisowned(error: unknown): boolean {
  const cause = error instanceof AppError && error.status === 503 ? error.cause : undefined;
  return cause instanceof PostgresError && cause.code === REFUSED;
}

const UNDEFINED_COLUMN = '42703';
const UNDEFINED_TABLE = '42P01';

/** A table or a column does not exist, or the login has no right to it. */
export function isMissing(error: unknown): boolean {
  const cause = error instanceof AppError && !isDisowned(error) ? error.cause : undefined;
  if (!(cause instanceof PostgresError)) return false;
  return [REFUSED, UNDEFINED_COLUMN, UNDEFINED_TABLE].includes(cause.code);
}

const UNKNOWN_STATEMENT = '26000';

/** The server does not have the prepared statement (any more). */
export function isUnknownStatement(error: unknown): boolean {
  return error instanceof PostgresError && error.code === UNKNOWN_STATEMENT;
}

/** A prepared statement cannot be used: it does not exist, or a changed table made its plan invalid. */
export function isOutdated(error: unknown): boolean {
  const isReplanned = error instanceof PostgresError && error.routine === 'RevalidateCachedQuery';
  return isReplanned || isUnknownStatement(error);
}
