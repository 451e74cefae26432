// A client that comes back gets exactly what it has missed, or learns that some of it is gone.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { waitFor } from '#libs/testing';
import type { Line } from '#libs/realtime';
import { readPosition } from '../../libs/realtime/src/feed/feed.sql.js';
import { connect, createProject, type ProjectFixture } from '../database/project-fixture.js';
import { type Heard, isChange, openFeed, tableOf } from './support.js';

let project: ProjectFixture;
let heard: Heard;
let table: { readonly oid: number; readonly bit: number };
let other: typeof table;
beforeAll(async () => {
  project = await createProject();
  await project.admin.query(`
    create table public.a (id int primary key);
    create table public.b (id int primary key);`);
  table = await tableOf(project.admin, 'public.a');
  other = await tableOf(project.admin, 'public.b');
});
afterAll(() => project.drop());
beforeEach(async () => {
  await heard?.feed.close();
  heard = await openFeed(project.open());
});

let ids = 0;
async function insert(name: 'a' | 'b', count = 1): Promise<number[]> {
  const { rows } = await project.admin.query<{ id: number }>(
    `insert into public.${name} select id from generate_series($1::int, $2::int) id returning id`,
    [ids + 1, (ids += count)],
  );
  return rows.map(({ id }) => id);
}
const idsOf = (lines: readonly Line[]) =>
  lines.filter(isChange).map(({ newText }) => (JSON.parse(newText ?? '') as { id: number }).id);

async function cursorOfNow(bits = [table.bit, other.bit]): Promise<string> {
  const { position } = await heard.feed.listen(bits);
  return heard.feed.cursorAt(position);
}
const replay = (cursor: string, max = 100) => heard.feed.replay(cursor, [table.oid], max);

test('the changes of the tables after the cursor, each once', async () => {
  const cursor = await cursorOfNow();
  const first = await insert('a', 2);
  await insert('b');
  const page = await replay(cursor);
  expect(page).toMatchObject({ kind: 'lines' });
  if (page.kind !== 'lines') return;
  expect(idsOf(page.lines)).toEqual(first);
  const second = await insert('a');
  const next = await replay(page.cursor);
  expect(next.kind === 'lines' && idsOf(next.lines)).toEqual(second);
});

test('a transaction that was running at the cursor and commits later is there', async () => {
  await heard.feed.listen([table.bit]);
  const late = await connect(project.database);
  await late.query('begin');
  await late.query('insert into public.a values ($1)', [++ids]);
  const lateId = ids;
  await insert('a');
  const running = await openFeed(project.open());
  const cursor = running.feed.cursorAt((await running.feed.listen([other.bit])).position);
  const after = await insert('a');
  await late.query('commit');
  await late.end();
  const page = await replay(cursor);
  expect(page.kind === 'lines' && idsOf(page.lines)).toEqual([lateId, ...after]);
  await running.feed.close();
});

test('a cursor from the middle of a page', async () => {
  await heard.feed.close();
  heard = await openFeed(project.open(), { page: { maxLines: 2, maxBytes: 10_000 } });
  await heard.feed.listen([table.bit]);
  const all = await insert('a', 5);
  heard.feed.wake();
  await waitFor(() => heard.lines.length === all.length);
  expect(heard.positions[0]).toContain('/');
  const page = await replay(heard.feed.cursorAt(heard.positions[0] ?? ''));
  expect(page.kind === 'lines' && idsOf(page.lines)).toEqual(all.slice(2));
});

test('more than the client may have is lost', async () => {
  const cursor = await cursorOfNow();
  await insert('a', 3);
  expect(await replay(cursor, 2)).toEqual({ kind: 'lost' });
  expect((await replay(cursor, 3)).kind).toBe('lines');
});

test('what was trimmed is lost, what was not is there', async () => {
  const old = await cursorOfNow();
  await insert('a', 3);
  await project.admin.query(
    `insert into realtime.marks (at, snapshot, last_seq)
     values (now() - interval '1 hour', pg_current_snapshot(), 0)`,
  );
  const young = heard.feed.cursorAt((await readPosition(project.open())).position);
  const kept = await insert('a', 2);
  // The feed trims, too: the second of them finds nothing left.
  await waitFor(async () => {
    await project.admin.query('select realtime.trim_outbox()');
    return (await replay(old)).kind === 'lost';
  });
  expect(await replay(old)).toEqual({ kind: 'lost' });
  const page = await replay(young);
  expect(page.kind === 'lines' && idsOf(page.lines)).toEqual(kept);
});

test('what happened while nobody listened is lost', async () => {
  const cursor = await cursorOfNow();
  await project.admin.query(
    `delete from realtime.interest; select realtime.open('{}', 'other', 1)`,
  );
  await insert('a');
  const another = await openFeed(project.open());
  await another.feed.listen([table.bit]);
  expect(await replay(cursor)).toEqual({ kind: 'lost' });
  await another.feed.close();
});

test.each([
  { name: 'of another epoch', cursor: () => '000000000000.1:1:' },
  { name: 'of the future', cursor: () => heard.feed.cursorAt('99999999:99999999:') },
  { name: 'that is none', cursor: () => heard.feed.cursorAt("1:1:'); select 1") },
  { name: 'with a snapshot that PostgreSQL refuses', cursor: () => heard.feed.cursorAt('5:3:') },
  { name: 'with running transactions in disorder', cursor: () => heard.feed.cursorAt('1:9:5,4') },
])('a cursor $name is lost', async ({ cursor }) => {
  await heard.feed.listen([table.bit]);
  expect(await replay(cursor())).toEqual({ kind: 'lost' });
});
