// The statements of the feed. They run as the engine, in sessions where no code of the project runs.

import type { RealtimeDatabase } from '../ports.js';
import type { CursorPosition, Epoch } from './cursor.js';
import { type Line, lineOf, type LineRow } from './lines.js';

type Queries = Pick<RealtimeDatabase, 'queryAsEngine'>;

export interface PageLimits {
  readonly maxLines: number;
  readonly maxBytes: number;
}

export type Page =
  | { readonly kind: 'lines'; readonly lines: readonly Line[]; readonly position: string }
  /** Lines after the position are missing, or it is of another run of the server. */
  | { readonly kind: 'lost' };

/** The longest rows that capture writes, before and after a change together; bytes. Messages of SQL are shorter. */
const maxLineBytes = 2 * 1024 * 1024;

/**
 * Every role of the project may add lines to the outbox: longer ones than the platform, and compressed ones, which it
 * never writes and `realtime.read` counts by their compressed length. Only a page with such lines is longer than it may
 * be, so that only there each line is looked at.
 *
 * A page goes towards a position of `realtime.current_position`: numbers above it may be lost in a crash.
 */
const readLines = `
select seq, txid, case when is_sent then kind end as kind, tbl, case when is_sent then n end as n,
  case when is_sent then o end as o, is_cut, at, "position"
from (
  select measured.*, case
    when bytes > ${maxLineBytes} then false
    when page_bytes <= $4::pg_catalog.int8 + ${maxLineBytes} then true
    else not exists (
      select from realtime.outbox stored
      where stored.txid = measured.txid and stored.seq = measured.seq and (
        pg_catalog.pg_column_compression(stored.n) is not null or pg_catalog.pg_column_compression(stored.o) is not null
      )
    ) end as is_sent
  from (
    select lines.*, bytes, pg_catalog.sum(least(bytes, ${maxLineBytes})) over () as page_bytes
    from realtime.run
    cross join lateral realtime.read(
      case when pg_catalog.strpos($1, '/') > 0 then $1
        else pg_catalog.concat($1::pg_catalog.text, '/', realtime.current_position(), '/0') end,
      $2, $3, $4
    ) with ordinality lines
    cross join lateral (
      select coalesce(pg_catalog.octet_length(n), 0) + coalesce(pg_catalog.octet_length(o), 0) as bytes
    ) length
    where run.id = $5::pg_catalog.uuid and run.place = run.tableoid
  ) measured
) page
order by ordinality`;

/**
 * Reads the lines after a position; `tables` restricts them to changes of these. Lines that only code of the project can
 * have written are left out.
 */
export async function readPage(
  db: Queries,
  { position, run }: { readonly position: string; readonly run: string },
  { maxLines, maxBytes }: PageLimits,
  tables: readonly number[] | null = null,
): Promise<Page> {
  const rows = await db.queryAsEngine<LineRow & { readonly position: string | null }>(readLines, [
    position,
    tables,
    maxLines,
    maxBytes,
    run,
  ]);
  const next = rows.at(-1)?.position;
  if (typeof next !== 'string') return { kind: 'lost' };
  const lines: Line[] = [];
  for (const row of rows.slice(0, -1)) {
    const line = lineOf(row);
    if (line) lines.push(line);
  }
  return { kind: 'lines', lines, position: next };
}

/** Opens the gate for bits. Returns by bit the transaction that opened it. */
export async function openGate(
  db: Queries,
  bits: readonly number[],
  { node, seconds }: { readonly node: string; readonly seconds: number },
): Promise<ReadonlyMap<number, string>> {
  const rows = await db.queryAsEngine<{ bit: number; txid: string }>(
    'select bit, txid from realtime.open($1, $2, $3)',
    [bits, node, seconds],
  );
  return new Map(rows.map(({ bit, txid }) => [bit, txid]));
}

/** The current position, and the transactions of this database that are still running. */
export async function readPosition(
  db: Queries,
): Promise<{ readonly position: string; readonly running: string }> {
  const [row] = await db.queryAsEngine<{ position: string; running: string }>(
    `select realtime.current_position() as "position", pg_catalog.rowhouse_running(
      array(select pg_catalog.pg_snapshot_xip(pg_catalog.pg_current_snapshot()))
    )::pg_catalog.text as running`,
  );
  return row ?? { position: '', running: '{}' };
}

/** Those of the transactions that are still running, in the same form. */
export async function stillRunning(db: Queries, txids: string): Promise<string> {
  const [row] = await db.queryAsEngine<{ running: string }>(
    'select pg_catalog.rowhouse_running($1::pg_catalog.xid8[])::pg_catalog.text as running',
    [txids],
  );
  return row?.running ?? '{}';
}

/** Begins another run if `realtime.run` is empty, as after a crash. */
export async function readEpoch(db: Queries): Promise<Epoch> {
  const [row] = await db.queryAsEngine<Epoch>(
    'select realtime.run_id()::pg_catalog.text as run, realtime.epoch() as outbox',
  );
  if (!row) throw new Error('realtime.epoch() has no row');
  return row;
}

/** Whether a position of another run is also one of the current run. */
export async function outlives(
  db: Queries,
  { position, runPrefix }: CursorPosition,
): Promise<boolean> {
  const [row] = await db.queryAsEngine<{ outlives: boolean }>(
    'select realtime.outlives($1, $2) as outlives',
    [position, runPrefix],
  );
  return row?.outlives ?? false;
}

/** Deletes at most so many lines that are too old for clients that come back. Returns how many. */
export async function trimOutbox(db: Queries, maxLines: number): Promise<number> {
  const [row] = await db.queryAsEngine<{ deleted: number }>(
    'select realtime.trim_outbox($1) as deleted',
    [maxLines],
  );
  return row?.deleted ?? 0;
}
