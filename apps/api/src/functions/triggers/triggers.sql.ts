import type { Transaction } from '#libs/database';
import { dropSource } from '#libs/outbox';
import { queriesWithin } from '#libs/project-runtime';

export const triggerEvents = ['INSERT', 'UPDATE', 'DELETE'] as const;
export type TriggerEvent = (typeof triggerEvents)[number];

/** A trigger without the secret of its signature. */
export interface TriggerView {
  readonly id: string;
  readonly name: string;
  /** Of the schema public; null: the table is gone. */
  readonly table: string | null;
  readonly events: readonly TriggerEvent[];
  /** As in channels, such as `status=eq.paid`; null: every change. */
  readonly filter: string | null;
  /** The slug of the function that is called; null: an address is. */
  readonly function: string | null;
  readonly url: string | null;
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What is waiting and what has failed for good. */
export interface TriggerCounts {
  readonly pending: number;
  readonly dead: number;
}

const fields = `t.id::pg_catalog.text, t.name,
  (select c.relname::pg_catalog.text from pg_catalog.pg_class c where c.oid = t.tbl) as table,
  t.events, t.filter, t.function, t.url, t.is_active as "isActive",
  t.created_at as "createdAt", t.updated_at as "updatedAt"`;

/** By name. */
export async function listTriggers(tx: Transaction): Promise<(TriggerView & TriggerCounts)[]> {
  const { rows } = await tx.query<TriggerView & TriggerCounts>(
    `select ${fields}, counts.* from platform.edge_triggers t
     cross join lateral (
       select pg_catalog.count(*) filter (where status = 'pending')::pg_catalog.int4 as pending,
         pg_catalog.count(*) filter (where status = 'dead')::pg_catalog.int4 as dead
       from platform.outbox where kind = 'trigger' and source = t.id::pg_catalog.text
     ) counts
     order by t.name`,
  );
  return rows;
}

export async function findTrigger(tx: Transaction, id: string): Promise<TriggerView | undefined> {
  const { rows } = await tx.query<TriggerView>(
    `select ${fields} from platform.edge_triggers t where t.id = $1::pg_catalog.uuid for update`,
    [id],
  );
  return rows[0];
}

export interface StoredTrigger {
  readonly id: string;
  readonly name: string;
  /** The oid. */
  readonly table: number;
  readonly events: readonly TriggerEvent[];
  readonly filter: string | null;
  readonly function: string | null;
  readonly url: string | null;
  /** Sealed. */
  readonly secret: string | null;
  readonly isActive: boolean;
}

/** Undefined if another trigger has the name. */
export async function insertTrigger(
  tx: Transaction,
  trigger: StoredTrigger,
): Promise<TriggerView | undefined> {
  const { rows } = await tx.query<TriggerView>(
    `insert into platform.edge_triggers as t (id, name, tbl, events, filter, function, url, secret, is_active)
     values ($1, $2, $3::pg_catalog.oid, $4, $5, $6, $7, $8, $9)
     on conflict (name) do nothing returning ${fields}`,
    valuesOf(trigger),
  );
  return rows[0];
}

export async function updateTrigger(
  tx: Transaction,
  trigger: Omit<StoredTrigger, 'table'>,
): Promise<TriggerView | undefined> {
  const { id, name, events, filter, function: slug, url, secret, isActive } = trigger;
  const { rows } = await tx.query<TriggerView>(
    `update platform.edge_triggers t
     set name = $2, events = $3, filter = $4, function = $5, url = $6, secret = $7, is_active = $8,
       updated_at = pg_catalog.now()
     where id = $1 and not exists (
       select from platform.edge_triggers other where other.name = $2 and other.id <> $1
     ) returning ${fields}`,
    [id, name, [...events], filter, slug, url, secret, isActive],
  );
  return rows[0];
}

const valuesOf = (trigger: StoredTrigger): unknown[] => [
  trigger.id,
  trigger.name,
  trigger.table,
  [...trigger.events],
  trigger.filter,
  trigger.function,
  trigger.url,
  trigger.secret,
  trigger.isActive,
];

/** Sealed; null if it calls a function. */
export async function findSecret(
  tx: Transaction,
  id: string,
): Promise<{ readonly table: number; readonly secret: string | null }> {
  const { rows } = await tx.query<{ readonly table: number; readonly secret: string | null }>(
    `select tbl::pg_catalog.oid as table, secret from platform.edge_triggers
     where id = $1::pg_catalog.uuid`,
    [id],
  );
  return rows[0] ?? { table: 0, secret: null };
}

export async function deleteTrigger(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from platform.edge_triggers where id = $1::pg_catalog.uuid', [id]);
  await dropSource(queriesWithin(tx), 'trigger', id);
}

/** Captures what the active triggers are about, and nothing for those that are gone. */
export async function watchTriggers(tx: Transaction): Promise<void> {
  await tx.query('select platform.watch_triggers()');
}

/** Gives all dead deliveries of a trigger their attempts again. Returns how many. */
export async function reviveAll(tx: Transaction, id: string): Promise<number> {
  const { rows } = await tx.query(
    `update platform.outbox set status = 'pending', attempts = 0, next_attempt_at = pg_catalog.now()
     where kind = 'trigger' and source = $1 and status = 'dead' returning 1 as revived`,
    [id],
  );
  return rows.length;
}
