// One request of a try through the code of the API: its answer, or the error that the caller would have got.
import { AppError, fail } from '#libs/errors';
import type { Method } from '#libs/rest-query';
import type { Credential } from '#libs/wire';

import { answerRequest, type RestAnswer } from '../rest/index.js';
import type { TriedProject } from './tried-project.js';
import type { TriedCall, TriedTable } from './try-request.js';
import type { TryOutcome } from './try-result.js';

/** Larger answers are refused: a try is for looking at. */
const maxAnswerBytes = 1024 * 1024;

/** Requests of one caller. */
export interface TriedParty {
  readonly project: TriedProject;
  readonly credential: Credential;
}

export interface RestText {
  readonly method: Method;
  readonly resource: { readonly kind: 'table' | 'function'; readonly name: string };
  readonly query: string;
  readonly prefer?: string | undefined;
  /** JSON. */
  readonly body?: string | undefined;
}

/** What a request has come to. */
export type Ran =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string | undefined }
  | { readonly kind: 'refused'; readonly error: AppError };

/** Runs a request; errors of the caller are values. Throws PGRST504, RESULT_TOO_LARGE, and errors of the platform. */
export async function runRequest(
  { project, credential }: TriedParty,
  rest: RestText,
): Promise<Ran> {
  const { method, resource, query, prefer, body } = rest;
  const call = { project, credential, client: undefined };
  try {
    const answer = await answerRequest(call, {
      kind: 'request',
      input: {
        method,
        resource,
        queryString: query,
        headers: { prefer, ...(body !== undefined && { contentType: 'application/json' }) },
        body: body === undefined ? undefined : Buffer.from(body),
        seesAllRows: credential.kind === 'secret-key',
      },
    });
    return { kind: 'answered', status: answer.status, text: textOf(answer) };
  } catch (error) {
    if (isRefusal(error)) return { kind: 'refused', error };
    throw error;
  }
}

/** Like {@link runRequest}; returns the rows of the answer as the texts of JSON objects, undefined when refused. */
export async function readRows(party: TriedParty, rest: RestText): Promise<string | undefined> {
  const ran = await runRequest(party, rest);
  return ran.kind === 'answered' ? (ran.text ?? '[]') : undefined;
}

export const methodOf: Readonly<Record<TriedTable['kind'], Method>> = {
  select: 'GET',
  insert: 'POST',
  update: 'PATCH',
  delete: 'DELETE',
};

export function tableText({ kind, table, query, prefer, values }: TriedTable): RestText {
  return {
    method: methodOf[kind],
    resource: { kind: 'table', name: table },
    query,
    prefer,
    body: values,
  };
}

export function callText({ function: name, arguments: body }: TriedCall): RestText {
  return { method: 'POST', resource: { kind: 'function', name }, query: '', body };
}

/** Errors that end a try, because they say nothing about the caller. */
const platformCodes: ReadonlySet<string> = new Set([
  'DATABASE_UNAVAILABLE',
  'PGRST504',
  'PROJECT_BUSY',
  'REPLY_SPACE_EXHAUSTED',
  'REQUEST_ABORTED',
  'RESULT_TOO_LARGE',
  'SCHEMA_CHANGING',
  'SHUTTING_DOWN',
]);

/** Whether an error is the answer to the caller. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && !platformCodes.has(error.code);
}

export function outcomeOf(ran: Ran): TryOutcome {
  if (ran.kind === 'refused') return refusedOutcome(ran.error);
  const { status, text } = ran;
  // PostgreSQL has written it.
  return {
    kind: 'answered',
    status,
    body: text === undefined ? null : (JSON.parse(text) as unknown),
  };
}

export function refusedOutcome(error: AppError): TryOutcome {
  const { status, code, message, details, hint } = error;
  return {
    kind: 'refused',
    status,
    code,
    message,
    details: details ?? null,
    hint: hint ?? null,
  };
}

function textOf({ body }: RestAnswer): string | undefined {
  if (body === undefined) return undefined;
  if (!Buffer.isBuffer(body) || body.length > maxAnswerBytes) {
    throw fail('RESULT_TOO_LARGE', { maxBytes: maxAnswerBytes });
  }
  return body.length === 0 ? undefined : body.toString();
}
