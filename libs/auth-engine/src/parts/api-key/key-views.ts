import { isObject } from '../../refusal.js';

const FIELDS = [
  'id',
  'name',
  'start',
  'prefix',
  'enabled',
  'remaining',
  'refillAmount',
  'refillInterval',
  'lastRequest',
  'expiresAt',
  'createdAt',
  'updatedAt',
] as const;

const JSON_FIELDS = ['permissions', 'metadata'] as const;

/** A key as its owner sees it in lists: without the key and its hash. */
export function keyView(row: object): Readonly<Record<string, unknown>> {
  const plain = FIELDS.map((name) => [name, Reflect.get(row, name) ?? null]);
  const json = JSON_FIELDS.map((name) => [name, jsonValue(Reflect.get(row, name))]);
  return Object.fromEntries([...plain, ...json]);
}

/** An answer about one key or a list of them. */
export function keyAnswer(answer: object): object {
  const keys: unknown = Reflect.get(answer, 'apiKeys');
  if (Array.isArray(keys)) return { ...answer, apiKeys: keys.filter(isObject).map(keyView) };
  return Reflect.has(answer, 'referenceId') ? keyView(answer) : answer;
}

function jsonValue(stored: unknown): unknown {
  return typeof stored === 'string' ? JSON.parse(stored) : (stored ?? null);
}
