// The upgrade of all projects by `rowhouse upgrade`: in waves, stopped by failures, resumed.
import {
  dropSnapshots,
  findRun,
  type FleetUpgrade,
  listFailures,
  listPending,
  listSnapshots,
  planUnfinished,
  type ProjectsContext,
  undoUpgrade,
  upgradeFleet,
  upgradeProject,
  type WaveCopies,
} from '#libs/control-plane';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openFixture, type ControlPlaneFixture } from '../console/control-plane-fixture.js';
import { inProject, laterContext, projectWithNotes } from './upgrade-fixture.js';

let fixture: ControlPlaneFixture;
let refs: string[];
beforeAll(async () => {
  fixture = await openFixture();
  refs = [];
  for (let n = 0; n < 6; n += 1) refs.push(await projectWithNotes(fixture));
  refs.sort();
}, 120_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);

/** A release whose migration fails in a database that has the table `platform.obstacle_<n>`. */
const release = (n: number): ProjectsContext =>
  laterContext(fixture, {
    name: `990${n}_release`,
    sql: `create table platform.obstacle_${n} (id int)`,
  });
const obstruct = (n: number, ref = '') =>
  inProject(
    fixture,
    ref,
    `create schema if not exists platform; create table platform.obstacle_${n} ()`,
  );
const clear = (n: number, ref = '') => inProject(fixture, ref, `drop table platform.obstacle_${n}`);

async function dropAllSnapshots(context: ProjectsContext): Promise<void> {
  for (const ref of refs) await dropSnapshots(context, ref);
}

/** The refs of the projects with a snapshot. */
async function listSnapshotted({ dataSource }: ProjectsContext): Promise<string[]> {
  return (await listSnapshots(dataSource)).map(({ ref }) => ref);
}

async function upgradeAll(context: ProjectsContext, wish: Partial<FleetUpgrade> = {}) {
  const seen: string[] = [];
  const run = await upgradeFleet(context, {
    throughWave: 4,
    resumes: false,
    signal: new AbortController().signal,
    onProject: ({ ref, outcome }, wave) => seen.push(`${wave} ${ref} ${outcome}`),
    ...wish,
  });
  return { run, seen: seen.toSorted() };
}

test('it goes through all waves, each project once', async () => {
  const context = release(1);
  const first = await upgradeAll(context, { throughWave: 1 });
  expect(first.seen).toEqual([`1 ${refs[0]} upgraded`]);
  expect(await listSnapshotted(context)).toEqual([refs[0]]);
  expect(first.run).toMatchObject({ state: 'open', wave: 2, total: 6 });
  const rest = await upgradeAll(context);
  expect(rest.seen).toEqual([
    `2 ${refs[1]} upgraded`,
    `3 ${refs[2]} upgraded`,
    `3 ${refs[3]} upgraded`,
    `4 ${refs[4]} upgraded`,
    `4 ${refs[5]} upgraded`,
  ]);
  expect(rest.run).toMatchObject({ state: 'done' });
  expect(await listPending(context, { withFailed: true, limit: null })).toEqual([]);
  expect(await listSnapshotted(context)).toEqual(refs);
}, 60_000);

test('snapshots are taken unless they are not wished, also in later waves', async () => {
  const context = release(8);
  await dropAllSnapshots(context);
  await upgradeAll(context, { throughWave: 1, withSnapshots: false });
  const { run } = await upgradeAll(context);
  expect(run).toMatchObject({ state: 'done', withSnapshots: false });
  expect(await listSnapshotted(context)).toEqual([]);
});

test('a wave whose snapshots have no room does not begin', async () => {
  const context = release(9);
  await dropAllSnapshots(context);
  const asked: WaveCopies[] = [];
  const checkRoom = async (copies: WaveCopies): Promise<void> => {
    asked.push(copies);
    if (copies.wave === 3) throw new Error('the disk is full');
  };
  await expect(upgradeAll(context, { checkRoom })).rejects.toThrow('the disk is full');
  expect(await findRun(context)).toMatchObject({ state: 'open', wave: 3, attempted: 0 });
  expect(await listSnapshotted(context)).toEqual(refs.slice(0, 2));
  expect(asked.map(({ wave }) => wave)).toEqual([1, 2, 3]);
  const [size] = await inProject(
    fixture,
    refs[0] ?? '',
    'select pg_database_size(current_database())::float8 as bytes',
  );
  // The third wave has two projects, as large as the first one.
  const ofOne = Number(size?.['bytes']);
  expect(asked[2]?.bytes).toBeGreaterThan(1.8 * ofOne);
  expect(asked[2]?.bytes).toBeLessThan(2.2 * ofOne);
  const refuse = () => Promise.reject(new Error('there is nothing to copy'));
  const rest = await upgradeAll(context, { withSnapshots: false, checkRoom: refuse });
  expect(rest.seen).toHaveLength(4);
  const none = await upgradeAll(context, {
    withSnapshots: true,
    resumes: true,
    checkRoom: refuse,
  });
  expect(none.seen).toEqual([]);
}, 60_000);

test('a canary that was upgraded before is not among the projects', async () => {
  const context = release(2);
  await upgradeProject(context, refs[0] ?? '', { withSnapshot: false });
  const { run, seen } = await upgradeAll(context, { throughWave: 1 });
  expect(run.total).toBe(5);
  expect(seen).toEqual([`1 ${refs[1]} upgraded`]);
});

test('too many failures in a wave stop it, and it is resumed with those that failed', async () => {
  const context = release(3);
  await obstruct(3, refs[1]);
  const stopped = await upgradeAll(context, { withSnapshots: true });
  expect(stopped.run).toMatchObject({ state: 'stopped', wave: 2, attempted: 1, failed: 1 });
  expect(stopped.seen).toEqual([`1 ${refs[0]} upgraded`, `2 ${refs[1]} failed`]);
  expect(await listFailures(context.dataSource)).toEqual([
    {
      ref: refs[1],
      reason:
        'The migration 9903_release failed: PostgreSQL 42P07: a statement failed; the log of the server has the reason',
    },
  ]);
  await expect(upgradeAll(context)).rejects.toMatchObject({ code: 'UPGRADE_STOPPED' });
  await clear(3, refs[1]);
  const resumed = await upgradeAll(context, { resumes: true });
  expect(resumed.run).toMatchObject({ state: 'done', withSnapshots: true });
  expect(resumed.seen[0]).toBe(`2 ${refs[1]} upgraded`);
  expect(resumed.seen).toHaveLength(5);
  expect(await listFailures(context.dataSource)).toEqual([]);
}, 60_000);

test('a run goes on without the projects that it is to skip', async () => {
  const context = release(6);
  await obstruct(6, refs[0]);
  const stopped = await upgradeAll(context);
  expect(stopped.run).toMatchObject({ state: 'stopped', wave: 1, failed: 1 });
  const { run, seen } = await upgradeAll(context, { resumes: true, skips: [refs[0] ?? ''] });
  expect(run).toMatchObject({ state: 'done', failed: 0 });
  expect(seen).toHaveLength(5);
  expect(seen.join()).not.toContain(refs[0]);
  await clear(6, refs[0]);
  const last = await upgradeAll(context, { resumes: true });
  expect(last.seen).toEqual([`4 ${refs[0]} upgraded`]);
}, 60_000);

test('a project that was taken back is left to its own upgrade', async () => {
  const context = release(4);
  await upgradeProject(context, refs[0] ?? '', { withSnapshot: true });
  await undoUpgrade(context, refs[0] ?? '');
  const { seen } = await upgradeAll(context);
  expect(seen).toHaveLength(5);
  expect(seen.join()).not.toContain(refs[0]);
  expect(await upgradeProject(context, refs[0] ?? '', { withSnapshot: false })).toMatchObject({
    outcome: 'upgraded',
  });
});

test('when it is ended it keeps how far it is', async () => {
  const context = release(5);
  const ended = new AbortController();
  const first = await upgradeAll(context, { signal: ended.signal, onProject: () => ended.abort() });
  expect(first.run).toMatchObject({ state: 'open', wave: 1, attempted: 1 });
  expect(await findRun(context)).toMatchObject({ wave: 1, attempted: 1 });
  const { seen } = await upgradeAll(context);
  expect(seen).toHaveLength(5);
});

test('two at a time are refused', async () => {
  const context = release(6);
  const both = await Promise.allSettled([upgradeAll(context), upgradeAll(context)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(both).toContainEqual({
    status: 'rejected',
    reason: expect.objectContaining({ code: 'CONFLICT' }),
  });
});

test('the worker plans no migration while projects wait for the command', async () => {
  const context = release(7);
  const planned = async (): Promise<unknown> =>
    context.dataSource.query(
      `select ref from operation where kind = 'migrate' and finished_at is null`,
    );
  await planUnfinished(context);
  expect(await planned()).toEqual([]);
  await planUnfinished({ ...context, holdsUpgrades: false });
  expect(await planned()).toHaveLength(6);
});
