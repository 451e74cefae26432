// From when on changes are delivered: the position of an opening is fixed only when no transaction is left that may have
// written while the gate was closed.
import { setImmediate } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitFor } from '#libs/testing';
import type { Client } from 'pg';
import { connect, createProject, type ProjectFixture } from '../database/project-fixture.js';
import { type Heard, isChange, openFeed, tableOf } from './support.js';

let project: ProjectFixture;
let writer: Client;
let heard: Heard;
beforeAll(async () => {
  project = await createProject();
  writer = await connect(project.database);
});
afterAll(async () => {
  await writer.end();
  await project.drop();
});
afterEach(() => heard.feed.close());

let tables = 0;
/** A table without listeners so far, and a feed. */
async function start() {
  const name = `t${++tables}`;
  await project.admin.query(`create table public.${name} (id int primary key)`);
  const gate = { seconds: 120, maxWaitMs: 50 };
  heard = await openFeed(project.open(), { gate });
  return { name, ...(await tableOf(project.admin, `public.${name}`)) };
}

const idsHeard = () =>
  heard.lines.filter(isChange).map(({ newText }) => JSON.parse(newText ?? '') as unknown);

test('what commits after the listening has begun is delivered', async () => {
  const { name, bit } = await start();
  await project.admin.query(`insert into public.${name} values (1)`);
  expect((await heard.feed.listen([bit])).isWarming).toBe(false);
  await project.admin.query(`insert into public.${name} values (2)`);
  heard.feed.wake();
  await waitFor(() => heard.lines.length > 0);
  expect(idsHeard()).toEqual([{ id: 2 }]);
});

test('a transaction that wrote unnoticed keeps the listening incomplete until it ends', async () => {
  const { name, bit } = await start();
  await writer.query(`begin; insert into public.${name} values (1)`);
  const { isWarming, complete } = await heard.feed.listen([bit]);
  expect(isWarming).toBe(true);
  await writer.query('commit');
  await complete;
  expect((await heard.feed.listen([bit])).isWarming).toBe(false);
  await project.admin.query(`insert into public.${name} values (2)`);
  await waitFor(() => heard.lines.length > 0);
  expect(idsHeard()).toEqual([{ id: 2 }]);
});

test('a transaction that ends in time is waited for', async () => {
  const { name, bit } = await start();
  await heard.feed.close();
  heard = await openFeed(project.open());
  await writer.query(`begin; insert into public.${name} values (1)`);
  const listening = heard.feed.listen([bit]);
  await waitFor(async () => {
    const { rows } = await project.admin.query('select from realtime.opened where "bit" = $1', [
      bit,
    ]);
    return rows.length > 0;
  });
  await writer.query('commit');
  expect((await listening).isWarming).toBe(false);
});

test('a transaction that has written nothing delays nothing', async () => {
  const { bit } = await start();
  await writer.query('begin; select 1');
  expect((await heard.feed.listen([bit])).isWarming).toBe(false);
  await writer.query('commit');
});

test('the second listener of a table shares the opening of the first', async () => {
  const { bit } = await start();
  const [first, second] = await Promise.all([heard.feed.listen([bit]), heard.feed.listen([bit])]);
  expect(second.position).toBe(first.position);
  await heard.feed.unlisten([bit]);
  const { rows } = await project.admin.query<{ left: number }>(
    `select extract(epoch from until - now())::int as left from realtime.interest where "bit" = $1`,
    [bit],
  );
  expect(rows[0]?.left).toBeLessThanOrEqual(120);
});

test('a listener that comes before the opening is read can come back with its position', async () => {
  const { name, oid, bit } = await start();
  await heard.feed.close();
  const db = project.open();
  let reading: Promise<void> | undefined;
  let openings = 0;
  heard = await openFeed({
    runAsRole: (...query) => db.runAsRole(...query),
    async queryAsEngine(text, values) {
      if (text.includes('realtime.read(')) await reading;
      const rows = await db.queryAsEngine<never>(text, values);
      if (text.includes('rowhouse_running(')) openings++;
      return rows;
    },
  });
  await heard.feed.listen([0]);
  let readAgain = (): void => undefined;
  reading = new Promise((resolve) => (readAgain = resolve));
  openings = 0;
  const first = heard.feed.listen([bit]);
  await waitFor(() => openings > 0);
  await setImmediate();
  const second = heard.feed.listen([bit]);
  await setImmediate();
  readAgain();
  await first;
  const cursor = heard.feed.cursorAt((await second).position);
  await project.admin.query(`insert into public.${name} values (1)`);
  expect(await heard.feed.replay(cursor, [oid], 10)).toMatchObject({ kind: 'lines' });
});

test.each([
  { name: 'for no lines', listen: () => heard.feed.listen([]) },
  {
    name: 'that has ended before its position is fixed',
    listen: async (bit: number) => {
      const listening = heard.feed.listen([bit]);
      await heard.feed.unlisten([bit]);
      await listening;
    },
  },
])('a listening $name does not keep the next one from its lines', async ({ listen }) => {
  const { name, bit } = await start();
  await listen(bit);
  await heard.feed.listen([bit]);
  await project.admin.query(`insert into public.${name} values (1)`);
  await waitFor(() => heard.lines.length > 0);
  expect(idsHeard()).toEqual([{ id: 1 }]);
});

test('a listening that waits for its position has one, although nothing else is listened to', async () => {
  const { name, bit } = await start();
  await heard.feed.close();
  let isRefused = true;
  heard = await openFeed(project.open(), {
    hear: () => {
      if (isRefused) throw new Error('not yet');
    },
  });
  await heard.feed.listen([bit]);
  await project.admin.query(`insert into public.${name} values (1)`);
  await waitFor(() => heard.errors.length > 0);
  const listening = heard.feed.listen([bit]);
  await heard.feed.unlisten([bit]);
  await heard.feed.unlisten([bit]);
  const tries = heard.errors.length;
  await waitFor(() => heard.errors.length > tries);
  isRefused = false;
  expect((await listening).position).toBe(heard.positions.at(-1));
});

test('a gate that was closed in between is told', async () => {
  const { bit } = await start();
  await heard.feed.close();
  const gate = { seconds: 1, maxWaitMs: 50 };
  heard = await openFeed(project.open(), { gate });
  await heard.feed.listen([bit]);
  await project.admin.query(
    `delete from realtime.interest; select realtime.open('{}', 'other', 1)`,
  );
  await waitFor(() => heard.gaps > 0);
});
