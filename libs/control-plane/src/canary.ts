import { open, OpenSecretError, seal, type SealingKey } from '#libs/secrets';
import type { DataSource } from 'typeorm';
import { ControlPlaneStartError } from './control-plane-start-error.js';

const canary = 'rowhouse';
const context = 'deployment/canary';

/**
 * Checks that `masterKey` is the key of this deployment, and records it the first time. Throws ControlPlaneStartError
 * for another key.
 */
export async function checkCanary(dataSource: DataSource, masterKey: SealingKey): Promise<void> {
  await dataSource.query('insert into deployment (canary) values ($1) on conflict do nothing', [
    seal(masterKey, canary, context),
  ]);
  const rows: { canary: string }[] = await dataSource.query('select canary from deployment');
  try {
    open(masterKey, rows[0]?.canary ?? '', context);
  } catch (cause) {
    if (!(cause instanceof OpenSecretError)) throw cause;
    throw new ControlPlaneStartError(
      'MASTER_KEY is not the key that the data of this deployment was sealed with',
      { cause },
    );
  }
}
