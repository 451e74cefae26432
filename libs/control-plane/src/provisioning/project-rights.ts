// The rights of a project's logins inside its database. Run as the superuser when the database is created and again
// after each migration of it: every statement can be repeated.
import { quoteIdent } from '#libs/wire';

import type { DatabaseNames } from './names.js';

/** The statements for a project, as one text that runs in one transaction. */
export function projectRights(names: DatabaseNames): string {
  return `${databaseRights(names)}${rightsInside(names)}`;
}

/** The part of {@link projectRights} that concerns the database as a whole, which a copy of it does not have. */
export function databaseRights(names: DatabaseNames): string {
  const database = quoteIdent(names.database);
  return `
${platformRights(names)}
${loginRights(names)}
alter database ${database} connection limit -1;
-- No login of the project can raise it.
alter database ${database} set temp_file_limit = '2GB';
`;
}

/** The part of {@link projectRights} that an upgrade needs while no login of the project may connect. */
export function rightsWhileClosed(names: DatabaseNames): string {
  return `${platformRights(names)}\n${rightsInside(names)}`;
}

function platformRights(names: DatabaseNames): string {
  const database = quoteIdent(names.database);
  return `revoke all on database ${database} from public;
grant connect, create on database ${database} to ${quoteIdent(names.platform)};`;
}

/** The statements that let the logins of a project connect. */
export function loginRights(names: DatabaseNames): string {
  const database = quoteIdent(names.database);
  const others = [names.api, names.engine, names.editor, names.deleter, names.lab]
    .map(quoteIdent)
    .join(', ');
  return `grant connect, temporary, create on database ${database} to ${quoteIdent(names.owner)};
grant connect on database ${database} to ${others};
-- Logins that earlier releases have made are members of service_role alone.
grant anon, authenticated to ${quoteIdent(names.editor)};`;
}

/** The statement that keeps all logins of a project but the platform's from connecting. */
export function revokeLogins(names: DatabaseNames): string {
  const logins = [names.owner, names.api, names.engine, names.editor, names.deleter, names.lab];
  return `revoke connect on database ${quoteIdent(names.database)} from ${logins.map(quoteIdent).join(', ')};`;
}

function rightsInside(names: DatabaseNames): string {
  const [owner, api, deleter] = [
    quoteIdent(names.owner),
    quoteIdent(names.api),
    quoteIdent(names.deleter),
  ];
  return `
alter schema public owner to ${owner};
grant usage on schema auth to ${owner};
grant select on auth."user" to ${owner};
-- Ids never change, so that no statement of the platform updates rows of the project.
revoke references on auth."user" from ${owner};
grant references (id) on auth."user" to ${owner};
grant select on auth.organization, auth.member to ${owner};

-- For its policies; whatever else an owner may do to a table is refused there.
alter table storage.files owner to ${owner};
grant usage on schema storage to ${owner}, ${api};
grant select on storage.buckets to ${owner};

-- For policies of private channels; it has no rows. The first call for a database is in front of the migration.
alter table if exists realtime.messages owner to ${owner};

alter default privileges for role ${owner} in schema public
  grant select, insert, update, delete on tables to anon, authenticated, service_role;
alter default privileges for role ${owner} in schema public
  grant usage, select on sequences to anon, authenticated, service_role;
alter default privileges for role ${owner} in schema public
  grant execute on functions to anon, authenticated, service_role;

-- Code of the project runs in the session of a deletion, so this login does nothing else.
grant usage on schema auth to ${deleter};
revoke execute on function auth.delete_user from platform_engine;
grant execute on function auth.delete_user to ${deleter};
-- Triggers of the project find its own tables and functions, after the built-in ones.
alter function auth.delete_user set search_path = pg_catalog, public, pg_temp;

-- Statements are prepared before their role is set, which takes the use of the schema and no more.
grant usage on schema public, auth, platform to ${api};
-- A function of the project may go back to this role, so it can read no session token, only its hash.
grant select (id, "tokenHash", "userId", "expiresAt", aal, "activeOrganizationId", "activeTeamId")
  on auth.session to ${api};
grant select (id, status, claims) on auth."user" to ${api};
grant select (id, key, "referenceId", enabled, "expiresAt", remaining, permissions)
  on auth.apikey to ${api};
grant execute on function auth.membership_claims to ${api};
grant select on platform.schema_version to ${api};
-- What an opening of the project reads is sealed. In front of the migration there may be no such table.
do $do$
begin
  if pg_catalog.to_regclass('platform.stored_catalog') is not null then
    grant select on platform.settings_version, platform.stored_catalog to ${api};
  end if;
end
$do$;`;
}
