// The connection limits of logins. The owners of projects connect to the database server themselves and share what the
// platform does not need; the logins of requests have what the processes of the platform open.
import type { Client } from 'pg';
import type { DataSource } from 'typeorm';

import { quoteIdent } from '#libs/wire';
import {
  type ConnectionShare,
  type ServerConnections,
  shareConnections,
} from '../provisioning/connection-share.js';
import { withAdmin } from '../provisioning/database-server.js';
import { type LoginKind, loginKinds, namesOf } from '../provisioning/names.js';
import { isPlatformLogin, useReserve } from '../provisioning/project-database.js';
import type { ProjectsContext } from './projects-context.js';

/** How long a change waits for a session that holds a lock on the login; milliseconds. */
const lockMs = 1_000;
/** The first release of PostgreSQL with `reserved_connections`. */
const firstWithReserve = 160_000;

export interface LoginLimits {
  /** The most connections that the platform needs: the API processes and the worker, each of one release. */
  readonly needed: number;
  /** The limit of the login that runs the requests of a project; see `requestLimit`. */
  readonly requests: number;
  /** Called with the error of each locked login. */
  readonly onFailure: (error: unknown) => void;
}

/** The limit of each owner, a warning for the operator, and the projects that use up their limit. */
export interface AppliedLimits extends ConnectionShare {
  /** Projects whose login of requests has all connections of its limit. */
  readonly projectsAtLimit: readonly string[];
}

/**
 * Gives the owners of all active projects their share of the connections of the server and the logins of requests their
 * limit, and lets the platform's logins use the server's reserved connections. Idempotent; changes only logins that
 * differ.
 */
export async function limitLogins(
  { dataSource, server }: Pick<ProjectsContext, 'dataSource' | 'server'>,
  { needed, requests, onFailure }: LoginLimits,
): Promise<AppliedLimits> {
  const projects = await listActive(dataSource);
  const ids = projects.map(({ id }) => id);
  return withAdmin(server, undefined, async (client) => {
    const connections = await readConnections(client);
    const share = shareConnections({ ...connections, needed, projects: ids.length });
    const loginsOf = (kind: LoginKind): string[] => ids.map((id) => namesOf(id)[kind]);
    const changes = [
      ...(await limitChanges(client, loginsOf('owner'), share.perOwner)),
      ...(await limitChanges(client, loginsOf('api'), requests)),
    ];
    if (connections.reserved !== undefined) changes.push(...(await reserveGrants(client, ids)));
    await client.query(`set lock_timeout = ${lockMs}`);
    // One by one: a session of a project may hold a lock on its login, and the next run tries again.
    for (const change of changes) await client.query(change).catch(onFailure);
    const full = await listFull(client, loginsOf('api'), requests);
    const projectsAtLimit = projects
      .filter(({ id }) => full.has(namesOf(id).api))
      .map(({ ref }) => ref);
    return { ...share, projectsAtLimit };
  });
}

interface ActiveProject {
  /** Of its database. */
  readonly id: string;
  readonly ref: string;
}

function listActive(dataSource: DataSource): Promise<readonly ActiveProject[]> {
  return dataSource.query(`select database_id as id, ref from project where status = 'active'`);
}

/** Returns those of the logins that have all connections of their limit. */
async function listFull(
  client: Client,
  logins: readonly string[],
  limit: number,
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select usename as name from pg_catalog.pg_stat_activity
     where usename operator(pg_catalog.=) any ($1::pg_catalog.name[])
     group by usename having pg_catalog.count(*) operator(pg_catalog.>=) $2`,
    [logins, limit],
  );
  return new Set(rows.map(({ name }) => name));
}

async function readConnections(
  client: Client,
): Promise<Pick<ServerConnections, 'usable' | 'reserved'>> {
  const { rows } = await client.query<{ usable: number; reserved: number | null }>(
    `select pg_catalog.current_setting('max_connections')::pg_catalog.int4
              operator(pg_catalog.-)
            pg_catalog.current_setting('superuser_reserved_connections')::pg_catalog.int4 as usable,
            case when pg_catalog.current_setting('server_version_num')::pg_catalog.int4 >= $1 then
              pg_catalog.current_setting('reserved_connections')::pg_catalog.int4
            end as reserved`,
    [firstWithReserve],
  );
  const [found] = rows;
  return { usable: found?.usable ?? 0, reserved: found?.reserved ?? undefined };
}

async function limitChanges(
  client: Client,
  logins: readonly string[],
  limit: number,
): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select rolname as name from pg_catalog.pg_roles
     where rolname operator(pg_catalog.=) any ($1::pg_catalog.text[]) and rolconnlimit <> $2`,
    [logins, limit],
  );
  return rows.map(({ name }) => `alter role ${quoteIdent(name)} connection limit ${limit}`);
}

/** For projects of releases that did not grant it. */
async function reserveGrants(client: Client, ids: readonly string[]): Promise<string[]> {
  const logins = ids.flatMap((id) => loginKinds.map((kind) => namesOf(id)[kind]));
  const { rows } = await client.query<{ name: string }>(
    `select rolname as name from pg_catalog.pg_roles login
     where rolname operator(pg_catalog.=) any ($1::pg_catalog.text[]) and not exists (
       select from pg_catalog.pg_auth_members
       where member = login.oid and roleid = 'pg_use_reserved_connections'::pg_catalog.regrole
     )`,
    [logins.filter((name) => isPlatformLogin(name))],
  );
  return rows.map(({ name }) => useReserve([name]));
}
