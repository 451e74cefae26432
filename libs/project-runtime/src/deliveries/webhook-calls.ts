// Calls the webhooks of buckets for what happened to files.
import type { EngineQueries } from '#libs/database';
import { describeFailure } from '#libs/errors';
import type { Deliverer } from '#libs/outbox';
import type { Outbound } from '#libs/outbound';

import { sendWebhook } from './send-webhook.js';
import type { WebhookSeal } from './webhook-seal.js';
import { findActiveWebhook, listWaitingWebhooks, turnWebhookOff } from './webhooks.sql.js';

/** With the first attempt eight in all, over a day. */
const WEBHOOK_RETRY_SECONDS = [5, 30, 120, 600, 3600, 21_600, 86_400];
const atOnce = 4;
const maxErrorLength = 500;
/** The status with which a receiver refuses a webhook for good (RFC 9110 §15.5.11). */
const gone = 410;

export interface WebhookParts {
  readonly db: EngineQueries;
  readonly outbound: Outbound;
  readonly webhookSeal: WebhookSeal;
  readonly now: () => number;
  readonly onError: (error: unknown, doing: string) => void;
}

/** Delivers messages to the webhooks that are on; the others wait. */
export function webhookDeliverer(parts: WebhookParts): Deliverer {
  const { db, webhookSeal, onError } = parts;
  return {
    retrySeconds: WEBHOOK_RETRY_SECONDS,
    atOnce,
    sources: () => listWaitingWebhooks(db),
    async deliver({ source, eventId, payload }) {
      try {
        const webhook = await findActiveWebhook(db, source);
        // It was turned off or removed in between.
        if (!webhook) return { result: 'failed', error: 'the webhook is off' };
        const { url, secret, previousSecret } = webhook;
        let secrets: readonly string[];
        try {
          const sealed = previousSecret === null ? [secret] : [secret, previousSecret];
          secrets = sealed.map((envelope) => webhookSeal.open(source, envelope));
        } catch (error) {
          onError(error, `open the secret of the webhook ${source}`);
          const text = 'the secret of the webhook cannot be opened; rotate it';
          return { result: 'failed', error: text };
        }
        // Stored by the platform as an object with fields.
        const body = `{"id":${JSON.stringify(eventId)},${payload.slice(1)}`;
        const call = { url, secrets, id: eventId, body };
        const { isDelivered, status, error, durationMs } = await sendWebhook(parts, call);
        if (status === gone) await turnWebhookOff(db, { id: source, url });
        const result = isDelivered ? 'delivered' : 'failed';
        return { result, responseStatus: status, error, durationMs };
      } catch (error) {
        const text = describeFailure(error, 'the call failed').slice(0, maxErrorLength);
        return { result: 'failed', error: text };
      }
    },
  };
}
