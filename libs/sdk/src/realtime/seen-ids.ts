/** As many changes as a server may repeat with a cursor. A test compares the number with that of the server. */
export const rememberedIds = 5_000;

/** The last ids of a channel: after a lost connection the server may send a change twice. */
export class SeenIds {
  readonly #ids = new Set<string>();

  constructor(private readonly limit: number) {}

  /** Remembers an id. Returns false if it was there already. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    // A set keeps the order of insertion.
    const [oldest] = this.#ids;
    if (this.#ids.size > this.limit && oldest !== undefined) this.#ids.delete(oldest);
    return true;
  }
}
