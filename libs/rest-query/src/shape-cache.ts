/**
 * A bounded cache of two generations: entries that are not used while one generation fills are dropped. Finding a value
 * of the young generation writes nothing, which makes it fast.
 */
export class ShapeCache<Value> {
  readonly #maxEntries: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  /** Holds at most `maxEntries` values. */
  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  find(key: string): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.#maxEntries / 2) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
