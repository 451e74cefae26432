// A project database of its own for one test file, as provisioning makes it: two users, and a table with policies.

import { Client } from 'pg';
import type { DatabaseNames, LoginKind } from '../../libs/control-plane/src/provisioning/names.js';
import {
  ConnectionBudget,
  openProjectDatabase,
  type IdType,
  type ProjectDatabase,
  type ProjectDatabaseOptions,
} from '#libs/database';
import { copyProject, type ProjectCopy } from '../support/project-copy.js';
import { testDatabaseUrl } from '../support/test-server.js';

export interface ProjectFixture {
  readonly database: string;
  readonly names: DatabaseNames;
  readonly options: Omit<ProjectDatabaseOptions, 'budget'>;
  /** A superuser in the project's database. */
  readonly admin: Client;
  /** Opens the database with a budget of its own; closed with the fixture. */
  open(settings?: Partial<ProjectDatabaseOptions>): ProjectDatabase;
  /** Requests the deletion of a user as the engine and carries it out over its own login. */
  deleteUser(id: string): Promise<boolean>;
  drop(): Promise<void>;
}

export const ids = {
  ada: '11111111-1111-4111-8111-111111111111',
  bob: '22222222-2222-4222-8222-222222222222',
  gone: '33333333-3333-4333-8333-333333333333',
} as const;

/** Makes the database; `drop` removes it with its roles. */
export async function createProject(
  idType: IdType = 'text',
  serverUrl = testDatabaseUrl(),
): Promise<ProjectFixture> {
  const copy = await copyProject(idType, serverUrl);
  const { database } = copy.names;
  const admin = await connect(database, serverUrl);
  await admin.query(accounts);
  await admin.query(tables);
  const options = optionsOf(copy, idType, serverUrl);
  const opened: ProjectDatabase[] = [];
  let deletions: ProjectDatabase | undefined;
  return {
    database,
    names: copy.names,
    options,
    admin,
    open(settings = {}) {
      const db = openProjectDatabase({ ...options, budget: new ConnectionBudget(), ...settings });
      opened.push(db);
      return db;
    },
    async deleteUser(id) {
      deletions ??= openProjectDatabase({ ...options, budget: new ConnectionBudget() });
      await deletions.queryAsEngine(
        'insert into auth.user_deletion (user_id) select id from auth."user" where id = $1 on conflict do nothing',
        [id],
      );
      return deletions.deleteUser(id);
    },
    async drop() {
      await deletions?.close(1_000);
      await Promise.all(opened.map((db) => db.close(1_000)));
      await admin.end();
      await copy.drop();
    },
  };
}

export async function connect(database: string, serverUrl = testDatabaseUrl()): Promise<Client> {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  return client;
}

function optionsOf(
  { names, password }: ProjectCopy,
  idType: IdType,
  serverUrl: string,
): Omit<ProjectDatabaseOptions, 'budget'> {
  const { host, port } = new Client({ connectionString: serverUrl });
  const login = (kind: LoginKind) => ({ user: names[kind], password });
  return {
    ref: names.database,
    host,
    port,
    database: names.database,
    idType,
    logins: {
      owner: login('owner'),
      editor: login('editor'),
      api: login('api'),
      engine: login('engine'),
      deleter: login('deleter'),
      lab: login('lab'),
    },
  };
}

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
