/** Remembers how long each key has been found without a gap between rounds. */
export class SeenSince {
  private since: ReadonlyMap<string, number> = new Map();

  /** Records the keys of one round and forgets all others. Returns the age of each key; milliseconds. */
  record(keys: Iterable<string>, nowMs: number): ReadonlyMap<string, number> {
    const since = [...keys].map((key) => [key, this.since.get(key) ?? nowMs] as const);
    this.since = new Map(since);
    return new Map(since.map(([key, sinceMs]) => [key, nowMs - sinceMs]));
  }
}
