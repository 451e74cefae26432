import { open, OpenSecretError, seal, type SealingKey, sealingKey } from '#libs/secrets';
import { findGroup, mapSecrets, UnopenedSecret } from '#libs/settings';

import type { StoredSettings } from './settings.sql.js';

type StoredValue = Readonly<Record<string, unknown>>;

/** Seals and opens the secret fields of stored groups with the project's data key. */
export interface SettingsSeal {
  /** Returns the value as it is stored. */
  close(group: Parameters<typeof mapSecrets>[0], value: StoredValue): StoredValue;
  /**
   * Returns the value as it is used, with an UnopenedSecret for each secret that cannot be opened. A group that this
   * release does not know stays as it is.
   */
  open(name: string, value: StoredValue): StoredValue;
  /** Returns all groups of a version, as they are stored, as one sealed text. */
  closeAll(version: string, groups: StoredSettings['groups']): string;
  /** Returns the groups of {@link closeAll}; undefined if the text was sealed for something else. */
  openAll(version: string, sealed: string): StoredSettings['groups'] | undefined;
}

/**
 * The seal of a project. An envelope can be opened only for its own project, group and field; in a list of entries it
 * is bound to the key of its entry rather than to its index, so that the order of entries may change.
 */
export function settingsSeal(ref: string, dataKey: Buffer): SettingsSeal {
  const key = sealingKey(dataKey);
  const context = (name: string, path: string) => `project:${ref}/settings/${name}/${path}`;
  const contextOfAll = (version: string) => `project:${ref}/kept-settings/${version}`;
  return {
    close: (group, value) =>
      mapSecrets(
        group,
        value,
        (secret, path) => seal(key, secret, context(group.name, path)),
        ({ envelope }) => envelope,
      ),
    open: (name, value) => {
      const group = findGroup(name);
      if (!group) return value;
      return mapSecrets(group, value, (sealed, path) => opened(key, sealed, context(name, path)));
    },
    closeAll: (version, groups) => seal(key, JSON.stringify(groups), contextOfAll(version)),
    openAll: (version, sealed) => {
      try {
        // The envelope is authentic, so its content has the shape that closeAll gave it.
        return JSON.parse(open(key, sealed, contextOfAll(version)).toString('utf8')) as ReturnType<
          SettingsSeal['openAll']
        >;
      } catch (error) {
        if (error instanceof OpenSecretError) return undefined;
        throw error;
      }
    },
  };
}

function opened(key: SealingKey, sealed: string, context: string): string | UnopenedSecret {
  try {
    return open(key, sealed, context).toString('utf8');
  } catch (error) {
    if (error instanceof OpenSecretError) return new UnopenedSecret(sealed);
    throw error;
  }
}
