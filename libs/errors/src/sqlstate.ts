import { type AppError, fail } from './app-error.js';
import { databaseAway, isAwayState } from './outage.js';

/** The fields of a PostgreSQL ErrorResponse that decide the caller's error. */
export interface DatabaseErrorFields {
  readonly code: string;
  readonly message: string;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
  readonly constraint?: string | undefined;
  /** The position in a script of the caller; with `detail` it becomes the details of the error. */
  readonly place?: object | undefined;
}

type Rule =
  | {
      readonly kind: 'error';
      readonly code: Parameters<typeof fail>[0];
      readonly retryAfterSeconds?: number;
    }
  | { readonly kind: 'status'; readonly status: number };

const shown = (status: number): Rule => ({ kind: 'status', status });

// Exact SQLSTATEs first, then their classes (PostgreSQL manual, appendix A). A rule of kind `status` passes on the
// database's own message, because it is about the caller's data or about SQL of the project.
const BY_STATE: Readonly<Record<string, Rule>> = {
  '42501': { kind: 'error', code: '42501' },
  '42P01': shown(404),
  '42883': shown(404),
  '42P17': shown(500),
  '23001': shown(409),
  '23503': shown(409),
  '23505': shown(409),
  '25006': shown(405),
  P0001: shown(400),
  P0002: shown(404),
  '57014': { kind: 'error', code: 'PGRST504' },
  // The statement needs more temporary files than a session may write. It would again: no `Retry-After`.
  '53400': shown(500),
  // A row or an index entry exceeds a limit: the caller's data is too large.
  '54000': shown(400),
  '40001': shown(409),
  '40P01': shown(409),
};

const BY_CLASS: Readonly<Record<string, Rule>> = {
  '09': shown(500),
  // Requests that PostgreSQL does not support.
  '0A': shown(400),
  '0L': shown(403),
  '0P': shown(403),
  '21': shown(400),
  '22': shown(400),
  '23': shown(400),
  '25': shown(500),
  '26': { kind: 'error', code: 'DATABASE_ERROR' },
  '28': shown(403),
  '2D': shown(500),
  '38': shown(500),
  '39': shown(500),
  '3B': shown(500),
  '40': shown(409),
  '42': shown(400),
  '44': shown(400),
  '53': { kind: 'error', code: 'DATABASE_UNAVAILABLE', retryAfterSeconds: 1 },
  '54': shown(500),
  '55': shown(500),
  '57': { kind: 'error', code: 'DATABASE_UNAVAILABLE', retryAfterSeconds: 1 },
  // Files, configuration, foreign servers, internal faults: nothing that a caller could fix.
  '58': { kind: 'error', code: 'DATABASE_ERROR' },
  F0: { kind: 'error', code: 'DATABASE_ERROR' },
  HV: { kind: 'error', code: 'DATABASE_ERROR' },
  // PL/pgSQL: errors that are raised on purpose have codes of their own above.
  P0: shown(500),
  XX: { kind: 'error', code: 'DATABASE_ERROR' },
};
/** Functions of the project may raise codes of their own, with messages for their callers. */
const OTHERS = shown(400);

/**
 * Returns the caller's error for an error of PostgreSQL. `raise … using errcode = 'PT403'` sets the status (PostgREST's
 * convention); our own functions use it with one of our codes as the message.
 */
export function databaseError(fields: DatabaseErrorFields, cause?: unknown): AppError {
  if (fields.code === 'PT403' && fields.message === 'USER_INACTIVE') {
    return fail('USER_INACTIVE', {}, { cause });
  }
  if (fields.code === 'PT403' && fields.message === 'FOREIGN_SUBJECT_REFUSED') {
    return fail('FOREIGN_SUBJECT_REFUSED', {}, { cause });
  }
  if (fields.code === 'PT404' && fields.message === 'IMPERSONATED_USER_NOT_FOUND') {
    return fail('IMPERSONATED_USER_NOT_FOUND', {}, { cause });
  }
  if (fields.code === 'PT400' && fields.message === 'BATCH_REFERENCE_MISSING') {
    return fail('BATCH_REFERENCE_MISSING', {}, { cause });
  }
  if (isAwayState(fields.code)) return databaseAway(cause);
  // The one error of this state that names a constraint: `on conflict` over a deferrable one.
  if (fields.code === '55000' && fields.constraint !== undefined) {
    const detail = `The constraint ${fields.constraint} is deferrable`;
    const details = detailsOf({ ...fields, detail });
    return fail('CONFLICT_TARGET_REFUSED', {}, { cause, details });
  }
  const raised = /^PT([1-5]\d\d)$/.exec(fields.code);
  const rule = raised
    ? shown(Number(raised[1]))
    : (BY_STATE[fields.code] ?? BY_CLASS[fields.code.slice(0, 2)] ?? OTHERS);
  if (rule.kind === 'error') {
    const { retryAfterSeconds } = rule;
    const extras = { cause, details: fields.place };
    return fail(rule.code, {}, { ...extras, ...(retryAfterSeconds && { retryAfterSeconds }) });
  }
  return fail(
    'DATABASE_ERROR',
    {},
    {
      cause,
      status: rule.status,
      publicCode: fields.code,
      message: shortened(fields.message),
      details: detailsOf(fields),
      ...(fields.hint && { hint: shortened(fields.hint) }),
    },
  );
}

/** Returns whether a constraint or an exception of a trigger has ended a statement: a rule of the project. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:23|P0001$|PT4)/.test(String(error.code));
}

/**
 * Returns the error of a deletion, with `details`. A deletion gives no values, so a constraint (class 23) that refuses
 * it is a rule of rows that stay: 409. Every other error is returned as it is.
 */
export function deletionError(error: AppError, details: unknown = error.details): AppError {
  const { code, message, hint, cause } = error;
  if (!code.startsWith('23')) return error;
  const extras = { publicCode: code, status: 409, message, details, cause };
  return fail('DATABASE_ERROR', {}, { ...extras, ...(hint !== undefined && { hint }) });
}

function detailsOf({ detail, place }: DatabaseErrorFields): unknown {
  const text = detail && shortened(detail);
  if (!place) return text || undefined;
  return { ...place, ...(text && { detail: text }) };
}

/** The longest text of an error that a function may raise; UTF-16 units. */
const maxTextLength = 64 * 1024;

function shortened(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}
