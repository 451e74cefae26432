// The webhooks of buckets as deliveries need them. The administration has its own statements.
import type { EngineQueries } from '#libs/database';

/** The webhooks that are on and have messages that wait, by id. */
export async function listWaitingWebhooks(db: EngineQueries): Promise<readonly string[]> {
  const rows = await db.queryAsEngine<{ readonly id: string }>(
    `select id::pg_catalog.text from storage.webhooks w
     where active and exists (
       select from platform.outbox o
       where o.kind = 'webhook' and o.source = w.id::pg_catalog.text and o.status = 'pending'
         and o.next_attempt_at <= pg_catalog.now()
     )`,
  );
  return rows.map(({ id }) => id);
}

export interface ActiveWebhook {
  readonly url: string;
  /** Sealed. */
  readonly secret: string;
  /** Sealed; null when none signs along. */
  readonly previousSecret: string | null;
}

/** Undefined if it is off or was removed. */
export async function findActiveWebhook(
  db: EngineQueries,
  id: string,
): Promise<ActiveWebhook | undefined> {
  const [webhook] = await db.queryAsEngine<ActiveWebhook>(
    `select url, secret,
       case when previous_secret_until > pg_catalog.now() then previous_secret end as "previousSecret"
     from storage.webhooks where id = $1::pg_catalog.uuid and active`,
    [id],
  );
  return webhook;
}

/** Turns off a webhook whose receiver refuses it for good, unless its URL has changed meanwhile. */
export async function turnWebhookOff(
  db: EngineQueries,
  { id, url }: { readonly id: string; readonly url: string },
): Promise<void> {
  await db.queryAsEngine(
    `update storage.webhooks set active = false, updated_at = pg_catalog.now()
     where id = $1::pg_catalog.uuid and url = $2`,
    [id, url],
  );
}
