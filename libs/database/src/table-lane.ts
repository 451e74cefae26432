// Requests on tables: lookup and queries in one batch, one round trip, one transaction. Reads that have
// been fast share a connection; everything else has one to itself.

import { AppError } from '#libs/errors';
import type { Credential, ParameterValue } from '#libs/wire';
import type { Lane } from './budget/lane.js';
import type { PooledConnection } from './budget/pooled-connection.js';
import type { Leaver } from './budget/types.js';
import {
  type IdType,
  limitsFor,
  lookupFor,
  readLookup,
  type ResolvedCaller,
  type StatementTimeouts,
} from './lookup.js';
import type { Statement, StatementResult } from './in-flight-batch.js';
import type { PipelineConnection } from './pipeline-connection.js';
import { isDisowned, isMissing, isOutdated, PostgresError } from './protocol/postgres-error.js';
import type { ReplyOwner } from './replies/kept-reply.js';
import { writeRefusal } from './write-refusal.js';
import { isFast, noteRun, type RoleClass, type Shape, ShapeBook } from './shape-book.js';

/** A compiled statement; equal texts have the same shape. Values are in text format. */
export interface TableQuery {
  readonly text: string;
  readonly values: readonly ParameterValue[];
}

/** A statement of the platform itself. */
export interface OwnQuery extends TableQuery {
  /** Unique per text. */
  readonly name: string;
}

/** The values of a row; null where it has none. */
export type OwnRow = readonly (string | null)[];

/** The client of a request on tables. With `onEnd`, it owns the replies of a request that names no owner. */
interface RequestingClient extends Leaver, Partial<ReplyOwner> {
  /** Called with the time that the database was busy with the request alone; milliseconds. */
  noteDatabaseTime?(ms: number): void;
}

export interface TableRequest {
  readonly credential: Credential;
  /** Run in order in one transaction, as the role of the caller. */
  readonly queries: readonly TableQuery[];
  /**
   * Version of the schema for which the texts were made. For another version they are prepared again: a parameter keeps
   * the type that its column had when the statement was prepared.
   */
  readonly schemaVersion?: string | undefined;
  /** True for requests that must not write: PostgreSQL refuses writes, and they may share a connection. */
  readonly readOnly: boolean;
  /** True for statements of unknown duration, such as a function that may write: they never share a connection. */
  readonly isExclusive?: boolean | undefined;
  /** Limits of one statement by role; absent: the limit of the connection. */
  readonly timeouts?: StatementTimeouts | undefined;
  /** The client that waits for the answer; its statement is cancelled when it disconnects. */
  readonly client?: RequestingClient | undefined;
  /**
   * The request that the reply is kept for. Of a large reply only the body can be read then. Absent: the client owns
   * the reply, and each row can be read.
   */
  readonly owner?: ReplyOwner | undefined;
  /** Checks the reply before anything is committed; if it throws, the writes are undone. Costs a round trip. */
  readonly inspect?: ((reply: TableReply) => void) | undefined;
  /** Runs everything and undoes it. Costs a round trip. */
  readonly isDryRun?: boolean | undefined;
}

export interface TableReply extends ResolvedCaller {
  /** One per query, in order. */
  readonly results: readonly StatementResult[];
}

interface PlannedBatch {
  readonly statements: readonly Statement[];
  readonly shapes: readonly Shape[];
  /** The statement timeout; undefined: the limit of the connection. */
  readonly timeoutMs: number | undefined;
}

interface TableLaneOptions {
  readonly idType: IdType;
  /** The statement limit with which connections of the lane are opened; milliseconds. */
  readonly statementMs: number;
}

const MAX_SHAPES = 1_000;
/**
 * Runs before each lookup. Functions and policies of the project may leave settings in their session, which must not
 * affect the next request: a search path, a time limit, the form of dates.
 */
export const RESET: Statement = { name: 't_reset', text: 'reset all', values: [], isOwn: true };
const BEGIN: Statement = { name: 't_begin', text: 'begin', values: [] };
const COMMIT: Statement = { name: 't_commit', text: 'commit', values: [] };
const ROLLBACK: Statement = { name: 't_rollback', text: 'rollback', values: [] };

/** Runs table requests of one project over the pipeline connections of its lane. */
export class TableLane {
  readonly #lane: Lane<PipelineConnection>;
  readonly #options: TableLaneOptions;
  readonly #shapes = new ShapeBook(MAX_SHAPES);
  #schemaVersion: string | undefined;
  readonly #lookupShapes = new ShapeBook(MAX_SHAPES);

  constructor(lane: Lane<PipelineConnection>, options: TableLaneOptions) {
    this.#lane = lane;
    this.#options = options;
  }

  async run(request: TableRequest): Promise<TableReply> {
    const batch = this.#plan(request);
    try {
      const reply = await this.#run(request, batch);
      const turn = this.#lane.turnOfAnswer();
      if (turn) await turn;
      return reply;
    } catch (error) {
      // The session had another role than that of its login and refused the lookup. It is closed now.
      if (isDisowned(error)) return this.#run(request, batch);
      throw request.readOnly ? error : writeRefusal(error);
    }
  }

  async #run(request: TableRequest, batch: PlannedBatch): Promise<TableReply> {
    const isShared =
      request.readOnly &&
      !request.inspect &&
      !request.isExclusive &&
      batch.shapes.every((shape) => isFast(shape));
    const taken = this.#lane.acquire(isShared ? 'shared' : 'exclusive', request.client);
    const pooled = taken instanceof Promise ? await taken : taken;
    try {
      if (request.inspect || request.isDryRun)
        return await this.#runInspected(pooled, request, batch);
      const { results, serviceMs } = await pooled.connection.run({
        statements: batch.statements,
        signal: isShared ? undefined : request.client?.signal,
        timeoutMs: batch.timeoutMs,
        isSentAtOnce: this.#lane.isLight,
        owner: ownerOf(request),
        areRowsRead: !request.owner,
        // The schema of a function or a type may be open to the caller and not to the login.
        preparesAsCaller: !isShared,
      });
      for (const shape of batch.shapes) noteRun(shape, serviceMs);
      this.#noteTime(batch, serviceMs);
      request.client?.noteDatabaseTime?.(serviceMs);
      return toReply(request.credential, results);
    } finally {
      this.#lane.release(pooled);
    }
  }

  /** Whether a connection is open and unused. */
  get isIdle(): boolean {
    return this.#lane.idle.length > 0;
  }

  /**
   * The first row of a read that the login of the connections runs itself, without a caller, as texts. Undefined if
   * there is none, or the database lacks what it names or the right to it, as those of other releases may.
   */
  async readOwn({ name, text, values }: OwnQuery): Promise<OwnRow | undefined> {
    const taken = this.#lane.acquire('exclusive');
    const pooled = taken instanceof Promise ? await taken : taken;
    try {
      const { results } = await pooled.connection.run({
        statements: [RESET, { name, text, values }],
        areRowsRead: true,
      });
      const rows = results[1]?.rows;
      return rows && rows.count > 0 ? rows.texts(0) : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    } finally {
      this.#lane.release(pooled);
    }
  }

  /** The caller alone. */
  resolve(credential: Credential): Promise<ResolvedCaller> {
    return this.run({ credential, queries: [], readOnly: true });
  }

  #plan(request: TableRequest): PlannedBatch {
    const { credential, readOnly } = request;
    const { idType, statementMs } = this.#options;
    const limits = request.timeouts ? limitsFor(credential, request.timeouts) : [];
    // Connections are opened with the default limit, so that it need not be set each time.
    const isTimed = limits.some((limit) => limit !== statementMs);
    const timeouts = isTimed ? request.timeouts : undefined;
    const lookup = lookupFor(credential, { idType, readOnly, timeouts });
    const roleClass = roleClassOf(credential);
    if (request.schemaVersion !== undefined) this.#prepareFor(request.schemaVersion);
    const statements: Statement[] = [RESET, lookup];
    const shapes: Shape[] = [];
    for (const { text, values } of request.queries) {
      const shape = this.#shapes.shapeOf(roleClass, text);
      statements.push({ name: shape.name, text, values, query: shapes.length });
      shapes.push(shape);
    }
    // A lookup without queries is a shape of its own.
    if (shapes.length === 0) shapes.push(this.#lookupShapes.shapeOf(roleClass, lookup.text));
    return { statements, shapes, timeoutMs: isTimed ? Math.max(...limits) : undefined };
  }

  #noteTime({ shapes: [first] }: PlannedBatch, serviceMs: number): void {
    if (first) this.#lane.noteTime(first, serviceMs);
  }

  #prepareFor(schemaVersion: string): void {
    if (schemaVersion === this.#schemaVersion) return;
    this.#schemaVersion = schemaVersion;
    this.#shapes.clear();
  }

  /** Runs the batch in a transaction of its own, which ends after `inspect` has checked the results. */
  async #runInspected(
    pooled: PooledConnection<PipelineConnection>,
    request: TableRequest,
    batch: PlannedBatch,
  ): Promise<TableReply> {
    const { connection } = pooled;
    const { timeoutMs } = batch;
    const first = {
      statements: [BEGIN, ...batch.statements],
      signal: request.client?.signal,
      isPart: true,
      timeoutMs,
      owner: ownerOf(request),
      areRowsRead: !request.owner,
      preparesAsCaller: true,
    };
    const end = (statement: Statement) =>
      connection.run({ statements: [statement], isPart: true, timeoutMs });
    try {
      const { results, serviceMs } = await connection.run(first).catch(async (error: AppError) => {
        if (!isOutdated(error.cause)) throw error;
        await end(ROLLBACK);
        return connection.run(first);
      });
      this.#noteTime(batch, serviceMs);
      request.client?.noteDatabaseTime?.(serviceMs);
      const reply = toReply(request.credential, results.slice(1));
      request.inspect?.(reply);
      await end(request.isDryRun ? ROLLBACK : COMMIT);
      return reply;
    } catch (error) {
      if (connection.isOpen) await end(ROLLBACK);
      throw error;
    }
  }
}

/**
 * Index of the query of a table request that caused `error`; undefined for an error of the lookup, of the commit, or of
 * no statement at all.
 */
export function failedQuery(error: unknown): number | undefined {
  const cause = error instanceof AppError ? error.cause : undefined;
  return cause instanceof PostgresError ? cause.query : undefined;
}

function ownerOf({ owner, client }: TableRequest): ReplyOwner | undefined {
  return owner ?? (isOwner(client) ? client : undefined);
}

function isOwner(client: RequestingClient | undefined): client is RequestingClient & ReplyOwner {
  return client?.onEnd !== undefined;
}

function toReply(credential: Credential, results: readonly StatementResult[]): TableReply {
  const [, lookup, ...rest] = results;
  const resolved = readLookup(credential, lookup?.rows.texts(0) ?? []);
  return Object.assign(resolved, { results: rest });
}

/** Only for sessions and keys the lookup decides between two roles; nearly all of them are valid. */
function roleClassOf(credential: Credential): RoleClass {
  switch (credential.kind) {
    case 'none':
    case 'impersonated-anon':
      return 'anon';
    case 'session':
    case 'api-key':
    case 'third-party':
    case 'impersonated-user':
      return 'user';
    case 'secret-key':
    case 'operator':
      return 'service';
  }
}
