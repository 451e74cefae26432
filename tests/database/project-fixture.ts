// A project database of its own for one test file: the real project migrations, the three login roles
// with the rights they have in production, two users, and a table with policies.

import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { projectRights } from '../../libs/control-plane/src/provisioning/project-rights.js';
import {
  ConnectionBudget,
  migrate,
  openProjectDatabase,
  type IdType,
  type ProjectDatabase,
  type ProjectDatabaseOptions,
} from '#libs/database';

export interface ProjectFixture {
  readonly database: string;
  readonly options: Omit<ProjectDatabaseOptions, 'budget'>;
  /** A superuser in the project's database. */
  readonly admin: Client;
  /** Opens the database with a budget of its own; closed with the fixture. */
  open(settings?: Partial<ProjectDatabaseOptions>): ProjectDatabase;
  drop(): Promise<void>;
}

export const ids = {
  ada: '11111111-1111-4111-8111-111111111111',
  bob: '22222222-2222-4222-8222-222222222222',
  gone: '33333333-3333-4333-8333-333333333333',
} as const;

const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';

/** Makes the database; `drop` removes it with its roles. */
export async function createProject(idType: IdType = 'text'): Promise<ProjectFixture> {
  const ref = `dbt${randomBytes(5).toString('hex')}`;
  const database = `p_${ref}`;
  await onServer(async (client) => {
    await client.query(clusterRoles);
    await client.query(`create database ${database}`);
    for (const role of ['api', 'engine', 'owner']) {
      const inherit = role === 'engine' ? 'inherit' : 'noinherit';
      await client.query(`create role ${ref}_${role} login ${inherit} password '${ref}'`);
    }
    await client.query(`grant anon, authenticated, service_role to ${ref}_api`);
    await client.query(`grant platform_engine to ${ref}_engine`);
  });
  const admin = await connect(database);
  await admin.query('create schema platform');
  await migrate({
    client: admin,
    migrations: await projectMigrations(),
    table: 'platform.schema_migrations',
    placeholders: { user_id: idType },
  });
  await admin.query(projectRights(ref));
  await admin.query(accounts);
  await admin.query(tables);
  const options = optionsOf(ref, idType);
  const opened: ProjectDatabase[] = [];
  return {
    database,
    options,
    admin,
    open(settings = {}) {
      const db = openProjectDatabase({ ...options, budget: new ConnectionBudget(), ...settings });
      opened.push(db);
      return db;
    },
    async drop() {
      await Promise.all(opened.map((db) => db.close(1_000)));
      await admin.end();
      await onServer(async (client) => {
        await client.query(`drop database ${database} with (force)`);
        await client.query(`drop role ${ref}_api, ${ref}_engine, ${ref}_owner`);
      });
    },
  };
}

/** Waits until `check` gives something other than undefined, null, 0 or false; fails after five seconds. */
export async function until<T>(check: () => T | Promise<T>): Promise<NonNullable<T>> {
  const deadline = Date.now() + 5_000;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > deadline) throw new Error('The condition did not come true');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export async function connect(database: string): Promise<Client> {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  return client;
}

async function onServer(work: (client: Client) => Promise<void>): Promise<void> {
  const client = await connect('postgres');
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function projectMigrations(): Promise<{ name: string; sql: string }[]> {
  const folder = new URL('../../migrations/project/', import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql'));
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(new URL(name, folder), 'utf8') })),
  );
}

function optionsOf(ref: string, idType: IdType): Omit<ProjectDatabaseOptions, 'budget'> {
  const { hostname, port } = new URL(serverUrl);
  const login = (role: string) => ({ user: `${ref}_${role}`, password: ref });
  return {
    ref,
    host: hostname,
    port: Number(port),
    database: `p_${ref}`,
    idType,
    logins: { api: login('api'), engine: login('engine'), owner: login('owner') },
  };
}

// Test files run side by side: whoever is second finds the role there, in one way or the other.
const clusterRoles = `do $$
declare
  name text;
begin
  foreach name in array array['anon', 'authenticated', 'service_role', 'platform_engine', 'platform_deleter'] loop
    begin
      execute format('create role %I nologin noinherit %s', name,
        case name when 'service_role' then 'bypassrls' else '' end);
    exception when duplicate_object or unique_violation then null;
    end;
  end loop;
end $$`;

const accounts = `
insert into auth."user" (id, email, role, status, "isAnonymous", app_metadata) values
  ('${ids.ada}', 'ada@example.test', 'ADMIN', 'active', false, '{"plan":"pro"}'),
  ('${ids.bob}', 'bob@example.test', 'USER', 'active', true, '{}'),
  ('${ids.gone}', 'gone@example.test', 'USER', 'deactivated', false, '{}');
insert into auth.organization (id, name, slug) values ('org1', 'One', 'one'), ('org2', 'Two', 'two');
insert into auth.team (id, name, "organizationId") values ('team1', 'A', 'org1'), ('team2', 'B', 'org2');
insert into auth.member (id, "organizationId", "userId", role) values ('m1', 'org1', '${ids.ada}', 'owner');
insert into auth."teamMember" (id, "teamId", "userId") values ('tm1', 'team1', '${ids.ada}');
-- In a team of an organization that she is no member of: triggers refuse it, the lookup must not rely on them.
set local session_replication_role = replica;
insert into auth."teamMember" (id, "teamId", "userId") values ('tm2', 'team2', '${ids.ada}');
set local session_replication_role = origin;
insert into auth.session (id, "tokenHash", "userId", "expiresAt", aal, "activeOrganizationId", "activeTeamId") values
  ('s-ada', sha256('ada-token'), '${ids.ada}', now() + interval '1 day', 'aal2', 'org1', 'team1'),
  ('s-bob', sha256('bob-token'), '${ids.bob}', now() + interval '1 day', 'aal1', 'org1', 'team1'),
  ('s-ada2', sha256('ada-elsewhere'), '${ids.ada}', now() + interval '1 day', 'aal1', 'org2', 'team2'),
  ('s-ada3', sha256('ada-mixed'), '${ids.ada}', now() + interval '1 day', 'aal1', 'org1', 'team2'),
  ('s-old', sha256('old-token'), '${ids.bob}', now() - interval '1 second', 'aal1', null, null),
  ('s-gone', sha256('gone-token'), '${ids.gone}', now() + interval '1 day', 'aal1', null, null);`;

const tables = `
create table public.notes (id int primary key, owner text default (auth.jwt() ->> 'sub'), body text);
grant select, insert, update, delete on public.notes to anon, authenticated, service_role;
alter table public.notes enable row level security;
create policy notes_read on public.notes for select using (true);
create policy notes_write on public.notes for insert to authenticated
  with check (owner = (select auth.jwt() ->> 'sub') and body is distinct from 'forbidden');
insert into public.notes values (1, '${ids.ada}', 'first'), (2, '${ids.bob}', 'second ü');`;
