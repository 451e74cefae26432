import { LastingClient } from '#libs/postgres-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureClusterRoles } from './cluster-roles.js';
import { databaseServer, withAdmin } from './database-server.js';
import { prepareLogins, withLoginLock } from './login-state.js';
import {
  dropRoles,
  ensureRoles,
  hasDatabase,
  hasDatabaseObjects,
  openToLogins,
} from './project-database.js';
import { loginKinds, namesOf, newDatabaseId } from './names.js';
import { scramVerifier } from './scram-verifier.js';
import { tidySharedRoles } from './tidy-shared-roles.js';

const server = databaseServer(process.env['TEST_DATABASE_URL'] ?? '');
const databaseId = newDatabaseId();
const names = namesOf(databaseId);
const passwords = {
  owner: 'owner-password',
  editor: 'editor-password',
  api: 'api-password',
  engine: 'engine-password',
  platform: 'platform-password',
  deleter: 'deleter-password',
  lab: 'lab-password',
};

beforeAll(async () => {
  await ensureClusterRoles(server, 'postgres');
  await ensureRoles(server, names, passwords);
});
afterAll(() => dropRoles(server, names));

interface StoredRole {
  readonly name: string;
  readonly password: string;
  readonly attributes: string;
}

async function storedRoles(): Promise<StoredRole[]> {
  return withAdmin(server, undefined, async (client) => {
    const reply = await client.query<StoredRole>(
      `select rolname as name, rolpassword as password,
         concat_ws(' ', case when rolsuper then 'super' end, case when rolcanlogin then 'login' end,
           case when rolinherit then 'inherit' end, case when rolbypassrls then 'bypassrls' end,
           case when rolcreaterole then 'createrole' end, case when rolcreatedb then 'createdb' end,
           case when rolreplication then 'replication' end) as attributes
       from pg_authid where starts_with(rolname, $1) order by 1`,
      [`${databaseId}_`],
    );
    return reply.rows;
  });
}

const saltOf = (verifier: string): Buffer =>
  Buffer.from(/:(.*)\$/.exec(verifier)?.[1] ?? '', 'base64');

test('a verifier is what PostgreSQL itself makes of the password', async () => {
  const role = `${databaseId}_plain`;
  const [made] = await withAdmin(server, undefined, async (client) => {
    await client.query(`create role ${role} password 'a password in the clear'`);
    return (await storedRoles()).filter(({ name }) => name === role);
  });
  await withAdmin(server, undefined, (client) => client.query(`drop role ${role}`));
  const verifier = made?.password ?? '';
  const salt = saltOf(verifier);
  expect(await scramVerifier('a password in the clear', { salt })).toBe(verifier);
});

test('the roles may sign in and nothing more', async () => {
  expect(await storedRoles()).toMatchObject([
    { name: names.api, attributes: 'login' },
    { name: names.deleter, attributes: 'login' },
    { name: names.editor, attributes: 'login' },
    { name: names.engine, attributes: 'login inherit' },
    { name: names.lab, attributes: 'login' },
    { name: names.owner, attributes: 'login' },
    { name: names.platform, attributes: 'login inherit' },
  ]);
});

test.each([
  ['the creation of', async () => undefined],
  [
    'a restore of',
    async () => withLoginLock(server, databaseId, await prepareLogins(databaseId, passwords)),
  ],
])('after %s logins only the password of the owner is hashed often', async (_when, work) => {
  await work();
  const iterations = (await storedRoles()).map(({ name, password }) => [
    name,
    /^SCRAM-SHA-256\$(\d+):/.exec(password)?.[1],
  ]);
  expect(Object.fromEntries(iterations)).toEqual({
    [names.api]: '1',
    [names.deleter]: '1',
    [names.editor]: '1',
    [names.engine]: '1',
    [names.lab]: '1',
    [names.owner]: '4096',
    [names.platform]: '1',
  });
});

test.each(loginKinds)('the server accepts the password of %s and no other', async (kind) => {
  const errorOf = async (password: string): Promise<unknown> => {
    const url = Object.assign(new URL(server.adminUrl), { username: names[kind], password });
    return new LastingClient(url.href).connect().catch((error: unknown) => error);
  };
  // The right to connect to this database is checked after the password.
  expect(await errorOf(passwords[kind])).toMatchObject({ code: '42501' });
  expect(await errorOf('another-password')).toMatchObject({ code: '28P01' });
});

test('a password that a role changed is restored', async () => {
  await withAdmin(server, undefined, (client) =>
    client.query(`alter role ${names.owner} password 'changed'`),
  );
  await withLoginLock(server, databaseId, await prepareLogins(databaseId, passwords));
  const owner = (await storedRoles()).find(({ name }) => name === names.owner);
  const verifier = owner?.password ?? '';
  const salt = saltOf(verifier);
  expect(await scramVerifier(passwords.owner, { salt })).toBe(verifier);
});

test('a shared role that another session changes is tidied later', async () => {
  const role = `platform_${databaseId}`;
  await withAdmin(server, undefined, async (holder) => {
    await holder.query(
      `create role ${role} nologin; alter role ${role} set application_name = 'x'`,
    );
    try {
      await holder.query(`begin; alter role ${role} set application_name = 'y'`);
      expect(await tidySharedRoles(server)).toBeGreaterThan(0);
      await holder.query('commit');
      await tidySharedRoles(server);
      const { rows } = await holder.query(
        'select setconfig from pg_db_role_setting where setrole = $1::regrole',
        [role],
      );
      expect(rows).toEqual([]);
    } finally {
      await holder.query(`rollback; drop role ${role}`);
    }
  });
}, 30_000);

test('roles are dropped as far as they are there', async () => {
  expect(await hasDatabaseObjects(server, names)).toBe(true);
  await withAdmin(server, undefined, (client) => client.query(`drop role ${names.api}`));
  await dropRoles(server, names);
  expect(await hasDatabaseObjects(server, names)).toBe(false);
  await dropRoles(server, names);
  await ensureRoles(server, names, passwords);
});

test('a closed database is opened to logins, and one that is missing or not whole is reported', async () => {
  const { database } = namesOf(newDatabaseId());
  expect(await openToLogins(server, database)).toBe(false);
  await withAdmin(server, undefined, async (client) => {
    const isOpen = async () => {
      const found = await client.query<{ isOpen: boolean }>(
        `select datallowconn and datconnlimit = -1 as "isOpen" from pg_database where datname = $1`,
        [database],
      );
      return found.rows[0]?.isOpen;
    };
    await client.query(`create database ${database} connection limit 0 allow_connections false`);
    try {
      expect(await hasDatabase(server, database)).toBe(true);
      expect(await openToLogins(server, database)).toBe(true);
      expect(await isOpen()).toBe(true);
      expect(await openToLogins(server, database)).toBe(true);
      await client.query('update pg_database set datconnlimit = -2 where datname = $1', [database]);
      expect(await openToLogins(server, database)).toBe(false);
      expect(await hasDatabase(server, database)).toBe(false);
    } finally {
      await client.query(`drop database ${database}`);
    }
  });
});
