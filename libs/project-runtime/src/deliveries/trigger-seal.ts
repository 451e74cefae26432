import { open, OpenSecretError, seal, sealingKey } from '#libs/secrets';

/** Seals the secrets with which calls of triggers are signed. A sealed one opens for its own trigger alone. */
export interface TriggerSeal {
  close(id: string, secret: string): string;
  /** Undefined if it cannot be opened. */
  open(id: string, sealed: string): string | undefined;
}

export function triggerSeal(ref: string, dataKey: Buffer): TriggerSeal {
  const key = sealingKey(dataKey);
  const context = (id: string) => `project:${ref}/triggers/${id}`;
  return {
    close: (id, secret) => seal(key, secret, context(id)),
    open(id, sealed) {
      try {
        return open(key, sealed, context(id)).toString('utf8');
      } catch (error) {
        if (error instanceof OpenSecretError) return undefined;
        throw error;
      }
    },
  };
}
