// A trusted device is a row of operator_verification that the auth engine writes: it lets one operator sign in without
// the second factor, and is replaced at each use.
import { fail } from '#libs/errors';
import type { DataSource, EntityManager } from 'typeorm';
import { recordAudit } from '../audit/record-audit.js';
import type { Visitor } from './auth-call.js';
import type { OperatorActor } from './operator-actor.js';
import { identifierPrefixes, storedIdentifier } from './stored-identifiers.js';

export interface TrustedDevice {
  readonly id: string;
  readonly userAgent: string | null;
  readonly ip: string | null;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

const isTrust = `identifier like '${identifierPrefixes.trustedDevice}%'`;

/** The devices from which the operator signs in without the second factor, without their tokens. */
export async function listTrustedDevices(
  dataSource: DataSource,
  operatorId: string,
): Promise<readonly TrustedDevice[]> {
  const devices: TrustedDevice[] = await dataSource.query(
    `select id, user_agent as "userAgent", ip, created_at as "lastUsedAt", expires_at as "expiresAt"
     from operator_verification
     where value = $1 and ${isTrust} and expires_at > pg_catalog.now() order by created_at desc`,
    [operatorId],
  );
  return devices;
}

/** Removes one of the operator's own trusted devices. Throws TRUSTED_DEVICE_NOT_FOUND. */
export async function forgetTrustedDevice(
  dataSource: DataSource,
  actor: OperatorActor,
  id: string,
): Promise<void> {
  await dataSource.transaction(async (manager) => {
    const [, deleted]: [unknown, number] = await manager.query(
      `delete from operator_verification where id = $1 and value = $2 and ${isTrust}`,
      [id, actor.operatorId],
    );
    if (deleted === 0) throw fail('TRUSTED_DEVICE_NOT_FOUND');
    await recordAudit(manager, { actor, action: 'operator.trusted-device.forget', target: id });
  });
}

/** Removes all trusted devices of an operator. */
export async function forgetTrustedDevices(
  manager: EntityManager,
  operatorId: string,
): Promise<void> {
  await manager.query(`delete from operator_verification where value = $1 and ${isTrust}`, [
    operatorId,
  ]);
}

/** Returns the stored identifier of a trust token, which is `<signature>!<identifier>.<signature of the cookie>`. */
export function trustIdentifier(trustToken: string | undefined): string | undefined {
  const identifier = trustToken?.split('!')[1]?.split('.')[0];
  const isOfDevice = identifier?.startsWith(identifierPrefixes.trustedDevice) === true;
  return isOfDevice ? storedIdentifier(identifier) : undefined;
}

/** Writes the details by which people recognise it to the device of `trustToken`. */
export async function labelTrustedDevice(
  dataSource: DataSource,
  trustToken: string | undefined,
  visitor: Visitor,
): Promise<void> {
  const identifier = trustIdentifier(trustToken);
  if (identifier === undefined) return;
  await dataSource.query(
    'update operator_verification set user_agent = $2, ip = $3 where identifier = $1',
    [identifier, visitor.userAgent ?? null, visitor.ip],
  );
}
