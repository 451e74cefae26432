// The stored secrets of a project: its data key is sealed with the master key, the passwords of its database logins are
// sealed with the data key. Passwords of logins that came with a later release are derived from the data key.
import { AppError, fail } from '#libs/errors';
import {
  deriveKey,
  newDataKey,
  open,
  OpenSecretError,
  seal,
  sealingKey,
  type SealingKey,
} from '#libs/secrets';
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

type SealedProject = SealedSecrets & { readonly ref: string };

/** Opens the secrets in their envelopes. Throws PROJECT_SECRETS_UNREADABLE if the row was damaged or tampered with. */
export function openSecrets(masterKey: SealingKey, project: SealedProject): OpenedSecrets {
  const dataKey = openDataKey(masterKey, project);
  return { dataKey, passwords: withDerived(dataKey, openLogins(dataKey, project)) };
}

function openDataKey(masterKey: SealingKey, { ref, sealedDataKey }: SealedProject): Buffer {
  return opened(() => open(masterKey, sealedDataKey, dataKeyContext(ref)), {
    name: `The data key (project.sealed_data_key) of the project ${ref}`,
    remedy: 'restore its row in the control plane from a backup',
  });
}

function openLogins(dataKey: Buffer, { ref, sealedLogins }: SealedProject): StoredPasswords {
  const logins = opened(() => open(sealingKey(dataKey), sealedLogins, loginsContext(ref)), {
    name: `The passwords of the database logins (project.sealed_logins) of the project ${ref}`,
    remedy:
      'give its database a new password, or restore its row in the control plane from a backup',
  });
  // The envelope is authentic, so its content has the shape that newSecrets gave it.
  return JSON.parse(logins.toString()) as StoredPasswords;
}

function opened(
  openEnvelope: () => Buffer,
  { name, remedy }: { readonly name: string; readonly remedy: string },
): Buffer {
  try {
    return openEnvelope();
  } catch (error) {
    if (!(error instanceof OpenSecretError)) throw error;
    const cause = new Error(`${name} cannot be opened: ${error.message}; ${remedy}`);
    throw fail('PROJECT_SECRETS_UNREADABLE', {}, { cause });
  }
}

/**
 * Returns the logins of a project with a new password of the owner, as they are used and as they are stored. If the
 * stored passwords cannot be opened, all are new.
 */
export function withNewOwnerPassword(
  masterKey: SealingKey,
  project: SealedProject,
): Pick<OpenedSecrets & SealedSecrets, 'passwords' | 'sealedLogins'> {
  const dataKey = openDataKey(masterKey, project);
  const stored = { ...keptLogins(dataKey, project), owner: newPassword() };
  return {
    passwords: withDerived(dataKey, stored),
    sealedLogins: sealLogins(dataKey, project.ref, stored),
  };
}

function keptLogins(dataKey: Buffer, project: SealedProject): Omit<StoredPasswords, 'owner'> {
  try {
    return openLogins(dataKey, project);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { api: newPassword(), engine: newPassword() };
  }
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'PROJECT_SECRETS_UNREADABLE';

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
