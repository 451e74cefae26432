// All access to one project's database, through four lanes of one share of the connection budget: requests on tables,
// transactions as a caller, the engine's own work, and scripts of the owner. Nothing is opened before it is needed.

import type { Client } from 'pg';
import type { PostgresPool } from 'kysely';
import type { Credential } from '#libs/wire';
import type { ConnectionBudget } from './budget/connection-budget.js';
import type { Lane } from './budget/lane.js';
import type { ProjectShare } from './budget/project-share.js';
import type { BudgetStats } from './budget/types.js';
import type { ConnectionPlan, DatabaseAddress, Login } from './connect.js';
import type { ReplyBudget } from './replies/reply-budget.js';
import { cancelClient, clientLane, pipelineLane, terminateClient } from './lanes.js';
import type { IdType, ResolvedCaller } from './lookup.js';
import { createPause, inTurns } from '#libs/steps';
import { checkParams, readScript, type SqlScript } from './script/read-script.js';
import { runScript } from './script/run-script.js';
import type { JsonBytes, ScriptResult } from './script/script-result.js';
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
import { TableLane, type TableReply, type TableRequest } from './table-lane.js';

/** The logins; `ProjectRecord.database.logins` describes the purpose of each. */
export type LoginKind = 'owner' | 'editor' | 'api' | 'engine' | 'deleter';

export interface ProjectDatabaseOptions {
  readonly ref: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly ssl?: DatabaseAddress['ssl'];
  readonly logins: Readonly<Record<LoginKind, Login>>;
  readonly idType: IdType;
  readonly budget: ConnectionBudget;
  /** Where the large replies of all projects are counted; absent: they stay in memory uncounted. */
  readonly replies?: ReplyBudget | undefined;
  /** Limit of one statement of a request; default 8 s. */
  readonly statementTimeoutMs?: number;
  /** Limit of one statement of the engine's own work; default 15 s. */
  readonly engineTimeoutMs?: number;
  /** Limit of a whole script of the SQL editor, and the longest that a caller may request; default 30 s. */
  readonly scriptTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
}

/** Schemas that the project can add to come last: its own objects never replace those of the platform. */
const enginePath = ['pg_catalog', 'auth', 'pg_temp'];
/** Triggers of the project run in the session and find their own tables. */
const deletionPath = ['pg_catalog', 'public', 'pg_temp'];
/** Sees the rows of all users, as an operator does over the table API; has no rights on accounts. */
const EDITOR_ROLE = 'service_role';

const DEFAULT_STATEMENT_MS = 8_000;
const DEFAULT_ENGINE_MS = 15_000;
const DEFAULT_SCRIPT_MS = 30_000;
const DEFAULT_CONNECT_MS = 5_000;
const DEFAULT_DRAIN_MS = 10_000;

/** Created by {@link openProjectDatabase}, ended by `close`. */
export class ProjectDatabase {
  /** For the PostgreSQL dialect of Kysely: connections as the engine role, unqualified names in `auth`. */
  readonly enginePool: PostgresPool;
  readonly #share: ProjectShare;
  readonly #idType: IdType;
  readonly #tables: TableLane;
  readonly #callers: Lane<Client>;
  readonly #engine: Lane<Client>;
  readonly #deleter: Lane<Client>;
  readonly #ownerScripts: ScriptLane;
  readonly #editorScripts: ScriptLane;

  constructor(options: ProjectDatabaseOptions) {
    const { logins, idType } = options;
    const statementMs = options.statementTimeoutMs ?? DEFAULT_STATEMENT_MS;
    const engineMs = options.engineTimeoutMs ?? DEFAULT_ENGINE_MS;
    const share = options.budget.openShare();
    const table = planOf(options, logins.api, { use: 'tables', path: ['public'], statementMs });
    const caller = planOf(options, logins.api, { use: 'callers', path: ['public'], statementMs });
    const engine = planOf(options, logins.engine, {
      use: 'engine',
      path: enginePath,
      statementMs: engineMs,
    });
    const deleter = planOf(options, logins.deleter, {
      use: 'deletions',
      path: deletionPath,
      statementMs: engineMs,
    });
    const script = planOf(options, logins.owner, {
      use: 'scripts',
      path: ['public'],
      statementMs: options.scriptTimeoutMs ?? DEFAULT_SCRIPT_MS,
    });
    this.#share = share;
    this.#idType = idType;
    this.#tables = new TableLane(share.lane(pipelineLane(table, options.replies?.openShare())), {
      idType,
      statementMs,
    });
    this.#callers = share.lane(clientLane(caller));
    this.#engine = share.lane(clientLane(engine));
    this.#deleter = share.lane(clientLane(deleter));
    this.#ownerScripts = { plan: script, lane: share.lane(clientLane(script)) };
    const editor = { ...script, login: logins.editor, role: EDITOR_ROLE };
    this.#editorScripts = { plan: editor, lane: share.lane(clientLane(editor)) };
    this.enginePool = kyselyPool(this.#engine);
  }

  /**
   * Looks up the caller and runs queries with its role: one batch, one round trip, one transaction. Throws the errors
   * of the database, PROJECT_BUSY, DATABASE_UNAVAILABLE, REQUEST_ABORTED, and the errors of `inspect`.
   */
  runTable(request: TableRequest): Promise<TableReply> {
    return this.#tables.run(request);
  }

  /**
   * Begins to open the first connection for {@link runTable}, if the budget allows it. Returns at once; the request
   * that then waits for the connection receives a failure.
   */
  openForTables(): void {
    this.#tables.openAhead();
  }

  /** Returns the caller of a credential, looked up live. Throws USER_INACTIVE, IMPERSONATED_USER_NOT_FOUND. */
  resolveCaller(credential: Credential): Promise<ResolvedCaller> {
    return this.#tables.resolve(credential);
  }

  /** Runs `work` in a transaction with the role and claims of a credential. */
  runAs<T>(credential: Credential, work: (tx: CallerTransaction) => Promise<T>): Promise<T> {
    return inTransactionAs(this.#callers, { credential, idType: this.#idType }, work);
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
   * Runs a script and returns the JSON of a {@link ScriptResult}, in steps: it may have 16 MB. The login `owner`
   * accepts any SQL; `editor` works as service_role, owns nothing, may create nothing, and accepts only statements that
   * read and write rows. Throws INVALID_INPUT for transaction control, for other statements of the editor and for text
   * that is not well-formed, RESULT_TOO_LARGE, and PGRST504 after `timeoutMs`.
   */
  async answerScript(
    login: 'owner' | 'editor',
    { script, params = [], limits = {} }: ScriptCall,
  ): Promise<JsonBytes<ScriptResult>> {
    const isEditor = login === 'editor';
    if (isEditor) checkRowsOnly(script);
    checkTransaction(script);
    await inTurns(checkParams(params), createPause());
    const { plan, lane } = isEditor ? this.#editorScripts : this.#ownerScripts;
    return runScript(lane, {
      script,
      params,
      isSentByStatement: isEditor,
      maxBytes: limits.maxBytes,
      timeoutMs: Math.min(limits.timeoutMs ?? Infinity, plan.statementTimeoutMs),
      cancel: (client) => cancelClient(plan, client),
      terminate: (client) => terminateClient(plan, client),
    });
  }

  stats(): BudgetStats {
    return this.#share.stats();
  }

  /** Refuses new work, waits up to `drainMs` for running work, and closes every connection. */
  close(drainMs = DEFAULT_DRAIN_MS): Promise<void> {
    return this.#share.close(drainMs);
  }
}

/** The connections of one kind of scripts. */
interface ScriptLane {
  readonly plan: ConnectionPlan;
  readonly lane: Lane<Client>;
}

interface ScriptLimits {
  readonly timeoutMs?: number;
  /** The maximum size of the answer; default 16 MB. */
  readonly maxBytes?: number;
}

interface ScriptCall {
  readonly script: SqlScript;
  /** An empty list is the same as absent. */
  readonly params?: readonly unknown[] | undefined;
  readonly limits?: ScriptLimits | undefined;
}

/** For answers that are known to be small. */
function valuesOf(answer: Buffer): ScriptResult {
  // The writer of the JSON has this shape.
  return JSON.parse(answer.toString()) as ScriptResult;
}

/** The part of a project's database for work that consists of single statements. */
export type EngineQueries = Pick<ProjectDatabase, 'queryAsEngine'>;

/** Opens the database of a project. Connections are opened on use and closed by the budget or by `close`. */
export function openProjectDatabase(options: ProjectDatabaseOptions): ProjectDatabase {
  return new ProjectDatabase(options);
}

function planOf(
  options: ProjectDatabaseOptions,
  login: Login,
  lane: { readonly use: string; readonly path: readonly string[]; readonly statementMs: number },
): ConnectionPlan {
  const { host, port, database, ssl } = options;
  return {
    address: { host, port, database, ...(ssl !== undefined && { ssl }) },
    login,
    applicationName: `rowhouse ${options.ref} ${lane.use}`,
    searchPath: lane.path,
    statementTimeoutMs: lane.statementMs,
    connectTimeoutMs: options.connectTimeoutMs ?? DEFAULT_CONNECT_MS,
  };
}
