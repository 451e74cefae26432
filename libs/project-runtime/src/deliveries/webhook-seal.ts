import { open, seal, sealingKey } from '#libs/secrets';

/** Seals the secrets of webhooks at rest. */
export interface WebhookSeal {
  /** Returns the envelope that is stored. */
  close(webhookId: string, secret: string): string;
  /** Returns the secret. Throws OpenSecretError for an envelope of another webhook or project. */
  open(webhookId: string, envelope: string): string;
}

/** The seal of a project. An envelope can be opened only for its own webhook. */
export function webhookSeal(ref: string, dataKey: Buffer): WebhookSeal {
  const key = sealingKey(dataKey);
  const context = (webhookId: string) => `project:${ref}/storage/webhooks/${webhookId}`;
  return {
    close: (webhookId, secret) => seal(key, secret, context(webhookId)),
    open: (webhookId, envelope) => open(key, envelope, context(webhookId)).toString('utf8'),
  };
}
