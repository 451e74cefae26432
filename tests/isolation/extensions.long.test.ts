// Which extensions a project's owner may create, and which not, though PostgreSQL calls them trusted.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeIf } from '#libs/testing';

import { asSuperuser, Deployment } from '../support/deployment.js';
import { serverMajor } from '../support/postgres-programs.js';
import type { ProjectUnderTest } from '../support/project.js';

const major = await serverMajor();

let deployment: Deployment;
let project: ProjectUnderTest;
let database: string;
let folder: string;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  database = new URL(project.databaseUrl).pathname.slice(1);
  folder = await mkdtemp(join(tmpdir(), 'rowhouse-extensions-'));
}, 60_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await deployment.close();
});

async function create(sql: string): Promise<{ status: number; body: unknown }> {
  return project.asService({ method: 'POST', path: '/api/admin/sql', body: { query: sql } });
}

describe('an owner creates', () => {
  test.each([
    'btree_gist',
    'citext',
    'hstore',
    'ltree',
    'pg_trgm',
    'pgcrypto',
    'unaccent',
    'uuid-ossp',
  ])('%s', async (name) => {
    expect(await create(`create extension "${name}"`)).toMatchObject({ status: 200 });
    expect(await create(`alter extension "${name}" update`)).toMatchObject({ status: 200 });
    expect(await create(`drop extension "${name}"`)).toMatchObject({ status: 200 });
  });
});

describe('languages besides SQL and PL/pgSQL', () => {
  test.each(['pltcl', 'plperl', 'plpython3u', 'pltclu', 'plperlu', 'bool_plperl', 'hstore_plperl'])(
    '%s cannot be created',
    async (name) => {
      const reply = await create(`create extension "${name}" cascade`);
      // Either the server does not have it, or the owner may not.
      expect(reply.body).toMatchObject({
        code: expect.stringMatching(/^(0A000|42501|58P01|PT403)$/),
      });
      expect(await languages()).toEqual(['c', 'internal', 'plpgsql', 'sql']);
    },
  );

  test('create language is the same statement', async () => {
    const reply = await create('create language plperl');
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(await languages()).toEqual(['c', 'internal', 'plpgsql', 'sql']);
  });
});

const languages = async (): Promise<unknown[]> => {
  const rows = await asSuperuser('select lanname from pg_language order by 1', { database });
  return rows.map(({ lanname }) => lanname);
};

describeIf(major >= 18, `version ${major} finds extensions in its own folder only`)(
  'a trusted extension that is not on the list',
  () => {
    /** Extensions of our own, which the server finds for this database alone. */
    beforeAll(async () => {
      const place = join(folder, 'extension');
      await mkdir(place);
      const control = `default_version = '1.0'\nrelocatable = true\ntrusted = true\n`;
      await writeFile(join(place, 'foreign_words.control'), control);
      await writeFile(join(place, 'foreign_words--1.0.sql'), 'create table words (word text);');
      await chmod(folder, 0o755);
      await asSuperuser(
        `alter database "${database}" set extension_control_path = '${folder}:$system'`,
      );
    });

    test('is refused to the owner, with what is allowed, and leaves nothing', async () => {
      const reply = await create('create extension foreign_words');
      expect(reply).toMatchObject({
        status: 403,
        body: { code: 'PT403', message: 'A project may not create the extension foreign_words' },
      });
      expect(JSON.stringify(reply.body)).toContain('pg_trgm');
      const left = await asSuperuser(
        `select extname from pg_extension where extname = 'foreign_words'
       union all select relname from pg_class where relname = 'words'`,
        { database },
      );
      expect(left).toEqual([]);
    });

    test('can be created by the superuser', async () => {
      await asSuperuser('create extension foreign_words', { database });
      await asSuperuser('drop extension foreign_words', { database });
    });
  },
);

test('the owner can neither disable nor drop the check', async () => {
  for (const sql of [
    'alter event trigger rowhouse_extensions disable',
    'drop event trigger rowhouse_extensions',
    'drop function pg_catalog.rowhouse_check_extensions() cascade',
  ]) {
    expect(await create(sql)).toMatchObject({ status: 403, body: { code: '42501' } });
  }
});
