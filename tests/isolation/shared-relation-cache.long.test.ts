// All databases of a server read what PostgreSQL keeps of the shared tables in global/pg_internal.init. A session of any
// database writes that file, also one of a project, where these tables have another schema. The server belongs to this
// file, because it may come to its end.
import { randomBytes } from 'node:crypto';
import { access, rm } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  databaseServer,
  withAdmin,
  type DatabaseServer,
} from '../../libs/control-plane/src/provisioning/database-server.js';
import { openOwnServer, type OwnServer } from '../support/own-server.js';
import { copyProject, type ProjectCopy } from '../support/project-copy.js';

let own: OwnServer;
let server: DatabaseServer;
let project: ProjectCopy;

beforeAll(async () => {
  own = await openOwnServer();
  server = databaseServer(own.url);
  project = await copyProject('text', own.url);
  const folder = await withAdmin(server, undefined, (client) =>
    client.query<{ data_directory: string }>('show data_directory'),
  );
  const cache = path.join(folder.rows[0]?.data_directory ?? '', 'global', 'pg_internal.init');
  await rm(cache);
  await withAdmin(server, project.names.database, (client) => client.query('select'));
  await access(cache);
}, 120_000);
afterAll(async () => {
  await own?.[Symbol.asyncDispose]();
}, 60_000);

test.each(['the maintenance database', 'the project'])(
  'in %s a new role is there at once',
  async (place) => {
    const database = place === 'the project' ? project.names.database : undefined;
    const role = `role_${randomBytes(4).toString('hex')}`;
    await withAdmin(server, database, async (client) => {
      await client.query(`drop role if exists ${role}`);
      await client.query(`create role ${role}; alter role ${role} login; drop role ${role};`);
    });
  },
);

test.each(['pg_database', 'pg_authid', 'pg_tablespace'])(
  'a duplicate in %s is an error that does not end the server',
  async (table) => {
    const names = { pg_database: 'datname', pg_authid: 'rolname', pg_tablespace: 'spcname' };
    const name = names[table as keyof typeof names];
    const duplicate = withAdmin(server, undefined, (client) =>
      client.query(`update ${table} set ${name} = (select max(${name}) from ${table})`),
    );
    await expect(duplicate).rejects.toMatchObject({ code: '23505' });
  },
);
