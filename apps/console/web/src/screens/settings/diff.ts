// The differences of two stored values of a group, in words.
import { isRecord } from '../../api/json.js';
import { counted } from '../../ui/counted.js';
import {
  below,
  type EntriesForm,
  type FieldForm,
  type Fields,
  type Json,
  type LeafForm,
  valueAt,
} from './form.js';

export interface Difference {
  readonly path: string;
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

interface Sides {
  /** Undefined: not stored. */
  readonly before: unknown;
  readonly after: unknown;
  /** The value of a field that is not stored. */
  readonly unstored: unknown;
}

interface Words {
  readonly changedSecrets: ReadonlySet<string>;
}

interface Versions {
  /** Null: the group is not stored. */
  readonly before: Json | null;
  readonly after: Json | null;
  /** The paths of secrets with another value. A version has the same word for every secret. */
  readonly changedSecrets?: readonly string[];
  /** The values if nothing were stored; by default those of the declaration. */
  readonly unstored?: Json;
}

/** What differs between two versions of a group, in the order of its declaration. */
export function differences(
  fields: Fields,
  { before, after, changedSecrets = [], unstored }: Versions,
): readonly Difference[] {
  const words = { changedSecrets: new Set(changedSecrets) };
  return differencesIn(
    fields,
    { path: '', label: '' },
    { before: before ?? {}, after: after ?? {}, unstored },
    words,
  );
}

interface At {
  readonly path: string;
  readonly label: string;
}

const inside = ({ path, label }: At, name: string, title: string): At => ({
  path: below(path, name),
  label: label === '' ? title : `${label} › ${title}`,
});

function differencesIn(fields: Fields, at: At, sides: Sides, words: Words): readonly Difference[] {
  const known = new Set(fields.map(({ name }) => name));
  const names = [sides.before, sides.after].flatMap((side) =>
    isRecord(side) ? Object.keys(side).filter((name) => !known.has(name)) : [],
  );
  // A field of another release: its name is all that is known of it.
  const foreign = [...new Set(names)].flatMap((name) =>
    leafDifferences(undefined, inside(at, name, name), sidesAt(sides, name), words),
  );
  return [
    ...fields.flatMap((field) =>
      fieldDifferences(
        field,
        inside(at, field.name, field.label),
        sidesAt(sides, field.name),
        words,
      ),
    ),
    ...foreign,
  ];
}

function sidesAt({ before, after, unstored }: Sides, name: string): Sides {
  return {
    before: valueAt(before, name),
    after: valueAt(after, name),
    unstored: valueAt(unstored, name),
  };
}

function fieldDifferences(
  field: FieldForm,
  at: At,
  sides: Sides,
  words: Words,
): readonly Difference[] {
  if (field.kind === 'object') return differencesIn(field.fields, at, sides, words);
  if (field.kind === 'entries') return entriesDifferences(field, at, sides, words);
  return leafDifferences(field, at, sides, words);
}

function entriesDifferences(
  field: EntriesForm,
  at: At,
  { before, after }: Sides,
  words: Words,
): readonly Difference[] {
  const old = entriesByKey(field, before);
  const now = entriesByKey(field, after);
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const place = inside(at, key, key);
    const [one, other] = [old.get(key), now.get(key)];
    if (!one) return [{ ...place, before: 'none', after: 'added' }, ...inner(undefined, other)];
    if (!other) return [{ ...place, before: 'there', after: 'removed' }];
    return inner(one, other);

    function inner(entryBefore: unknown, entryAfter: unknown): readonly Difference[] {
      const fields = field.fields.filter(({ name }) => name !== field.key);
      const [left, right] = [entryBefore, entryAfter].map((entry) =>
        isRecord(entry)
          ? Object.fromEntries(Object.entries(entry).filter(([name]) => name !== field.key))
          : {},
      );
      return differencesIn(
        fields,
        place,
        { before: left, after: right, unstored: undefined },
        words,
      );
    }
  });
}

function entriesByKey({ key }: EntriesForm, value: unknown): ReadonlyMap<string, unknown> {
  const entries = Array.isArray(value) ? value.filter(isRecord) : [];
  return new Map(entries.map((entry) => [String(entry[key]), entry]));
}

function leafDifferences(
  field: LeafForm | undefined,
  at: At,
  { before, after, unstored }: Sides,
  { changedSecrets }: Words,
): readonly Difference[] {
  const [old, now] = [before ?? undefined, after ?? undefined];
  const isSecret = field?.kind === 'secret';
  const isChanged = isSecret
    ? changedSecrets.has(at.path) || old !== now
    : JSON.stringify(old) !== JSON.stringify(now);
  if (!isChanged) return [];
  if (isSecret) {
    const after = old === undefined ? 'set' : now === undefined ? 'removed' : 'changed';
    return [{ ...at, before: old === undefined ? 'not set' : 'set', after }];
  }
  const fallback = unstored ?? field?.default ?? undefined;
  const text = (value: unknown): string =>
    value === undefined ? unstoredText(field, fallback) : valueText(field, value);
  return [{ ...at, before: text(old), after: text(now) }];
}

/** The value of a field that is not stored, in words. */
export function unstoredText(field: FieldForm | undefined, fallback: unknown): string {
  return fallback === undefined || fallback === null
    ? 'not set'
    : `${valueText(field, fallback)} (not stored)`;
}

/** A value in words. */
export function valueText(field: FieldForm | undefined, value: unknown): string {
  if (value === undefined || value === null) return 'not set';
  if (field?.kind === 'secret') return 'set';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') {
    return field?.limits.unit === 's' ? `${value} s${secondsInWords(value)}` : String(value);
  }
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) {
    return value.length === 0 ? 'empty' : value.join(', ');
  }
  return JSON.stringify(value);
}

const larger = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;

/** A time in the largest unit that it is a multiple of, in brackets; empty for seconds. */
export function secondsInWords(seconds: number): string {
  const unit = larger.find(([size]) => seconds >= size && seconds % size === 0);
  return unit ? ` (${counted(seconds / unit[0], unit[1])})` : '';
}
