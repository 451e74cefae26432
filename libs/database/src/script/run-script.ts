// The SQL editor: a script of the project's owner on a connection of its own, which is closed afterwards
// because a script may change anything about its session.

import { DatabaseError, type Client, type QueryArrayResult } from 'pg';
import { type AppError, databaseAway, fail } from '#libs/errors';
import type { Lane } from '../budget/lane.js';
import { clientError } from '../client-session.js';
import { maxResultBytes, watchResult } from './result-limit.js';
import { checkScript } from './script-rules.js';
import { scriptTypes, typeName } from './script-values.js';

export interface ScriptField {
  readonly name: string;
  readonly type: string;
}

export interface ScriptResult {
  /** Of the last statement that gives rows; values as JSON can carry them. */
  readonly rows: Record<string, unknown>[];
  readonly fields: ScriptField[];
  /** Rows given or written by that statement; by the last one when none gives rows. */
  readonly rowCount: number;
  readonly durationMs: number;
}

export interface Script {
  readonly query: string;
  /** With values the query is one statement; without, it may be several, all in one transaction. */
  readonly params?: readonly unknown[] | undefined;
  /** The statements of the query, to be run one by one in one transaction. Absent: the query is sent as a whole. */
  readonly statements?: readonly string[] | undefined;
  readonly timeoutMs: number;
  /** Asks a backend to give up its statement; resolves when the request was delivered. */
  readonly cancel: (client: Client) => Promise<void>;
  /** Ends a backend that went on all the same. */
  readonly terminate: (client: Client) => Promise<void>;
}

/** After a cancel request the answer may take this long before the backend is ended. */
const CANCEL_GRACE_MS = 1_000;

/**
 * Runs a script. Without parameters the simple query protocol makes several statements one implicit
 * transaction; statements that begin or end a transaction are refused before anything runs.
 * Throws INVALID_INPUT, PGRST504, RESULT_TOO_LARGE, or the error of the statement that failed.
 */
export async function runScript(lane: Lane<Client>, script: Script): Promise<ScriptResult> {
  checkScript(script.query);
  const slot = await lane.acquire('exclusive');
  const startedAt = performance.now();
  try {
    const results = await withDeadline(slot.connection, script);
    return { ...toResult(results), durationMs: Math.round(performance.now() - startedAt) };
  } finally {
    lane.release(slot, true);
  }
}

type Results = QueryArrayResult<unknown[]> | QueryArrayResult<unknown[]>[];

/** The server's own limit counts per statement and a script may lift it, so the whole is timed here. */
async function withDeadline(client: Client, script: Script): Promise<Results> {
  const { timeoutMs } = script;
  const running = send(client, script);
  const deadline = new Deadline(client, script);
  const late = new Promise<never>((_resolve, reject) => deadline.start(timeoutMs, reject));
  let isTooLarge = false;
  const endWatch = watchResult(client, maxResultBytes, () => {
    isTooLarge = true;
    // The backend may compute for long before it writes to the connection that is cut.
    void script.cancel(client);
  });
  try {
    const results = await Promise.race([running, late]);
    // pg reads a chunk before the watch counts it, so the last one may both end the script and exceed the limit.
    if (isTooLarge) throw new Error('The script ended with an answer that is too large');
    return results;
  } catch (error) {
    if (isTooLarge) throw fail('RESULT_TOO_LARGE', { maxBytes: maxResultBytes }, { cause: error });
    throw deadline.hasPassed ? fail('PGRST504', {}, { cause: error }) : scriptError(error);
  } finally {
    endWatch();
    deadline.stop();
    // When the deadline wins, the query still ends with the connection; nobody waits for it.
    running.catch(() => undefined);
  }
}

const format = { rowMode: 'array', types: scriptTypes } as const;

function send(client: Client, { query, params, statements }: Script): Promise<Results> {
  if (params) return client.query<unknown[]>({ ...format, text: query, values: [...params] });
  if (!statements) return client.query<unknown[]>({ ...format, text: query });
  return sendEach(client, statements);
}

/** The extended protocol takes one statement at a time. A failure leaves the rest unsent; the connection is closed. */
async function sendEach(client: Client, statements: readonly string[]): Promise<Results> {
  const results: QueryArrayResult<unknown[]>[] = [];
  await client.query('begin');
  for (const text of statements) {
    // In their order: each sees what the one before it has done. The types of pg do not know `queryMode`.
    const statement = { ...format, text, queryMode: 'extended' };
    results.push(await client.query<unknown[]>(statement));
  }
  await client.query('commit');
  return results;
}

/** First asks the backend to stop, then ends it, then gives up waiting. */
class Deadline {
  hasPassed = false;
  readonly #client: Client;
  readonly #script: Script;
  #timer: NodeJS.Timeout | undefined;

  constructor(client: Client, script: Script) {
    this.#client = client;
    this.#script = script;
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
    await this.#script.cancel(this.#client);
    await this.#pause();
    await this.#script.terminate(this.#client);
    await this.#pause();
    throw new Error('The backend did not end');
  }

  /** Never resolves after `stop`: by then the answer is there. */
  #pause(): Promise<void> {
    return new Promise((resolve) => (this.#timer = setTimeout(resolve, CANCEL_GRACE_MS)));
  }
}

function scriptError(error: unknown): unknown {
  return error instanceof DatabaseError ? clientError(error) : paramError(error);
}

function paramError(error: unknown): AppError {
  if (!(error instanceof TypeError)) return databaseAway(error);
  return fail(
    'INVALID_INPUT',
    { field: 'params', reason: 'a value cannot be sent' },
    { cause: error },
  );
}

function toResult(results: Results): Omit<ScriptResult, 'durationMs'> {
  const list = Array.isArray(results) ? results : [results];
  const shown = list.findLast(({ fields }) => fields.length > 0) ?? list.at(-1);
  if (!shown) return { rows: [], fields: [], rowCount: 0 };
  const names = shown.fields.map(({ name }) => name);
  return {
    rows: shown.rows.map((row) => toObject(names, row)),
    fields: shown.fields.map(({ name, dataTypeID }) => ({ name, type: typeName(dataTypeID) })),
    rowCount: shown.rowCount ?? 0,
  };
}

/** Of columns with the same name the last one wins; names such as `__proto__` are ordinary here. */
function toObject(names: readonly string[], row: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name, index) => [name, row[index]]));
}
