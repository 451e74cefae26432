// The login role of the baselines. It has the rights that the product's own API role has: it may
// become anon, authenticated or service_role and reads what the lookup needs.

import { randomBytes } from 'node:crypto';
import { escapeIdentifier, escapeLiteral, type Client } from 'pg';

export interface Login {
  readonly user: string;
  readonly password: string;
}

/** Makes the role with a password of its own; `client` is a superuser in the measured database. */
export async function createBaselineLogin(client: Client): Promise<Login> {
  const login = {
    user: `bench_${randomBytes(4).toString('hex')}`,
    password: randomBytes(18).toString('base64url'),
  };
  const role = escapeIdentifier(login.user);
  await client.query(`
    create role ${role} login noinherit password ${escapeLiteral(login.password)}
      in role anon, authenticated, service_role;
    grant usage on schema public, auth, platform to ${role};
    grant select on auth."user", auth.session, auth.member, auth.team, auth."teamMember",
      platform.schema_version to ${role};
    grant execute on function auth.membership_claims to ${role};
    do $$ begin
      execute format('grant connect on database %I to ${role}', current_database());
    end $$;
  `);
  return login;
}

/** Makes a role that owns nothing, passes every policy and may read and write the tables. */
export async function createTrustedPeerLogin(client: Client): Promise<Login> {
  const login = await createBaselineLogin(client);
  const role = escapeIdentifier(login.user);
  await client.query(`
    alter role ${role} bypassrls;
    grant select, insert on public.authors, public.posts, public.comments to ${role};
    grant usage on all sequences in schema public to ${role};
  `);
  return login;
}

/**
 * Makes a role for peers that become the role of a token, under the same policies as the product. They
 * learn what there is from catalogs that show a role only what it has rights on, and from the list of
 * roles, which is closed to everybody else.
 */
export async function createPolicyPeerLogin(client: Client): Promise<Login> {
  const login = await createBaselineLogin(client);
  const role = escapeIdentifier(login.user);
  await client.query(`
    grant select, insert on all tables in schema public to ${role};
    grant usage on all sequences in schema public to ${role};
    grant select on pg_catalog.pg_roles to ${role};
  `);
  return login;
}

/** Takes away the rights and the role; the superuser's connection is in the measured database. */
export async function dropLogin(client: Client, login: Login): Promise<void> {
  const role = escapeIdentifier(login.user);
  await client.query(`drop owned by ${role}; drop role ${role};`);
}
