import { ERRORS, type ErrorCode } from './codes.js';
import type { ErrorRow } from './error-row.js';

/** The names in braces of a message. */
type Placeholder<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** The values for the placeholders of a message. */
export type ValuesOf<Code extends ErrorCode> = {
  readonly [Name in Placeholder<(typeof ERRORS)[Code]['message']>]: string | number;
};

type Values = Readonly<Record<string, string | number>>;

/** The codes whose messages have no placeholders. */
export type PlainCode = {
  [Code in ErrorCode]: [Placeholder<(typeof ERRORS)[Code]['message']>] extends [never]
    ? Code
    : never;
}[ErrorCode];

type NoValues = Readonly<Record<string, never>>;

/** A message with placeholders needs a value for each, unless `extras` replace the message. */
type FailArguments<Code extends ErrorCode> = Code extends PlainCode
  ? [values?: NoValues, extras?: ErrorExtras]
  : | [values: ValuesOf<Code>, extras?: ErrorExtras]
    | [values: NoValues, extras: ErrorExtras & { readonly message: string }];

/** A table or function of a project, or a column of a table in `public`. */
export interface MentionedName {
  readonly schema: string;
  readonly name: string;
  readonly kind: 'table' | 'function';
  readonly column?: string;
}

/** Additions to an error besides the values of its message. */
export interface ErrorExtras {
  /** Facts for the caller that a program may read, e.g. the candidates of an ambiguous embed. */
  readonly details?: unknown;
  /** One sentence that says how to fix it. */
  readonly hint?: string;
  /** Names in `details` and `hint` that only a caller with rights on all of them may see. */
  readonly mentions?: readonly MentionedName[];
  /** Seconds until a retry makes sense; becomes the header `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Further headers of the answer; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The underlying foreign error; goes to the log, never to the caller. */
  readonly cause?: unknown;
  /** Replaces the table's status: only for errors whose status the database sets (PTxyz). */
  readonly status?: number;
  /** Replaces the table's message: only for a text that the database wrote for the caller. */
  readonly message?: string;
  /** Replaces the public code: a SQLSTATE without a row in the table. */
  readonly publicCode?: string;
}

/** An error that the caller is meant to see. Only {@link fail} creates it. */
export class AppError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: unknown;
  readonly hint: string | undefined;
  readonly mentions: readonly MentionedName[];
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, values: Values, extras: ErrorExtras) {
    const row: ErrorRow = ERRORS[code];
    super(extras.message ?? fillIn(row.message, values), { cause: extras.cause });
    this.name = 'AppError';
    this.code = extras.publicCode ?? row.publicCode ?? code;
    this.status = extras.status ?? row.status;
    this.details = extras.details;
    this.hint = extras.hint;
    this.mentions = extras.mentions ?? [];
    this.retryAfterSeconds = extras.retryAfterSeconds;
    this.headers = extras.headers ?? {};
  }
}

/** Returns the error of `code` with its message filled in. Use: `throw fail('PGRST116', { rows: 3 })`. */
export function fail<Code extends ErrorCode>(
  code: Code,
  ...[values = {}, extras = {}]: FailArguments<Code>
): AppError {
  return new AppError(code, values, extras);
}

function fillIn(message: string, values: Values): string {
  return message.replace(/\{(\w+)\}/g, (_match, name: string) => String(values[name] ?? ''));
}
