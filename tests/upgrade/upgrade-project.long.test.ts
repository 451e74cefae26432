// The upgrade of one project by `rowhouse upgrade --canary`, with a snapshot that is put back when it fails.
import {
  ensureMigrated,
  getProjectRecord,
  listOperations,
  runOperation,
  undoUpgrade,
  upgradeProject,
  type ProjectsContext,
} from '#libs/control-plane';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import pg from 'pg';

import { deleteProject, readDatabaseAccess } from '#libs/control-plane';
import {
  openFixture,
  tracesOf,
  type ControlPlaneFixture,
} from '../console/control-plane-fixture.js';
import { withClient } from '../support/test-server.js';
import {
  inProject,
  laterContext,
  listSnapshotDatabases,
  projectWithNotes,
} from './upgrade-fixture.js';

let fixture: ControlPlaneFixture;
let good: ProjectsContext;
let bad: ProjectsContext;
let ref: string;
beforeAll(async () => {
  fixture = await openFixture();
  good = laterContext(fixture, { name: '9990_more', sql: 'create table platform.more (id int)' });
  bad = laterContext(fixture, { name: '9991_bad', sql: 'select * from platform.nothing' });
}, 60_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);
beforeEach(async () => {
  ref = await projectWithNotes(fixture);
});

const operations = async (state?: 'done' | 'undone') => {
  const viewer = { operatorId: '', isDeploymentAdmin: true };
  const { operations: found } = await listOperations(fixture.context.dataSource, viewer, {
    kind: 'upgrade',
    ref,
    state,
    limit: 10,
  });
  return found;
};
const migratedTo = async (): Promise<unknown> => {
  const [row]: unknown[] = await fixture.context.dataSource.query(
    'select migrated_to as hash, migrating_to as next, upgrading, upgrade_held as held from project where ref = $1',
    [ref],
  );
  return row;
};
const notes = () => inProject(fixture, ref, 'select id from public.notes order by id');
const ownerUrl = async () =>
  (await readDatabaseAccess(fixture.context, fixture.actor, ref)).databaseUrl;

test('with a snapshot it is upgraded, the snapshot is kept, and the owner can connect again', async () => {
  const held = new pg.Client({ connectionString: await ownerUrl() });
  held.on('error', () => undefined);
  await held.connect();
  const result = await upgradeProject(good, ref, { withSnapshot: true });
  expect(result).toEqual({ ref, outcome: 'upgraded', awayMs: expect.any(Number) });
  expect(await migratedTo()).toEqual({
    hash: good.release.hash,
    next: null,
    upgrading: null,
    held: false,
  });
  expect(await operations('done')).toMatchObject([{ kind: 'upgrade', state: 'done', attempts: 1 }]);
  expect(await listSnapshotDatabases(fixture)).toHaveLength(1);
  await withClient(await ownerUrl(), (client) => client.query('insert into notes values (2)'));
  expect(await notes()).toEqual([{ id: 1 }, { id: 2 }]);
  await expect(held.query('select 1')).rejects.toThrow();
});

test('no login of the project may connect while it is migrated', async () => {
  const kinds = ['owner', 'api', 'engine', 'editor', 'deleter', 'lab'];
  const context = laterContext(fixture, {
    name: '9992_look',
    sql: `create table platform.admitted as
      select kind from pg_catalog.unnest('{${kinds.join(',')}}'::pg_catalog.text[]) as kind
      where pg_catalog.has_database_privilege(
        pg_catalog.replace(current_user, 'platform', kind), pg_catalog.current_database(), 'connect')`,
  });
  const admitted = () => inProject(fixture, ref, 'select kind from platform.admitted');
  expect(await upgradeProject(context, ref, { withSnapshot: true })).toMatchObject({
    outcome: 'upgraded',
  });
  expect(await admitted()).toEqual([]);
  ref = await projectWithNotes(fixture);
  await upgradeProject(context, ref, { withSnapshot: false });
  expect((await admitted()).map(({ kind }) => kind)).toEqual(kinds);
});

test('no login can connect to a snapshot', async () => {
  const before = new Set(await listSnapshotDatabases(fixture));
  await upgradeProject(good, ref, { withSnapshot: true });
  const [snapshot] = (await listSnapshotDatabases(fixture)).filter((name) => !before.has(name));
  const url = new URL(await ownerUrl());
  url.pathname = `/${snapshot}`;
  await expect(withClient(url.href, async () => undefined)).rejects.toMatchObject({
    code: '55000',
  });
});

test('a failure puts the snapshot back, says why, and is tried again by nobody', async () => {
  const result = await upgradeProject(bad, ref, { withSnapshot: true });
  const reason =
    'The migration 9991_bad failed: PostgreSQL 42P01: a statement failed; the log of the server has the reason';
  expect(result).toMatchObject({ ref, outcome: 'failed', reason });
  expect(await migratedTo()).toEqual({
    hash: fixture.context.release.hash,
    next: null,
    upgrading: null,
    held: true,
  });
  expect(await operations()).toMatchObject([
    { state: 'failed', lastError: reason, nextTryAt: null },
  ]);
  expect(await notes()).toEqual([{ id: 1 }]);
  await withClient(await ownerUrl(), (client) => client.query('insert into notes values (2)'));
  const left = await fixture.context.dataSource.query(
    'select database from project_snapshot where ref = $1',
    [ref],
  );
  expect(left).toEqual([]);
});

test('the database that is put back has the limits and rights of the one before', async () => {
  const facts = `select pg_catalog.array_agg(entry::text order by entry::text) as acl, datconnlimit as limit,
      (select setconfig from pg_db_role_setting where setdatabase = pg_database.oid and setrole = 0) as settings
    from pg_database, unnest(datacl) entry
    where datname = current_database() group by pg_database.oid, datconnlimit`;
  const before = await inProject(fixture, ref, facts);
  await upgradeProject(bad, ref, { withSnapshot: true });
  expect(await inProject(fixture, ref, facts)).toEqual(before);
});

test('without a snapshot a failure leaves the project to the release before', async () => {
  const result = await upgradeProject(bad, ref, { withSnapshot: false });
  expect(result).toMatchObject({ outcome: 'failed' });
  await ensureMigrated(fixture.context, ref);
  expect((await getProjectRecord(fixture.context, ref))?.refusal).toBeUndefined();
});

test('taken back, it is as before the upgrade, and waits for the command', async () => {
  await upgradeProject(good, ref, { withSnapshot: true });
  await inProject(fixture, ref, 'insert into public.notes values (3)');
  expect(await undoUpgrade(good, ref)).toEqual({ ref, outcome: 'undone' });
  expect(await notes()).toEqual([{ id: 1 }]);
  expect(await operations('undone')).toHaveLength(1);
  const record = await getProjectRecord({ ...good, holdsUpgrades: false }, ref);
  expect(record?.refusal).toBe('PROJECT_NOT_UPGRADED');
  expect((await getProjectRecord(fixture.context, ref))?.refusal).toBeUndefined();
  await expectNoUndo();
});

/** Nothing begins, so that no failure is listed. */
async function expectNoUndo(): Promise<void> {
  await expect(undoUpgrade(good, ref)).rejects.toMatchObject({
    code: 'NO_SNAPSHOT',
    message: `There is no snapshot of the project ${ref}`,
  });
  const open = await fixture.context.dataSource.query(
    'select from operation where ref = $1 and finished_at is null',
    [ref],
  );
  expect(open).toEqual([]);
}

test('without the database of its snapshot it stays as it is', async () => {
  await upgradeProject(good, ref, { withSnapshot: true });
  await fixture.context.dataSource.query(
    `update project_snapshot set database = 'rowhouse_snapshot_gone' where ref = $1`,
    [ref],
  );
  await expectNoUndo();
  expect(await migratedTo()).toMatchObject({ hash: good.release.hash, held: false });
});

test('until it is upgraded the later release refuses it, and the one before serves it', async () => {
  expect((await getProjectRecord(good, ref))?.refusal).toBe('PROJECT_NOT_UPGRADED');
  await expect(ensureMigrated(good, ref)).rejects.toMatchObject({ code: 'PROJECT_NOT_UPGRADED' });
  await ensureMigrated(fixture.context, ref);
  await upgradeProject(good, ref, { withSnapshot: false });
  await ensureMigrated(good, ref);
  await ensureMigrated(fixture.context, ref);
});

test.each([
  { at: 'before the copy', hasCopy: false },
  { at: 'after the copy', hasCopy: true },
])(
  'an upgrade that was cut short $at is taken back by the worker of any release',
  async ({ hasCopy }) => {
    const { dataSource } = fixture.context;
    const snapshot = `rowhouse_snapshot_${ref}`;
    const [row]: { id: string }[] = await dataSource.query(
      'select database_id as id from project where ref = $1',
      [ref],
    );
    await withClient(fixture.databaseUrl, async (client) => {
      await client.query(`alter database p_${row?.id} allow_connections false`);
      if (!hasCopy) return;
      await client.query(
        `create database ${snapshot} template p_${row?.id} allow_connections false`,
      );
      await client.query(`alter database p_${row?.id} allow_connections true`);
    });
    if (hasCopy) await inProject(fixture, ref, 'create table platform.half ()');
    await dataSource.query(
      `insert into project_snapshot (database, ref, migrated_to) values ($1, $2, $3)`,
      [snapshot, ref, fixture.context.release.hash],
    );
    await dataSource.query('update project set upgrading = $2 where ref = $1', [ref, snapshot]);
    const [operation]: { id: string }[] = await dataSource.query(
      `insert into operation (kind, ref, organization_id, state, deadline)
     values ('upgrade', $1, $2, 'waiting', now()) returning id`,
      [ref, fixture.organizationId],
    );
    expect((await getProjectRecord(fixture.context, ref))?.refusal).toBe('PROJECT_UPGRADING');
    await runOperation(fixture.context, operation?.id ?? '', async () => undefined);
    expect(await operations()).toMatchObject([
      {
        state: 'failed',
        lastError: 'The upgrade was interrupted; start it again with rowhouse upgrade --resume',
      },
    ]);
    expect(await inProject(fixture, ref, `select to_regclass('platform.half') as half`)).toEqual([
      { half: null },
    ]);
    expect((await getProjectRecord(fixture.context, ref))?.refusal).toBeUndefined();
    await withClient(await ownerUrl(), (client) => client.query('select from notes'));
  },
);

test('a snapshot that cannot be put back at once is put back by the worker', async () => {
  const [row]: { id: string }[] = await fixture.context.dataSource.query(
    'select database_id as id from project where ref = $1',
    [ref],
  );
  await withClient(fixture.databaseUrl, async (holder) => {
    // The lock of a neighbor, which keeps the database from being dropped.
    await holder.query(
      `begin; alter role current_user in database p_${row?.id} set work_mem = '1MB'`,
    );
    expect(await upgradeProject(bad, ref, { withSnapshot: true })).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('holds a lock on it'),
    });
    await holder.query('rollback');
  });
  const [operation] = await operations();
  expect(operation).toMatchObject({ state: 'waiting', step: 'restore the snapshot' });
  await fixture.context.dataSource.query(`update operation set next_try_at = now() where id = $1`, [
    operation?.id,
  ]);
  await runOperation(fixture.context, operation?.id ?? '', async () => undefined);
  expect(await operations()).toMatchObject([{ state: 'failed', nextTryAt: null }]);
  expect(await migratedTo()).toMatchObject({ upgrading: null, held: true });
  await withClient(await ownerUrl(), (client) => client.query('select from notes'));
}, 60_000);

test('an upgrade does not fail when an earlier snapshot cannot be dropped', async () => {
  expect(await upgradeProject(good, ref, { withSnapshot: true })).toMatchObject({
    outcome: 'upgraded',
  });
  const [earlier] = await listSnapshotDatabases(fixture);
  const mark = (isTemplate: boolean) =>
    withClient(fixture.databaseUrl, (client) =>
      client.query(`alter database ${earlier} is_template ${isTemplate}`),
    );
  await mark(true);
  const next = laterContext(fixture, { name: '9992_next', sql: 'create table platform.next ()' });
  expect(await upgradeProject(next, ref, { withSnapshot: true })).toMatchObject({
    outcome: 'upgraded',
  });
  await mark(false);
});

test('an upgrade does not fail when processes cannot be told', async () => {
  const silent = { ...good, publish: () => Promise.reject(new Error('the store is away')) };
  expect(await upgradeProject(silent, ref, { withSnapshot: true })).toMatchObject({
    outcome: 'upgraded',
  });
});

test('a deleted project leaves no snapshot', async () => {
  await upgradeProject(good, ref, { withSnapshot: true });
  const before = await listSnapshotDatabases(fixture);
  await deleteProject(fixture.context, 'system', ref);
  expect(await listSnapshotDatabases(fixture)).toHaveLength(before.length - 1);
  expect(await tracesOf(fixture, ref)).toEqual([]);
});
