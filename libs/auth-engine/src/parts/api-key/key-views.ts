import { isRecord } from '#libs/wire';
import type { Fields } from '../../fields.js';

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
export function keyView(row: Fields): Readonly<Record<string, unknown>> {
  const plain = FIELDS.map((name) => [name, row[name] ?? null]);
  const json = JSON_FIELDS.map((name) => [name, jsonValue(row[name])]);
  return Object.fromEntries([...plain, ...json]);
}

/** An answer about one key or a list of them. */
export function keyAnswer(answer: Fields): object {
  const keys = answer['apiKeys'];
  if (Array.isArray(keys)) return { ...answer, apiKeys: keys.filter(isRecord).map(keyView) };
  return Reflect.has(answer, 'referenceId') ? keyView(answer) : answer;
}

function jsonValue(stored: unknown): unknown {
  return typeof stored === 'string' ? JSON.parse(stored) : (stored ?? null);
}
