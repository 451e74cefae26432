// Calls the functions of schedules for the runs that wait. A run has one attempt: the next tick comes anyway.
import type { ProjectDatabase } from '#libs/database';
import { describeFailure } from '#libs/errors';
import type { Deliverer } from '#libs/outbox';

import type { CallFunction } from '../functions/call-function.js';
import { findScheduledFunction, listWaitingSchedules } from './triggers.sql.js';

const atOnce = 4;
const maxErrorLength = 500;

export interface ScheduleParts {
  readonly db: ProjectDatabase;
  readonly callFunction: CallFunction;
  readonly now: () => number;
}

export function scheduleDeliverer({ db, callFunction, now }: ScheduleParts): Deliverer {
  return {
    retrySeconds: [],
    atOnce,
    sources: () => listWaitingSchedules(db),
    async deliver({ source, eventId, payload }, signal) {
      const startedAt = now();
      try {
        const name = await findScheduledFunction(db, source);
        if (name === undefined) return { result: 'unwanted' };
        const call = { via: 'schedule', body: payload, deliveryId: eventId, signal } as const;
        const { status } = await callFunction(name, call);
        const isDelivered = status >= 200 && status <= 299;
        return {
          result: isDelivered ? 'delivered' : 'failed',
          responseStatus: status,
          durationMs: Math.max(0, Math.round(now() - startedAt)),
          target: name,
          ...(!isDelivered && { error: `the function answered with status ${status}` }),
        };
      } catch (error) {
        const text = describeFailure(error, 'the call failed').slice(0, maxErrorLength);
        return { result: 'failed', error: text };
      }
    },
  };
}
