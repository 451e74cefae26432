// The owners of projects connect to the database server themselves. They share the connections that the platform does
// not need.
import type { Client } from 'pg';
import type { DataSource } from 'typeorm';
import {
  type ConnectionShare,
  type ServerConnections,
  shareConnections,
} from '../provisioning/connection-share.js';
import { quoted, withAdmin } from '../provisioning/database-server.js';
import { loginKinds, namesOf } from '../provisioning/names.js';
import { isPlatformLogin, useReserve } from '../provisioning/project-database.js';
import type { ProjectsContext } from './projects-context.js';

/** How long a change waits for a session that holds a lock on the login; milliseconds. */
const lockMs = 1_000;
/** The first release of PostgreSQL with `reserved_connections`. */
const firstWithReserve = 160_000;

/**
 * Gives the owners of all active projects their share of the connections of the server, and lets the platform's logins
 * use the server's reserved connections. `needed`: the most connections that the platform needs. Idempotent; changes
 * only logins that differ. The error of a locked login goes to `onFailure`.
 */
export async function limitOwners(
  { dataSource, server }: Pick<ProjectsContext, 'dataSource' | 'server'>,
  { needed, onFailure }: { readonly needed: number; readonly onFailure: (error: unknown) => void },
): Promise<ConnectionShare> {
  const ids = await activeIds(dataSource);
  return withAdmin(server, undefined, async (client) => {
    const connections = await readConnections(client);
    const share = shareConnections({ ...connections, needed, projects: ids.length });
    const owners = ids.map((id) => namesOf(id).owner);
    const changes = await limitChanges(client, owners, share.perOwner);
    if (connections.reserved !== undefined) changes.push(...(await reserveGrants(client, ids)));
    await client.query(`set lock_timeout = ${lockMs}`);
    // One by one: a session of a project may hold a lock on its login, and the next run tries again.
    for (const change of changes) await client.query(change).catch(onFailure);
    return share;
  });
}

async function activeIds(dataSource: DataSource): Promise<readonly string[]> {
  const rows: { id: string }[] = await dataSource.query(
    `select database_id as id from project where status = 'active'`,
  );
  return rows.map(({ id }) => id);
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
  owners: readonly string[],
  limit: number,
): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select rolname as name from pg_catalog.pg_roles
     where rolname operator(pg_catalog.=) any ($1::pg_catalog.text[]) and rolconnlimit <> $2`,
    [owners, limit],
  );
  return rows.map(({ name }) => `alter role ${quoted(name)} connection limit ${limit}`);
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
