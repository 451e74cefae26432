// Which statements one connection has prepared, and which must be closed to make space.

/** One prepared statement of one connection. */
export interface PreparedStatement {
  readonly name: string;
  lastUse: number;
}

/** Bounded by the least recently used: shapes come from clients and have no end otherwise. */
export class StatementCache {
  readonly #max: number;
  readonly #byName = new Map<string, PreparedStatement>();
  #toClose: string[] = [];
  #uses = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#byName.size;
  }

  find(name: string): PreparedStatement | undefined {
    const statement = this.#byName.get(name);
    if (statement) statement.lastUse = ++this.#uses;
    return statement;
  }

  /** Counts `name` as prepared; the least recently used statement is closed for it. */
  add(name: string): PreparedStatement {
    if (this.#byName.size >= this.#max) this.#evict();
    const statement = { name, lastUse: ++this.#uses };
    this.#byName.set(name, statement);
    return statement;
  }

  /** Forgets this statement only; a newer one under the same name stays. */
  forget(statement: PreparedStatement): void {
    if (this.#byName.get(statement.name) !== statement) return;
    this.#byName.delete(statement.name);
    this.#toClose.push(statement.name);
  }

  /** Forgets everything: the server has lost the prepared statements. */
  forgetAll(): void {
    this.#toClose.push(...this.#byName.keys());
    this.#byName.clear();
  }

  /** Names to close on the server before the next Parse. Closing a name that does not exist is no error. */
  takeClosed(): readonly string[] {
    if (this.#toClose.length === 0) return this.#toClose;
    const names = this.#toClose;
    this.#toClose = [];
    return names;
  }

  #evict(): void {
    let oldest: PreparedStatement | undefined;
    for (const statement of this.#byName.values()) {
      if (!oldest || statement.lastUse < oldest.lastUse) oldest = statement;
    }
    if (oldest) this.forget(oldest);
  }
}
