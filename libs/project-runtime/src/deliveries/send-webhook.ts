// One call of a webhook, signed by Standard Webhooks 1.0. It always returns an outcome.
import { describeFailure } from '#libs/errors';
import { type Outbound, signWebhook } from '#libs/outbound';

const timeoutMs = 10_000;
/** The maximum answer of a receiver; its content is discarded. */
const maxAnswerBytes = 128 * 1024;
const maxErrorLength = 500;

export interface WebhookCall {
  readonly url: string;
  /** All secrets that the receiver may know: it accepts a message that is signed with one of them. */
  readonly secrets: readonly string[];
  /** The same for every try of one delivery. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

/** The outcome of a call. */
export interface WebhookOutcome {
  readonly isDelivered: boolean;
  /** Status of the answer; undefined if there was none. */
  readonly status: number | undefined;
  /** Undefined if it was delivered. */
  readonly error: string | undefined;
  readonly durationMs: number;
}

/** Sends a body. Any status from 200 to 299 counts as delivered. */
export async function sendWebhook(
  { outbound, now }: { readonly outbound: Outbound; readonly now: () => number },
  { url, secrets, id, body }: WebhookCall,
): Promise<WebhookOutcome> {
  const startedAt = now();
  const outcome = (status: number | undefined, error: string | undefined): WebhookOutcome => ({
    isDelivered: error === undefined,
    status,
    error,
    durationMs: Math.max(0, Math.round(now() - startedAt)),
  });
  try {
    const { status } = await outbound({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...signatures(secrets, { id, body, startedAt }),
      },
      body,
      timeoutMs,
      maxBytes: maxAnswerBytes,
    });
    const isDelivered = status >= 200 && status <= 299;
    return outcome(status, isDelivered ? undefined : `the receiver answered with status ${status}`);
  } catch (error) {
    // A call to a foreign server may fail in any way; the outcome contains the reason.
    return outcome(undefined, describeFailure(error, 'the call failed').slice(0, maxErrorLength));
  }
}

function signatures(
  secrets: readonly string[],
  {
    id,
    body,
    startedAt,
  }: { readonly id: string; readonly body: string; readonly startedAt: number },
): Record<string, string> {
  const timestampSeconds = Math.floor(startedAt / 1000);
  const signed = secrets.map((secret) => signWebhook({ secret, id, timestampSeconds, body }));
  return {
    ...signed[0],
    'webhook-signature': signed.map((headers) => headers['webhook-signature']).join(' '),
  };
}
