// Eight writers, rollbacks, savepoints, late commits, an open transaction in another database, and readers that are
// dropped before they have saved their position: every committed line is read once, in the order of each row.
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { waitFor } from '#libs/testing';
import { readEpoch, readPage } from '../../libs/realtime/src/feed/feed.sql.js';
import { connect, createProject, type ProjectFixture } from '../database/project-fixture.js';
import type { Line } from '#libs/realtime';
import { isChange, openFeed, tableOf } from './support.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const WRITERS = 8;
const TRANSACTIONS_EACH = 120;
const ROWS = 12;
const DROPS = 10;

let project: ProjectFixture;
let elsewhere: ProjectFixture;
beforeAll(async () => {
  project = await createProject();
  elsewhere = await createProject();
  await project.admin.query(`
    create table public.rows (id int primary key, version int not null);
    insert into public.rows select id, 0 from generate_series(1, ${ROWS}) id;`);
});
afterAll(() => Promise.all([project.drop(), elsewhere.drop()]));

const below = (n: number): number => Math.floor(Math.random() * n);
const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A transaction of one to three updates, which may be undone in whole or in part. */
async function write(client: Client): Promise<void> {
  await client.query('begin');
  // Rows in their order, so that writers do not wait in a circle.
  const ids = Array.from({ length: 1 + below(3) }, () => 1 + below(ROWS)).sort((a, b) => a - b);
  for (const [place, id] of ids.entries()) {
    await client.query(`savepoint s${place}`);
    await client.query('update public.rows set version = version + 1 where id = $1', [id]);
    if (below(10) < 2) await client.query(`rollback to s${place}`);
  }
  await rest(below(20));
  await client.query(below(100) < 14 ? 'rollback' : 'commit');
}

async function writeAll(): Promise<void> {
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      const client = await connect(project.database);
      for (let i = 0; i < TRANSACTIONS_EACH; i++) await write(client);
      await client.end();
    }),
  );
}

/** Reads pages of a few lines each; now and then it forgets the page and begins again at the position that it saved. */
async function readWithDrops(start: string, isOver: () => boolean): Promise<Line[]> {
  const db = project.open();
  const { run } = await readEpoch(db);
  const lines: Line[] = [];
  let position = start;
  let drops = 0;
  for (;;) {
    const wasOver = isOver();
    const limits = { maxLines: 1 + below(30), maxBytes: 200 + below(10_000) };
    const page = await readPage(db, { position, run }, limits);
    if (page.kind === 'lost') throw new Error('Lost');
    if (page.lines.length > 0 && drops < DROPS && below(3) === 0) {
      drops++;
      continue;
    }
    lines.push(...page.lines);
    const isAtEnd = page.lines.length === 0 && !position.includes('/');
    position = page.position;
    if (wasOver && isAtEnd) break;
    if (isAtEnd) await rest(below(10));
  }
  expect(drops).toBe(DROPS);
  return lines;
}

function expectWhole(lines: readonly Line[], written: readonly string[]): void {
  const seqs = lines.map(({ seq }) => seq);
  expect(new Set(seqs).size).toBe(seqs.length);
  expect(seqs.toSorted()).toEqual(written.toSorted());
  const last = new Map<number, number>();
  for (const line of lines.filter(isChange)) {
    // The value of this test's own rows.
    const { id, version } = JSON.parse(line.newText ?? '') as { id: number; version: number };
    expect(version).toBe((last.get(id) ?? 0) + 1);
    last.set(id, version);
  }
}

test('0 lost, 0 doubled, and each row in its order', async () => {
  const openTransaction = await connect(elsewhere.database);
  await openTransaction.query('begin; create table public.held (id int)');
  const { bit } = await tableOf(project.admin, 'public.rows');
  let throws = 0;
  const heard = await openFeed(project.open(), {
    page: { maxLines: 25, maxBytes: 4_000 },
    hear() {
      if (throws < DROPS && below(3) === 0) {
        throws++;
        throw new Error('dropped');
      }
    },
  });
  const { position, isWarming } = await heard.feed.listen([bit]);
  expect(isWarming).toBe(false);
  let isOver = false;
  const reading = readWithDrops(position, () => isOver);
  await writeAll();
  isOver = true;
  const lines = await reading;
  const { rows } = await project.admin.query<{ seq: string }>('select seq from realtime.outbox');
  const written = rows.map(({ seq }) => seq);
  expect(written.length).toBeGreaterThan(1_000);
  expectWhole(lines, written);
  await waitFor(() => heard.lines.length >= written.length);
  expectWhole(heard.lines, written);
  expect([heard.gaps, heard.errors.length, throws]).toEqual([0, DROPS, DROPS]);
  await heard.feed.close();
  await openTransaction.query('rollback');
  await openTransaction.end();
});
