import { isObject } from '../../refusal.js';

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

/** An answer about passkeys as their owner sees them; undefined for an answer about something else. */
export function passkeyAnswer(path: string, answer: unknown): object | undefined {
  if (Array.isArray(answer)) return answer.filter(isObject).map(passkeyView);
  if (!isObject(answer)) return undefined;
  if (path === '/passkey/verify-registration') return passkeyView(answer);
  const changed: unknown = Reflect.get(answer, 'passkey');
  return isObject(changed) ? { passkey: passkeyView(changed) } : undefined;
}

function passkeyView(row: object): object {
  return Object.fromEntries(FIELDS.map((name) => [name, Reflect.get(row, name) ?? null]));
}
