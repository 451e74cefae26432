// Calls what a trigger names, for each change of its table that matches its filter.
import type { EngineQueries, ProjectDatabase } from '#libs/database';
import { describeFailure } from '#libs/errors';
import type { Deliverer, Outcome, TakenDelivery } from '#libs/outbox';
import type { Outbound } from '#libs/outbound';
import { Visibility } from '#libs/realtime';
import { parseChangeFilter } from '#libs/realtime-core';

import type { CallFunction } from '../functions/call-function.js';
import type { ActiveTriggers } from './active-triggers.js';
import { sendWebhook } from './send-webhook.js';
import type { TriggerSeal } from './trigger-seal.js';
import { type ActiveTrigger, findChange } from './triggers.sql.js';

/** With the first attempt nine in all, over a day. */
const TRIGGER_RETRY_SECONDS = [5, 30, 120, 600, 1800, 7200, 21_600, 54_000];
const atOnce = 8;
const maxErrorLength = 500;

export interface TriggerParts {
  readonly db: ProjectDatabase;
  readonly triggers: ActiveTriggers;
  readonly outbound: Outbound;
  readonly callFunction: CallFunction;
  readonly seal: TriggerSeal;
  readonly now: () => number;
}

/** Delivers captured changes to the function or the address of their trigger; while it is off they wait. */
export function triggerDeliverer(parts: TriggerParts): Deliverer {
  const visibility = new Visibility(parts.db);
  return {
    retrySeconds: TRIGGER_RETRY_SECONDS,
    atOnce,
    sources: async () => [...(await parts.triggers.read()).keys()],
    async deliver(delivery, signal) {
      try {
        const trigger = (await parts.triggers.read()).get(delivery.source);
        // It was turned off or removed in between.
        if (!trigger) return { result: 'failed', error: 'the trigger is off' };
        const refusal = await refusalOf(parts.db, visibility, { trigger, delivery });
        if (refusal) return refusal;
        return await (trigger.function === null
          ? callAddress(parts, trigger, delivery)
          : callNamed(parts, { name: trigger.function, delivery, signal }));
      } catch (error) {
        return {
          result: 'failed',
          error: describeFailure(error, 'the call failed').slice(0, maxErrorLength),
        };
      }
    },
  };
}

/** Why a change is not delivered now; undefined if it is. Changes that were cut to their keys are delivered. */
async function refusalOf(
  db: EngineQueries,
  visibility: Visibility,
  { trigger, delivery }: { readonly trigger: ActiveTrigger; readonly delivery: TakenDelivery },
): Promise<Outcome | undefined> {
  const { filter, table } = trigger;
  if (filter === null) return undefined;
  const change = await findChange(db, delivery.id);
  if (!change || change.isCut) return undefined;
  const verdict = await visibility.decide({
    table,
    role: 'service_role',
    changes: [{ ...change, seq: '0', txid: '0', table, at: '' }],
    audiences: [],
    filters: [parseChangeFilter(filter, 'filter')],
  });
  if (verdict.isLocked) return { result: 'failed', error: 'the table is locked' };
  const error = verdict.filterErrors.get(0);
  if (error) return { result: 'failed', error: `the filter failed: ${error.message}` };
  if (verdict.hasGap) return verdict.table ? undefined : { result: 'unwanted' };
  return verdict.filterMatches[0] === '1' ? undefined : { result: 'unwanted' };
}

/** The change as JSON, with the id by which receivers know what they have seen. */
function bodyOf({ eventId, payload }: TakenDelivery): string {
  // Rows stay text, so that numbers keep their digits.
  return `{"id":${JSON.stringify(eventId)},${payload.slice(1)}`;
}

async function callAddress(
  parts: TriggerParts,
  { id, url, secret }: ActiveTrigger,
  delivery: TakenDelivery,
): Promise<Outcome> {
  if (url === null || secret === null) return { result: 'failed', error: 'it has no address' };
  const opened = parts.seal.open(id, secret);
  if (opened === undefined) {
    return { result: 'failed', error: 'the secret cannot be opened; set the address again' };
  }
  const call = { url, secrets: [opened], id: delivery.eventId, body: bodyOf(delivery) };
  const { isDelivered, status, error, durationMs } = await sendWebhook(parts, call);
  const result = isDelivered ? 'delivered' : 'failed';
  return { result, responseStatus: status, error, durationMs };
}

async function callNamed(
  { callFunction, now }: TriggerParts,
  {
    name,
    delivery,
    signal,
  }: { readonly name: string; readonly delivery: TakenDelivery; readonly signal: AbortSignal },
): Promise<Outcome> {
  const startedAt = now();
  const { status } = await callFunction(name, {
    via: 'trigger',
    body: bodyOf(delivery),
    deliveryId: delivery.eventId,
    signal,
  });
  const isDelivered = status >= 200 && status <= 299;
  return {
    result: isDelivered ? 'delivered' : 'failed',
    responseStatus: status,
    durationMs: Math.max(0, Math.round(now() - startedAt)),
    ...(!isDelivered && { error: `the function answered with status ${status}` }),
  };
}
