// PostgreSQL is killed between a position and the return of its client, on a server that uses the numbers of lost
// transactions again.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { waitFor } from '#libs/testing';

import { connect, createProject, type ProjectFixture } from '../database/project-fixture.js';
import { openOwnServer, type OwnServer } from '../support/own-server.js';
import { type Heard, isChange, openFeed, tableOf } from './support.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

let server: OwnServer;
let project: ProjectFixture;
let table: { readonly oid: number; readonly bit: number };
beforeAll(async () => {
  // As on a server of one's own, but what no commit waits for stays in memory for long.
  server = await openOwnServer({
    settings: { synchronous_commit: 'on', wal_writer_delay: '10s' },
  });
  project = await createProject('text', server.url);
  await project.admin.query('create table public.a (id int primary key)');
  table = await tableOf(project.admin, 'public.a');
  project.admin.on('error', () => undefined);
});
afterAll(async () => {
  await project.drop();
  await server[Symbol.asyncDispose]();
});

/** The superuser, on a connection of its own: a kill ends it. */
async function ask(sql: string): Promise<Record<string, unknown>> {
  const client = await connect(project.database, server.url);
  client.on('error', () => undefined);
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows[0] ?? {};
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Uses up numbers of transactions, without a word on the disk. */
const useNumbers = (count: number) =>
  ask(`do $$ begin
    for i in 1 .. ${count} loop
      perform pg_current_xact_id();
      rollback;
    end loop;
  end $$`);
const nextNumber = async () =>
  BigInt(String((await ask('select pg_snapshot_xmax(pg_current_snapshot()) as next'))['next']));

/** Ends the server, which starts again by itself. */
async function endDatabase(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
  const started = 'select pg_postmaster_start_time()::text as at';
  const { at } = await ask(started);
  const { pid } = await ask(`select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid`);
  process.kill(Number(pid), signal);
  const back = { until: 'PostgreSQL is back', ms: 60_000, everyMs: 100, retriesErrors: true };
  await waitFor(async () => (await ask(started))['at'] !== at, back);
}

/** A process that listens, and the cursor up to which its clients know everything. */
async function listening(): Promise<{ readonly heard: Heard; readonly cursor: () => string }> {
  const heard = await openFeed(project.open(), { trimEveryMs: 3_600_000 });
  await heard.feed.listen([table.bit]);
  return { heard, cursor: () => heard.feed.cursorAt(heard.feed.position ?? '') };
}

const idsIn = ({ lines }: Heard) =>
  lines.filter(isChange).map(({ newText }) => (JSON.parse(newText ?? '') as { id: number }).id);

/** Kills the server at a cursor after numbers which are in its memory alone. Returns whether one came again. */
async function killAtPosition(): Promise<boolean> {
  const { heard, cursor } = await listening();
  await useNumbers(2_000);
  const used = await nextNumber();
  await heard.feed.caughtUp();
  const before = cursor();
  await endDatabase('SIGKILL');

  const { id, txid } = await ask(`insert into public.a select coalesce(max(id), 0) + 1 from public.a
    returning id, pg_current_xact_id()::text as txid`);
  // From then on the position could be one of this server.
  await useNumbers(3_000);
  expect(await nextNumber()).toBeGreaterThan(used);

  const another = await listening();
  for (const { feed } of [heard, another.heard]) {
    const page = await feed.replay(before, [table.oid], 100);
    expect(
      page.kind === 'lines' && page.lines.filter(isChange).map(({ newText }) => newText),
    ).toEqual([`{"id":${Number(id)}}`]);
  }
  await waitFor(() => idsIn(heard).includes(Number(id)), { ms: 20_000 });
  expect(heard.gaps).toBe(0);
  for (const one of [heard, another.heard]) await one.feed.close();
  return BigInt(String(txid)) < used;
}

test('a change whose number was used before a crash is delivered', async () => {
  // Now and then something else writes the numbers to the disk in between.
  let isUsedAgain = false;
  for (let round = 0; round < 5 && !isUsedAgain; round += 1) isUsedAgain = await killAtPosition();
  expect(isUsedAgain).toBe(true);
});

test('a cursor outlives a normal restart', async () => {
  const { heard, cursor } = await listening();
  await ask('insert into public.a values (1001)');
  const before = await waitFor(() => idsIn(heard).includes(1001) && cursor());
  await ask('insert into public.a values (1002)');
  await heard.feed.close();
  await endDatabase('SIGINT');

  const again = await listening();
  const page = await again.heard.feed.replay(String(before), [table.oid], 100);
  expect(
    page.kind === 'lines' && page.lines.filter(isChange).map(({ newText }) => newText),
  ).toEqual(['{"id":1002}']);
  expect(again.heard.gaps).toBe(0);
  await again.heard.feed.close();
});
