import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { randomBytes } from 'node:crypto';
import { readMigrations } from '../migration-files.js';
import { ensureClusterRoles } from './cluster-roles.js';
import { databaseServer, withAdmin } from './database-server.js';
import { projectRelease } from './release.js';
import {
  dropOtherTemplates,
  ensureTemplates,
  templateName,
  type TemplateOptions,
} from './templates.js';

// Far from the templates of a running deployment on the same server.
const templatePrefix = `tt_${randomBytes(4).toString('hex')}`;
const server = databaseServer(process.env['TEST_DATABASE_URL'] ?? '');
let options: TemplateOptions;
let names: { text: string; uuid: string };

beforeAll(async () => {
  await ensureClusterRoles(server, 'postgres');
  const release = projectRelease(
    await readMigrations('project'),
    await readMigrations('project-superuser'),
  );
  options = { server, release, templatePrefix };
  names = { text: templateName(options, 'text'), uuid: templateName(options, 'uuid') };
});
beforeEach(() => ensureTemplates(options), 30_000);
afterAll(async () => {
  for (const { name } of await found()) {
    await admin(`alter database ${name} is_template false`);
    await admin(`drop database ${name} with (force)`);
  }
}, 30_000);

async function admin(sql: string): Promise<void> {
  await withAdmin(server, undefined, (client) => client.query(sql));
}

interface Found {
  readonly name: string;
  readonly oid: string;
  readonly closed: boolean;
  readonly isTemplate: boolean;
}

async function found(): Promise<Found[]> {
  return withAdmin(server, undefined, async (client) => {
    const reply = await client.query<Found>(
      `select datname as name, oid::text, not datallowconn as closed, datistemplate as "isTemplate"
       from pg_database where starts_with(datname, $1) order by 1`,
      [templatePrefix],
    );
    return reply.rows;
  });
}

test('there is one for each id type, marked as a template and closed', async () => {
  expect(await found()).toMatchObject([
    { name: names.text, closed: true, isTemplate: true },
    { name: names.uuid, closed: true, isTemplate: true },
  ]);
});

test('the id type of a template is the type of user ids', async () => {
  for (const idType of ['text', 'uuid'] as const) {
    const copy = `${templatePrefix}_copy`;
    await admin(`create database ${copy} template ${names[idType]}`);
    const type = await withAdmin(server, copy, async (client) => {
      const reply = await client.query<{ type: string }>(
        `select format_type(atttypid, null) as type from pg_attribute
         where attrelid = 'auth."user"'::regclass and attname = 'id'`,
      );
      return reply.rows[0]?.type;
    });
    await admin(`drop database ${copy}`);
    expect(type).toBe(idType);
  }
});

test('complete templates are left as they are', async () => {
  const before = await found();
  await Promise.all([ensureTemplates(options), ensureTemplates(options)]);
  expect(await found()).toEqual(before);
});

test.each([
  {
    name: 'not marked yet',
    sql: () => `alter database ${names.text} with is_template false allow_connections true`,
  },
  {
    name: 'marked but open',
    sql: () => `alter database ${names.text} with allow_connections true`,
  },
  {
    name: 'closed but not marked',
    sql: () => `alter database ${names.text} with is_template false`,
  },
])(
  'a half-built one ($name) is made anew, the other stays',
  async ({ sql }) => {
    const [text, uuid] = await found();
    await admin(sql());
    await ensureTemplates(options);
    const after = await found();
    expect(after[0]).toMatchObject({ name: names.text, closed: true, isTemplate: true });
    expect(after[0]?.oid).not.toBe(text?.oid);
    expect(after[1]).toEqual(uuid);
  },
  30_000,
);

test('several processes at once build each template once', async () => {
  for (const name of Object.values(names)) {
    await admin(`alter database ${name} with is_template false`);
    await admin(`drop database ${name}`);
  }
  await Promise.all([ensureTemplates(options), ensureTemplates(options), ensureTemplates(options)]);
  expect(await found()).toHaveLength(2);
}, 30_000);

test('templates of a release that does not run are dropped, other databases are not', async () => {
  const old = `${templatePrefix}_text_000000000000`;
  const other = `${templatePrefix}_text_mine`;
  await admin(`create database ${old} is_template true allow_connections false`);
  await admin(`create database ${other}`);
  await ensureTemplates(options);
  expect((await found()).map(({ name }) => name)).toContain(old);
  const failed: string[] = [];
  await dropOtherTemplates(options, ['000000000000'], (name) => failed.push(name));
  expect((await found()).map(({ name }) => name)).toContain(old);
  await dropOtherTemplates(options, [], (name) => failed.push(name));
  expect(failed).toEqual([]);
  expect((await found()).map(({ name }) => name).toSorted()).toEqual(
    [names.text, names.uuid, other].toSorted(),
  );
  await admin(`drop database ${other}`);
}, 30_000);

test('a template that is locked is left, the others are dropped', async () => {
  const [held, free] = [
    `${templatePrefix}_text_000000000001`,
    `${templatePrefix}_text_000000000002`,
  ];
  for (const name of [held, free]) await admin(`create database ${name} is_template true`);
  const failed: unknown[] = [];
  await withAdmin(server, undefined, async (holder) => {
    await holder.query(`begin; alter role current_user in database ${held} set work_mem = '1MB'`);
    await dropOtherTemplates(options, [], (name, error) => failed.push({ name, error }));
    await holder.query('rollback');
  });
  expect(failed).toMatchObject([{ name: held, error: { code: '55P03' } }]);
  expect((await found()).map(({ name }) => name)).toEqual([held, names.text, names.uuid]);
  await dropOtherTemplates(options, [], (name, error) => failed.push({ name, error }));
  expect(failed).toHaveLength(1);
  expect(await found()).toHaveLength(2);
}, 30_000);

test('another text in a migration makes another release', () => {
  const [first, ...rest] = options.release.migrations;
  const changed = [{ name: first?.name ?? '', sql: `${first?.sql} ` }, ...rest];
  expect(projectRelease(changed, options.release.superuserSteps).hash).not.toBe(
    options.release.hash,
  );
});
