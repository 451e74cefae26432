// All access to one project's database, through lanes of one share of the connection budget: requests on tables,
// queries as a role, transactions as a caller, the engine's own work, scripts of the owner, and trials. Nothing is opened before it is needed.

import type { Client } from 'pg';
import type { PostgresPool } from 'kysely';
import { defaultStatementSeconds } from '#libs/settings';
import type { Credential, DatabaseRole } from '#libs/wire';
import type { ConnectionBudget } from './budget/connection-budget.js';
import type { Lane } from './budget/lane.js';
import type { ProjectShare } from './budget/project-share.js';
import type { BudgetStats } from './budget/types.js';
import type { ConnectionPlan, DatabaseAddress, Login } from './connect.js';
import type { ReplyBudget, ReplyShare } from './replies/reply-budget.js';
import { cancelClient, clientLane, dropClient, pipelineLane, terminateClient } from './lanes.js';
import type { IdType, ResolvedCaller } from './lookup.js';
import type { PipelineConnection } from './pipeline-connection.js';
import { type RoleLimits, RoleLane, type StatementRows } from './role-lane.js';
import { createPause, inTurns } from '#libs/steps';
import { checkParams, readScript } from './script/read-script.js';
import { runScript, runStatements, type ScriptRun } from './script/run-script.js';
import type { Requester, ScriptCall, ScriptLimits, ScriptLogin } from './script/script-call.js';
import {
  type JsonBytes,
  type ScriptResult,
  type StatementAnswers,
  valuesOf,
} from './script/script-result.js';
import { checkRowsOnly, checkTransaction } from './script/script-rules.js';
import {
  type CallerTransaction,
  inTransaction,
  inTransactionAs,
  kyselyPool,
  queryAlone,
  queryOnce,
  type Transaction,
} from './sql-lane.js';
import { runTrial, type Trial } from './trial.js';
import {
  type OwnQuery,
  type OwnRow,
  TableLane,
  type TableQuery,
  type TableReply,
  type TableRequest,
} from './table-lane.js';

/** The logins; `ProjectRecord.database.logins` describes the purpose of each. */
export type LoginKind = 'owner' | 'editor' | 'api' | 'engine' | 'deleter' | 'lab';

export interface ProjectDatabaseOptions {
  readonly ref: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly ssl?: DatabaseAddress['ssl'];
  readonly logins: Readonly<Record<LoginKind, Login>>;
  readonly idType: IdType;
  readonly budget: ConnectionBudget;
  /** Where the replies of all projects are counted; absent: they stay in memory uncounted. */
  readonly replies?: ReplyBudget | undefined;
  /** Limit of one statement of a request; default {@link defaultStatementSeconds}. */
  readonly statementTimeoutMs?: number;
  /** Limit of one statement of the engine's own work; default 15 s. */
  readonly engineTimeoutMs?: number;
  /** Limit of a whole script of the SQL editor or transaction of a caller; the longest that one may request; default 30 s. */
  readonly scriptTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
}

/** Schemas that the project can add to come last: its own objects never replace those of the platform. */
const enginePath = ['pg_catalog', 'auth', 'pg_temp'];
/** Triggers of the project run in the session and find their own tables. */
const deletionPath = ['pg_catalog', 'public', 'pg_temp'];
/** Sees the rows of all users, as an operator does over the table API; has no rights on accounts. */
const EDITOR_ROLE: DatabaseRole = 'service_role';

const DEFAULT_STATEMENT_MS = defaultStatementSeconds * 1_000;
const DEFAULT_ENGINE_MS = 15_000;
const DEFAULT_SCRIPT_MS = 30_000;
const DEFAULT_CONNECT_MS = 5_000;
const DEFAULT_DRAIN_MS = 10_000;

/** Created by {@link openProjectDatabase}, ended by `close`. */
export class ProjectDatabase {
  /** For the PostgreSQL dialect of Kysely: connections as the engine role, unqualified names in `auth`. */
  readonly enginePool: PostgresPool;
  readonly #share: ProjectShare;
  readonly #replies: ReplyShare | undefined;
  readonly #idType: IdType;
  readonly #tables: TableLane;
  readonly #roles: RoleLane;
  readonly #callers: PlannedLane;
  readonly #engine: Lane<Client>;
  readonly #deleter: Lane<Client>;
  readonly #ownerScripts: PlannedLane;
  readonly #editorScripts: Readonly<Record<DatabaseRole, PlannedLane>>;
  readonly #trials: Lane<PipelineConnection>;
  readonly #changedTrials: Lane<PipelineConnection>;
  readonly #ownerName: string;

  constructor(options: ProjectDatabaseOptions) {
    const { logins, idType } = options;
    const statementMs = options.statementTimeoutMs ?? DEFAULT_STATEMENT_MS;
    const engineMs = options.engineTimeoutMs ?? DEFAULT_ENGINE_MS;
    const share = options.budget.openShare();
    const table = planOf(options, logins.api, { use: 'tables', path: ['public'], statementMs });
    const caller = planOf(options, logins.api, { use: 'callers', path: ['public'], statementMs });
    const role = planOf(options, logins.api, { use: 'roles', path: ['public'], statementMs });
    const engine = planOf(options, logins.engine, {
      use: 'engine',
      path: enginePath,
      statementMs: engineMs,
      writesAlways: true,
    });
    const deleter = planOf(options, logins.deleter, {
      use: 'deletions',
      path: deletionPath,
      statementMs: engineMs,
      writesAlways: true,
    });
    const script = planOf(options, logins.owner, {
      use: 'scripts',
      path: ['public'],
      statementMs: options.scriptTimeoutMs ?? DEFAULT_SCRIPT_MS,
    });
    const replies = (this.#replies = options.replies?.openShare());
    this.#share = share;
    this.#idType = idType;
    this.#tables = new TableLane(share.lane(pipelineLane(table, replies)), { idType, statementMs });
    this.#roles = new RoleLane(share.lane(pipelineLane(role, replies)), { statementMs });
    this.#callers = { plan: caller, lane: share.lane(clientLane(caller)) };
    this.#engine = share.lane(clientLane(engine));
    this.#deleter = share.lane(clientLane(deleter));
    this.#ownerScripts = { plan: script, lane: share.lane(clientLane(script)) };
    const editorLane = (role: DatabaseRole): PlannedLane => {
      const plan = { ...script, login: logins.editor, role };
      return { plan, lane: share.lane(clientLane(plan)) };
    };
    this.#editorScripts = {
      anon: editorLane('anon'),
      authenticated: editorLane('authenticated'),
      service_role: editorLane('service_role'),
    };
    const trial = { use: 'trials', path: ['public'], statementMs };
    this.#trials = share.lane(pipelineLane(planOf(options, logins.api, trial), replies));
    this.#changedTrials = share.lane(pipelineLane(planOf(options, logins.lab, trial), replies));
    this.#ownerName = logins.owner.user;
    this.enginePool = kyselyPool(this.#engine);
  }

  /**
   * Looks up the caller and runs queries with its role: one batch, one round trip, one transaction. Throws the errors
   * of the database, PROJECT_BUSY, DATABASE_UNAVAILABLE, REQUEST_ABORTED, and the errors of `inspect`.
   */
  runTable(request: TableRequest): Promise<TableReply> {
    return this.#tables.run(request);
  }

  /** Whether a connection for {@link runTable} is open and unused. */
  get isIdleForTables(): boolean {
    return this.#tables.isIdle;
  }

  /**
   * Returns the first row of a read by the platform on a connection for {@link runTable}, which requests then use.
   * Undefined if there is none, or the database lacks what it names. Code of the project may know what it returns.
   */
  readForTables(query: OwnQuery): Promise<OwnRow | undefined> {
    return this.#tables.readOwn(query);
  }

  /**
   * Returns the rows of queries that run as a role of the project and no caller, in a transaction that cannot write: one
   * batch on a connection that is not shared. The texts of queries are few, and return in the same words. Throws the
   * errors of the database.
   */
  runAsRole(
    role: DatabaseRole,
    queries: readonly TableQuery[],
    limits?: RoleLimits,
  ): Promise<readonly StatementRows[]> {
    return this.#roles.run(role, queries, limits);
  }

  /** Returns the caller of a credential, looked up live. Throws USER_INACTIVE, IMPERSONATED_USER_NOT_FOUND. */
  resolveCaller(credential: Credential): Promise<ResolvedCaller> {
    return this.#tables.resolve(credential);
  }

  /**
   * Runs `work` in a transaction with the role and claims of a credential. Throws PGRST504 after `timeoutMs`,
   * REQUEST_ABORTED and REPLY_SPACE_EXHAUSTED: nothing of it is kept.
   */
  runAs<T>(
    credential: Credential,
    work: (tx: CallerTransaction) => Promise<T>,
    { timeoutMs = Infinity, signal, owner }: CallerLimits = {},
  ): Promise<T> {
    const { plan, lane } = this.#callers;
    const limits = {
      timeoutMs: Math.min(timeoutMs, this.#ownerScripts.plan.statementTimeoutMs),
      signal,
      cancel: (client: Client) => cancelClient(plan, client),
      // The login of requests may end no session, not even its own.
      terminate: dropClient,
    };
    const caller = { credential, idType: this.#idType, limits, replies: this.#replies, owner };
    return inTransactionAs(lane, caller, work);
  }

  /** Runs `work` in a transaction as the engine role, to which no policy applies in `auth` and `platform`. */
  runAsEngine<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return inTransaction(this.#engine, work);
  }

  /**
   * Returns the rows of one statement as the engine role: a transaction of its own, in one round trip. A plain read is
   * prepared once for a connection. Throws the error for the caller.
   */
  queryAsEngine<Row extends object = Record<string, unknown>>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> {
    return queryAlone<Row>(this.#engine, text, values);
  }

  /**
   * Deletes a user whose deletion the engine has requested (`auth.user_deletion`), with all rows that refer to it.
   * False if the user does not exist or the request is no longer valid. If a table keeps the user, throws its refusal.
   * Triggers of the project run in this session, so it belongs to a login without other rights, and ends with it.
   */
  async deleteUser(id: string): Promise<boolean> {
    const [row] = await queryOnce<{ isDeleted: boolean }>(
      this.#deleter,
      'select auth.delete_user($1) as "isDeleted"',
      [id],
    );
    return row?.isDeleted === true;
  }

  /**
   * Runs SQL as the owner of the project. Without parameters it may be several statements, all in one transaction.
   * Throws the errors of {@link answerScript}.
   */
  async runScript(
    query: string,
    params?: readonly unknown[],
    limits?: ScriptLimits,
  ): Promise<ScriptResult> {
    const script = await inTurns(readScript(query), createPause());
    return valuesOf(await this.answerScript('owner', { script, params, limits }));
  }

  /** Runs SQL on the rows of the project, like {@link answerScript} with the login of the editor. */
  async runRowScript(query: string, params?: readonly unknown[]): Promise<ScriptResult> {
    const script = await inTurns(readScript(query), createPause());
    return valuesOf(await this.answerScript('editor', { script, params }));
  }

  /**
   * Runs a script and returns the JSON of a {@link ScriptResult}, in steps: it may have `maxBytes`. The login `owner`
   * accepts any SQL. `editor` works as service_role, or as the role of a caller with its claims; it owns nothing, may
   * create nothing, and accepts only statements that read and write rows. Throws INVALID_INPUT for transaction control,
   * for other statements of the editor and for text that is not well-formed, RESULT_TOO_LARGE, REPLY_SPACE_EXHAUSTED,
   * REQUEST_ABORTED, and PGRST504 after `timeoutMs`.
   */
  async answerScript(login: ScriptLogin, call: ScriptCall): Promise<JsonBytes<ScriptResult>> {
    const { lane, run } = await this.#prepareScript(login, call);
    return runScript(lane, run);
  }

  /**
   * Runs a script like {@link answerScript}, and returns the JSON of {@link StatementAnswers}: the rows of each
   * statement, at most `maxRows` of them, and its notices.
   */
  async answerStatements(
    login: ScriptLogin,
    call: ScriptCall,
  ): Promise<JsonBytes<StatementAnswers>> {
    const { lane, run } = await this.#prepareScript(login, call);
    return runStatements(lane, run);
  }

  async #prepareScript(
    login: ScriptLogin,
    { script, params = [], limits = {}, isDryRun, signal, owner }: ScriptCall,
  ): Promise<{ readonly lane: Lane<Client>; readonly run: ScriptRun }> {
    const caller = typeof login === 'string' ? undefined : login;
    if (caller) checkRowsOnly(script, 'as another role');
    if (login === 'editor') checkRowsOnly(script, 'without the capability secrets.manage');
    checkTransaction(script);
    await inTurns(checkParams(params), createPause());
    const { plan, lane } =
      login === 'owner' ? this.#ownerScripts : this.#editorScripts[caller?.role ?? EDITOR_ROLE];
    const run = {
      script,
      params,
      caller,
      isDryRun,
      signal,
      replies: this.#replies,
      owner,
      isSentByStatement: login !== 'owner' || isDryRun === true,
      maxRows: limits.maxRows,
      maxBytes: limits.maxBytes,
      timeoutMs: Math.min(limits.timeoutMs ?? Infinity, plan.statementTimeoutMs),
      cancel: (client: Client) => cancelClient(plan, client),
      terminate: (client: Client) => terminateClient(plan, client),
    };
    return { lane, run };
  }

  /**
   * Runs `work` in a transaction that is always rolled back, on a connection that is closed afterwards. With `changes`,
   * which run as the owner of the project, its login is a member of the owner: code of the project may then become it.
   * Without, the login is that of table requests. Throws the errors of {@link runTrial}.
   */
  tryOut<T>(
    { changes = [], timeoutMs }: TrialCall,
    work: (trial: Trial) => Promise<T>,
  ): Promise<T> {
    const lane = changes.length > 0 ? this.#changedTrials : this.#trials;
    return runTrial(lane, { changes, changesAs: this.#ownerName, timeoutMs }, work);
  }

  stats(): BudgetStats {
    return this.#share.stats();
  }

  /** Refuses new work, waits up to `drainMs` for running work, and closes every connection. */
  close(drainMs = DEFAULT_DRAIN_MS): Promise<void> {
    return this.#share.close(drainMs);
  }
}

/** Connections of one kind, and how they are opened. */
interface PlannedLane {
  readonly plan: ConnectionPlan;
  readonly lane: Lane<Client>;
}

interface CallerLimits extends Requester {
  /** Of the whole transaction; at most, and by default, that of a script. */
  readonly timeoutMs?: number;
}

interface TrialCall {
  /** Statements that change policies. */
  readonly changes?: readonly string[];
  /** Limit of the whole. */
  readonly timeoutMs: number;
}

/** The part of a project's database for work that consists of single statements. */
export type EngineQueries = Pick<ProjectDatabase, 'queryAsEngine'>;

/** The part of a project's database for reads over connections of table requests. */
export type TableReads = Pick<ProjectDatabase, 'readForTables' | 'isIdleForTables'>;

/** Opens the database of a project. Connections are opened on use and closed by the budget or by `close`. */
export function openProjectDatabase(options: ProjectDatabaseOptions): ProjectDatabase {
  return new ProjectDatabase(options);
}

function planOf(
  options: ProjectDatabaseOptions,
  login: Login,
  lane: {
    readonly use: string;
    readonly path: readonly string[];
    readonly statementMs: number;
    readonly writesAlways?: boolean;
  },
): ConnectionPlan {
  const { host, port, database, ssl } = options;
  return {
    address: { host, port, database, ...(ssl !== undefined && { ssl }) },
    login,
    applicationName: `rowhouse ${options.ref} ${lane.use}`,
    searchPath: lane.path,
    statementTimeoutMs: lane.statementMs,
    writesAlways: lane.writesAlways === true,
    connectTimeoutMs: options.connectTimeoutMs ?? DEFAULT_CONNECT_MS,
  };
}
