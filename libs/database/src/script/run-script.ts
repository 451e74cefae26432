// The SQL editor: a script of the project's owner on a connection of its own, which is closed afterwards
// because a script may change anything about its session.

import { DatabaseError, type Client } from 'pg';
import { type AppError, databaseAway, fail } from '#libs/errors';
import { MessageTooLong } from '#libs/postgres-client';
import { createPause, inTurns, type Steps } from '#libs/steps';
import type { Lane } from '../budget/lane.js';
import { clientError } from '../client-session.js';
import { Deadline, type RunLimits } from '../deadline.js';
import { KeptReply, type ReplyOwner, uncountedBytes } from '../replies/kept-reply.js';
import { Reading } from '../replies/reading.js';
import type { ReplyShare } from '../replies/reply-budget.js';
import { maxResultBytes, watchResult } from './result-limit.js';
import { type FailurePoint, placeOf, type ScriptPlace } from './script-place.js';
import {
  type JsonBytes,
  scriptJson,
  type ScriptResult,
  type StatementAnswers,
  type StatementResult,
  statementsJson,
  type TextRows,
} from './script-result.js';
import { scriptTypes } from './script-values.js';
import { type Progress, sendStatements, type StatementsRun } from './send-statements.js';

export interface ScriptRun extends StatementsRun, RunLimits {
  /** Whether statements are sent one by one; if not, several without parameters are sent as one text. */
  readonly isSentByStatement: boolean;
  /** The maximum size of the answer; default {@link maxResultBytes}. */
  readonly maxBytes?: number | undefined;
  /** Where the answer is counted. */
  readonly replies?: ReplyShare | undefined;
  /** The request that the answer is kept for; absent: it is counted until it is returned. */
  readonly owner?: ReplyOwner | undefined;
}

/**
 * Runs a script and returns the JSON of a {@link ScriptResult}. Sent as a whole without parameters, the simple query
 * protocol makes several statements one implicit transaction. Throws PGRST504, RESULT_TOO_LARGE, REPLY_SPACE_EXHAUSTED,
 * REQUEST_ABORTED, INVALID_INPUT for parameters, or the error of the statement that failed, with its
 * {@link ScriptPlace} in the details.
 */
export function runScript(lane: Lane<Client>, run: ScriptRun): Promise<JsonBytes<ScriptResult>> {
  return answerOf(lane, run, (results, durationMs) =>
    scriptJson(
      results.map(({ rows }) => rows),
      durationMs,
    ),
  );
}

/** Runs a script like {@link runScript}, statement by statement, and returns the JSON of {@link StatementAnswers}. */
export function runStatements(
  lane: Lane<Client>,
  run: ScriptRun,
): Promise<JsonBytes<StatementAnswers>> {
  return answerOf(lane, { ...run, isSentByStatement: true }, statementsJson);
}

/** Space is taken for the values and for their JSON while they arrive. That for the JSON is held until the owner ends. */
async function answerOf<Answer>(
  lane: Lane<Client>,
  run: ScriptRun,
  write: (results: readonly StatementResult[], durationMs: number) => Steps<JsonBytes<Answer>>,
): Promise<JsonBytes<Answer>> {
  const { replies, owner } = run;
  using reading = new Reading();
  const kept = replies && new KeptReply(replies, owner ?? reading, uncountedBytes);
  try {
    const { results, bytes, durationMs } = await resultsOf(lane, run, kept);
    const json = await inTurns(write(results, durationMs), createPause());
    kept?.giveMemory(bytes);
    return json;
  } catch (error) {
    kept?.release();
    throw error;
  }
}

async function resultsOf(lane: Lane<Client>, run: ScriptRun, kept: KeptReply | undefined) {
  const { signal } = run;
  const pooled = await lane.acquire('exclusive', signal && { signal });
  const startedAt = performance.now();
  try {
    const found = await withDeadline(pooled.connection, run, kept);
    return { ...found, durationMs: Math.round(performance.now() - startedAt) };
  } finally {
    lane.release(pooled, true);
  }
}

/** The server's own limit applies per statement and a script may lift it, so the whole is timed here. */
async function withDeadline(client: Client, run: ScriptRun, kept: KeptReply | undefined) {
  const { maxBytes = maxResultBytes } = run;
  const progress: Progress = { ended: 0 };
  const running = send(client, run, progress);
  const deadline = new Deadline(client, run);
  const late = new Promise<never>((_resolve, reject) => deadline.start(reject));
  // The backend may compute for long before it writes to the closed connection.
  const onRefused = (): void => void run.cancel(client);
  const watched = watchResult(client, { maxBytes, kept, onRefused });
  try {
    const results = await Promise.race([running, late]);
    // pg reads a chunk before the watch counts it, so the last chunk may both end the script and be refused. What has
    // committed is answered: its rows are in memory already, and a client would run the script again.
    if (watched.refusal?.code === 'RESULT_TOO_LARGE') throw watched.refusal;
    return { results, bytes: watched.bytes };
  } catch (error) {
    if (watched.refusal) throw watched.refusal;
    if (error instanceof MessageTooLong) {
      void run.cancel(client);
      throw fail('RESULT_TOO_LARGE', { maxBytes }, { cause: error });
    }
    // An aborted run throws the reason of its signal, which is no error of the database.
    if (run.signal?.aborted) throw fail('REQUEST_ABORTED', {}, { cause: error });
    throw deadline.hasPassed
      ? fail('PGRST504', {}, { cause: error })
      : scriptError(error, run, progress);
  } finally {
    watched.stop();
    deadline.stop();
    // If the deadline passes first, the query still ends with the connection, and its result is ignored.
    running.catch(() => undefined);
  }
}

async function send(
  client: Client,
  run: ScriptRun,
  progress: Progress,
): Promise<readonly StatementResult[]> {
  if (run.isSentByStatement) return sendStatements(client, run, progress);
  const format = { rowMode: 'array', types: scriptTypes } as const;
  const { script, params } = run;
  if (params.length > 0) {
    const query = { ...format, queryMode: 'extended', text: script.text, values: [...params] };
    return [untimed(await client.query<(string | null)[]>(query))];
  }
  // The connection is closed after the script, and the listener goes with it.
  client.connection.on('commandComplete', () => progress.ended++);
  const whole = { ...format, text: script.text };
  const results: TextRows | readonly TextRows[] = await client.query<(string | null)[]>(whole);
  return (isSeveral(results) ? results : [results]).map(untimed);
}

/** pg returns a list for several statements, which its types omit. */
function isSeveral(results: TextRows | readonly TextRows[]): results is readonly TextRows[] {
  return Array.isArray(results);
}

/** Statements that are sent together have no times of their own. */
const untimed = (rows: TextRows): StatementResult => ({
  command: rows.command,
  rows,
  isCut: false,
  durationMs: 0,
  notices: [],
});

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
