// The settings that are kept for the first request of a process on rows are used by other processes, follow every change,
// and cannot be forged or read.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { getProjectRecord, openControlPlane, projectsContext } from '#libs/control-plane';
import { waitFor } from '#libs/testing';
import { settingsSeal } from '../../libs/project-runtime/src/settings-seal.js';
import { asSuperuser, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { testDatabaseUrl } from '../support/test-server.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let neighbor: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.open();
  [project, neighbor] = [await deployment.createProject(), await deployment.createProject()];
  for (const each of [project, neighbor]) {
    await each.sql('create table many (id int); insert into many select generate_series(1, 9)');
  }
});
afterAll(() => deployment.close());

const inDatabase = (sql: string, values: readonly unknown[] = [], { database } = project) =>
  asSuperuser(sql, { database, values: [...values] });

async function saveMaxRows(maxRows: number, of = project): Promise<void> {
  const path = '/api/admin/settings/api.rest';
  expect((await of.asService({ method: 'PUT', path, body: { maxRows } })).status).toBe(200);
}

/** Waits until the settings of the current version are kept, and returns the text. */
async function kept(of = project): Promise<string> {
  let text: unknown;
  await waitFor(async () => {
    const [row] = await inDatabase(
      'select sealed from platform.settings_version where sealed_version = version',
      [],
      of,
    );
    text = row?.['sealed'];
    return typeof text === 'string';
  });
  return String(text);
}

/** The rows that the first request of a process reads that does not know the project. */
async function readCold(): Promise<string | undefined> {
  const other = await Deployment.open({}, deployment);
  try {
    const reply = await project
      .through(other.apiOrigin)
      .asService({ method: 'GET', path: '/rest/v1/many' });
    expect(reply.status, reply.text).toBe(200);
    return reply.headers['content-range'];
  } finally {
    await other.stop();
  }
}

/** The same while the rows of the groups cannot be read. */
async function readColdFromText(): Promise<string | undefined> {
  await inDatabase('revoke select on platform.app_settings from platform_engine');
  try {
    return await readCold();
  } finally {
    await inDatabase('grant select on platform.app_settings to platform_engine');
  }
}

test('they are kept by the first request on rows', async () => {
  await neighbor.asService({ method: 'GET', path: '/rest/v1/many' });
  await kept(neighbor);
});

test('another process reads them without the rows of the groups', async () => {
  await saveMaxRows(4);
  await kept();
  expect(await readColdFromText()).toBe('0-3/*');
}, 60_000);

test('a save is in force for the next process', async () => {
  await saveMaxRows(5);
  expect(await readCold()).toBe('0-4/*');
}, 60_000);

test.each([
  { name: 'by hand', version: '' },
  {
    name: 'by a release that keeps none',
    version: 'update platform.settings_version set version = version + 1',
  },
])(
  'groups that are written $name make them useless, and they are kept again',
  async ({ version }) => {
    await saveMaxRows(4);
    await kept();
    await inDatabase(`update platform.app_settings set value = '{"maxRows": 2}'; ${version}`);
    expect(await readCold()).toBe('0-1/*');
    await kept();
    expect(await readCold()).toBe('0-1/*');
  },
  60_000,
);

test.each([
  {
    name: 'of another project',
    forge: async () => {
      await saveMaxRows(8, neighbor);
      return kept(neighbor);
    },
  },
  { name: 'that are not sealed', forge: async () => '{"api.rest":{"maxRows":8}}' },
  {
    name: 'of an earlier version',
    forge: async () => {
      await saveMaxRows(8);
      return kept();
    },
  },
])(
  'settings $name are not used, and the first request on rows replaces their text',
  async ({ forge }) => {
    const forged = await forge();
    await saveMaxRows(3);
    await kept();
    await inDatabase('update platform.settings_version set sealed = $1', [forged]);
    expect(await readCold()).toBe('0-2/*');
    const until = 'the text is replaced';
    await waitFor(async () => (await kept()) !== forged, { until, ms: 20_000 });
    expect(await readColdFromText()).toBe('0-2/*');
  },
  60_000,
);

test('a database without a place for them is served, and its settings are saved', async () => {
  await inDatabase(`
    alter table platform.settings_version rename column sealed to later;
    drop trigger forget_sealed_settings on platform.app_settings`);
  try {
    await saveMaxRows(6);
    expect(await readCold()).toBe('0-5/*');
  } finally {
    await inDatabase(`
      alter table platform.settings_version rename column later to sealed;
      create trigger forget_sealed_settings
        after insert or update or delete or truncate on platform.app_settings
        for each statement execute function platform.forget_sealed_settings()`);
  }
}, 60_000);

/** The key of the project's seals. */
async function dataKeyOf({ ref }: ProjectUnderTest): Promise<Buffer> {
  const { databaseName, masterKey } = deployment.ground;
  const databaseUrl = testDatabaseUrl();
  const controlPlane = await openControlPlane({
    databaseUrl,
    databaseName,
    masterKey,
    reservedRefs: [],
  });
  try {
    const projects = projectsContext(controlPlane, () => Promise.resolve());
    const record = await getProjectRecord(projects, ref);
    if (!record) throw new Error('the project is gone');
    return record.dataKey;
  } finally {
    await controlPlane.close();
  }
}

test('their secrets stay sealed in the text, because another release may know more of them', async () => {
  const body = { host: 'mail.example', from: 'a@mail.example', password: 'a-well-known-secret' };
  const path = '/api/admin/settings/email.smtp';
  expect((await project.asService({ method: 'PUT', path, body })).status).toBe(200);
  const text = await kept();
  const [row] = await inDatabase('select version::text from platform.settings_version');
  const seal = settingsSeal(project.ref, await dataKeyOf(project));
  const groups = seal.openAll(String(row?.['version']), text);
  const smtp = groups?.find(({ name }) => name === 'email.smtp');
  expect(smtp?.value).toMatchObject({
    host: 'mail.example',
    password: expect.stringMatching(/^v1\./),
  });
}, 60_000);

test('code of the project sees nothing but a sealed text', async () => {
  await expect(project.sql('select sealed from platform.settings_version')).rejects.toThrow(
    /42501/,
  );
  const body = { host: 'mail.example', from: 'a@mail.example', password: 'a-well-known-secret' };
  const path = '/api/admin/settings/email.smtp';
  expect((await project.asService({ method: 'PUT', path, body })).status).toBe(200);
  const text = await kept();
  // The login of requests, to which a function may return, reads what the superuser reads.
  await project.sql(`create function peek() returns text language plpgsql as $$begin
    set role none; return (select sealed from platform.settings_version); end $$`);
  const seen = await project.asService({ path: '/rest/v1/rpc/peek' });
  expect(seen.text).toContain(text);
  expect(text).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
  const sealed = Buffer.from(text.split('.')[2] ?? '', 'base64url').toString('latin1');
  expect(sealed).not.toContain('well-known');
  expect(sealed).not.toContain('mail.example');
});
