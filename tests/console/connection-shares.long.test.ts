// Owners of projects share the connections that the platform does not need. Logins of requests have what the API
// processes open.
import { createProject, limitLogins, requestLimit } from '#libs/control-plane';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from 'pg';
import { withClient } from '../support/test-server.js';
import {
  type ControlPlaneFixture,
  databaseIdOf,
  openFixture,
  uniqueWord,
} from './control-plane-fixture.js';

let fixture: ControlPlaneFixture;
beforeAll(async () => {
  fixture = await openFixture();
}, 60_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);

/** More than any server gives: every owner gets the least that there is. */
const everything = 100_000;

async function newProject() {
  const { context, actor, organizationId } = fixture;
  const { ref, databaseUrl } = await createProject(context, actor, {
    name: 'Shares',
    ref: uniqueWord('s'),
    organizationId,
  });
  return { ref, databaseUrl, id: (await databaseIdOf(fixture, ref)) ?? '' };
}

const share = async (needed: number, requests = 16) => {
  const failures: unknown[] = [];
  const result = await limitLogins(fixture.context, {
    needed,
    requests,
    onFailure: (error) => failures.push(error),
  });
  return { ...result, failures };
};

const limitsOf = async (id: string): Promise<Record<string, number>> => {
  const rows: { kind: string; limit: number }[] = await fixture.controlPlane.dataSource.query(
    `select pg_catalog.split_part(rolname, '_', 2) as kind, rolconnlimit as "limit"
     from pg_catalog.pg_roles where rolname like $1 || '\\_%'`,
    [id],
  );
  return Object.fromEntries(rows.map(({ kind, limit }) => [kind, limit]));
};

test('an owner is refused beyond its share, and the other logins keep theirs', async () => {
  const { id, databaseUrl } = await newProject();
  const before = await limitsOf(id);
  const { warning, failures } = await share(everything);
  expect({ ...before, owner: 1 }).toEqual(await limitsOf(id));
  expect(warning).toMatch(/in postgresql\.conf$/);
  expect(failures).toEqual([]);
  await withClient(databaseUrl, async () => {
    const second = new Client({ connectionString: databaseUrl });
    await expect(second.connect()).rejects.toThrow('too many connections for role');
  });
  await share(1);
  expect((await limitsOf(id))['owner']).toBeGreaterThan(1);
});

test('the platform may use what the server keeps for it', async () => {
  const { id } = await newProject();
  await share(1);
  const [server]: { version: number }[] = await fixture.controlPlane.dataSource.query(
    `select pg_catalog.current_setting('server_version_num')::pg_catalog.int4 as version`,
  );
  const rows: { kind: string }[] = await fixture.controlPlane.dataSource.query(
    `select pg_catalog.split_part(login.rolname, '_', 2) as kind
     from pg_catalog.pg_auth_members
     join pg_catalog.pg_roles login on login.oid = member
     join pg_catalog.pg_roles role on role.oid = roleid
     where role.rolname = 'pg_use_reserved_connections' and login.rolname like $1 || '\\_%'
     order by kind`,
    [id],
  );
  const platform = ['api', 'deleter', 'editor', 'engine', 'lab', 'platform'];
  expect(rows.map(({ kind }) => kind)).toEqual((server?.version ?? 0) >= 160_000 ? platform : []);
});

test('a login that its project holds locked keeps no other from its limit', async () => {
  const [hostile, plain] = [await newProject(), await newProject()];
  await share(1);
  await withClient(hostile.databaseUrl, async (holder) => {
    await holder.query(`begin; alter role current_user password 'x'`);
    const { failures } = await share(everything);
    expect(failures).toEqual([expect.objectContaining({ code: '55P03' })]);
    expect((await limitsOf(plain.id))['owner']).toBe(1);
    await holder.query('rollback');
  });
});

test('a login of requests has the connections of all API processes, twice for a rolling upgrade', async () => {
  const { id } = await newProject();
  expect((await limitsOf(id))['api']).toBe(16);
  const requests = requestLimit({ projectConnections: 10, apiProcesses: 3 });
  await share(1, requests);
  expect(await limitsOf(id)).toMatchObject({ api: 60, engine: 40, editor: 10 });
  await share(1);
  expect((await limitsOf(id))['api']).toBe(16);
});

test('a project whose login of requests has all its connections is named', async () => {
  const { ref, id, databaseUrl } = await newProject();
  expect((await share(1, 2)).projectsAtLimit).toEqual([]);
  await withClient(fixture.databaseUrl, (admin) =>
    admin.query(`alter role "${id}_api" password 'known'`),
  );
  const url = new URL(fixture.databaseUrl);
  url.pathname = new URL(databaseUrl).pathname;
  Object.assign(url, { username: `${id}_api`, password: 'known' });
  await withClient(url.href, async () => {
    expect((await share(1, 2)).projectsAtLimit).toEqual([]);
    await withClient(url.href, async () => {
      expect((await share(1, 2)).projectsAtLimit).toEqual([ref]);
    });
  });
});
