// What capturing changes costs a write: the same inserts into a table without changes, one whose changes are
// captured, and one whose changes no client asks for, in turn on one connection.

import type { Client } from 'pg';
import { findPgbench, pgbenchScriptRate } from '../pgbench.js';
import { median, type Measurement } from '../rate-book.js';
import type { CheckedSeries } from '../storage/place.js';
import {
  BULK_CAPTURED,
  BULK_PLAIN,
  BULK_QUIET,
  CROWDED_CAPTURED,
  CROWDED_PLAIN,
  ROW_CAPTURED,
  ROW_PLAIN,
  ROW_QUIET,
} from './demands.js';
import { measuredTogether, type RealtimePlace, timesMeasured } from './place.js';
import { CAPTURED, findQuietTable, openGate, PLAIN } from './tables.js';

const BODY = 'x'.repeat(280);
const SINGLE_ROWS = 400;
const BULK_ROWS = 1_000;
const BULKS = 25;
/** Before any is timed: statements are planned and caches are filled. */
const WARM_UPS = 10;

interface Tables {
  readonly plain: string;
  readonly captured: string;
  readonly quiet: string;
}
type Which = keyof Tables;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Does the work on each table in turn and gives the times of each. */
async function inTurn(
  tables: Tables,
  times: number,
  work: (table: string) => Promise<unknown>,
): Promise<Readonly<Record<Which, Measurement>>> {
  const taken: Record<Which, number[]> = { plain: [], captured: [], quiet: [] };
  // What Object.entries gives are the names of the record.
  const entries = Object.entries(tables) as [Which, string][];
  for (let round = -WARM_UPS; round < times; round += 1) {
    for (const [which, table] of entries) {
      const ms = await timed(() => work(table));
      if (round >= 0) taken[which].push(ms);
    }
  }
  return {
    plain: timesMeasured(taken.plain),
    captured: timesMeasured(taken.captured),
    quiet: timesMeasured(taken.quiet),
  };
}

function insertOne(client: Client): (table: string) => Promise<unknown> {
  return (table) =>
    client.query({
      name: `one ${table}`,
      text: `insert into public.${table} (body) values ($1)`,
      values: [BODY],
    });
}

function insertMany(client: Client): (table: string) => Promise<unknown> {
  return (table) =>
    client.query({
      name: `many ${table}`,
      text: `insert into public.${table} (body) select $1 from generate_series(1, $2::integer)`,
      values: [BODY, BULK_ROWS],
    });
}

async function linesOf(client: Client, work: () => Promise<unknown>): Promise<number> {
  const count = async (): Promise<number> => {
    const { rows } = await client.query<{ lines: string }>(
      'select count(*) as lines from realtime.outbox',
    );
    return Number(rows[0]?.lines);
  };
  const before = await count();
  await work();
  return (await count()) - before;
}

/** Why a table is not captured as it should be; undefined if all are. */
async function faultOf(client: Client, tables: Tables): Promise<string | undefined> {
  await openGate(client);
  const wanted: Readonly<Record<Which, number>> = { plain: 0, captured: 1, quiet: 0 };
  for (const [which, table] of Object.entries(tables) as [Which, string][]) {
    const lines = await linesOf(client, () => insertOne(client)(table));
    if (lines !== wanted[which]) return `an insert into ${table} made ${String(lines)} lines`;
  }
  return undefined;
}

function singleSeries({ writer }: RealtimePlace, tables: Tables): CheckedSeries[] {
  return measuredTogether(
    { plain: ROW_PLAIN, captured: ROW_CAPTURED, quiet: ROW_QUIET },
    () => inTurn(tables, SINGLE_ROWS, insertOne(writer)),
    () => faultOf(writer, tables),
  );
}

function bulkSeries({ writer }: RealtimePlace, tables: Tables): CheckedSeries[] {
  return measuredTogether(
    { plain: BULK_PLAIN, captured: BULK_CAPTURED, quiet: BULK_QUIET },
    () => inTurn(tables, BULKS, insertMany(writer)),
    () => faultOf(writer, tables),
  );
}

/** Many clients at once, by pgbench: the tables in turn, twice, in short runs. */
function crowdedSeries(place: RealtimePlace): CheckedSeries[] {
  const { site, login, by, searchPath } = place;
  const target = { ...site.address, ...login };
  const rateOf = async (table: string): Promise<number> => {
    const pgbench = await findPgbench(searchPath);
    if (pgbench === undefined) throw new Error('pgbench is not installed');
    const script = `insert into public.${table} (body) values ('${BODY}');\n`;
    const clients = CROWDED_PLAIN.connections;
    return pgbenchScriptRate(pgbench, target, { script, clients, seconds: by.seconds });
  };
  return measuredTogether(
    { plain: CROWDED_PLAIN, captured: CROWDED_CAPTURED },
    async () => {
      const rates: Record<'plain' | 'captured', number[]> = { plain: [], captured: [] };
      for (let turn = 0; turn < 2; turn += 1) {
        rates.plain.push(await rateOf(PLAIN));
        rates.captured.push(await rateOf(CAPTURED));
      }
      return {
        plain: { perSecond: median(rates.plain) ?? 0 },
        captured: { perSecond: median(rates.captured) ?? 0 },
      };
    },
    () => openGate(place.writer).then(() => undefined),
  );
}

export async function openCapture(place: RealtimePlace): Promise<CheckedSeries[]> {
  const quiet = await findQuietTable(place.writer);
  const tables: Tables = { plain: PLAIN, captured: CAPTURED, quiet };
  return [...singleSeries(place, tables), ...bulkSeries(place, tables), ...crowdedSeries(place)];
}
