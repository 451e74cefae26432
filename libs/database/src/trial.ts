// A transaction that is always rolled back: requests on tables run in it as they would for a caller, one after the
// other, each undone before the next. It has a connection to itself, which is closed with it.

import { fail } from '#libs/errors';
import type { DatabaseRole, ParameterValue } from '#libs/wire';
import type { Lane } from './budget/lane.js';
import { NOTICE_LOSS } from './deadline.js';
import type { Statement, StatementResult } from './in-flight-batch.js';
import type { ResolvedCaller, StatementTimeouts } from './lookup.js';
import type { PipelineConnection } from './pipeline-connection.js';
import { Reading } from './replies/reading.js';
import type { StatementRows } from './role-lane.js';
import type { TableQuery, TableReply, TableRequest } from './table-lane.js';

/** As whom requests of a trial run. `schemaVersion` is what replies state, whatever a change in the trial has made it. */
export type TrialCaller = ResolvedCaller;

export interface TrialOptions {
  /** Statements that change policies, run first as the login `changesAs`. None: nothing is changed. */
  readonly changes: readonly string[];
  /** The owner of the project; a role that the login of the lane may become. */
  readonly changesAs: string;
  /** Limit of the whole trial, which is also the limit of each statement. */
  readonly timeoutMs: number;
}

/** An open trial. */
export interface Trial {
  /** Runs a request on tables as a caller and undoes it; `credential` and `client` of the request are not looked at. */
  runTable(caller: TrialCaller, request: TableRequest): Promise<TableReply>;
  /** Returns the rows of one statement that a caller runs, which is undone. */
  query(caller: TrialCaller, query: TableQuery): Promise<StatementRows>;
}

/** How long a change waits for the requests that use its table; they wait behind it. */
const CHANGE_LOCK_MS = 1_000;
/** How long the server may take to cancel a statement before the connection is dropped. */
const CANCEL_GRACE_MS = 1_000;
const MIN_STATEMENT_MS = 1;

/** Nothing of another session is seen or left: the connection is new, and local settings end with each request. */
const ENTER = `select pg_catalog.set_config('statement_timeout', $4, true),
  pg_catalog.set_config('search_path', 'public', true),
  pg_catalog.set_config('request.jwt.claims', $2, true),
  pg_catalog.set_config('request.jwt.claim.sub', $3, true),
  pg_catalog.set_config('role', $1, true)`;
const BECOME_OWNER = `select pg_catalog.set_config('statement_timeout', $2, true),
  pg_catalog.set_config('lock_timeout', $3, true),
  pg_catalog.set_config('search_path', 'public', true),
  pg_catalog.set_config('role', $1, true)`;
const LEAVE_OWNER = `select pg_catalog.set_config('role', 'none', true),
  pg_catalog.set_config('lock_timeout', '0', true)`;

const BEGIN = plain('begin');
const SAVEPOINT = plain('savepoint trial');
const UNDO = plain('rollback to savepoint trial');
const ROLLBACK = plain('rollback');
const REFUSE_WRITES = plain(`select pg_catalog.set_config('transaction_read_only', 'on', true)`);
/** What a commit would check last. */
const CHECK_CONSTRAINTS = plain('set constraints all immediate');

/**
 * Runs `work` with an open trial and rolls back. Throws the errors of `work`, of the changes, PGRST504 after
 * `timeoutMs`, PROJECT_BUSY, DATABASE_UNAVAILABLE.
 */
export async function runTrial<T>(
  lane: Lane<PipelineConnection>,
  options: TrialOptions,
  work: (trial: Trial) => Promise<T>,
): Promise<T> {
  const pooled = await lane.acquire('exclusive');
  const trial = new OpenTrial(pooled.connection, options.timeoutMs);
  try {
    await trial.begin(options);
    return await work(trial);
  } catch (error) {
    throw trial.hasEnded ? fail('PGRST504', {}, { cause: error }) : error;
  } finally {
    await trial.end();
    lane.release(pooled, true);
  }
}

class OpenTrial implements Trial {
  readonly #connection: PipelineConnection;
  readonly #timeoutMs: number;
  readonly #endsAt: number;
  readonly #deadline = new AbortController();
  readonly #reading = new Reading();
  readonly #timer: NodeJS.Timeout;
  #graceTimer: NodeJS.Timeout | undefined;

  constructor(connection: PipelineConnection, timeoutMs: number) {
    this.#connection = connection;
    this.#timeoutMs = timeoutMs;
    this.#endsAt = performance.now() + timeoutMs;
    this.#timer = setTimeout(() => this.#stop(), timeoutMs);
  }

  get hasEnded(): boolean {
    return this.#deadline.signal.aborted;
  }

  async begin({ changes, changesAs }: TrialOptions): Promise<void> {
    await this.#run([BEGIN, plain(NOTICE_LOSS)]);
    if (changes.length > 0) {
      const limits = [String(this.#leftMs()), String(CHANGE_LOCK_MS)];
      await this.#run([
        { ...plain(BECOME_OWNER), values: [changesAs, ...limits] },
        ...changes.map((text, query) => ({ ...plain(text), query })),
        plain(LEAVE_OWNER),
      ]);
    }
    await this.#run([SAVEPOINT]);
  }

  async runTable(caller: TrialCaller, request: TableRequest): Promise<TableReply> {
    const { queries, readOnly, timeouts, inspect } = request;
    const limitMs = timeouts ? limitOf(caller.role, timeouts) : this.#timeoutMs;
    const results = await this.#undone(async () => {
      const first = readOnly
        ? [this.#enter(caller, limitMs), REFUSE_WRITES]
        : [this.#enter(caller, limitMs)];
      const found = await this.#run([...first, ...queries.map(toStatement)]);
      const reply = replyOf(caller, found.slice(first.length));
      inspect?.(reply);
      if (!readOnly) await this.#run([CHECK_CONSTRAINTS]);
      return reply.results;
    });
    return replyOf(caller, results);
  }

  async query(caller: TrialCaller, query: TableQuery): Promise<StatementRows> {
    return this.#undone(async () => {
      const [, result] = await this.#run([
        this.#enter(caller, this.#timeoutMs),
        toStatement(query, 0),
      ]);
      if (!result) return [];
      const { rows } = result;
      return Array.from({ length: rows.count }, (_, row) => rows.texts(row));
    });
  }

  /** The server ends the transaction of a connection that is closed, too. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      if (this.#connection.isOpen && !this.hasEnded) {
        await this.#connection.run({ statements: [ROLLBACK], isPart: true });
      }
    } finally {
      clearTimeout(this.#graceTimer);
      this.#reading[Symbol.dispose]();
    }
  }

  async #undone<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      // A lost connection has undone everything.
      if (this.#connection.isOpen && !this.hasEnded) await this.#run([UNDO]);
    }
  }

  async #run(statements: readonly Statement[]): Promise<readonly StatementResult[]> {
    const { results } = await this.#connection.run({
      statements,
      isPart: true,
      signal: this.#deadline.signal,
      timeoutMs: this.#timeoutMs,
      owner: this.#reading,
      areRowsRead: true,
    });
    return results;
  }

  #enter({ role, claims }: TrialCaller, limitMs: number): Statement {
    const timeout = String(Math.min(limitMs, this.#leftMs()));
    return { ...plain(ENTER), values: [role, claims, subjectOf(claims), timeout] };
  }

  #leftMs(): number {
    return Math.max(MIN_STATEMENT_MS, Math.ceil(this.#endsAt - performance.now()));
  }

  /** Code of the project may ignore that its statement is cancelled. */
  #stop(): void {
    this.#deadline.abort();
    this.#graceTimer = setTimeout(() => this.#connection.destroy(), CANCEL_GRACE_MS);
  }
}

function plain(text: string): Statement {
  return { name: '', text, values: [] };
}

function toStatement({ text, values }: TableQuery, query: number): Statement {
  return { name: '', text, values, query };
}

function replyOf(caller: TrialCaller, results: readonly StatementResult[]): TableReply {
  const { role, claims, schemaVersion } = caller;
  return {
    role,
    claims,
    schemaVersion,
    get caller() {
      return caller.caller;
    },
    results,
  };
}

function limitOf(role: DatabaseRole, limits: StatementTimeouts): number {
  switch (role) {
    case 'anon':
      return limits.anonMs;
    case 'authenticated':
      return limits.authenticatedMs;
    case 'service_role':
      return limits.serviceMs;
  }
}

/** The subject again in a setting of its own, as the lookup writes it. */
function subjectOf(claims: string): ParameterValue {
  // The lookup, or the check of a trial's input, has built this text.
  const { sub } = JSON.parse(claims) as { readonly sub?: unknown };
  return typeof sub === 'string' ? sub : '';
}
