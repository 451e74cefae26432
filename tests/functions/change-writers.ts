// Clients that change rows of the table `items` until they are stopped, and note the changes that were acknowledged. The
// database counts the versions of a row, so that several clients may change it.
import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

import { Chance } from '../soak/chance.js';
import { asRecord } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';

export const itemsSql = `
create table public.items (id text primary key, version int not null default 0, note text not null);
create function public.next_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
create trigger next_version before update on public.items
  for each row execute function public.next_version();`;

/** In rows that are never committed. */
export const undone = 'undone';
/** Of a deleted row; it comes after all others. */
export const deletedVersion = 1_000_000;
/** A client whose request has failed rests: the server may be away. */
const restMs = 50;

export interface Change {
  readonly id: string;
  readonly version: number;
}

export const keyOf = ({ id, version }: Change): string => `${id} ${version}`;

export class ChangeWriters {
  /** Keys of the changes that were acknowledged. */
  readonly acknowledged = new Set<string>();
  /** Ids of users whose sign-up was acknowledged. */
  readonly users = new Set<string>();
  /** Requests that were refused or had no answer. */
  refused = 0;
  /** Requests and transactions that were rolled back. */
  undone = 0;
  readonly #live: string[] = [];
  readonly #chance: Chance;
  #count = 0;
  #isOver = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly project: ProjectUnderTest,
    private readonly options: {
      readonly seed: number;
      /** Of the superuser. */
      readonly connectionString: () => Promise<string>;
      readonly mayWrite: () => boolean;
    },
  ) {
    this.#chance = new Chance(options.seed);
  }

  start(count: number): void {
    const clients = Array.from({ length: count }, () => this.#repeat(() => this.#write()));
    const signUps = this.#repeat(() => this.#signUp());
    this.#running = Promise.all([...clients, signUps, this.#writeDirectly()]);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      if (!this.options.mayWrite()) await delay(restMs);
      else await work().catch(() => this.#fail());
    }
  }

  async #fail(): Promise<void> {
    this.refused += 1;
    await delay(restMs);
  }

  #newId(): string {
    this.#count += 1;
    return `row-${this.#count}`;
  }

  #acknowledge(id: string, version: number): void {
    this.acknowledged.add(keyOf({ id, version }));
  }

  async #write(): Promise<void> {
    const kind = this.#chance.weighted({ insert: 3, update: 5, remove: 1, refuse: 1, undo: 1 });
    const id = this.#chance.pick(this.#live);
    if (id === undefined || kind === 'insert') return this.#insert();
    const path = `/api/rest/v1/items?id=eq.${id}`;
    switch (kind) {
      case 'update': {
        const body = { note: 'changed' };
        for (const version of await this.#changed({ method: 'PATCH', path, body })) {
          this.#acknowledge(id, version);
        }
        return;
      }
      case 'remove': {
        this.#forget(id);
        const rows = await this.#changed({ method: 'DELETE', path });
        if (rows.length > 0) this.#acknowledge(id, deletedVersion);
        return;
      }
      case 'refuse': {
        // The second row has the key of the first.
        const row = { id: this.#newId(), note: undone };
        await this.#send({ method: 'POST', path: '/api/rest/v1/items', body: [row, row] });
        this.undone += 1;
        return;
      }
      case 'undo': {
        const query = `update items set note = '${undone}' where id = '${id}'; select 1 / 0`;
        await this.#send({ method: 'POST', path: '/api/admin/sql', body: { query } });
        this.undone += 1;
      }
    }
  }

  async #insert(): Promise<void> {
    const id = this.#newId();
    const body = { id, note: 'new' };
    const { status } = await this.#send({ method: 'POST', path: '/api/rest/v1/items', body });
    if (status !== 201) return this.#fail();
    this.#acknowledge(id, 0);
    this.#live.push(id);
  }

  #forget(id: string): void {
    const place = this.#live.indexOf(id);
    if (place >= 0) this.#live.splice(place, 1);
  }

  #send(call: Call): Promise<Reply> {
    return this.project.asService(call);
  }

  /** The versions of the rows that a request has changed. */
  async #changed(call: Call): Promise<readonly number[]> {
    const reply = await this.#send({ ...call, headers: { prefer: 'return=representation' } });
    if (reply.status !== 200 || !Array.isArray(reply.body)) throw new Error(reply.text);
    return reply.body.map((row) => Number(asRecord(row)['version']));
  }

  async #signUp(): Promise<void> {
    this.#count += 1;
    const user = await this.project.signUp(`user-${this.#count}@example.org`);
    this.users.add(user.id);
  }

  /** Over a connection to the database, of whose changes the server is not notified. */
  async #writeDirectly(): Promise<void> {
    const client = new pg.Client({ connectionString: await this.options.connectionString() });
    await client.connect();
    const update = 'update public.items set note = $2 where id = $1 returning version';
    await this.#repeat(async () => {
      const own = this.#newId();
      await client.query(`insert into public.items (id, note) values ($1, 'direct')`, [own]);
      this.#acknowledge(own, 0);
      const id = this.#chance.pick(this.#live) ?? own;
      await client.query('begin');
      await client.query(update, [id, undone]);
      await client.query('rollback');
      const { rows } = await client.query<{ version: number }>(update, [id, 'direct']);
      for (const { version } of rows) this.#acknowledge(id, version);
      this.undone += 1;
      await delay(restMs);
    });
    await client.end();
  }
}
