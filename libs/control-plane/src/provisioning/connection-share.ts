// How many connections the logins of a project may have, so that enough are left for the platform and for neighbors.

/** The connections of the server, and their users. */
export interface ServerConnections {
  /** `max_connections` without those reserved for superusers. */
  readonly usable: number;
  /** `reserved_connections`, which only the platform's logins may use; undefined before PostgreSQL 16. */
  readonly reserved: number | undefined;
  /** The most that the processes of one release need: the budget of the projects and their own. */
  readonly needed: number;
  /** Projects whose owners may connect. */
  readonly projects: number;
}

/** The limit of each owner, and a warning for the operator. */
export interface ConnectionShare {
  readonly perOwner: number;
  /** Absent if the platform's connections are safe. */
  readonly warning?: string;
}

/** Few different limits, so that a new project rarely changes those of all others. */
const limits = [20, 15, 10, 7, 5, 4, 3, 2, 1] as const;
/** A program such as `psql` or `pg_dump` and a second one. */
const leastUseful = 3;
/** Owners rarely connect at the same time. If the server itself reserves the platform's part, more are allowed. */
const overbooking = 4;
/** PostgreSQL's default of `superuser_reserved_connections`. */
const superuserConnections = 3;

/** The processes that serve the requests of all projects. */
export interface RequestProcesses {
  /** The most connections that one process opens for one project. */
  readonly projectConnections: number;
  /** Processes with the role `api`. */
  readonly apiProcesses: number;
}

/** In a rolling upgrade each process has a successor for a while. */
const releasesAtOnce = 2;

/**
 * Returns the limit of a login that runs the requests of a project, over all processes. Code of the project can take
 * this login over; the limit is what it gains.
 */
export function requestLimit({ projectConnections, apiProcesses }: RequestProcesses): number {
  return projectConnections * apiProcesses * releasesAtOnce;
}

/** Returns the limit of each owner. Without reserved connections, all owners together leave `needed` free. */
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
