// The stored secrets of a project: its data key is sealed with the master key, the passwords of its database logins are
// sealed with the data key. Passwords of logins that came with a later release are derived from the data key.
import { deriveKey, newDataKey, open, seal, sealingKey, type SealingKey } from '#libs/secrets';
import { randomBytes } from 'node:crypto';
import type { LoginPasswords } from '../provisioning/project-database.js';

const passwordBytes = 24;
const dataKeyContext = (ref: string): string => `project:${ref}/data-key`;
const loginsContext = (ref: string): string => `project:${ref}/logins`;

export interface SealedSecrets {
  readonly sealedDataKey: string;
  readonly sealedLogins: string;
}

export interface OpenedSecrets {
  readonly dataKey: Buffer;
  readonly passwords: LoginPasswords;
}

/** New secrets for a project, as they are used and as they are stored. */
export function newSecrets(masterKey: SealingKey, ref: string): OpenedSecrets & SealedSecrets {
  const dataKey = newDataKey();
  const stored = { owner: newPassword(), api: newPassword(), engine: newPassword() };
  return {
    dataKey,
    passwords: withDerived(dataKey, stored),
    sealedDataKey: seal(masterKey, dataKey, dataKeyContext(ref)),
    sealedLogins: sealLogins(dataKey, ref, stored),
  };
}

/** Opens the secrets in their envelopes. Throws OpenSecretError if the row was tampered with. */
export function openSecrets(
  masterKey: SealingKey,
  project: SealedSecrets & { readonly ref: string },
): OpenedSecrets {
  const dataKey = open(masterKey, project.sealedDataKey, dataKeyContext(project.ref));
  const logins = open(sealingKey(dataKey), project.sealedLogins, loginsContext(project.ref));
  // The envelope is authentic, so its content has the shape that newSecrets gave it.
  const stored = JSON.parse(logins.toString()) as StoredPasswords;
  return { dataKey, passwords: withDerived(dataKey, stored) };
}

/** Returns the logins of a project with a new password of the owner, as they are used and as they are stored. */
export function withNewOwnerPassword(
  masterKey: SealingKey,
  project: SealedSecrets & { readonly ref: string },
): Pick<OpenedSecrets & SealedSecrets, 'passwords' | 'sealedLogins'> {
  const { dataKey, passwords } = openSecrets(masterKey, project);
  const { api, engine } = passwords;
  const stored = { owner: newPassword(), api, engine };
  return {
    passwords: withDerived(dataKey, stored),
    sealedLogins: sealLogins(dataKey, project.ref, stored),
  };
}

function sealLogins(dataKey: Buffer, ref: string, stored: StoredPasswords): string {
  return seal(sealingKey(dataKey), JSON.stringify(stored), loginsContext(ref));
}

const newPassword = (): string => randomBytes(passwordBytes).toString('base64url');

type StoredPasswords = Pick<LoginPasswords, 'owner' | 'api' | 'engine'>;

function withDerived(dataKey: Buffer, stored: StoredPasswords): LoginPasswords {
  const derived = (login: string): string =>
    deriveKey(dataKey, `login ${login}`).toString('base64url');
  return {
    ...stored,
    editor: derived('editor'),
    platform: derived('platform'),
    deleter: derived('deleter'),
    lab: derived('lab'),
  };
}
