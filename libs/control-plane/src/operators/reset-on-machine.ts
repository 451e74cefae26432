import type { DataSource } from 'typeorm';
import { openDataSource } from '../data-source.js';
import { Operator } from '../entities/operator.entity.js';
import { resetOperator } from './administer-operators.js';
import { forgiveAddresses } from './attempts.js';
import { storedAddress } from './stored-address.js';

export interface MachineReset {
  readonly email: string;
  readonly status: Operator['status'];
  readonly generatedPassword: string;
}

/**
 * Resets an operator for a person who has access to the machine: a new password for one sign-in, no second factor, no
 * sessions, no trusted devices, no lock-outs. Returns undefined if no operator has the address. `url` leads to the
 * control-plane database, which is neither created nor migrated.
 */
export async function resetOperatorOnMachine(
  url: string,
  email: string,
): Promise<MachineReset | undefined> {
  const dataSource = await openDataSource(url);
  try {
    return await resetByEmail(dataSource, await storedAddress(dataSource, email));
  } finally {
    await dataSource.destroy();
  }
}

async function resetByEmail(
  dataSource: DataSource,
  email: string,
): Promise<MachineReset | undefined> {
  const operator = await dataSource.manager.findOneBy(Operator, { email });
  if (!operator) return undefined;
  const { id, status } = operator;
  const reset = { id, removeSecondFactor: true };
  const { generatedPassword } = await resetOperator(dataSource, 'system', reset);
  // All networks, because the operator's network is not known here.
  await forgiveAddresses(dataSource);
  return { email, status, generatedPassword };
}
