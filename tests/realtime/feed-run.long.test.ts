// Positions outlive a crash of PostgreSQL, and no copy or promotion of a server that went on. All of them empty
// realtime.run, which these tests do in their place. The crash itself is in database-killed.long.test.ts.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { connect, createProject, type ProjectFixture } from '../database/project-fixture.js';
import { hourlyPace } from './channel-fixture.js';
import { type HubStage, openHubStage } from './hub-stage.js';
import { type Heard, isChange, openFeed, tableOf } from './support.js';

let project: ProjectFixture;
let table: { readonly oid: number; readonly bit: number };
let opened: Heard[] = [];
let stage: HubStage;
beforeAll(async () => {
  project = await createProject();
  await project.admin.query(`create table public.a (id int primary key);
    create policy everybody on public.a using (true);
    grant select on public.a to anon`);
  table = await tableOf(project.admin, 'public.a');
  stage = await openHubStage(project);
});
afterEach(async () => {
  for (const { feed } of opened) await feed.close();
  opened = [];
});
afterAll(async () => {
  await stage.close();
  await project.drop();
});

let ids = 0;
async function insert(): Promise<number> {
  await project.admin.query('insert into public.a values ($1)', [++ids]);
  return ids;
}
const idsIn = ({ lines }: Heard) =>
  lines.filter(isChange).map(({ newText }) => (JSON.parse(newText ?? '') as { id: number }).id);
const crash = () => project.admin.query('truncate realtime.run');
/** As in a copy of the server that was made before the positions which clients have. */
const copy = () =>
  project.admin.query(`truncate realtime.run;
  insert into realtime.runs (id, timeline, began)
  select gen_random_uuid(), timeline, '3' from realtime.runs order by number desc limit 1`);

/** A feed that listens to the table, and the cursor of its beginning. */
async function listening(options?: Parameters<typeof openFeed>[1]) {
  const heard = await openFeed(project.open(), options);
  opened.push(heard);
  const { position } = await heard.feed.listen([table.bit]);
  return { heard, cursor: heard.feed.cursorAt(position) };
}

test('readers that run go on after a crash without a gap', async () => {
  const readers = [await listening(), await listening()];
  const before = await insert();
  for (const { heard } of readers) await waitFor(() => idsIn(heard).includes(before));
  await crash();
  const after = await insert();
  for (const { heard, cursor } of readers) {
    await waitFor(() => idsIn(heard).includes(after));
    expect(idsIn(heard)).toEqual([before, after]);
    expect(heard.gaps).toBe(0);
    const page = await heard.feed.replay(cursor, [table.oid], 100);
    expect(page.kind === 'lines' && page.lines.length).toBe(2);
  }
});

test('a cursor from before a crash holds also where the reader has not noticed yet', async () => {
  const unaware = await listening({ pace: hourlyPace });
  const { heard, cursor } = await listening();
  await insert();
  await crash();
  await insert();
  const page = await unaware.heard.feed.replay(cursor, [table.oid], 100);
  expect(page.kind === 'lines' && page.lines.length).toBe(2);
  const last = await insert();
  await waitFor(() => idsIn(heard).includes(last));
  // Clients may come back to another process, with the cursor of one that knows the new run.
  const newer = heard.feed.cursorAt(heard.feed.position ?? '');
  expect(await unaware.heard.feed.replay(newer, [table.oid], 100)).toMatchObject({ lines: [] });
});

test('a reader that runs tells its listeners of a copy, and goes on', async () => {
  const readers = [await listening(), await listening()];
  await copy();
  await insert();
  for (const { heard, cursor } of readers) {
    await waitFor(() => heard.gaps === 1);
    expect(await heard.feed.replay(cursor, [table.oid], 100)).toEqual({ kind: 'lost' });
  }
  const after = await insert();
  const cursors = readers.map(({ heard }) => heard.feed.cursorAt(heard.feed.position ?? ''));
  for (const { heard } of readers) {
    await waitFor(() => idsIn(heard).includes(after));
    expect(heard.gaps).toBe(1);
    // The processes agree about the new run: clients may come back to another one.
    for (const cursor of cursors) {
      expect((await heard.feed.replay(cursor, [table.oid], 100)).kind).toBe('lines');
    }
  }
});

test.each([
  { name: 'a standby that was promoted', change: `timeline = 'FFFFFFFF'` },
  { name: 'an unknown run', change: 'id = gen_random_uuid()' },
])('a cursor of $name is lost, also where the reader has not noticed yet', async ({ change }) => {
  const { heard, cursor } = await listening({ pace: hourlyPace });
  await insert();
  expect((await heard.feed.replay(cursor, [table.oid], 100)).kind).toBe('lines');
  await crash();
  await project.admin.query(`update realtime.runs set ${change}`);
  await insert();
  expect(await heard.feed.replay(cursor, [table.oid], 100)).toEqual({ kind: 'lost' });
});

test('positions have seen no number that is not on the disk', async () => {
  const { heard } = await listening();
  const line = await project.admin.query<{ txid: string }>(
    `insert into public.a values (${++ids}) returning pg_current_xact_id()::text as txid`,
  );
  // Their ends are written to the disk later.
  for (let i = 0; i < 20; i += 1) {
    await project.admin.query('begin; select pg_current_xact_id(); rollback');
  }
  await waitFor(() => idsIn(heard).includes(ids));
  const { rows } = await project.admin.query<{ next: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
  );
  await heard.feed.caughtUp();
  const end = BigInt(heard.feed.position?.split(':')[1] ?? 0);
  expect(end).toBe(BigInt(line.rows[0]?.txid ?? 0) + 1n);
  expect(BigInt(rows[0]?.next ?? 0)).toBeGreaterThan(end);
});

test('a transaction with lines waits for the disk, whatever its session says', async () => {
  await listening();
  const writer = await connect(project.database);
  const sync = async (): Promise<unknown> => {
    const { rows: found } = await writer.query<{ sync: string }>(
      `select current_setting('synchronous_commit') as sync`,
    );
    return found[0]?.sync;
  };
  await writer.query('set synchronous_commit = off; begin');
  await writer.query('create table public.quiet (id int); insert into public.quiet values (1)');
  expect(await sync()).toBe('off');
  await writer.query(`insert into public.a values (${++ids})`);
  expect(await sync()).toBe('local');
  await writer.query('rollback');
  await writer.query('set synchronous_commit = remote_write; begin');
  await writer.query(`insert into public.a values (${ids})`);
  expect(await sync()).toBe('remote_write');
  await writer.query('rollback');
  await writer.end();
});

test('the row that a dump brings into another table does not count', async () => {
  const { heard, cursor } = await listening();
  const runs = async () => (await project.admin.query('select from realtime.runs')).rowCount ?? 0;
  const before = await runs();
  await project.admin.query(`begin; set local role "${project.names.platform}";
    alter table realtime.run rename to run_before;
    create unlogged table realtime.run (like realtime.run_before including all);
    grant select on realtime.run to platform_engine;
    insert into realtime.run select * from realtime.run_before;
    commit`);
  const after = await insert();
  await waitFor(() => idsIn(heard).includes(after));
  await waitFor(async () => (await runs()) === before + 1);
  expect((await heard.feed.replay(cursor, [table.oid], 100)).kind).toBe('lines');
});

test('a database that was restored from a dump of another server starts from nothing', async () => {
  const { rows } = await project.admin.query<{ next: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
  );
  const far = BigInt(rows[0]?.next ?? 0) + 100_000n;
  await project.admin.query(`begin;
    update realtime.kept set place = place::int8 + 1, since = '${far}:${far}:';
    insert into realtime.marks (at, snapshot, last_seq) values (now() - interval '1 minute', '${far}:${far}:', 1);
    insert into realtime.opened (bit, txid) values (${table.bit}, '${far}')
      on conflict (bit) do update set txid = excluded.txid;
    insert into realtime.outbox (txid, kind, tbl, n) values ('${far + 1n}', 'I', ${table.oid}, '{"id":-1}');
    update realtime.run set place = place::int8 + 1;
    commit`);
  const { heard, cursor } = await listening();
  const after = await insert();
  await waitFor(() => idsIn(heard).length > 0);
  expect(idsIn(heard)).toEqual([after]);
  expect(heard.gaps).toBe(0);
  const page = await heard.feed.replay(cursor, [table.oid], 100);
  expect(page.kind === 'lines' && page.lines.length).toBe(1);
});

test('a gap is told once, however long nothing can be read', async () => {
  const { heard } = await listening();
  const { rows } = await project.admin.query<{ since: string }>(
    'select since::text as since from realtime.kept',
  );
  await project.admin.query(`update realtime.kept set since = '99999999:99999999:'`);
  const before = heard.polls;
  await waitFor(() => heard.polls > before + 5);
  expect(heard.gaps).toBe(1);
  await project.admin.query('update realtime.kept set since = $1', [rows[0]?.since]);
  const after = await insert();
  await waitFor(() => idsIn(heard).includes(after));
  expect(heard.gaps).toBe(1);
});

test('numbers of lines are not used again', async () => {
  const { heard } = await listening();
  const last = async () => {
    const { rows } = await project.admin.query<{ seq: string }>(
      `select last_value as seq from realtime.outbox_seq_seq`,
    );
    return BigInt(rows[0]?.seq ?? 0);
  };
  const before = await last();
  await crash();
  const after = await insert();
  await waitFor(() => idsIn(heard).includes(after));
  await waitFor(async () => (await last()) > before + 100_000n);
});

test('the jump of the numbers trims nothing', async () => {
  const { heard, cursor } = await listening({ pace: hourlyPace });
  await insert();
  await project.admin.query(`insert into realtime.marks (at, snapshot, last_seq)
    select now() - interval '2 minutes', pg_current_snapshot(), last_value from realtime.outbox_seq_seq`);
  await crash();
  await project.admin.query('select realtime.run_id()');
  await project.admin.query('select realtime.trim_outbox()');
  const page = await heard.feed.replay(cursor, [table.oid], 100);
  expect(page.kind === 'lines' && page.lines.length).toBe(1);
});

test('only the platform reads the run, and only functions write it', async () => {
  const owner = await connect(project.database);
  await owner.query(`set role "${project.names.owner}"`);
  for (const statement of [
    'select from realtime.run',
    'truncate realtime.run',
    'select realtime.run_id()',
    'select from realtime.runs',
    'select realtime.begin_run(gen_random_uuid())',
    'select realtime.start_over()',
  ]) {
    await expect(owner.query(statement)).rejects.toMatchObject({ code: '42501' });
  }
  await owner.end();
});

test('clients that come back after a crash miss nothing', async () => {
  const [client, returning] = [await stage.connect(), await stage.connect()];
  const config = { postgres_changes: [{ table: 'a' }] };
  await client.join({ topic: 'a', config });
  const { cursor } = await returning.join({ topic: 'a', config });
  returning.leave();
  await crash();
  const last = await insert();
  const again = await stage.connect();
  expect(await again.join({ topic: 'a', config, resume: cursor })).toMatchObject({
    status: 'ok',
    recovered: true,
  });
  for (const one of [client, again]) {
    await waitFor(() => JSON.stringify(one.frames('rt:pg')).includes(`{"id":${last}}`));
    expect(one.frames('rt:system')).toEqual([]);
  }
});

test('clients that listen, and those that come back, learn of a copy', async () => {
  const [client, returning] = [await stage.connect(), await stage.connect()];
  const config = { postgres_changes: [{ table: 'a' }] };
  await client.join({ topic: 'a', config });
  const { cursor } = await returning.join({ topic: 'a', config });
  returning.leave();
  await copy();
  const again = await stage.connect();
  expect(await again.join({ topic: 'a', config, resume: cursor })).toMatchObject({
    status: 'ok',
    recovered: false,
  });
  await waitFor(() => client.frames('rt:system').length > 0);
  expect(client.frames('rt:system').map(({ code }) => code)).toEqual(['CHANGES_MISSED']);
  const { cursor: next } = await again.join({ topic: 'other', config });
  const last = await insert();
  for (const one of [client, again]) {
    await waitFor(() => JSON.stringify(one.frames('rt:pg')).includes(`{"id":${last}}`));
  }
  expect(await again.join({ topic: 'other', config, resume: next })).toMatchObject({
    recovered: true,
  });
});
