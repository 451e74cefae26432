// The worker compares the logins of projects with what the platform gave them. One project delays no other.
import {
  ensureMigrated,
  getProjectRecord,
  type ProjectsContext,
  repairChangedLogins,
  setProjectStatus,
} from '#libs/control-plane';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from 'pg';
import { pino } from 'pino';

import { LoginRepairs } from '../../apps/worker/src/logins/login-repairs.js';
import { withClient } from '../support/test-server.js';
import { databaseIdOf, openFixture, type ControlPlaneFixture } from './control-plane-fixture.js';

let fixture: ControlPlaneFixture;
beforeAll(async () => {
  fixture = await openFixture();
}, 60_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);

async function repair(context: ProjectsContext = fixture.context, signal?: AbortSignal) {
  const failed: { ref: string; error: unknown }[] = [];
  const repairs = await repairChangedLogins(context, {
    signal: signal ?? new AbortController().signal,
    onFailure: (ref, error) => failed.push({ ref, error }),
  });
  return { ...repairs, failed };
}

const query = (sql: string, values: unknown[] = []) =>
  fixture.controlPlane.dataSource.query(sql, values);
const change = (url: string) =>
  withClient(url, (client) => client.query(`alter role current_user password 'changed'`));

test('a login that its own sessions hold locked is restored, and the sessions end', async () => {
  const { ref, url } = await fixture.newProject();
  await repair();
  await withClient(url, async (changer) => {
    await changer.query(`alter role current_user password 'changed'`);
    await changer.query(`begin; alter role current_user password 'again'`);
    // The server ends the connection.
    changer.on('error', () => undefined);
    const ended = new Promise((resolve) => changer.once('end', resolve));
    expect(await repair()).toEqual({ restored: [ref], waiting: [], failed: [] });
    await ended;
  });
  await withClient(url, async () => undefined);
});

test('settings that a login gives itself for other databases go, however long they are', async () => {
  const { ref } = await fixture.newProject();
  await repair();
  const login = `${await databaseIdOf(fixture, ref)}_api`;
  await withClient(fixture.databaseUrl, async (client) => {
    for (const place of ['', 'in database postgres', 'in database template1']) {
      const setting = `alter role "${login}" ${place} set application_name = '${'x'.repeat(3_000_000)}'`;
      await client.query(setting);
    }
    expect(await repair()).toEqual({ restored: [ref], waiting: [], failed: [] });
    const left = await client.query(
      'select from pg_catalog.pg_db_role_setting where setrole = $1::pg_catalog.regrole',
      [login],
    );
    expect(left.rowCount).toBe(0);
  });
  expect(await repair()).toEqual({ restored: [], waiting: [], failed: [] });
});

test('a login that is locked by another session delays no other, and is tried last', async () => {
  const [hostile, plain] = [await fixture.newProject(), await fixture.newProject()];
  await repair();
  await query('update project set logins_tried_at = null');
  await query('update project set logins_tried_at = pg_catalog.now() where ref = $1', [plain.ref]);
  await change(hostile.url);
  // No session of the project's own, which would be ended.
  await withClient(fixture.databaseUrl, async (holder) => {
    const login = new URL(hostile.url).username;
    await holder.query(`begin; alter role "${login}" password 'again'`);
    await change(plain.url);
    expect(await repair()).toMatchObject({
      restored: [plain.ref],
      waiting: [],
      failed: [{ ref: hostile.ref, error: { code: 'CONFLICT' } }],
    });
    await holder.query('commit');
  });
  expect(await repair()).toEqual({ restored: [hostile.ref], waiting: [], failed: [] });
  await withClient(hostile.url, async () => undefined);
}, 60_000);

test('a project that is not at this release keeps no other from being repaired', async () => {
  const [old, plain] = [await fixture.newProject(), await fixture.newProject()];
  await repair();
  const id = await databaseIdOf(fixture, old.ref);
  await query(`update project set migrated_to = 'older' where ref = $1`, [old.ref]);
  await withClient(fixture.databaseUrl, (client) =>
    client.query(`alter role ${id}_deleter rename to ${id}_gone`),
  );
  await change(plain.url);
  try {
    expect(await repair()).toEqual({ restored: [plain.ref], waiting: [], failed: [] });
  } finally {
    await withClient(fixture.databaseUrl, (client) =>
      client.query(`alter role ${id}_gone rename to ${id}_deleter`),
    );
  }
  await query('update project set migrated_to = $2 where ref = $1', [
    old.ref,
    fixture.context.release.hash,
  ]);
});

test('a project that is resumed has its logins noted', async () => {
  const { ref, url } = await fixture.newProject();
  await repair();
  await change(url);
  await setProjectStatus(fixture.context, fixture.actor, { ref, status: 'active' });
  expect(await repair()).toEqual({ restored: [], waiting: [], failed: [] });
  await withClient(url, async () => undefined);
});

test('resuming a project whose owner holds its login locked says so', async () => {
  const { ref, url } = await fixture.newProject();
  await withClient(url, async (holder) => {
    await holder.query(`begin; alter role current_user password 'changed'`);
    await expect(
      setProjectStatus(fixture.context, fixture.actor, { ref, status: 'active' }),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
    await holder.query('rollback');
  });
});

test('a login that an upgrade adds is no change by the project', async () => {
  const { ref } = await fixture.newProject();
  await repair();
  const id = await databaseIdOf(fixture, ref);
  const inside = new URL(fixture.databaseUrl);
  inside.pathname = `/p_${id}`;
  await withClient(inside.href, (client) =>
    client.query(`drop owned by ${id}_deleter; drop role ${id}_deleter`),
  );
  await query(`update project set migrated_to = 'older' where ref = $1`, [ref]);
  await ensureMigrated(fixture.context, ref);
  expect(await repair()).toEqual({ restored: [], waiting: [], failed: [] });
  expect(await repair()).toEqual({ restored: [], waiting: [], failed: [] });
  expect(await getProjectRecord(fixture.context, ref)).toBeDefined();
});

test('sessions of a login that is restored end: they may have the password that was changed', async () => {
  const { ref, url } = await fixture.newProject();
  await repair();
  const known = new URL(url);
  known.password = 'changed';
  await withClient(url, async (kept) => {
    await kept.query(`alter role current_user password 'changed'`);
    const other = new Client({ connectionString: known.href });
    // The error says that an administrator has ended the session.
    other.on('error', () => undefined);
    const ended = new Promise((resolve) => other.once('end', resolve));
    await other.connect();
    kept.on('error', () => undefined);
    expect(await repair()).toEqual({ restored: [ref], waiting: [], failed: [] });
    await ended;
    await expect(kept.query('select 1')).rejects.toThrow();
  });
  await expect(new Client({ connectionString: known.href }).connect()).rejects.toMatchObject({
    code: '28P01',
  });
});

test('two workers restore a login once', async () => {
  const { ref, url } = await fixture.newProject();
  await repair();
  await change(url);
  const runs = await Promise.all([repair(), repair()]);
  expect(runs.flatMap(({ restored }) => restored)).toEqual([ref]);
  expect(runs.flatMap(({ failed }) => failed)).toEqual([]);
  expect(await repair()).toEqual({ restored: [], waiting: [], failed: [] });
});

test('logins that a stopped run did not reach wait', async () => {
  const { ref, url } = await fixture.newProject();
  await repair();
  await change(url);
  const repairs = await repair(fixture.context, AbortSignal.abort());
  expect(repairs).toEqual({ restored: [], waiting: [ref], failed: [] });
  expect(await repair()).toEqual({ restored: [ref], waiting: [], failed: [] });
});

test('a repair that cannot be planned ends neither the process nor the run', async () => {
  const [locked, plain] = [await fixture.newProject(), await fixture.newProject()];
  await repair();
  await query('update project set logins_tried_at = pg_catalog.now()');
  await query('update project set logins_tried_at = null where ref = $1', [locked.ref]);
  await change(locked.url);
  await change(plain.url);
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  await query('alter table operation rename to operation_away');
  try {
    await withClient(fixture.databaseUrl, async (holder) => {
      await holder.query(`begin; alter role "${new URL(locked.url).username}" password 'again'`);
      const repairs = new LoginRepairs({ projects: fixture.context, log });
      await repairs.run(new AbortController().signal);
      await holder.query('commit');
    });
  } finally {
    await query('alter table operation_away rename to operation');
  }
  expect(lines).toMatchObject([
    { ref: locked.ref, msg: 'the logins could not be restored' },
    { ref: locked.ref, msg: 'the repair of logins could not be planned' },
    { refs: [plain.ref], msg: 'logins were changed by their project and restored' },
  ]);
  await repair();
}, 60_000);
