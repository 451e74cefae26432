// Secrets of providers at rest: sealed one by one inside the configuration, so that lists and views need no
// key, and opened only where the identity provider is spoken to.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';
import { fieldIn } from '../../fields.js';

const algorithm = 'aes-256-gcm';
const prefix = 'sealed:1:';
const ivBytes = 12;
const tagBytes = 16;

/** The places of secrets in a configuration of either kind. */
const SECRET_PATHS = [
  ['clientSecret'],
  ['privateKey'],
  ['spMetadata', 'encPrivateKey'],
  ['spMetadata', 'encPrivateKeyPass'],
] as const;

export interface SecretBox {
  /** The configuration as it is stored. */
  close<T extends object>(config: T): T;
  /**
   * The configuration as it is used. Throws SSO_PROVIDER_INVALID when a secret was sealed by another key or changed
   * since.
   */
  open<T extends object>(config: T): T;
  /** The same with secrets that cannot be opened as they are stored; `close` leaves them as they are. */
  openReadable<T extends object>(config: T): T;
}

/** Seals with a key of its own, derived from the secret of the project. */
export function createSecretBox(projectSecret: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', projectSecret, '', 'sso provider secrets', 32));
  return {
    close: (config) => mapSecrets(config, (text, field) => seal(key, text, field)),
    open: (config) =>
      mapSecrets(config, (text, field) => {
        const opened = open(key, text, field);
        if (!isSealed(opened)) return opened;
        const cause = new Error(`The stored ${field} of an SSO provider cannot be opened`);
        const reason = `its stored ${field} cannot be opened; enter it again`;
        throw fail('SSO_PROVIDER_INVALID', { reason }, { cause });
      }),
    openReadable: (config) => mapSecrets(config, (text, field) => open(key, text, field)),
  };
}

/** The configuration without its secrets. */
export function withoutSecrets(config: object): object {
  return SECRET_PATHS.reduce((shown, path) => changeAt(shown, path, () => undefined), config);
}

/** The names of the secrets in a configuration, as a body sends it or as it is stored. */
export function secretNames(config: object): readonly string[] {
  const names: string[] = [];
  for (const path of SECRET_PATHS) {
    changeAt(config, path, (text) => {
      names.push(path.join('.'));
      return text;
    });
  }
  return names;
}

type Change = (text: string, field: string) => string | undefined;

function mapSecrets<T extends object>(config: T, change: Change): T {
  const changed = SECRET_PATHS.reduce<object>(
    (before, path) => changeAt(before, path, change),
    config,
  );
  // Nothing but texts was replaced by texts.
  return changed as T;
}

function changeAt(config: object, [name, ...rest]: readonly string[], change: Change): object {
  const value = name === undefined ? undefined : fieldIn(config, name);
  if (name === undefined || value === undefined) return config;
  if (rest.length > 0) {
    return isRecord(value) ? { ...config, [name]: changeAt(value, rest, change) } : config;
  }
  return typeof value === 'string' ? { ...config, [name]: change(value, name) } : config;
}

function seal(key: Buffer, text: string, field: string): string {
  if (isSealed(text)) return text;
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(field));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return prefix + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Whether a secret is sealed, as one is that cannot be opened. */
export const isSealed = (text: string): boolean => text.startsWith(prefix);

/**
 * A text that is not sealed was written by an import, and is taken as it is. So is a sealed text that cannot be opened,
 * because it was damaged or sealed with another key.
 */
function open(key: Buffer, text: string, field: string): string {
  if (!isSealed(text)) return text;
  const bytes = Buffer.from(text.slice(prefix.length), 'base64url');
  const [iv, tag, sealed] = [
    bytes.subarray(0, ivBytes),
    bytes.subarray(ivBytes, ivBytes + tagBytes),
    bytes.subarray(ivBytes + tagBytes),
  ];
  try {
    const decipher = createDecipheriv(algorithm, key, iv);
    decipher.setAAD(Buffer.from(field)).setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
  } catch {
    return text;
  }
}
