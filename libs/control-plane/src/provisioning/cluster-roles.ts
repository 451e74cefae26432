import { quoteIdent } from '#libs/wire';

import { withAdmin, type DatabaseServer } from './database-server.js';
import { withLock } from './advisory-lock.js';

// anon, authenticated and service_role are the roles of requests. platform_engine has the rights on accounts and
// settings, platform_deleter deletes users, platform_owner owns the platform's schemas in the templates. Each role is
// created by a statement of its own, so that an existing role keeps its oid and grants.
const roles = `
do $$
begin
  if not exists (select from pg_roles where rolname = 'anon') then
    create role anon nologin noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'authenticated') then
    create role authenticated nologin noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'service_role') then
    create role service_role nologin noinherit bypassrls;
  end if;
  if not exists (select from pg_roles where rolname = 'platform_engine') then
    create role platform_engine nologin;
  end if;
  if not exists (select from pg_roles where rolname = 'platform_deleter') then
    create role platform_deleter nologin noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'platform_owner') then
    create role platform_owner nologin in role platform_engine;
  end if;
end
$$`;

/**
 * Creates the roles that all projects share, and closes the databases that belong to no project to their logins.
 * Idempotent and safe to run from several processes at once.
 */
export async function ensureClusterRoles(
  server: DatabaseServer,
  controlPlaneDatabase: string,
): Promise<void> {
  await withAdmin(server, undefined, (client) =>
    withLock(client, 'rowhouse cluster roles', async () => {
      await client.query(roles);
      const open = await client.query<{ datname: string }>(
        `select datname from pg_database
         where (datname = any ($1) or datname = pg_catalog.current_database())
           and pg_catalog.has_database_privilege('anon', oid, 'connect')`,
        [['postgres', 'template1', controlPlaneDatabase]],
      );
      for (const { datname } of open.rows) {
        await client.query(
          `revoke connect, temporary on database ${quoteIdent(datname)} from public`,
        );
      }
    }),
  );
}
