// How many connections of their own the owners of projects may have, so that the platform always finds some.

/** What the server gives, and how many share it. */
export interface ServerConnections {
  /** `max_connections` without what is kept for superusers. */
  readonly usable: number;
  /** `reserved_connections`, which only the platform's logins may use; undefined before PostgreSQL 16. */
  readonly reserved: number | undefined;
  /** What the platform needs at most: the budget of the projects and its own. */
  readonly needed: number;
  /** Projects whose owners may connect. */
  readonly projects: number;
}

/** What each owner gets, and what the operator should know about it. */
export interface ConnectionShare {
  readonly perOwner: number;
  /** Absent when the platform's connections are safe. */
  readonly warning?: string;
}

/** Few different limits, so that a new project seldom changes those of all others. */
const limits = [20, 15, 10, 7, 5, 4, 3, 2, 1] as const;
/** A program such as `psql` or `pg_dump` and one beside it. */
const leastUseful = 3;
/** Owners seldom connect at the same time. Where the server itself keeps the platform's part, more are let in. */
const overbooking = 4;
/** PostgreSQL's default of `superuser_reserved_connections`. */
const superuserConnections = 3;

/** Returns the limit of each owner. Without a reserve of the server, all owners together leave `needed` free. */
export function shareConnections(server: ServerConnections): ConnectionShare {
  const { usable, needed, projects, reserved } = server;
  const forOwners = Math.max(0, usable - needed);
  const fair = Math.floor(forOwners / Math.max(1, projects));
  if (reserved !== undefined && reserved >= needed) {
    return { perOwner: atMost(Math.max(leastUseful, fair * overbooking)) };
  }
  const perOwner = atMost(fair);
  const warning = warningOf(server, fair);
  return warning === undefined ? { perOwner } : { perOwner, warning };
}

function atMost(count: number): number {
  return limits.find((limit) => limit <= count) ?? 1;
}

function warningOf({ usable, needed, projects, reserved }: ServerConnections, fair: number) {
  if (fair >= leastUseful) return undefined;
  const figures = `${usable} connections for ${projects} projects, of which the platform needs ${needed}`;
  const cures: string[] = [];
  // PostgreSQL does not start with a reserve that takes all connections.
  if (reserved === undefined || needed >= usable) {
    const enough = needed + projects * leastUseful + superuserConnections;
    cures.push(`max_connections to at least ${enough}`);
  }
  if (reserved !== undefined) cures.push(`reserved_connections to ${needed}`);
  return `Direct connections of owners may leave too few for requests (${figures}): set ${cures.join(' and ')} in postgresql.conf`;
}
