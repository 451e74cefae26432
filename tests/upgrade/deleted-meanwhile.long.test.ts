// Upgrades during which a project is deleted, or something else breaks.
import {
  deleteProject,
  getProjectRecord,
  type ProjectsContext,
  restoreProject,
  scheduleDeletion,
  upgradeFleet,
} from '#libs/control-plane';
import { waitFor } from '#libs/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { withProjectDatabase } from '#libs/database';
import {
  databaseIdOf,
  openFixture,
  uniqueWord,
  type ControlPlaneFixture,
} from '../console/control-plane-fixture.js';
import { withClient } from '../support/test-server.js';
import { runOperations } from '../console/run-operations.js';
import { inProject, laterContext, projectWithNotes } from './upgrade-fixture.js';

let fixture: ControlPlaneFixture;
let later: ProjectsContext;
beforeAll(async () => {
  fixture = await openFixture();
  later = laterContext(fixture, { name: '9990_more', sql: 'create table platform.more (id int)' });
}, 60_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);

const query = (sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  fixture.context.dataSource.query(sql, values);
const softDelete = (ref: string) =>
  scheduleDeletion(fixture.context, fixture.actor, { ref, days: 7 });

/** Starts an upgrade, runs `work` while it waits for a lock of the project, and returns the upgrade. */
async function withWaitingUpgrade<T>(
  ref: string,
  start: () => Promise<T>,
  work: () => Promise<void>,
): Promise<{ readonly run: Promise<T> }> {
  return withClient(fixture.databaseUrl, async (holder) => {
    await holder.query('select pg_advisory_lock(hashtextextended($1, 0))', [
      `rowhouse upgrade ${ref}`,
    ]);
    const run = start();
    run.catch(() => undefined);
    const waits = `select from pg_locks as own join pg_locks as other
      using (locktype, database, classid, objid, objsubid)
      where own.pid = pg_backend_pid() and own.locktype = 'advisory' and not other.granted`;
    await waitFor(async () => (await holder.query(waits)).rowCount !== 0, { ms: 20_000 });
    await work();
    return { run };
  });
}

function upgradeAll(throughWave: number, onProject: (line: string) => void) {
  return upgradeFleet(later, {
    throughWave,
    resumes: false,
    signal: new AbortController().signal,
    onProject: ({ ref, outcome }, wave) => onProject(`${wave} ${ref} ${outcome}`),
  });
}

test('a project that is deleted when its turn comes does not end the upgrade of all', async () => {
  const refs = [];
  for (let n = 0; n < 3; n += 1) refs.push(await projectWithNotes(fixture));
  const [first, second = '', third] = refs.toSorted();
  const seen: string[] = [];
  const start = () => upgradeAll(4, (line) => seen.push(line));
  const { run } = await withWaitingUpgrade(second, start, () => softDelete(second));
  expect(await run).toMatchObject({ state: 'done', failed: 0 });
  expect(seen).toEqual([`1 ${first} upgraded`, `2 ${second} deleted`, `3 ${third} upgraded`]);
}, 60_000);

test('an error lets the projects under way come to their end', async () => {
  later = laterContext(fixture, { name: '9991_again', sql: 'create table platform.again ()' });
  await upgradeAll(3, () => undefined);
  // Both are in the last wave.
  const quick = await projectWithNotes(fixture);
  const slow = await projectWithNotes(fixture);
  let isTold = false;
  const start = () =>
    upgradeAll(4, (line) => {
      if (!line.includes(quick)) return;
      isTold = true;
      throw new Error('the output is closed');
    });
  const { run } = await withWaitingUpgrade(slow, start, async () => {
    await waitFor(() => isTold, { ms: 20_000 });
  });
  await expect(run).rejects.toThrow('the output is closed');
  expect(await query('select migrated_to as hash from project where ref = $1', [slow])).toEqual([
    { hash: later.release.hash },
  ]);
}, 60_000);

test('a project that was deleted during its upgrade is served when it is restored', async () => {
  const ref = await projectWithNotes(fixture);
  const snapshot = `rowhouse_snapshot_${uniqueWord('s')}`;
  const id = await databaseIdOf(fixture, ref);
  await withClient(fixture.databaseUrl, (client) =>
    client.query(`create database ${snapshot} template p_${id} allow_connections false`),
  );
  await inProject(fixture, ref, 'create table platform.half ()');
  await query(`insert into project_snapshot (database, ref, migrated_to) values ($1, $2, $3)`, [
    snapshot,
    ref,
    fixture.context.release.hash,
  ]);
  await query('update project set upgrading = $2 where ref = $1', [ref, snapshot]);
  await query(
    `insert into operation (kind, ref, organization_id, state, deadline)
     values ('upgrade', $1, $2, 'waiting', now())`,
    [ref, fixture.organizationId],
  );
  await softDelete(ref);
  await restoreProject(fixture.context, fixture.actor, ref);
  await runOperations(fixture.context, ['upgrade']);
  expect((await getProjectRecord(fixture.context, ref))?.refusal).toBeUndefined();
  expect(await inProject(fixture, ref, `select to_regclass('platform.half') as half`)).toEqual([
    { half: null },
  ]);
}, 60_000);

test('a project whose upgrade was cut short at the copy can be deleted with its objects', async () => {
  const ref = await projectWithNotes(fixture);
  const id = await databaseIdOf(fixture, ref);
  await withClient(fixture.databaseUrl, (client) =>
    client.query(`alter database p_${id} allow_connections false`),
  );
  const removed: string[] = [];
  const context: ProjectsContext = {
    ...fixture.context,
    removeObjects: (record) =>
      withProjectDatabase(record, async (db) => {
        await db.runAsEngine((tx) => tx.query('select 1'));
        removed.push(record.ref);
      }),
  };
  await deleteProject(context, fixture.actor, ref);
  expect(removed).toEqual([ref]);
}, 60_000);
