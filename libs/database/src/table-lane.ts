// Requests on tables: lookup and queries in one batch, one round trip, one transaction. Reads that have
// been fast share a connection; everything else has one to itself.

import type { AppError } from '#libs/errors';
import type { Credential } from '#libs/wire';
import type { Lane } from './budget/lane.js';
import type { Slot } from './budget/slot.js';
import type { Leaver } from './budget/types.js';
import { lookupFor, readLookup, type IdType, type ResolvedCaller } from './lookup.js';
import type { Statement, StatementResult } from './in-flight-batch.js';
import type { PipelineConnection } from './pipeline-connection.js';
import { isOutdated } from './protocol/postgres-error.js';
import { isFast, noteRun, type RoleClass, type Shape, ShapeBook } from './shape-book.js';

/** A compiled statement; the same text stands for the same shape. Values are in text format. */
export interface TableQuery {
  readonly text: string;
  readonly values: readonly (string | null)[];
}

export interface TableRequest {
  readonly credential: Credential;
  /** Run in order in one transaction, as the role of the caller. */
  readonly queries: readonly TableQuery[];
  /** True for requests that must not write: PostgreSQL refuses it, and they may share a connection. */
  readonly readOnly: boolean;
  /** Whoever waits for the answer; what runs for it alone is cancelled when it goes. */
  readonly client?: Leaver | undefined;
  /** Sees the reply before anything is committed; what it throws undoes the writes. Costs a round trip. */
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
}

const MAX_SHAPES = 1_000;
const BEGIN: Statement = { name: 't_begin', text: 'begin', values: [] };
const COMMIT: Statement = { name: 't_commit', text: 'commit', values: [] };
const ROLLBACK: Statement = { name: 't_rollback', text: 'rollback', values: [] };

/** Runs table requests of one project over the pipeline connections of its lane. */
export class TableLane {
  readonly #lane: Lane<PipelineConnection>;
  readonly #idType: IdType;
  readonly #shapes = new ShapeBook(MAX_SHAPES);
  readonly #lookupShapes = new ShapeBook(MAX_SHAPES);

  constructor(lane: Lane<PipelineConnection>, idType: IdType) {
    this.#lane = lane;
    this.#idType = idType;
  }

  async run(request: TableRequest): Promise<TableReply> {
    const batch = this.#plan(request);
    const isShared =
      request.readOnly && !request.inspect && batch.shapes.every((shape) => isFast(shape));
    const taken = this.#lane.acquire(isShared ? 'shared' : 'exclusive', request.client);
    const slot = taken instanceof Promise ? await taken : taken;
    try {
      if (request.inspect || request.isDryRun)
        return await this.#runInspected(slot, request, batch);
      const { results, serviceMs } = await slot.connection.run({
        statements: batch.statements,
        signal: isShared ? undefined : request.client?.signal,
      });
      for (const shape of batch.shapes) noteRun(shape, serviceMs);
      return toReply(request.credential, results);
    } finally {
      this.#lane.release(slot);
    }
  }

  /** The caller alone. */
  resolve(credential: Credential): Promise<ResolvedCaller> {
    return this.run({ credential, queries: [], readOnly: true });
  }

  #plan({ credential, queries, readOnly }: TableRequest): PlannedBatch {
    const lookup = lookupFor(credential, { idType: this.#idType, readOnly });
    const roleClass = roleClassOf(credential);
    const statements: Statement[] = [lookup];
    const shapes: Shape[] = [];
    for (const { text, values } of queries) {
      const shape = this.#shapes.shapeOf(roleClass, text);
      shapes.push(shape);
      statements.push({ name: shape.name, text, values });
    }
    // A lookup without queries is a shape of its own.
    if (shapes.length === 0) shapes.push(this.#lookupShapes.shapeOf(roleClass, lookup.text));
    return { statements, shapes };
  }

  /** The batch in a transaction of its own that ends only after somebody has looked at the results. */
  async #runInspected(
    slot: Slot<PipelineConnection>,
    request: TableRequest,
    batch: PlannedBatch,
  ): Promise<TableReply> {
    const { connection } = slot;
    const first = {
      statements: [BEGIN, ...batch.statements],
      signal: request.client?.signal,
      isPart: true,
    };
    const end = (statement: Statement) => connection.run({ statements: [statement], isPart: true });
    try {
      const { results } = await connection.run(first).catch(async (error: AppError) => {
        if (!isOutdated(error.cause)) throw error;
        await end(ROLLBACK);
        return connection.run(first);
      });
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

function toReply(credential: Credential, results: readonly StatementResult[]): TableReply {
  const [lookup, ...rest] = results;
  const resolved = readLookup(credential, lookup?.rows.texts(0) ?? []);
  return Object.assign(resolved, { results: rest });
}

/** A session decides between two roles only in the lookup; nearly all sessions are valid. */
function roleClassOf(credential: Credential): RoleClass {
  switch (credential.kind) {
    case 'none':
    case 'impersonated-anon':
      return 'anon';
    case 'session':
    case 'impersonated-user':
      return 'user';
    case 'secret-key':
    case 'operator':
      return 'service';
  }
}
