// One call of a webhook, signed as Standard Webhooks 1.0 says. It always ends with an outcome.
import { type Outbound, signWebhook } from '#libs/outbound';
import { isRecord } from '#libs/wire';

const timeoutMs = 10_000;
/** A receiver may answer with a page; what it says is not kept. */
const maxAnswerBytes = 128 * 1024;
const maxErrorLength = 500;

export interface WebhookCall {
  readonly url: string;
  /** All that may be known to the receiver: it takes a message that one of them has signed. */
  readonly secrets: readonly string[];
  /** The same for every try to deliver one message. */
  readonly id: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What came of a call. */
export interface WebhookOutcome {
  readonly isDelivered: boolean;
  /** Of the answer; undefined when there was none. */
  readonly status: number | undefined;
  /** Undefined when it was delivered. */
  readonly error: string | undefined;
  readonly durationMs: number;
}

/** Sends the payload with its `id`. Any status from 200 to 299 is a delivery. */
export async function sendWebhook(
  { outbound, now }: { readonly outbound: Outbound; readonly now: () => number },
  { url, secrets, id, payload }: WebhookCall,
): Promise<WebhookOutcome> {
  const startedAt = now();
  const outcome = (status: number | undefined, error: string | undefined): WebhookOutcome => ({
    isDelivered: error === undefined,
    status,
    error,
    durationMs: Math.max(0, Math.round(now() - startedAt)),
  });
  try {
    const body = JSON.stringify({ id, ...payload });
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
    // A call to a server of somebody else may fail in any way; the outcome says in which.
    return outcome(undefined, describeFailure(error).slice(0, maxErrorLength));
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

/** The message of a failure, with the reason that its details give. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'the call failed';
  const details: unknown = Reflect.get(error, 'details');
  const reason = isRecord(details) ? details['reason'] : undefined;
  return typeof reason === 'string' ? `${error.message}: ${reason}` : error.message;
}
