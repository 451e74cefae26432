// The gate, and how long changes are kept: a position in the stream misses nothing, or it is known that it may.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { EngineQueries } from '#libs/database';
import { trimChanges } from '#libs/project-runtime';

import { CaptureFixture } from './capture-fixture.js';

let project: CaptureFixture;
let bit: number;
beforeEach(async () => {
  project = await CaptureFixture.open('create table docs (id int)', []);
  const { rows } = await project.owner.query<{ bit: number }>(
    `select rowhouse_gate_bit('docs'::regclass) as bit`,
  );
  bit = rows[0]?.bit ?? 0;
}, 60_000);
afterEach(() => project.close());

const insertDoc = 'insert into docs values (1)';
const value = async (text: string, values: readonly unknown[] = []): Promise<unknown> =>
  (await project.engine.query<{ v: unknown }>(text, [...values])).rows[0]?.v;
const position = () => value('select pg_current_snapshot()::text as v');
const isKept = (place: unknown, bits: readonly number[] = [bit]) =>
  value('select realtime.is_kept($1, $2) as v', [place, bits]);
/** Lets the time of all interest and marks pass. */
const age = async (minutes: number) => {
  const superuser = await project.connect('superuser');
  await superuser.query(`
    update realtime.interest set until = until - interval '${minutes} minutes';
    update realtime.marks set at = at - interval '${minutes} minutes'`);
};
const trim = () => trimChanges(queries, new AbortController().signal);
const queries: EngineQueries = {
  async queryAsEngine<Row extends object>(text: string, values: readonly unknown[] = []) {
    const { rows } = await project.engine.query<Row>(text, [...values]);
    return rows;
  },
};

describe('the gate', () => {
  test('is closed while no process listens', async () => {
    expect(await project.run(insertDoc)).toEqual([]);
  });

  test('is open for a table that a process listens to, and for no other', async () => {
    await project.listen([bit]);
    expect(await project.run(`create table other (id int); insert into other values (1)`)).toEqual(
      [],
    );
    expect(await project.run(insertDoc)).toHaveLength(1);
  });

  test('is open to transactions that have begun before, whatever their isolation', async () => {
    const writer = await project.connect();
    await writer.query('begin isolation level serializable; select count(*) from docs');
    await project.listen([bit]);
    await writer.query(`${insertDoc}; commit`);
    expect(await project.lines()).toHaveLength(1);
  });

  test('stays open for ten minutes after the last interest', async () => {
    await project.listen([bit], 'one', 0);
    await age(9);
    await project.listen([], 'two');
    expect(await project.run(insertDoc)).toHaveLength(1);
    await age(2);
    await project.listen([], 'two');
    expect(await project.run(insertDoc)).toEqual([]);
  });

  test('stays open while another process listens', async () => {
    await project.listen([bit], 'one', 0);
    await project.listen([bit], 'two', 3600);
    await age(20);
    await project.listen([], 'one');
    expect(await project.run(insertDoc)).toHaveLength(1);
  });

  test('is closed by the sweep', async () => {
    await project.listen([bit], 'one', 0);
    await age(11);
    await trim();
    expect(await project.run(insertDoc)).toEqual([]);
  });

  test('is not moved by a transaction that sees an older state of it', async () => {
    await project.engine.query('begin isolation level repeatable read');
    await expect(project.listen([bit])).rejects.toMatchObject({ code: '25000' });
    await project.engine.query('rollback');
  });

  test('opens at once, although the transaction goes on', async () => {
    await project.engine.query('begin');
    await project.listen([bit]);
    await project.owner.query(insertDoc);
    await project.engine.query('rollback');
    expect(await project.lines()).toHaveLength(1);
  });
});

describe('a position', () => {
  test('is kept while its bits are open', async () => {
    await project.listen([bit]);
    const place = await position();
    await project.owner.query(insertDoc);
    expect(await isKept(place)).toBe(true);
    expect(await isKept(place, [])).toBe(true);
    expect(await isKept(place, [bit, (bit + 1) % 62])).toBe(false);
  });

  test('from before the gate was opened is not', async () => {
    const place = await position();
    await project.listen([bit]);
    expect(await isKept(place)).toBe(false);
  });

  test('is not kept when the gate was closed meanwhile', async () => {
    await project.listen([bit], 'one', 0);
    const place = await position();
    await age(11);
    await project.listen([bit]);
    expect(await isKept(place)).toBe(false);
    expect(await isKept(await position())).toBe(true);
  });

  test('is kept until rows are trimmed that it has not seen', async () => {
    await project.listen([bit], 'one', 3600);
    const before = await position();
    await project.owner.query(insertDoc);
    expect(await trim()).toBe(0);
    const after = await position();
    expect(await isKept(before)).toBe(true);
    await age(11);
    expect(await trim()).toBe(1);
    expect(await isKept(before)).toBe(false);
    expect(await isKept(after)).toBe(true);
  });

  test('of another server is not', async () => {
    await project.listen([bit]);
    expect(await isKept('999999999:999999999:')).toBe(false);
  });
});

describe('trimming', () => {
  test('leaves rows of a transaction that was open at the mark', async () => {
    await project.listen([bit], 'one', 3600);
    const writer = await project.connect();
    await writer.query(`begin; ${insertDoc}`);
    await project.owner.query(insertDoc);
    await trim();
    await age(11);
    await writer.query('commit');
    expect(await trim()).toBe(1);
    expect(await value('select count(*)::int as v from realtime.outbox')).toBe(1);
  });

  test('keeps the last 200,000 rows, after a minute', async () => {
    await project.listen([bit], 'one', 3600);
    await project.owner.query('insert into docs select from generate_series(1, 5000)');
    await trim();
    await project.owner.query('insert into docs select from generate_series(1, 200000)');
    expect(await trim()).toBe(0);
    await age(2);
    expect(await trim()).toBe(5_000);
    expect(await value('select count(*)::int as v from realtime.outbox')).toBe(200_000);
  }, 60_000);

  test('works in steps', async () => {
    await project.listen([bit], 'one', 3600);
    await project.owner.query('insert into docs select from generate_series(1, 25000)');
    await trim();
    await age(11);
    expect(await value('select realtime.trim_outbox(10000) as v')).toBe(10_000);
    expect(await trim()).toBe(15_000);
  });

  test('is the work of one process at a time', async () => {
    await project.owner.query(insertDoc);
    const other = await project.connect('engine');
    await other.query(`begin; select realtime.listen('{}', 'other', 60)`);
    expect(await value('select realtime.trim_outbox() as v')).toBe(0);
    await other.query('rollback');
  });
});
