import type { DataSource } from 'typeorm';
import { isSameNetwork } from './attempts.js';
import { trustIdentifier } from './trusted-devices.js';

/** What is known of a visitor before a password or a code is checked. */
export interface Recognised {
  /** Whether the operator has a live session from the network of the visitor. */
  readonly isKnownNetwork: boolean;
  readonly hasSecondFactor: boolean;
  /** The trusted device of the request; undefined if it is not a device of this operator. */
  readonly deviceId: string | undefined;
}

/** Finds out whether the operator has a session in the visitor's network or trusts the visitor's device. */
export async function recognise(
  dataSource: DataSource,
  who: { readonly email: string; readonly ip: string; readonly trustToken?: string | undefined },
): Promise<Recognised> {
  const rows: Row[] = await dataSource.query(
    `select o.two_factor_enabled as "hasSecondFactor",
       array(select s.ip from operator_session s where s.operator_id = o.id and s.ip is not null
         and s.expires_at > pg_catalog.now() and s.last_seen_at > pg_catalog.now() - interval '24 hours') as ips,
       (select v.id from operator_verification v where v.identifier = $2 and v.value = o.id
         and v.expires_at > pg_catalog.now()) as "deviceId"
     from operator o where o.email = $1 and o.status = 'active'`,
    [who.email, trustIdentifier(who.trustToken) ?? null],
  );
  const [row] = rows;
  return {
    isKnownNetwork: row?.ips.some((ip) => isSameNetwork(ip, who.ip)) === true,
    hasSecondFactor: row?.hasSecondFactor === true,
    deviceId: row?.deviceId ?? undefined,
  };
}

interface Row {
  readonly hasSecondFactor: boolean;
  readonly ips: readonly string[];
  readonly deviceId: string | null;
}
