// A leased pg client: queries with translated errors, and its release to the budget.

import { DatabaseError, type Client, type QueryArrayConfig, type QueryConfig } from 'pg';
import { databaseAway, databaseError } from '#libs/errors';
import type { Lane } from './budget/lane.js';
import type { PooledConnection } from './budget/pooled-connection.js';
import { leavesNothing } from './harmless-statements.js';
import { forgetStatements, isStale, statementName } from './named-statements.js';

export interface QueryReply<Row> {
  readonly rows: Row[];
  readonly rowCount: number;
  /** First word of the command tag, e.g. `INSERT`. */
  readonly command: string;
}

/** One lease of a client; ends with `release`. */
export class ClientSession {
  readonly #lane: Lane<Client>;
  readonly #pooled: PooledConnection<Client>;
  #isBroken = false;
  #mayHaveLeftSomething = false;

  private constructor(lane: Lane<Client>, pooled: PooledConnection<Client>) {
    this.#lane = lane;
    this.#pooled = pooled;
  }

  /** A `signal` ends the wait for the client. */
  static async acquire(lane: Lane<Client>, signal?: AbortSignal): Promise<ClientSession> {
    return new ClientSession(lane, await lane.acquire('exclusive', signal && { signal }));
  }

  get client(): Client {
    return this.#pooled.connection;
  }

  /** False after a failure that leaves nothing to roll back. */
  get isUsable(): boolean {
    return !this.#isBroken && this.#pooled.isUsable;
  }

  query<Row extends object>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<QueryReply<Row>> {
    const name = this.#nameOf(text);
    const config = { text, values: [...values] };
    return this.#run<Row>(name === undefined ? config : { ...config, name });
  }

  /** One row as the texts that the server sent. */
  async queryTexts(text: string, values: readonly unknown[]): Promise<(string | null)[]> {
    const config: QueryArrayConfig = {
      text,
      values: [...values],
      rowMode: 'array',
      types: { getTypeParser: () => String },
    };
    const { rows } = await this.#run<(string | null)[]>(config);
    return rows[0] ?? [];
  }

  /**
   * Gives the client back: cleaned, or closed if it is in the middle of a transaction or of unknown state. Policies and
   * triggers of the project may have run in this session, and the state that they leave must not reach the next user: a
   * search path would decide which operators it uses. After statements that run none of their code no such state can be
   * left.
   */
  release(): void {
    const isClean = this.isUsable && this.#pooled.connection.getTransactionStatus() === 'I';
    if (!isClean) {
      this.#lane.release(this.#pooled, true);
      return;
    }
    if (!this.#mayHaveLeftSomething) {
      this.#lane.release(this.#pooled);
      return;
    }
    this.#pooled.connection.query('discard all').then(
      () => {
        forgetStatements(this.#pooled.connection);
        this.#lane.release(this.#pooled);
      },
      () => this.#lane.release(this.#pooled, true),
    );
  }

  /** Gives the client back to be closed. */
  close(): void {
    this.#lane.release(this.#pooled, true);
  }

  #nameOf(text: string): string | undefined {
    const isClean =
      !this.#mayHaveLeftSomething && this.#pooled.connection.getTransactionStatus() === 'I';
    return isClean && leavesNothing(text) ? statementName(text) : undefined;
  }

  async #run<Row extends object>(config: QueryConfig): Promise<QueryReply<Row>> {
    this.#mayHaveLeftSomething ||= !leavesNothing(config.text);
    try {
      const { rows, rowCount, command } = await this.#pooled.connection.query<Row>(config);
      return { rows, rowCount: rowCount ?? 0, command };
    } catch (error) {
      if (config.name === undefined || !(error instanceof DatabaseError) || !isStale(error.code)) {
        throw this.#translate(error);
      }
      this.#mayHaveLeftSomething = true;
      const { name: _stale, ...unnamed } = config;
      return this.#run(unnamed);
    }
  }

  #translate(error: unknown): unknown {
    if (error instanceof DatabaseError) return clientError(error);
    // An error that is not from the server is a lost connection, a missing reply, or a value that cannot be sent.
    this.#isBroken = true;
    return error instanceof TypeError ? error : databaseAway(error);
  }
}

/** Returns the caller's error for a server error that pg has received; `place` is its place in a script. */
export function clientError(error: DatabaseError, place?: object): Error {
  const { code = 'XX000', message, detail, hint, constraint } = error;
  return databaseError({ code, message, detail, hint, constraint, place }, error);
}
