// Databases of a release that stored session tokens as they were: the migration leaves only their hashes, in the
// rows and in the files of the tables, and every session stays valid.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';

import { asSuperuser, testDatabaseUrl } from '../support/deployment.js';
import { ensureClusterRoles } from '../../libs/control-plane/src/provisioning/cluster-roles.js';
import { databaseServer } from '../../libs/control-plane/src/provisioning/database-server.js';

const token = 'q7Zk3mVx9TbN2pLr8YdW5sHc1JfG6uAe';

const sides = [
  {
    name: 'a project',
    folder: 'project',
    number: '0044',
    table: 'auth.session',
    column: '"tokenHash"',
    insert: `insert into auth."user" (id, email, claims) values ('u', 'u@example.org', '{');
      insert into auth.session (id, token, "userId", "expiresAt")
      values ('s', '${token}', 'u', now() + interval '1 day');
      create view public.peek as select token, "tokenHash" from auth.session`,
  },
  {
    name: 'the control plane',
    folder: 'control-plane',
    number: '0060',
    table: 'operator_session',
    column: 'token_hash',
    insert: `insert into operator (id, email) values ('o', 'o@example.org');
      insert into operator_session (id, token, operator_id, expires_at)
      values ('s', '${token}', 'o', now() + interval '1 day')`,
  },
] as const;

describe.each(sides)('$name', ({ folder, number, table, column, insert }) => {
  const database = `hashes_${randomBytes(6).toString('hex')}`;
  let client: pg.Client;
  const migrate = async (isWanted: (file: string) => boolean): Promise<void> => {
    const path = `migrations/${folder}`;
    for (const file of readdirSync(path).filter(isWanted).sort()) {
      const text = readFileSync(`${path}/${file}`, 'utf8').replaceAll('{{user_id}}', 'text');
      // One after the other: each builds on the one before.
      await client.query(text);
    }
  };
  /** Whether the token stands anywhere in the file of the table. */
  const isInFile = async (): Promise<boolean> => {
    await client.query('checkpoint');
    const { rows } = await client.query(
      `select position($1::bytea in pg_read_binary_file(pg_relation_filepath('${table}'))) > 0 as found`,
      [Buffer.from(token)],
    );
    return rows[0]?.found === true;
  };
  const found = async (): Promise<unknown> => {
    const { rows } = await client.query(
      `select id from ${table} where ${column} = sha256($1) and pg_typeof(${column}) = 'bytea'::regtype`,
      [Buffer.from(token)],
    );
    return rows;
  };

  beforeAll(async () => {
    await ensureClusterRoles(databaseServer(testDatabaseUrl()), 'postgres');
    await asSuperuser(`create database ${database}`);
    const url = new URL(testDatabaseUrl());
    url.pathname = `/${database}`;
    client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await migrate((file) => file < number);
    await client.query(insert);
  });
  afterAll(async () => {
    await client.end();
    await asSuperuser(`drop database ${database} with (force)`);
  });

  test('keeps the hash alone, and runs twice without harm', async () => {
    expect(await isInFile()).toBe(true);
    for (let run = 0; run < 2; run += 1) {
      await migrate((file) => file >= number);
      expect(await found()).toEqual([{ id: 's' }]);
      expect(await isInFile()).toBe(false);
    }
  });

  test('refuses a token that was not hashed', async () => {
    await expect(
      client.query(`update ${table} set ${column} = $1`, [Buffer.from(token)]),
    ).rejects.toMatchObject({ code: '23514' });
  });
});
