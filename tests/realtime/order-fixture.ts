// Runs scripts in which triggers of the project write, and checks that a client which applies their lines in the order of
// their delivery ends with the rows of the tables.
import { expect } from 'vitest';

import type { CaptureFixture } from './capture-fixture.js';

interface Row {
  readonly id: number;
}
interface Line {
  readonly kind: 'I' | 'U' | 'D';
  readonly table: string;
  readonly n: Row | null;
  readonly o: Row | null;
}

export const emptyTables = `drop schema public cascade; create schema public; set search_path = public;
  create table docs (id int primary key, body text); create table totals (id int primary key, n int)`;

/** Runs a script as the owner and returns its lines as they are delivered, which is the same in pages of any size. */
export async function runInOrder(
  project: CaptureFixture,
  script: string,
): Promise<readonly string[]> {
  const { rows } = await project.engine.query<{ place: string }>(
    'select pg_current_snapshot()::text as place',
  );
  const place = rows[0]?.place ?? '';
  const before = await contents(project);
  await project.owner.query(script);
  const lines = await read(project, place, 1_000);
  for (const size of [1, 2, 3]) expect(await read(project, place, size)).toEqual(lines);
  expect(replayed(before, lines)).toEqual(await contents(project));
  return lines.map(({ kind, table, n, o }) => {
    const states = [o, n].filter((row) => row !== null).map((row) => Object.values(row).join(' '));
    return `${kind} ${table} ${states.join(' -> ')}`;
  });
}

async function read(
  project: CaptureFixture,
  place: string,
  size: number,
): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (let at = place; ;) {
    const { rows } = await project.engine.query<Line & { position: string | null }>(
      `select kind, tbl::regclass::text as table, n::json as n, o::json as o, position
       from realtime.read($1, null, $2, 100000000) with ordinality order by ordinality`,
      [at, size],
    );
    lines.push(
      ...rows
        .slice(0, -1)
        .map(({ kind, table, n, o }) => ({ kind, table: table.replace(/^public\./, ''), n, o })),
    );
    at = rows.at(-1)?.position ?? '';
    if (!at.includes('/')) return lines;
  }
}

type Contents = Readonly<Record<string, Row>>;

async function contents(project: CaptureFixture): Promise<Contents> {
  const { rows } = await project.owner.query<{ key: string; row: Row }>(
    `select 'docs ' || id as key, to_json(docs) as row from docs
     union all select 'totals ' || id, to_json(totals) from totals`,
  );
  return Object.fromEntries(rows.map(({ key, row }) => [key, row]));
}

function replayed(before: Contents, lines: readonly Line[]): Contents {
  const rows = new Map(Object.entries(before));
  for (const { table, n, o } of lines) {
    if (o) rows.delete(`${table} ${o.id}`);
    if (n) rows.set(`${table} ${n.id}`, n);
  }
  return Object.fromEntries(rows);
}

/** A trigger of the project with this body. */
export const trigger = (when: string, body: string, { table = 'docs', name = 'mine' } = {}) =>
  `create or replace function ${name}() returns trigger language plpgsql as $f$ begin ${body} end $f$;
  create trigger ${name} ${when} execute function ${name}();`.replaceAll('TABLE', table);

/** A trigger that changes each row that is inserted. */
export const finish = trigger(
  'after insert on TABLE for each row',
  `update docs set body = 'final' where id = new.id; return null;`,
);
