// What decides which releases serve a project is out of reach of the project's own SQL.
import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';

import { asSuperuser, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let owner: pg.Client;
beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  owner = new pg.Client({ connectionString: project.databaseUrl });
  await owner.connect();
}, 60_000);
afterAll(async () => {
  await owner.end();
  await deployment.close();
}, 60_000);

const newerRow = `values ('9999_newer', now(), 'nothing')`;
const attempts = [
  { name: 'adds a migration', sql: `insert into platform.schema_migrations ${newerRow}` },
  { name: 'adds a superuser step', sql: `insert into pg_catalog.rowhouse_steps ${newerRow}` },
  { name: 'adds a requirement', sql: `update platform.schema_migrations set requires = 'nothing'` },
  {
    name: 'adds a requirement to a superuser step',
    sql: `update pg_catalog.rowhouse_steps set requires = 'nothing'`,
  },
  { name: 'takes a migration out', sql: 'delete from platform.schema_migrations' },
  { name: 'replaces the record', sql: 'drop table platform.schema_migrations' },
  {
    name: 'makes a column of it',
    sql: 'alter table platform.schema_migrations drop column requires',
  },
  {
    name: 'puts a rule on it',
    sql: 'create rule none as on insert to platform.schema_migrations do instead nothing',
  },
  {
    name: 'puts a trigger on it',
    sql: `create function public.none() returns trigger language plpgsql as 'begin return null; end';
      create trigger none before insert on platform.schema_migrations execute function public.none()`,
  },
];

async function record(): Promise<unknown> {
  return asSuperuser(
    `select name, requires from platform.schema_migrations
     union all select name, requires from pg_catalog.rowhouse_steps order by 1`,
    { database: project.database },
  );
}

test.each(attempts)('the owner is refused who $name', async ({ sql }) => {
  const before = await record();
  await expect(owner.query(sql)).rejects.toMatchObject({ code: '42501' });
  expect(await record()).toEqual(before);
});

test.each(attempts)('a definer function of the owner is refused that $name', async ({ sql }) => {
  const before = await record();
  await owner.query(`create or replace function public.attempt() returns void
    language plpgsql security definer as $$begin ${sql}; end$$`);
  await expect(owner.query('select public.attempt()')).rejects.toMatchObject({ code: '42501' });
  expect(await record()).toEqual(before);
});
