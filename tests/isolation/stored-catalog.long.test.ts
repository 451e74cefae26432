// The catalog that is stored in the database of a project is used by other processes, and cannot be forged.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { asSuperuser, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let neighbor: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.open();
  [project, neighbor] = [await deployment.createProject(), await deployment.createProject()];
  await project.sql('create table notes (id int primary key, content text)');
  await neighbor.sql('create table letters (id int primary key, secret text)');
});
afterAll(() => deployment.close());

const readNotes = (through = project) =>
  through.asService({ method: 'GET', path: '/rest/v1/notes?select=id,content' });

async function kept({ database }: ProjectUnderTest) {
  const [row] = await asSuperuser('select * from platform.stored_catalog', { database });
  return row;
}

/** The first request of a process that does not know the project. */
async function readCold(): Promise<number> {
  const other = await Deployment.open({}, deployment);
  try {
    return (await readNotes(project.through(other.apiOrigin))).status;
  } finally {
    await other.stop();
  }
}

test('another process uses the catalog that the first one has kept', async () => {
  expect((await readNotes()).status).toBe(200);
  await waitFor(async () => (await kept(project)) !== undefined);
  const before = await kept(project);
  expect(await readCold()).toBe(200);
  // Reading the system catalogs again would have stored another seal.
  expect(await kept(project)).toEqual(before);
}, 60_000);

test('a change of the schema makes it useless at once', async () => {
  await project.sql('alter table notes add column late text');
  const late = { method: 'GET', path: '/rest/v1/notes?select=late' } as const;
  const other = await Deployment.open({}, deployment);
  try {
    expect((await project.through(other.apiOrigin).asService(late)).status).toBe(200);
  } finally {
    await other.stop();
  }
}, 60_000);

test.each([
  {
    name: 'of another project',
    forge: async () => {
      await neighbor.asService({ method: 'GET', path: '/rest/v1/letters' });
      await waitFor(async () => (await kept(neighbor)) !== undefined);
      return (await kept(neighbor))?.['sealed'];
    },
  },
  { name: 'that is no catalog', forge: () => Promise.resolve('{"version":"1"}') },
  {
    name: 'of an earlier schema',
    forge: async () => {
      await readNotes();
      await waitFor(async () => (await kept(project)) !== undefined);
      const sealed = (await kept(project))?.['sealed'];
      await project.sql('create table more (id int primary key)');
      return sealed;
    },
  },
])(
  'one $name is not used',
  async ({ forge }) => {
    const { database } = project;
    const sealed = await forge();
    const forged = `update platform.stored_catalog set sealed = $1,
    schema_version = (select version from platform.schema_version)`;
    await asSuperuser(forged, { database, values: [sealed] });
    expect(await readCold()).toBe(200);
    await waitFor(async () => (await kept(project))?.['sealed'] !== sealed);
  },
  60_000,
);

test('a table that was restored has none', async () => {
  const { database } = project;
  await readNotes();
  const [row] = await asSuperuser('select * from platform.stored_catalog', { database });
  await asSuperuser(
    `create temp table copy as select * from platform.stored_catalog;
     alter table platform.stored_catalog rename to old_catalog;
     create table platform.stored_catalog (like platform.old_catalog including all);
     insert into platform.stored_catalog select * from copy;
     update platform.stored_catalog set schema_version = (select version from platform.schema_version);
     drop table platform.old_catalog;
     grant select, insert, update on platform.stored_catalog to platform_engine`,
    { database },
  );
  expect(await readCold()).toBe(200);
  await waitFor(async () => (await kept(project))?.['made_for'] !== row?.['made_for']);
}, 60_000);

test('neither the owner nor a user reaches it', async () => {
  const reads = 'select * from platform.stored_catalog';
  await expect(project.sql(reads)).rejects.toThrow(/42501/);
  const user = await project.signUp('someone@example.com');
  const reply = await project.as(user, { method: 'GET', path: '/rest/v1/stored_catalog' });
  expect(reply.status).toBe(404);
});
