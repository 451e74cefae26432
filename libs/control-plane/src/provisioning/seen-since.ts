/** Since when something has been found in every round, by a clock in milliseconds. */
export class SeenSince {
  private since: ReadonlyMap<string, number> = new Map();

  /** Notes what this round has found, and forgets everything else. Returns how long each has been found; milliseconds. */
  note(found: Iterable<string>, now: number): ReadonlyMap<string, number> {
    const since = [...found].map((key) => [key, this.since.get(key) ?? now] as const);
    this.since = new Map(since);
    return new Map(since.map(([key, from]) => [key, now - from]));
  }
}
