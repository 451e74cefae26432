// A project whose database does not change is swept without a connection to it, until something may be due there.
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { leaseDue, planSweeps, runOperation } from '#libs/control-plane';
import { waitFor } from '#libs/testing';

import { type ControlPlaneFixture, openFixture } from './control-plane-fixture.js';

let fixture: ControlPlaneFixture;
let project: Awaited<ReturnType<ControlPlaneFixture['newProject']>>;
beforeAll(async () => {
  fixture = await openFixture();
  project = await fixture.newProject();
  await inDatabase('create table notes (id int primary key, content text)');
}, 60_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);

async function inDatabase(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: project.url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

const query = (sql: string) => fixture.context.dataSource.query(sql);

/** Sweeps the project once; without a `basis` something is due in any case. Returns whether its database was found unchanged; undefined: no connection was made. */
async function sweep(basis: string | null = 'basis'): Promise<boolean | undefined> {
  const { context } = fixture;
  await query('update project set swept_at = null');
  await planSweeps(context);
  const found: boolean[] = [];
  for (const { id } of await leaseDue(context.dataSource)) {
    const look = async (_ref: string, isUnchanged: boolean) => {
      found.push(isUnchanged);
      return isUnchanged ? { quietDays: 7 } : undefined;
    };
    const attempt = await runOperation(context, id, look, async () => basis ?? undefined);
    expect(attempt).toMatchObject({ outcome: 'done', operation: { kind: 'sweep' } });
  }
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0];
}

/** Sweeps until the project is left alone, and returns what the sweeps before have found. */
async function sweepUntilQuiet(): Promise<readonly boolean[]> {
  const found: boolean[] = [];
  await waitFor(
    async () => {
      const next = await sweep();
      if (next !== undefined) found.push(next);
      return next === undefined;
    },
    { ms: 20_000, everyMs: 100 },
  );
  return found;
}

beforeEach(async () => {
  await query('update project set quiet_mark = null, quiet_until = null');
});

test('it is left alone after a sweep that found it unchanged, and this one was not the first', async () => {
  const found = await sweepUntilQuiet();
  expect(found[0]).toBe(false);
  expect(found.at(-1)).toBe(true);
  expect(await sweep()).toBeUndefined();
  const [{ isSwept }] = await query('select swept_at is not null as "isSwept" from project');
  expect(isSwept).toBe(true);
});

test.each([
  { name: 'inserted', sql: `insert into notes values (1, 'a')` },
  { name: 'updated', sql: `update notes set content = 'b'` },
  { name: 'deleted', sql: 'delete from notes' },
])('a row that an owner has $name is a change', async ({ sql }) => {
  await sweepUntilQuiet();
  await inDatabase(sql);
  // A session reports its changes when it ends.
  await waitFor(async () => (await sweep()) === false, { ms: 20_000, everyMs: 100 });
});

test('another basis is a change', async () => {
  await sweepUntilQuiet();
  expect(await sweep('another')).toBe(false);
});

test('it is swept on the day on which something may be due', async () => {
  await sweepUntilQuiet();
  await query(`update project set quiet_until = pg_catalog.now()`);
  expect(await sweep()).toBe(true);
  expect(await sweep()).toBeUndefined();
});

test('it is never left alone while something is due in any case', async () => {
  await sweepUntilQuiet();
  for (let round = 0; round < 3; round += 1) expect(await sweep(null)).toBe(false);
});
