import { RowhouseError, unreachable } from './error.js';
import { isRecord, parseJson, textOf } from './json.js';
import type { WireAnswer } from './request.js';

/** A request that succeeded. */
export interface Success<Data> {
  data: Data;
  error: null;
  /** The number of all matching rows, if a count was requested. */
  count: number | null;
  status: number;
  statusText: string;
}

/** A request that failed; `status` is 0 if the server did not answer. */
export interface Failure {
  data: null;
  error: RowhouseError;
  count: null;
  status: number;
  statusText: string;
}

/** The result of awaiting a request: test `error` before using `data`. */
export type Answer<Data> = Success<Data> | Failure;

/** Returns an error as a result. */
export function failure(error: RowhouseError, statusText = ''): Failure {
  return { data: null, error, count: null, status: error.status, statusText };
}

/**
 * Returns the error of a server's answer. The body may be anything: proxies answer too. With `keepsBody` all of it is
 * the details of the error.
 */
export function refusal(
  { status, statusText, text, headers }: WireAnswer,
  keepsBody = false,
): Failure {
  const parsed = parseJson(text);
  const body = isRecord(parsed) ? parsed : {};
  const message =
    textOf(body['message']) ?? (text || statusText || `The server answered ${status}`);
  const error = new RowhouseError(message, {
    status,
    code: textOf(body['code']) ?? '',
    details: (keepsBody ? (parsed ?? (text || undefined)) : body['details']) ?? undefined,
    hint: textOf(body['hint']),
    requestId: textOf(body['requestId']) ?? headers.get('x-request-id') ?? undefined,
  });
  return failure(error, statusText);
}

/**
 * Runs a request so that every failure is a result. With `rejects`, failures are thrown instead.
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
