// The SQL editor: a script of the project's owner on a connection of its own, which is closed afterwards
// because a script may change anything about its session.

import { DatabaseError, type Client } from 'pg';
import { type AppError, databaseAway, fail } from '#libs/errors';
import { MessageTooLong } from '#libs/postgres-client';
import { createPause, inTurns } from '#libs/steps';
import type { Lane } from '../budget/lane.js';
import { clientError } from '../client-session.js';
import type { SqlScript } from './read-script.js';
import { maxResultBytes, watchResult } from './result-limit.js';
import { type FailurePoint, placeOf, type ScriptPlace } from './script-place.js';
import { type JsonBytes, scriptJson, type ScriptResult, type TextRows } from './script-result.js';
import { scriptTypes } from './script-values.js';

export interface ScriptRun {
  readonly script: SqlScript;
  /** Values of the only statement. If empty, the script may be several statements, all in one transaction. */
  readonly params: readonly unknown[];
  /** Whether statements are sent one by one, so that PostgreSQL itself refuses a text that contains several. */
  readonly isSentByStatement: boolean;
  readonly timeoutMs: number;
  /** The maximum size of the answer; default 16 MB. */
  readonly maxBytes?: number | undefined;
  /** Cancels the statement of a backend; resolves when the request was delivered. */
  readonly cancel: (client: Client) => Promise<void>;
  /** Ends a backend that ignores the cancel request. */
  readonly terminate: (client: Client) => Promise<void>;
}

/** How long the answer may take after a cancel request before the backend is ended. */
const CANCEL_GRACE_MS = 1_000;

/**
 * Runs a script and returns the JSON of a {@link ScriptResult}. Sent as a whole without parameters, the simple query
 * protocol makes several statements one implicit transaction. Throws PGRST504, RESULT_TOO_LARGE, INVALID_INPUT for
 * parameters, or the error of the statement that failed, with its {@link ScriptPlace} in the details.
 */
export async function runScript(
  lane: Lane<Client>,
  run: ScriptRun,
): Promise<JsonBytes<ScriptResult>> {
  const pooled = await lane.acquire('exclusive');
  const startedAt = performance.now();
  let results: readonly TextRows[];
  try {
    results = await withDeadline(pooled.connection, run);
  } finally {
    lane.release(pooled, true);
  }
  const durationMs = Math.round(performance.now() - startedAt);
  return inTurns(scriptJson(results, durationMs), createPause());
}

/** The server's own limit applies per statement and a script may lift it, so the whole is timed here. */
async function withDeadline(client: Client, run: ScriptRun): Promise<readonly TextRows[]> {
  const { timeoutMs, maxBytes = maxResultBytes } = run;
  const progress: Progress = { ended: 0 };
  const running = send(client, run, progress);
  const deadline = new Deadline(client, run);
  const late = new Promise<never>((_resolve, reject) => deadline.start(timeoutMs, reject));
  let isTooLarge = false;
  const endWatch = watchResult(client, maxBytes, () => {
    isTooLarge = true;
    // The backend may compute for long before it writes to the closed connection.
    void run.cancel(client);
  });
  try {
    const results = await Promise.race([running, late]);
    // pg reads a chunk before the watch counts it, so the last chunk may both end the script and exceed the limit.
    if (isTooLarge) throw new Error('The script ended with an answer that is too large');
    return results;
  } catch (error) {
    if (error instanceof MessageTooLong) void run.cancel(client);
    if (isTooLarge || error instanceof MessageTooLong) {
      throw fail('RESULT_TOO_LARGE', { maxBytes }, { cause: error });
    }
    throw deadline.hasPassed
      ? fail('PGRST504', {}, { cause: error })
      : scriptError(error, run, progress);
  } finally {
    endWatch();
    deadline.stop();
    // If the deadline passes first, the query still ends with the connection, and its result is ignored.
    running.catch(() => undefined);
  }
}

const format = { rowMode: 'array', types: scriptTypes } as const;
/**
 * Even without values: the simple protocol would accept several statements. The types of pg do not contain `queryMode`.
 */
const extended = { ...format, queryMode: 'extended' };

/** How many statements of a script have ended. */
interface Progress {
  ended: number;
}

async function send(
  client: Client,
  { script, params, isSentByStatement }: ScriptRun,
  progress: Progress,
): Promise<readonly TextRows[]> {
  if (params.length > 0) {
    const query = { ...extended, text: script.text, values: [...params] };
    return [await client.query<(string | null)[]>(query)];
  }
  if (isSentByStatement) return sendEach(client, script, progress);
  // The connection is closed after the script, and the listener goes with it.
  client.connection.on('commandComplete', () => progress.ended++);
  const whole = { ...format, text: script.text };
  const results: TextRows | readonly TextRows[] = await client.query<(string | null)[]>(whole);
  return isSeveral(results) ? results : [results];
}

/** pg returns a list for several statements, which its types omit. */
function isSeveral(results: TextRows | readonly TextRows[]): results is readonly TextRows[] {
  return Array.isArray(results);
}

/** A failure leaves the rest unsent; the connection is closed. */
async function sendEach(
  client: Client,
  { text, statements }: SqlScript,
  progress: Progress,
): Promise<readonly TextRows[]> {
  const results: TextRows[] = [];
  await client.query('begin');
  for (const { start, end } of statements) {
    // In order: each sees the effects of the one before it.
    const statement = { ...extended, text: text.slice(start, end) };
    results.push(await client.query<(string | null)[]>(statement));
    progress.ended++;
  }
  await client.query('commit');
  return results;
}

/** First cancels the statement, then ends the backend, then gives up waiting. */
class Deadline {
  hasPassed = false;
  readonly #client: Client;
  readonly #run: ScriptRun;
  #timer: NodeJS.Timeout | undefined;

  constructor(client: Client, run: ScriptRun) {
    this.#client = client;
    this.#run = run;
  }

  start(timeoutMs: number, giveUp: (error: unknown) => void): void {
    this.#timer = setTimeout(() => {
      this.hasPassed = true;
      this.#end().catch(giveUp);
    }, timeoutMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #end(): Promise<never> {
    await this.#run.cancel(this.#client);
    await this.#pause();
    await this.#run.terminate(this.#client);
    await this.#pause();
    throw new Error('The backend did not end');
  }

  /** Never resolves after `stop`: by then the answer has arrived. */
  #pause(): Promise<void> {
    return new Promise((resolve) => (this.#timer = setTimeout(resolve, CANCEL_GRACE_MS)));
  }
}

/** The values do not fit the placeholders. */
const protocolViolation = '08P01';

/** If a prepared statement does not exist, it is the script's own: we prepare none on its connection. */
const unknownStatement = '26000';

function scriptError(error: unknown, run: ScriptRun, progress: Progress): unknown {
  if (!(error instanceof DatabaseError)) return paramError(error);
  if (error.code === protocolViolation && run.params.length > 0) {
    const reason = 'must have one value for each placeholder of the query';
    return fail('INVALID_INPUT', { field: 'params', reason }, { cause: error });
  }
  const place = failurePlace(error, run, progress);
  if (error.code !== unknownStatement) return clientError(error, place);
  const reason = error.message;
  return fail('INVALID_INPUT', { field: 'query', reason }, { cause: error, details: place });
}

/** PostgreSQL counts positions in the text that it received: the whole script, or one of its statements. */
function failurePlace(
  { position }: DatabaseError,
  { script: { text, statements }, params, isSentByStatement }: ScriptRun,
  { ended }: Progress,
): ScriptPlace | undefined {
  const isWhole = params.length > 0 || !isSentByStatement;
  const sentFrom = isWhole ? 0 : (statements[ended]?.start ?? 0);
  const point: FailurePoint =
    position === undefined
      ? { kind: 'statement', index: ended }
      : { kind: 'position', position: Number(position), sentFrom };
  return placeOf(text, statements, point);
}

/** pg throws a RangeError for values that are nested too deeply. */
function paramError(error: unknown): AppError {
  if (!(error instanceof TypeError || error instanceof RangeError)) return databaseAway(error);
  return fail(
    'INVALID_INPUT',
    { field: 'params', reason: 'a value cannot be sent' },
    { cause: error },
  );
}
