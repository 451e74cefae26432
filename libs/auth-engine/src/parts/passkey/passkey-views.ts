import { isRecord } from '#libs/wire';
import type { Fields } from '../../fields.js';

const FIELDS = [
  'id',
  'name',
  'credentialID',
  'deviceType',
  'backedUp',
  'transports',
  'aaguid',
  'createdAt',
] as const;

/**
 * An answer about passkeys as their owner sees them; undefined for an answer about something else. The answer for a new
 * passkey is the passkey itself.
 */
export function passkeyAnswer(answer: unknown, isNew: boolean): object | undefined {
  if (Array.isArray(answer)) return answer.filter(isRecord).map(passkeyView);
  if (!isRecord(answer)) return undefined;
  if (isNew) return passkeyView(answer);
  const changed = answer['passkey'];
  return isRecord(changed) ? { passkey: passkeyView(changed) } : undefined;
}

function passkeyView(row: Fields): object {
  return Object.fromEntries(FIELDS.map((name) => [name, row[name] ?? null]));
}
