// Transactions that change rows at a given rate until they are stopped, over connections of their own: some are rolled
// back, some in part, and each rests before its end.
import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

import type { Chance } from '../soak/chance.js';

export const rowCount = 200;
/** Every so many versions a row is hidden from its owner. */
export const hiddenEach = 5;

/** Rows of two owners, whose policies show an owner the versions that are not hidden. */
export const tablesOf = (owners: readonly [string, string]): string => `
create table public.counters (id int primary key, owner text not null, version int not null default 0,
  hidden boolean not null default false);
create table public.entries (id bigint generated always as identity primary key, owner text not null,
  hidden boolean not null default false);
create policy own on public.counters for select to authenticated
  using (owner = (select auth.uid()) and not hidden);
create policy own on public.entries for select to authenticated
  using (owner = (select auth.uid()) and not hidden);
insert into public.counters (id, owner)
  select id, (array['${owners[0]}', '${owners[1]}'])[1 + id % 2] from generate_series(1, ${rowCount}) as id;`;

const updateSql = `update public.counters set version = version + 1, hidden = (version + 1) % ${hiddenEach} = 0
  where id = $1`;
const insertSql = `insert into public.entries (owner, hidden)
  select owner, $2 from public.counters where id = $1`;

const longestRestMs = 20;
const reconnectMs = 200;

export interface WritersOptions {
  readonly connectionString: () => Promise<string>;
  readonly chance: Chance;
  /** Rows a second of all writers. */
  readonly perSecond: number;
  /** Whether the readers are near enough for more rows. */
  readonly mayWrite: () => boolean;
}

export class RowWriters {
  /** Rows that were written, also in transactions that were rolled back. */
  written = 0;
  /** Transactions that broke, as when the database went away. */
  broken = 0;
  #nextAt = 0;
  #isOver = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: WritersOptions) {}

  start(writers: number): void {
    this.#running = Promise.all(Array.from({ length: writers }, () => this.#work()));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #work(): Promise<void> {
    let client: pg.Client | undefined;
    while (!this.#isOver) {
      const ids = this.#chooseRows();
      if (!(await this.#turn(ids.length))) continue;
      try {
        client ??= await this.#connect();
        await this.#write(client, ids);
      } catch {
        // The database is away, or has ended the transaction.
        this.broken += 1;
        await client?.end().catch(() => undefined);
        client = undefined;
        await delay(reconnectMs);
      }
    }
    await client?.end();
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: await this.options.connectionString() });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** Waits until these rows may be written. Returns false if none may now. */
  async #turn(rows: number): Promise<boolean> {
    if (!this.options.mayWrite()) {
      await delay(longestRestMs);
      return false;
    }
    const now = performance.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + (rows * 1000) / this.options.perSecond;
    if (at > now) await delay(at - now);
    return true;
  }

  /** Rows in their order, so that writers do not wait in a circle. */
  #chooseRows(): readonly number[] {
    const { chance } = this.options;
    const ids = Array.from({ length: 1 + chance.below(3) }, () => 1 + chance.below(rowCount));
    return ids.sort((a, b) => a - b);
  }

  async #write(client: pg.Client, ids: readonly number[]): Promise<void> {
    const { chance } = this.options;
    await client.query('begin');
    for (const [place, id] of ids.entries()) {
      await client.query(`savepoint s${place}`);
      if (chance.is(70)) await client.query(updateSql, [id]);
      else await client.query(insertSql, [id, chance.is(20)]);
      if (chance.is(15)) await client.query(`rollback to s${place}`);
      this.written += 1;
    }
    await delay(chance.below(longestRestMs));
    await client.query(chance.is(14) ? 'rollback' : 'commit');
  }
}
