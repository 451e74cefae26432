// Queries as a role of the project without a caller, such as the evaluation of policies for many callers at once. They
// have connections of their own: their statements are long, and table requests keep theirs.

import type { DatabaseRole } from '#libs/wire';
import type { Lane } from './budget/lane.js';
import type { Statement } from './in-flight-batch.js';
import type { PipelineConnection } from './pipeline-connection.js';
import { isDisowned } from './protocol/postgres-error.js';
import { Reading } from './replies/reading.js';
import { ShapeBook } from './shape-book.js';
import { RESET, type TableQuery } from './table-lane.js';

/** The rows of one query in order; values in text format. */
export type StatementRows = readonly (readonly (string | null)[])[];

export interface RoleLimits {
  /** Limit of one query; default: that of the connection. */
  readonly statementMs?: number | undefined;
  /** How long a query waits for one lock before it fails with 55P03; default: as long as it may run. */
  readonly lockMs?: number | undefined;
}

const MAX_SHAPES = 500;

/**
 * Names are looked up in public, and in the temporary schema last: code of the project may have run in the session and
 * left tables and types in it that would come first.
 */
const ENTER_ROLE = `select pg_catalog.set_config('statement_timeout', $2, true),
  pg_catalog.set_config('lock_timeout', $3, true),
  pg_catalog.set_config('search_path', 'public, pg_temp', true),
  pg_catalog.set_config('role', $1, true),
  pg_catalog.set_config('transaction_read_only', 'on', true)`;

/** Runs queries as roles of one project over the connections of its lane. */
export class RoleLane {
  readonly #lane: Lane<PipelineConnection>;
  readonly #defaultMs: number;
  readonly #shapes = new ShapeBook(MAX_SHAPES);

  constructor(lane: Lane<PipelineConnection>, { statementMs }: { readonly statementMs: number }) {
    this.#lane = lane;
    this.#defaultMs = statementMs;
  }

  async run(
    role: DatabaseRole,
    queries: readonly TableQuery[],
    { statementMs = this.#defaultMs, lockMs = 0 }: RoleLimits = {},
  ): Promise<readonly StatementRows[]> {
    const statements = this.#statementsOf(role, queries, { statementMs, lockMs });
    try {
      return await this.#send(statements, statementMs);
    } catch (error) {
      // The session had another role than that of its login. It is closed now.
      if (!isDisowned(error)) throw error;
      return this.#send(statements, statementMs);
    }
  }

  #statementsOf(
    role: DatabaseRole,
    queries: readonly TableQuery[],
    { statementMs, lockMs }: { readonly statementMs: number; readonly lockMs: number },
  ) {
    const values = [role, String(statementMs), String(lockMs)];
    const statements: Statement[] = [
      RESET,
      { name: 'r_role', text: ENTER_ROLE, values, isOwn: true },
    ];
    for (const [query, { text, values }] of queries.entries()) {
      const { name } = this.#shapes.shapeOf(CLASS_OF_ROLE[role], text);
      statements.push({ name, text, values, query });
    }
    return statements;
  }

  async #send(statements: readonly Statement[], statementMs: number) {
    const taken = this.#lane.acquire('exclusive');
    const pooled = taken instanceof Promise ? await taken : taken;
    using reading = new Reading();
    try {
      const { results } = await pooled.connection.run({
        statements,
        timeoutMs: statementMs,
        preparesAsCaller: true,
        owner: reading,
        areRowsRead: true,
      });
      return results
        .slice(2)
        .map(({ rows }) => Array.from({ length: rows.count }, (_, row) => rows.texts(row)));
    } finally {
      this.#lane.release(pooled);
    }
  }
}

const CLASS_OF_ROLE = { anon: 'anon', authenticated: 'user', service_role: 'service' } as const;
