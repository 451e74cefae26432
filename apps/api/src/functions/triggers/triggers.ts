// Triggers: a change of a table calls a function or an address. The database captures changes for them in the
// transaction of the writer.
import { randomUUID } from 'node:crypto';

import { isExposed } from '#libs/catalog';
import type { Transaction } from '#libs/database';
import { fail } from '#libs/errors';
import { newWebhookSecret } from '#libs/outbound';
import { type DeliveryRow, listDeliveries, reviveDelivery } from '#libs/outbox';
import {
  appendAudit,
  type AuditActor,
  filterFault,
  findCapturedTable,
  type ProjectRuntime,
  queriesWithin,
} from '#libs/project-runtime';
import { isUuid } from '#libs/storage-rules';

import { checkAddress } from '../../http/check-address.js';
import type { DeliveriesQuery } from '../../http/deliveries-query.js';
import type { ChangedTriggerBody, NewTriggerBody } from './triggers.dto.js';
import {
  deleteTrigger,
  findSecret,
  findTrigger,
  insertTrigger,
  listTriggers,
  reviveAll,
  type TriggerCounts,
  triggerEvents,
  type TriggerView,
  updateTrigger,
  watchTriggers,
} from './triggers.sql.js';

const maxTriggers = 100;

export interface TriggerList {
  /** By name. */
  readonly triggers: readonly (TriggerView & TriggerCounts)[];
}

/** A trigger when it gets a secret: that is shown this once. */
export interface TriggerWithSecret extends TriggerView {
  /** `whsec_…`, as in Standard Webhooks; null if a function is called. */
  readonly secret: string | null;
}

export interface TriggerDeliveries {
  /** The latest first. */
  readonly deliveries: readonly Omit<DeliveryRow, 'source'>[];
}

export function readTriggers({ db }: ProjectRuntime): Promise<TriggerList> {
  return db.runAsEngine(async (tx) => ({ triggers: await listTriggers(tx) }));
}

/**
 * Throws INVALID_INPUT, CHANGES_NOT_CAPTURED, EDGE_FUNCTION_NOT_FOUND, OUTBOUND_REFUSED, FUNCTION_TRIGGER_EXISTS and
 * TOO_MANY_FUNCTIONS.
 */
export async function createTrigger(
  project: ProjectRuntime,
  actor: AuditActor,
  body: NewTriggerBody,
): Promise<TriggerWithSecret> {
  const { name, events = [...triggerEvents], filter = null, isActive = true } = body;
  const target = await readTarget(project, body);
  const table = await readTable(project, body.table);
  await requireFilter(project, table, filter);
  const id = randomUUID();
  const { secret, sealed } = newSecret(project, id, target.url);
  const made = await change(project, async (tx) => {
    if ((await listTriggers(tx)).length >= maxTriggers) {
      throw fail('TOO_MANY_FUNCTIONS', { limit: maxTriggers, kind: 'triggers' });
    }
    const stored = { id, name, table, events, filter, ...target, secret: sealed, isActive };
    const after = await insertTrigger(tx, stored);
    if (!after) throw fail('FUNCTION_TRIGGER_EXISTS', { name });
    await note(tx, { actor, action: 'trigger.create', id, before: null, after });
    return after;
  });
  return { ...made, secret };
}

/** Throws FUNCTION_TRIGGER_NOT_FOUND, and like {@link createTrigger}. */
export async function changeTrigger(
  project: ProjectRuntime,
  actor: AuditActor,
  { id, body }: { readonly id: string; readonly body: ChangedTriggerBody },
): Promise<TriggerWithSecret> {
  const { table, ...now } = await project.db.runAsEngine(async (tx) => ({
    ...(await getTrigger(tx, id)),
    ...(await findSecret(tx, id)),
  }));
  const hasTarget = body.function !== undefined || body.url !== undefined;
  const target = hasTarget
    ? await readTarget(project, body)
    : { function: now.function, url: now.url };
  const { filter = now.filter } = body;
  if (body.filter !== undefined) {
    await requireFilter(project, table, filter);
  }
  // An address that was not called before has not seen the secret of the other.
  const fresh = target.url === now.url ? undefined : newSecret(project, id, target.url);
  const changed = await change(project, async (tx) => {
    const before = await getTrigger(tx, id);
    const { secret } = await findSecret(tx, id);
    const { name = before.name, events = before.events, isActive = before.isActive } = body;
    const sealed = fresh ? fresh.sealed : secret;
    const next = { id, name, events, filter, ...target, secret: sealed, isActive };
    const after = await updateTrigger(tx, next);
    if (!after) throw fail('FUNCTION_TRIGGER_EXISTS', { name });
    await note(tx, { actor, action: 'trigger.update', id, before, after });
    return after;
  });
  return { ...changed, secret: fresh?.secret ?? null };
}

/** What waits for it goes with it. Throws FUNCTION_TRIGGER_NOT_FOUND. */
export async function removeTrigger(
  project: ProjectRuntime,
  actor: AuditActor,
  id: string,
): Promise<void> {
  await change(project, async (tx) => {
    const before = await getTrigger(tx, id);
    await deleteTrigger(tx, id);
    await note(tx, { actor, action: 'trigger.delete', id, before, after: null });
  });
}

/** Throws FUNCTION_TRIGGER_NOT_FOUND. */
export async function readTriggerDeliveries(
  { db }: ProjectRuntime,
  id: string,
  { status, before, limit }: DeliveriesQuery,
): Promise<TriggerDeliveries> {
  await db.runAsEngine((tx) => getTrigger(tx, id));
  const filter = { kind: 'trigger', source: id, status, beforeId: before, limit } as const;
  const rows = await listDeliveries(db, filter);
  return { deliveries: rows.map(({ source: _source, ...row }) => row) };
}

/**
 * Sends a delivery again whose attempts have all failed, or with `all` each of the trigger. Returns how many. Throws
 * FUNCTION_TRIGGER_NOT_FOUND and HOOK_DELIVERY_NOT_FOUND.
 */
export async function retryDeliveries(
  project: ProjectRuntime,
  actor: AuditActor,
  { id, delivery }: { readonly id: string; readonly delivery: string },
): Promise<{ readonly retried: number }> {
  const { db, deliveries, deps } = project;
  await deps.noteDeliveries(project.record.ref, 0);
  const retried = await db.runAsEngine(async (tx) => {
    await getTrigger(tx, id);
    const count = delivery === 'all' ? await reviveAll(tx, id) : await reviveOne(tx, id, delivery);
    const after = { delivery, retried: count };
    await appendAudit(tx, { actor, action: 'trigger.retry', target: id, before: null, after });
    return count;
  });
  deliveries.schedule();
  return { retried };
}

async function reviveOne(tx: Transaction, source: string, id: string): Promise<number> {
  const isId = /^\d{1,18}$/.test(id);
  if (!isId || !(await reviveDelivery(queriesWithin(tx), { kind: 'trigger', source, id }))) {
    throw fail('HOOK_DELIVERY_NOT_FOUND');
  }
  return 1;
}

/** Runs a change, and has the database capture what the triggers are then about. */
async function change<T>(
  project: ProjectRuntime,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { db, deliveries, deps, record } = project;
  await deps.noteDeliveries(record.ref, 0);
  const value = await db.runAsEngine(async (tx) => {
    const result = await work(tx);
    await watchTriggers(tx);
    return result;
  });
  deliveries.triggersChanged();
  deliveries.schedule();
  return value;
}

interface Target {
  readonly function: string | null;
  readonly url: string | null;
}

async function readTarget(
  { deps, functions }: ProjectRuntime,
  body: Pick<ChangedTriggerBody, 'function' | 'url'>,
): Promise<Target> {
  const { function: slug = null, url = null } = body;
  if ((slug === null) === (url === null)) {
    throw fail('INVALID_INPUT', { field: 'function', reason: 'give either function or url' });
  }
  if (url !== null) await checkAddress(deps.outbound, url);
  if (slug !== null && !(await functions.findBySlug(slug))) {
    throw fail('EDGE_FUNCTION_NOT_FOUND', { slug });
  }
  return { function: slug, url };
}

async function readTable({ db }: ProjectRuntime, table: string): Promise<number> {
  const found = isExposed(table) ? await findCapturedTable(db, table) : undefined;
  if (found === undefined) throw fail('CHANGES_NOT_CAPTURED', { table });
  return found;
}

async function requireFilter(
  { db }: ProjectRuntime,
  table: number,
  filter: string | null,
): Promise<void> {
  if (filter === null) return;
  const reason = await filterFault(db, { table, filter });
  if (reason !== undefined) throw fail('INVALID_INPUT', { field: 'filter', reason });
}

function newSecret(project: ProjectRuntime, id: string, url: string | null) {
  if (url === null) return { secret: null, sealed: null };
  const secret = newWebhookSecret();
  return { secret, sealed: project.triggerSeal.close(id, secret) };
}

async function getTrigger(tx: Transaction, id: string): Promise<TriggerView> {
  const found = isUuid(id) ? await findTrigger(tx, id) : undefined;
  if (!found) throw fail('FUNCTION_TRIGGER_NOT_FOUND');
  return found;
}

interface Entry {
  readonly actor: AuditActor;
  readonly action: string;
  readonly id: string;
  readonly before: TriggerView | null;
  readonly after: TriggerView | null;
}

function note(tx: Transaction, { id: target, ...entry }: Entry): Promise<void> {
  return appendAudit(tx, { target, ...entry });
}
