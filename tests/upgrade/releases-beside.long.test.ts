// Two releases on one deployment. The next release has expanded the database, the one after it has contracted it so
// that this release cannot use it any more.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { asRecord, asSuperuser, Deployment } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { type AddedMigrations, type NextRelease, nextRelease } from './next-release.js';

const expansion = {
  'control-plane/0990_more': 'alter table project add column more pg_catalog.text',
  'project/0990_more': 'alter table auth."user" add column more pg_catalog.text',
  'project-superuser/0990_more':
    'create function pg_catalog.rowhouse_more() returns pg_catalog.int4 language sql return 1',
} satisfies AddedMigrations;
const contraction = {
  'project/0991_less': '-- contract: requires 0990_more\nalter table auth."user" drop column more',
} satisfies AddedMigrations;

const folders: NextRelease[] = [];
let old: Deployment;
let next: Deployment;
let project: ProjectUnderTest;

/** A process of a later release. The worker is left out: it would drop the templates of this one. */
async function openNext(added: AddedMigrations): Promise<Deployment> {
  const folder = await nextRelease(added);
  folders.push(folder);
  const { migrationsRoot } = folder;
  return Deployment.open({ migrationsRoot, env: { ROLES: 'api,console' } }, old);
}

const read = (deployment: Deployment, of: ProjectUnderTest): Promise<Reply> =>
  of.through(deployment.apiOrigin).asService({ path: '/rest/v1/notes' });
const served = { status: 200, body: [{ id: 1 }] };

const migratedTo = async ({ ref }: ProjectUnderTest): Promise<unknown> => {
  const [row] = await asSuperuser('select migrated_to from project where ref = $1', {
    database: old.ground.databaseName,
    values: [ref],
  });
  return row?.['migrated_to'];
};

async function newProject(deployment: Deployment): Promise<ProjectUnderTest> {
  const made = await deployment.createProject();
  await made.sql('create table notes (id int primary key)');
  await made.sql('insert into notes values (1)');
  return made;
}

beforeAll(async () => {
  old = await Deployment.open();
  project = await newProject(old);
  expect(await read(old, project)).toMatchObject(served);
  next = await openNext(expansion);
}, 120_000);
afterAll(async () => {
  await next.stop();
  await old.close();
  await Promise.all(folders.map((folder) => folder.remove()));
}, 60_000);

describe('after the next release has expanded the database of a project', () => {
  let before: unknown;
  beforeAll(async () => {
    before = await migratedTo(project);
    expect(await read(next, project)).toMatchObject(served);
  }, 60_000);

  test('the project is migrated', async () => {
    expect(await migratedTo(project)).not.toBe(before);
    const rows = await asSuperuser(
      `select attname::text from pg_attribute where attname = 'more'`,
      {
        database: project.database,
      },
    );
    expect(rows).toHaveLength(1);
  });

  test('a process of this release that has it open goes on', async () => {
    expect(await read(old, project)).toMatchObject(served);
  });

  test('a process of this release that starts now serves it, and leaves it migrated', async () => {
    const after = await migratedTo(project);
    const back = await Deployment.open({}, old);
    expect(await read(back, project)).toMatchObject(served);
    const path = `/platform/projects/${project.ref}/status`;
    expect((await back.console({ path })).body).toMatchObject({ migrations: { isCurrent: true } });
    const resume = { method: 'POST', path: `/platform/projects/${project.ref}/resume` };
    expect((await back.console(resume)).status).toBe(200);
    await back.stop();
    expect(await migratedTo(project)).toBe(after);
  }, 60_000);

  test('a project that this release makes now is served by both, and migrated by the next', async () => {
    const made = await newProject(old);
    expect(await read(old, made)).toMatchObject(served);
    expect(await migratedTo(made)).toBe(before);
    expect(await read(next, made)).toMatchObject(served);
    expect(await migratedTo(made)).toBe(await migratedTo(project));
    expect(await read(old, made)).toMatchObject(served);
  }, 60_000);

  test('a project that the next release makes is served by this one', async () => {
    const made = await newProject(next);
    expect(await read(old, made)).toMatchObject(served);
    expect(await migratedTo(made)).toBe(await migratedTo(project));
    const path = `/platform/projects/${made.ref}?now=true`;
    const reply = await old.console({ method: 'DELETE', path, body: { ref: made.ref } });
    expect(reply.status).toBe(204);
  }, 120_000);

  test('no operation is left', async () => {
    const { body } = await old.console({ path: '/platform/operations' });
    expect(asRecord(body)['operations']).toEqual([]);
  });
});

test('a project whose migration fails answers 503, and is served by the release before', async () => {
  const made = await newProject(old);
  const failing = `do $$ begin
    if exists (select from pg_catalog.pg_class where relname = 'notes') then raise 'not with these notes'; end if;
  end $$`;
  const bad = await openNext({ ...expansion, 'project/0991_bad': failing });
  try {
    const body = expect.objectContaining({ code: 'PROJECT_NOT_UPGRADED' });
    const reply = await read(bad, made);
    expect(reply).toMatchObject({ status: 503, body });
    expect(reply.headers).toHaveProperty('retry-after');
    expect(await read(old, made)).toMatchObject(served);
  } finally {
    await bad.stop();
  }
}, 60_000);

describe('after a release has contracted the database beyond this one', () => {
  let last: Deployment;
  beforeAll(async () => {
    last = await openNext({ ...expansion, ...contraction });
    expect(await read(last, project)).toMatchObject(served);
  }, 120_000);
  afterAll(() => last.stop());

  const refused = {
    status: 503,
    headers: { 'retry-after': '1' },
    body: { code: 'PROJECT_NEEDS_NEWER_RELEASE' },
  };

  test('a process of this release that has it open stops to serve it', async () => {
    await waitFor(async () => (await read(old, project)).status === 503);
    expect(await read(old, project)).toMatchObject(refused);
  });

  test('a process of this release that starts now refuses it, and changes nothing', async () => {
    const after = await migratedTo(project);
    const back = await Deployment.open({}, old);
    expect(await read(back, project)).toMatchObject(refused);
    await back.stop();
    expect(await migratedTo(project)).toBe(after);
  }, 60_000);

  test('the release between them, which knows what the contraction requires, serves it', async () => {
    expect(await read(next, project)).toMatchObject(served);
  });
});

test('a release that the control plane was contracted beyond says so at its start', async () => {
  const sql = '-- contract: requires 0990_more\nalter table project drop column more';
  const last = await openNext({ ...expansion, 'control-plane/0991_less': sql });
  await last.stop();
  await expect(Deployment.open({}, old)).rejects.toThrow(
    'A newer release has changed the control-plane database so that this release cannot use it. ' +
      'The database has the migration 0991_less; only releases with 0990_more can use it, and this one lacks it',
  );
}, 120_000);
