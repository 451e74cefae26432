// The body of a request for a key. What a key may do and how often is what its owner wants: it never gets
// more than its owner has.
import { fail } from '#libs/errors';
import type { SettingsOf } from '#libs/settings';
import { isRecord } from '#libs/wire';
import type { Fields } from '../../fields.js';

const secondsPerDay = 86_400;
const minLifeSeconds = 60;
/** As good as for ever, and a date that PostgreSQL and JavaScript know. */
const maxLifeSeconds = 100 * 365 * secondsPerDay;
const maxNameLength = 100;
const maxMetadataLength = 4000;
const maxEntries = 50;
const maxInteger = 2_147_483_647;
/** Permissions become claims, and claims become jsonb: they have plain characters only. */
const word = /^[\w:.*/-]{1,100}$/;

/** A key as it is asked for. */
export interface WantedKey {
  readonly name: string | null;
  /** Null: for ever. */
  readonly lifeSeconds: number | null;
  /** JSON texts. */
  readonly permissions: string | null;
  readonly metadata: string | null;
  /** Null: without a limit. */
  readonly remaining: number | null;
  readonly refillAmount: number | null;
  readonly refillIntervalMs: number | null;
}

/** The key that a body asks for. Throws INVALID_INPUT. */
export function readWantedKey(fields: Fields, group: SettingsOf<'auth.apiKey'>): WantedKey {
  const refillAmount = integer(fields, 'refillAmount', 1);
  const refillIntervalMs = integer(fields, 'refillInterval', 1000);
  if ((refillAmount === null) !== (refillIntervalMs === null)) {
    throw invalid('refillAmount', 'goes together with refillInterval');
  }
  return {
    name: readName(fields['name']),
    lifeSeconds: readLife(fields['expiresIn'], group),
    permissions: readPermissions(fields['permissions']),
    metadata: readMetadata(fields['metadata']),
    remaining: integer(fields, 'remaining', 1) ?? refillAmount,
    refillAmount,
    refillIntervalMs,
  };
}

/** Refuses values of a change that could not be stored or that the settings forbid (INVALID_INPUT). */
export function checkChange(body: Fields, group: SettingsOf<'auth.apiKey'>): void {
  readName(body['name']);
  readMetadata(body['metadata']);
  const expiresIn = body['expiresIn'];
  if (expiresIn === undefined) return;
  const life = readLife(expiresIn, group);
  if (expiresIn === null && life !== null) throw invalid('expiresIn', 'must not be for ever');
}

/** The longest life of a key in seconds; undefined when a key may live for ever. */
export function longestLife({ maxLifetimeDays }: SettingsOf<'auth.apiKey'>): number | undefined {
  return maxLifetimeDays > 0 ? maxLifetimeDays * secondsPerDay : undefined;
}

function readName(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' && value !== '' && value.length <= maxNameLength) return value;
  throw invalid('name', `must be a text of at most ${maxNameLength} characters`);
}

function readLife(value: unknown, group: SettingsOf<'auth.apiKey'>): number | null {
  const longest = longestLife(group);
  if (value === undefined || value === null) return longest ?? null;
  const max = longest ?? maxLifeSeconds;
  if (isInteger(value) && value >= minLifeSeconds && value <= max) return value;
  throw invalid('expiresIn', `must be whole seconds from ${minLifeSeconds} to ${max}`);
}

function readPermissions(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const entries = isRecord(value) ? Object.entries(value) : [];
  const areWords = entries.every(
    ([name, actions]) => word.test(name) && Array.isArray(actions) && areAllWords(actions),
  );
  if (isRecord(value) && areWords && entries.length <= maxEntries) return JSON.stringify(value);
  throw invalid('permissions', 'must be lists of short words by short words');
}

function areAllWords(values: readonly unknown[]): boolean {
  const isWord = (value: unknown) => typeof value === 'string' && word.test(value);
  return values.length <= maxEntries && values.every(isWord);
}

function readMetadata(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = JSON.stringify(value);
  if (isRecord(value) && text.length <= maxMetadataLength) return text;
  throw invalid('metadata', `must be an object of at most ${maxMetadataLength} characters`);
}

function integer(fields: Fields, field: string, min: number): number | null {
  const value = fields[field];
  if (value === undefined || value === null) return null;
  if (isInteger(value) && value >= min && value <= maxInteger) return value;
  throw invalid(field, `must be a whole number from ${min} to ${maxInteger}`);
}

function isInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value);
}

function invalid(field: string, reason: string): Error {
  return fail('INVALID_INPUT', { field, reason });
}
