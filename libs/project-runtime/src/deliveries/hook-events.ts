import { deliverEvent, type HookCaller, type HookMessage } from '#libs/hooks';
import type { Deliverer } from '#libs/outbox';

/** With the first attempt eight in all, over a day. */
const EVENT_RETRY_SECONDS = [10, 60, 300, 1800, 7200, 21_600, 43_200];
const atOnce = 10;

/** Delivers events to the hook of the current settings; while it is off they wait. */
export function hookDeliverer(caller: () => HookCaller): Deliverer {
  return {
    retrySeconds: EVENT_RETRY_SECONDS,
    atOnce,
    sources: () => {
      const { settings, callEdgeFunction } = caller();
      const { enabled, target } = settings.events;
      const canCall = target !== 'edge' || callEdgeFunction !== undefined;
      return Promise.resolve(enabled && canCall ? ['events'] : []);
    },
    async deliver({ payload }) {
      // Stored by the platform in this form.
      const message = JSON.parse(payload) as HookMessage;
      const { error, status, durationMs, target } = await deliverEvent(caller(), message);
      const result = error === undefined ? 'delivered' : 'failed';
      return { result, error, responseStatus: status, durationMs, target };
    },
  };
}
