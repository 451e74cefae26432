import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomBytes } from 'node:crypto';
import { readMigrations } from '../migration-files.js';
import { closeCatalogs } from './close-catalogs.js';
import { databaseServer, withAdmin } from './database-server.js';

const server = databaseServer(process.env['TEST_DATABASE_URL'] ?? '');
const name = `closed_${randomBytes(4).toString('hex')}`;

const asAdmin = (sql: string) => withAdmin(server, undefined, (client) => client.query(sql));

beforeAll(async () => {
  await asAdmin(`create role ${name}`);
  await asAdmin(`create database ${name} template template0`);
}, 30_000);
afterAll(async () => {
  await asAdmin(`drop database ${name} with (force)`);
  await asAdmin(`drop role ${name}`);
}, 30_000);

test('each step runs once, and does no harm when the record of it is lost', async () => {
  const steps = await readMigrations('project-superuser');
  await withAdmin(server, name, async (client) => {
    expect(await closeCatalogs(client, steps)).toEqual(steps.map((step) => step.name));
    expect(await closeCatalogs(client, steps)).toEqual([]);
    const facts = async () => {
      const reply = await client.query(
        `select (select count(*) from pg_proc where pronamespace = 'pg_catalog'::regnamespace) as functions,
                (select count(*) from pg_class where relnamespace = 'pg_catalog'::regnamespace) as relations,
                (select count(*) from information_schema.columns where table_schema = 'pg_catalog') as columns,
                has_database_privilege(oid, 'connect') as connects, pg_get_userbyid(datdba) as owner
         from pg_database where datname = current_database()`,
      );
      await client.query(`set session authorization ${name}`);
      const own = await client.query(
        'select datname, has_database_privilege(oid, $1) from pg_database',
        ['connect'],
      );
      await client.query('reset session authorization');
      return { rows: reply.rows, own: own.rows };
    };
    const once = await facts();
    expect(once.own).toEqual([{ datname: name, has_database_privilege: true }]);
    await client.query('delete from pg_catalog.rowhouse_steps');
    expect(await closeCatalogs(client, steps)).toHaveLength(steps.length);
    expect(await facts()).toEqual(once);
  });
}, 60_000);

test('the settings that a step needs do not stay with the connection', async () => {
  const steps = await readMigrations('project-superuser');
  await withAdmin(server, name, async (client) => {
    await closeCatalogs(client, steps);
    const reply = await client.query(
      `select current_setting('allow_system_table_mods') as mods, current_setting('search_path') as path`,
    );
    expect(reply.rows).toEqual([{ mods: 'off', path: 'pg_catalog, pg_temp' }]);
  });
}, 60_000);
