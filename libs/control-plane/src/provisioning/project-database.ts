// The roles and the database of one project on the server: made, looked for and dropped.
import { withAdmin, quoted, type DatabaseServer } from './database-server.js';
import { namesOf } from './names.js';
import { projectRights } from './project-rights.js';
import { scramVerifier } from './scram-verifier.js';

/** The passwords of a project's login roles. */
export interface LoginPasswords {
  readonly owner: string;
  readonly api: string;
  readonly engine: string;
}

// How many connections a role may hold, over all processes. The budget of a process stays far below.
const ownerConnections = 20;
const apiConnections = 60;
const engineConnections = 40;

/** Whether the server has anything under the names of a ref. */
export async function hasDatabaseObjects(server: DatabaseServer, ref: string): Promise<boolean> {
  const { database, owner, api, engine } = namesOf(ref);
  return withAdmin(server, undefined, async (client) => {
    const reply = await client.query(
      `select from pg_database where datname = $1
       union all select from pg_roles where rolname = any ($2)`,
      [database, [owner, api, engine]],
    );
    return reply.rowCount !== 0;
  });
}

/** Whether the database of a project is there. */
export async function hasDatabase(server: DatabaseServer, ref: string): Promise<boolean> {
  return withAdmin(server, undefined, async (client) => {
    const { database } = namesOf(ref);
    const reply = await client.query('select from pg_database where datname = $1', [database]);
    return reply.rowCount !== 0;
  });
}

/** Makes the three login roles of a project, all or none. */
export async function createRoles(
  server: DatabaseServer,
  ref: string,
  passwords: LoginPasswords,
): Promise<void> {
  const names = namesOf(ref);
  const [owner, api, engine] = await Promise.all(
    [passwords.owner, passwords.api, passwords.engine].map((password) => scramVerifier(password)),
  );
  await withAdmin(server, undefined, (client) =>
    client.query(`
create role ${quoted(names.owner)} login noinherit
  connection limit ${ownerConnections} password '${owner}';
create role ${quoted(names.api)} login noinherit
  connection limit ${apiConnections} password '${api}';
create role ${quoted(names.engine)} login inherit
  connection limit ${engineConnections} password '${engine}';
grant anon, authenticated, service_role to ${quoted(names.api)};
grant platform_engine to ${quoted(names.engine)};`),
  );
}

/**
 * Gives the login roles their passwords again: a role may change its own, and then the platform cannot
 * sign in as it any more.
 */
export async function restorePasswords(
  server: DatabaseServer,
  ref: string,
  passwords: LoginPasswords,
): Promise<void> {
  const names = namesOf(ref);
  const statements = await Promise.all(
    (['owner', 'api', 'engine'] as const).map(
      async (login) =>
        `alter role ${quoted(names[login])} password '${await scramVerifier(passwords[login])}';`,
    ),
  );
  await withAdmin(server, undefined, (client) => client.query(statements.join('\n')));
}

/** Drops what {@link createRoles} made, as far as it is there. */
export async function dropRoles(server: DatabaseServer, ref: string): Promise<void> {
  const { owner, api, engine } = namesOf(ref);
  await withAdmin(server, undefined, (client) =>
    client.query(`drop role if exists ${[owner, api, engine].map(quoted).join(', ')}`),
  );
}

/** Copies the template. Nobody but the superuser can connect until {@link grantRights}. */
export async function createDatabase(
  server: DatabaseServer,
  ref: string,
  template: string,
): Promise<void> {
  await withAdmin(server, undefined, (client) =>
    client.query(
      `create database ${quoted(namesOf(ref).database)} template ${quoted(template)} connection limit 0`,
    ),
  );
}

/** Ends every connection to the database of a project and drops it, if it is there. */
export async function dropDatabase(server: DatabaseServer, ref: string): Promise<void> {
  await withAdmin(server, undefined, (client) =>
    client.query(`drop database if exists ${quoted(namesOf(ref).database)} with (force)`),
  );
}

/** Gives the roles of a project their rights inside its database and opens it to them. */
export async function grantRights(server: DatabaseServer, ref: string): Promise<void> {
  await withAdmin(server, namesOf(ref).database, (client) => client.query(projectRights(ref)));
}
