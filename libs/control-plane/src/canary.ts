import { open, OpenSecretError, seal, type SealingKey } from '#libs/secrets';
import type { DataSource } from 'typeorm';
import { ControlPlaneStartError } from './control-plane-start-error.js';

const canary = 'rowhouse';
const context = 'deployment/canary';

/**
 * Returns the one of `keys` that is the key of this deployment; the first time it records the first of them. Throws
 * ControlPlaneStartError if it is none of them.
 */
export async function findKey(
  dataSource: DataSource,
  keys: readonly SealingKey[],
): Promise<SealingKey> {
  const [first] = keys;
  if (first === undefined) throw new RangeError('there is no key');
  await dataSource.query('insert into deployment (canary) values ($1) on conflict do nothing', [
    seal(first, canary, context),
  ]);
  const [row]: { canary: string }[] = await dataSource.query('select canary from deployment');
  const found = keys.find((key) => opens(key, row?.canary ?? ''));
  if (found !== undefined) return found;
  throw new ControlPlaneStartError(
    'MASTER_KEY is not the key that the data of this deployment was sealed with',
  );
}

function opens(key: SealingKey, envelope: string): boolean {
  try {
    open(key, envelope, context);
    return true;
  } catch (error) {
    if (error instanceof OpenSecretError) return false;
    throw error;
  }
}
