import { open, seal, sealingKey } from '#libs/secrets';

/** The variable parts of a message: codes, links, names. */
export type SealedValues = Readonly<Record<string, string | number>>;

/** Seals and opens the values of stored messages with the project's data key. */
export interface MessageSeal {
  close(id: string, values: SealedValues): string;
  /** Throws OpenSecretError for values of another message or another project. */
  open(id: string, sealed: string): SealedValues;
}

/** The seal of a project. Values can be opened only for the message that they were sealed for. */
export function messageSeal(ref: string, dataKey: Buffer): MessageSeal {
  const key = sealingKey(dataKey);
  const context = (id: string): string => `project:${ref}/messages/${id}`;
  return {
    close: (id, values) => seal(key, JSON.stringify(values), context(id)),
    open: (id, sealed) => JSON.parse(open(key, sealed, context(id)).toString('utf8')),
  };
}
