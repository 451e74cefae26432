import type { EngineQueries } from '#libs/database';

import { findFunctions, type FoundFunction } from './functions.sql.js';

/** Routes of one look-up: each call has five at most. */
const maxRoutes = 500;

interface Lookup {
  readonly routes: Set<string>;
  readonly found: Promise<ReadonlyMap<string, FoundFunction>>;
}

/**
 * Finds functions by their routes, for many calls in one statement. A call gets what the database has after its arrival,
 * so that a deploy in another process holds for it: calls that arrive while a look-up runs share the next one.
 */
export class FunctionLookup {
  #next: Lookup | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly db: EngineQueries) {}

  /** The function with the longest of these routes; undefined if no function has one of them. */
  async find(routes: readonly string[]): Promise<FoundFunction | undefined> {
    if (this.#next === undefined || this.#next.routes.size >= maxRoutes) {
      this.#next = this.#schedule();
    }
    const lookup = this.#next;
    for (const route of routes) lookup.routes.add(route);
    const found = await lookup.found;
    return routes
      .flatMap((route) => found.get(route) ?? [])
      .reduce<FoundFunction | undefined>(longest, undefined);
  }

  /** Begins when the look-ups before it have ended; no call can join it then. */
  #schedule(): Lookup {
    const routes = new Set<string>();
    const found = this.#last.then(async () => {
      if (this.#next === lookup) this.#next = undefined;
      const functions = await findFunctions(this.db, [...routes]);
      return new Map(functions.map((each) => [each.route, each]));
    });
    const lookup = { routes, found };
    this.#last = found.catch(() => undefined);
    return lookup;
  }
}

const longest = (best: FoundFunction | undefined, other: FoundFunction): FoundFunction =>
  best !== undefined && best.route.length > other.route.length ? best : other;
