import { deriveKey, open, OpenSecretError, seal, sealingKey } from '#libs/secrets';

import type { SealedSecret } from './functions.sql.js';

/** Seals the secrets of functions with the data key of the project. A sealed value opens under its own name alone. */
export interface FunctionSecretsSeal {
  close(name: string, value: string): string;
  /** The values by name. A secret that cannot be opened is left out and reported. */
  openAll(
    sealed: readonly SealedSecret[],
    onUnopened: (name: string) => void,
  ): Readonly<Record<string, string>>;
}

export function functionSecretsSeal(ref: string, dataKey: Buffer): FunctionSecretsSeal {
  const key = sealingKey(dataKey);
  const context = (name: string) => `project:${ref}/function-secrets/${name}`;
  return {
    close: (name, value) => seal(key, value, context(name)),
    openAll(sealed, onUnopened) {
      const entries = sealed.flatMap(({ name, value }) => {
        try {
          return [[name, open(key, value, context(name)).toString('utf8')]];
        } catch (error) {
          if (!(error instanceof OpenSecretError)) throw error;
          onUnopened(name);
          return [];
        }
      });
      return Object.fromEntries(entries) as Record<string, string>; // Each entry is a pair of texts.
    },
  };
}

/** The text that functions verify the token of their caller with. */
export function callerKey(dataKey: Buffer): string {
  return deriveKey(dataKey, 'callers of functions').toString('base64url');
}
