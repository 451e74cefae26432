import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { ensureClusterRoles } from './cluster-roles.js';
import { databaseServer, withAdmin } from './database-server.js';
import {
  createRoles,
  dropRoles,
  hasDatabaseObjects,
  restorePasswords,
} from './project-database.js';
import { scramVerifier } from './scram-verifier.js';

const server = databaseServer(process.env['TEST_DATABASE_URL'] ?? '');
const ref = `pd${randomBytes(4).toString('hex')}`;
const passwords = { owner: 'owner-password', api: 'api-password', engine: 'engine-password' };

beforeAll(async () => {
  await ensureClusterRoles(server, 'postgres');
  await createRoles(server, ref, passwords);
});
afterAll(() => dropRoles(server, ref));

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
      [`${ref}_`],
    );
    return reply.rows;
  });
}

const saltOf = (verifier: string): Buffer =>
  Buffer.from(/:(.*)\$/.exec(verifier)?.[1] ?? '', 'base64');

test('a verifier is what PostgreSQL itself makes of the password', async () => {
  const role = `${ref}_plain`;
  const [made] = await withAdmin(server, undefined, async (client) => {
    await client.query(`create role ${role} password 'a password in the clear'`);
    return (await storedRoles()).filter(({ name }) => name === role);
  });
  await withAdmin(server, undefined, (client) => client.query(`drop role ${role}`));
  const verifier = made?.password ?? '';
  expect(await scramVerifier('a password in the clear', saltOf(verifier))).toBe(verifier);
});

test('the roles may sign in and nothing more', async () => {
  expect(await storedRoles()).toMatchObject([
    { name: `${ref}_api`, attributes: 'login' },
    { name: `${ref}_engine`, attributes: 'login inherit' },
    { name: `${ref}_owner`, attributes: 'login' },
  ]);
});

test('a password that a role changed is restored', async () => {
  await withAdmin(server, undefined, (client) =>
    client.query(`alter role ${ref}_owner password 'changed'`),
  );
  await restorePasswords(server, ref, passwords);
  const owner = (await storedRoles()).find(({ name }) => name === `${ref}_owner`);
  const verifier = owner?.password ?? '';
  expect(await scramVerifier(passwords.owner, saltOf(verifier))).toBe(verifier);
});

test('roles are dropped as far as they are there', async () => {
  expect(await hasDatabaseObjects(server, ref)).toBe(true);
  await withAdmin(server, undefined, (client) => client.query(`drop role ${ref}_api`));
  await dropRoles(server, ref);
  expect(await hasDatabaseObjects(server, ref)).toBe(false);
  await dropRoles(server, ref);
  await createRoles(server, ref, passwords);
});
