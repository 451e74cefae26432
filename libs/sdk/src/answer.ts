import { RowhouseError, unreachable } from './error.js';
import { isRecord, parseJson, textOf } from './json.js';
import type { WireAnswer } from './request.js';

/** A request that did what it should. */
export interface Success<Data> {
  data: Data;
  error: null;
  /** All rows that match, when a count was asked for. */
  count: number | null;
  status: number;
  statusText: string;
}

/** A request that failed; `status` is 0 when the server did not answer. */
export interface Failure {
  data: null;
  error: RowhouseError;
  count: null;
  status: number;
  statusText: string;
}

/** What awaiting a request gives: test `error` before using `data`. */
export type Answer<Data> = Success<Data> | Failure;

/** An error as an answer. */
export function failure(error: RowhouseError, statusText = ''): Failure {
  return { data: null, error, count: null, status: error.status, statusText };
}

/** The error that an answer of the server stands for. Its body may be anything: proxies answer too. */
export function refusal({ status, statusText, text, headers }: WireAnswer): Failure {
  const parsed = parseJson(text);
  const body = isRecord(parsed) ? parsed : {};
  const message =
    textOf(body['message']) ?? (text || statusText || `The server answered ${status}`);
  const error = new RowhouseError(message, {
    status,
    code: textOf(body['code']) ?? '',
    details: body['details'] ?? undefined,
    hint: textOf(body['hint']),
    requestId: textOf(body['requestId']) ?? headers.get('x-request-id') ?? undefined,
  });
  return failure(error, statusText);
}

/**
 * Runs a request so that every failure is an answer. With `rejects`, failures are thrown instead.
 * @throws RowhouseError
 */
export async function settle<Data>(
  work: () => Promise<Answer<Data>>,
  rejects: boolean,
): Promise<Answer<Data>> {
  const answer = await work().catch((thrown: unknown) => failure(unreachable(thrown)));
  if (rejects && answer.error) throw answer.error;
  return answer;
}
