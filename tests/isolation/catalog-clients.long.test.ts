// What graphical clients and tools for schemas ask at first, with the connection string of a project's owner. The
// queries are our own, of the shape that these programs send: the same relations, columns and functions.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { rolesOf } from './catalog-probe.js';

let deployment: Deployment;
let client: pg.Client;
let foreignNames: string[];

beforeAll(async () => {
  deployment = await Deployment.shared();
  const project = await deployment.createProject();
  const neighbor = databaseOf(await deployment.createProject());
  foreignNames = [neighbor, ...(await rolesOf(neighbor)).map(({ name }) => name)];
  await project.sql(`create table notes (id int primary key, body text);
    create policy own on notes to authenticated using (true)`);
  client = new pg.Client({ connectionString: project.databaseUrl });
  await client.connect();
}, 60_000);

afterAll(async () => {
  await client.end();
  await deployment.close();
});

const databaseOf = (of: ProjectUnderTest): string => new URL(of.databaseUrl).pathname.slice(1);

interface Question {
  readonly name: string;
  readonly sql: string;
  /** Questions about what a project does not have, such as standbys. */
  readonly mayBeEmpty?: boolean;
}

const ofPgAdmin: readonly Question[] = [
  {
    name: 'who is connected',
    sql: `select r.oid, r.rolname, r.rolsuper as is_superuser, r.rolcreaterole, r.rolcreatedb, g.member is not null as grouped
          from pg_catalog.pg_roles r left join pg_catalog.pg_auth_members g on g.member = r.oid
          where r.rolname = current_user`,
  },
  {
    name: 'whether the server is a standby',
    sql: `select case when usesuper then pg_catalog.pg_is_in_recovery() else false end as in_recovery,
            case when usesuper and pg_catalog.pg_is_in_recovery() then pg_is_wal_replay_paused() else false end as paused
          from pg_catalog.pg_user where usename = current_user`,
  },
  {
    name: 'the databases',
    sql: `select db.oid as did, db.datname, db.datallowconn, ta.spcname, db.datconnlimit,
            pg_catalog.pg_encoding_to_char(encoding), pg_catalog.has_database_privilege(db.oid, 'CREATE') as cancreate,
            pg_catalog.pg_get_userbyid(datdba) as owner, descr.description,
            pg_catalog.array_to_string(datacl::text[], ', ') as acl
          from pg_catalog.pg_database db
          left join pg_catalog.pg_tablespace ta on db.dattablespace = ta.oid
          left join pg_catalog.pg_shdescription descr
            on db.oid = descr.objoid and descr.classoid = 'pg_catalog.pg_database'::regclass`,
  },
  {
    name: 'the sessions of the dashboard',
    sql: `select pid, datname, usename, application_name, client_addr, client_port, state, wait_event_type,
            pg_catalog.to_char(backend_start, 'YYYY-MM-DD HH24:MI:SS TZ') as backend_start, query
          from pg_catalog.pg_stat_activity where datname = current_database() order by pid`,
  },
  {
    name: 'the figures of the dashboard',
    sql: `select sum(xact_commit + xact_rollback), sum(numbackends), sum(tup_inserted)
          from pg_catalog.pg_stat_database where datname = current_database()`,
  },
  {
    name: 'the locks of the dashboard',
    sql: `select pid, locktype, datname, relation::regclass, mode, granted
          from pg_catalog.pg_locks l left outer join pg_catalog.pg_database d on l.database = d.oid`,
  },
  {
    name: 'the prepared transactions',
    sql: 'select * from pg_catalog.pg_prepared_xacts',
    mayBeEmpty: true,
  },
  {
    name: 'the size of the database',
    sql: 'select pg_catalog.pg_size_pretty(pg_catalog.pg_database_size(oid)) from pg_catalog.pg_database',
  },
];

const ofDBeaver: readonly Question[] = [
  {
    name: 'the databases',
    sql: `select db.oid, db.* from pg_catalog.pg_database db
          where db.datallowconn and not db.datistemplate order by db.datname`,
  },
  { name: 'the roles', sql: 'select a.oid, a.* from pg_catalog.pg_roles a order by a.rolname' },
  {
    name: 'the members of roles',
    sql: 'select * from pg_catalog.pg_auth_members where member = (select oid from pg_catalog.pg_roles limit 1)',
    mayBeEmpty: true,
  },
  {
    name: 'the table spaces',
    sql: 'select t.oid, t.*, pg_tablespace_location(t.oid) loc from pg_catalog.pg_tablespace t',
  },
  { name: 'the settings', sql: 'select * from pg_catalog.pg_settings' },
  {
    name: 'the settings of roles',
    sql: 'select * from pg_catalog.pg_db_role_setting where setrole <> 0',
    mayBeEmpty: true,
  },
  {
    name: 'the schemas',
    sql: `select n.oid, n.*, d.description from pg_catalog.pg_namespace n
          left outer join pg_catalog.pg_description d on d.objoid = n.oid and d.classoid = 'pg_namespace'::regclass`,
  },
  {
    name: 'the types',
    sql: `select t.oid, t.*, c.relkind, format_type(nullif(t.typbasetype, 0), t.typtypmod) as base
          from pg_catalog.pg_type t left outer join pg_catalog.pg_class c on c.oid = t.typrelid limit 500`,
  },
  {
    name: 'the tables with their sizes',
    sql: `select c.oid, c.*, d.description, pg_catalog.pg_total_relation_size(c.oid) as total
          from pg_catalog.pg_class c left outer join pg_catalog.pg_description d on d.objoid = c.oid and d.objsubid = 0
          where c.relnamespace = 'public'::regnamespace and c.relkind not in ('i', 'I', 'c')`,
  },
  {
    name: 'the dependencies of a role',
    sql: `select dep.classid, dep.objid, pg_describe_object(dep.classid, dep.objid, dep.objsubid)
          from pg_catalog.pg_shdepend dep join pg_catalog.pg_roles r on r.oid = dep.refobjid
          where r.rolname = current_user and dep.dbid = (select oid from pg_catalog.pg_database)`,
  },
  { name: 'the sessions', sql: 'select sa.* from pg_catalog.pg_stat_activity sa' },
];

const ofDrizzle: readonly Question[] = [
  {
    name: 'the roles',
    sql: 'select rolname, rolinherit, rolcreatedb, rolcreaterole from pg_roles',
  },
  {
    name: 'the policies',
    sql: `select schemaname, tablename, policyname, permissive, roles, cmd, qual, with_check from pg_policies
          where schemaname = 'public'`,
  },
  {
    name: 'the columns',
    sql: `select a.attname, c.is_nullable, c.data_type, c.is_identity, c.character_maximum_length
          from information_schema.columns c join pg_attribute a on a.attname = c.column_name
          where c.table_schema = 'public' and a.attrelid = 'notes'::regclass`,
  },
];

const ofPrisma: readonly Question[] = [
  {
    name: 'the schema and the version',
    sql: `select exists (select from pg_namespace where nspname = 'public'), version(),
            current_setting('server_version_num')`,
  },
  {
    name: 'the tables',
    sql: `select tbl.relname, namespace.nspname, (tbl.relhassubclass and tbl.relkind = 'p') as partitioned,
            tbl.relrowsecurity, obj_description(tbl.oid, 'pg_class') as description
          from pg_class tbl join pg_namespace namespace on namespace.oid = tbl.relnamespace
          where tbl.relkind in ('r', 'p') and namespace.nspname = 'public'`,
  },
  {
    name: 'the columns',
    sql: `select info.column_name, format_type(att.atttypid, att.atttypmod), info.character_octet_length,
            pg_get_expr(def.adbin, def.adrelid), info.identity_generation, col_description(att.attrelid, att.attnum)
          from information_schema.columns info
          join pg_attribute att on att.attname = info.column_name and att.attrelid = 'notes'::regclass
          left join pg_attrdef def on def.adrelid = att.attrelid and def.adnum = att.attnum
          where info.table_schema = 'public'`,
  },
  { name: 'the extensions', sql: 'select extname, extversion, extrelocatable from pg_extension' },
  {
    name: 'the constraints',
    sql: `select conname, contype, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'notes'::regclass`,
  },
];

const clients = {
  pgAdmin: ofPgAdmin,
  DBeaver: ofDBeaver,
  'drizzle-kit': ofDrizzle,
  Prisma: ofPrisma,
};

describe.each(Object.entries(clients))('%s', (_client, questions) => {
  test.each(questions)('reads $name', async ({ sql, mayBeEmpty = false }) => {
    const reply = await client.query(sql);
    if (!mayBeEmpty) expect(reply.rows).not.toEqual([]);
    const text = JSON.stringify(reply.rows);
    expect(foreignNames.filter((name) => text.includes(name))).toEqual([]);
  });
});
