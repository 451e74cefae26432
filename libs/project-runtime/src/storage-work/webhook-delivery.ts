// Delivers the messages in the outbox of webhooks. A webhook has few calls open at once, and so has the project: a
// receiver that hangs delays neither the others nor the database.
import type { EngineQueries } from '#libs/database';
import type { Outbound } from '#libs/outbound';

import { Runner } from './runner.js';
import { sendWebhook, type WebhookOutcome } from './send-webhook.js';
import {
  type DueMessage,
  takeDueMessages,
  turnWebhookOff,
  writeMessageResult,
} from './webhook-outbox.sql.js';
import type { WebhookSeal } from './webhook-seal.js';

/** How long after its first, second, … failure a message is tried again; eight tries in all with the first. */
const WEBHOOK_RETRY_SECONDS = [5, 30, 120, 600, 3600, 21_600, 86_400];
const maxOpenCalls = 32;
const maxOpenCallsPerWebhook = 4;

/** The status with which a receiver refuses a webhook for good (RFC 9110 §15.5.11). */
const gone = 410;

export interface WebhookDeliveryDeps {
  readonly db: EngineQueries;
  readonly outbound: Outbound;
  readonly seal: WebhookSeal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onError: (error: unknown, doing: string) => void;
  /** Called after a round of deliveries. */
  readonly onEnd?: () => void;
}

export class WebhookDelivery {
  /** Messages delivered so far. */
  delivered = 0;
  private readonly taking: Runner;
  private readonly open = new Map<Promise<void>, string>();
  /** Whether the last round has left messages because too many calls were open. */
  private mayHaveMore = false;

  constructor(private readonly deps: WebhookDeliveryDeps) {
    const { onError, onEnd } = deps;
    const doing = 'deliver webhooks';
    this.taking = new Runner({ doing, onError, work: () => this.take(), ...(onEnd && { onEnd }) });
  }

  /** Schedules a round of deliveries. Returns at once. */
  schedule(): void {
    this.taking.schedule();
  }

  /** Resolves when no message is due that could be tried now. */
  async settled(): Promise<void> {
    await this.taking.settled();
    while (this.open.size > 0) {
      await Promise.all(this.open.keys());
      await this.taking.settled();
    }
  }

  /** Takes no more messages and waits for the open calls. */
  async close(): Promise<void> {
    await this.taking.close();
    await Promise.all(this.open.keys());
  }

  private async take(): Promise<void> {
    const { openCalls, busy } = this.countOpen();
    const total = maxOpenCalls - openCalls;
    if (total <= 0) return;
    const limits = { total, perWebhook: maxOpenCallsPerWebhook, busy };
    const due = await takeDueMessages(this.deps.db, limits);
    for (const message of due) this.start(message);
    this.mayHaveMore =
      due.length === total || this.countOpen().busy.length > 0 || hasFullShare(due);
  }

  private start(message: DueMessage): void {
    const call = this.deliver(message)
      .catch((error: unknown) => this.deps.onError(error, 'deliver a webhook'))
      .finally(() => {
        this.open.delete(call);
        if (this.mayHaveMore) this.schedule();
        else this.deps.onEnd?.();
      });
    this.open.set(call, message.webhookId);
  }

  private countOpen(): { readonly openCalls: number; readonly busy: readonly string[] } {
    const counts = new Map<string, number>();
    for (const id of this.open.values()) counts.set(id, (counts.get(id) ?? 0) + 1);
    const busy = [...counts].filter(([, count]) => count >= maxOpenCallsPerWebhook);
    return { openCalls: this.open.size, busy: busy.map(([id]) => id) };
  }

  private async deliver(message: DueMessage): Promise<void> {
    const { db, onError } = this.deps;
    const outcome = await this.call(message);
    const next = nextStep(outcome, message);
    const { id, attempts, webhookId, url } = message;
    await writeMessageResult(db, {
      id,
      attempts,
      lastStatus: outcome.status,
      lastError: outcome.error,
      next,
    });
    if (outcome.isDelivered) this.delivered += 1;
    if (outcome.status === gone) await turnWebhookOff(db, { id: webhookId, url });
    else if ('status' in next && next.status === 'dead') {
      const reason = new Error(`${outcome.error} (webhook ${webhookId}, delivery ${id})`);
      onError(reason, 'deliver a webhook; all tries have failed');
    }
  }

  private async call(message: DueMessage): Promise<WebhookOutcome> {
    const { id, webhookId, url, payload, secret, previousSecret } = message;
    let secrets: readonly string[];
    try {
      const sealed = previousSecret === null ? [secret] : [secret, previousSecret];
      secrets = sealed.map((envelope) => this.deps.seal.open(webhookId, envelope));
    } catch (cause) {
      this.deps.onError(cause, `open the secret of the webhook ${webhookId}`);
      const error = 'the secret of the webhook cannot be opened; rotate it';
      return { isDelivered: false, status: undefined, error, durationMs: 0 };
    }
    return sendWebhook(this.deps, { id, url, secrets, body: JSON.stringify({ id, ...payload }) });
  }
}

function nextStep(
  { isDelivered, status }: WebhookOutcome,
  { attempts }: DueMessage,
): { readonly status: 'succeeded' | 'dead' } | { readonly retrySeconds: number } {
  if (isDelivered) return { status: 'succeeded' };
  const retrySeconds = WEBHOOK_RETRY_SECONDS[attempts - 1];
  return status === gone || retrySeconds === undefined ? { status: 'dead' } : { retrySeconds };
}

/** Whether a webhook has received as many messages as allowed at a time: it may have more. */
function hasFullShare(due: readonly DueMessage[]): boolean {
  const counts = new Map<string, number>();
  for (const { webhookId } of due) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
  return [...counts.values()].some((count) => count >= maxOpenCallsPerWebhook);
}
