// A number that makes no sense is never stored: not as it was sent, and not as 0, which means "no limit" in many
// fields. Only a field with a clamp in the specification moves it into its limits. All fields of all groups join by
// themselves.
import { expect, test } from 'vitest';
import { AppError } from '#libs/errors';
import { isRecord } from '#libs/wire';
import { applyWrite } from './apply-write.js';
import type { ObjectValue } from './decode.js';
import type { Group } from './define-group.js';
import { fieldsIn, type Fields, type IntegerField } from './field.js';
import { SETTINGS_GROUPS } from './groups.js';

interface Place {
  readonly name: string;
  readonly group: Group;
  /** The path in errors. */
  readonly path: string;
  readonly field: IntegerField;
  /** The body of a write that contains `value` in this place. */
  readonly bodyWith: (value: unknown) => Readonly<Record<string, unknown>>;
}

const places: readonly Place[] = SETTINGS_GROUPS.flatMap((group: Group) =>
  integersIn(group.fields).map(({ steps, path, field }) => ({
    name: `${group.name} ${path}`,
    group,
    path,
    field,
    bodyWith: (value) => steps.reduceRight<unknown>((inner, step) => step(inner), value) as never,
  })),
);

interface Found {
  readonly path: string;
  readonly field: IntegerField;
  readonly steps: readonly ((inner: unknown) => unknown)[];
}

function integersIn(fields: Fields): readonly Found[] {
  return fieldsIn(fields).flatMap(([name, field]): readonly Found[] => {
    const here = (inner: unknown) => ({ [name]: inner });
    if (field.kind === 'integer') return [{ path: name, field, steps: [here] }];
    if (field.kind === 'object') {
      return integersIn(field.fields).map((found) => ({
        ...found,
        path: `${name}.${found.path}`,
        steps: [here, ...found.steps],
      }));
    }
    if (field.kind !== 'entries') return [];
    const entry = (inner: unknown) => [isRecord(inner) ? { [field.key]: 'a', ...inner } : inner];
    return integersIn(field.fields).map((found) => ({
      ...found,
      path: `${name}[0].${found.path}`,
      steps: [here, entry, ...found.steps],
    }));
  });
}

/** What is stored after a write of `value`, or the message of the refusal. */
function write({ group, bodyWith }: Place, value: unknown): ObjectValue | string {
  try {
    return applyWrite(group, { stored: undefined, env: {}, body: bodyWith(value) });
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_INPUT') return error.message;
    throw error;
  }
}

test('the specification clamps two fields, and the code no other', () => {
  const clamped = places.filter(({ field }) => field.clamp).map(({ name }) => name);
  expect(clamped.toSorted()).toEqual(['api.rest maxRows', 'auth.phoneOtp otpLength']);
});

test('every number has a lowest and a highest value, and its default is between them', () => {
  expect(places.length).toBeGreaterThan(50);
  for (const { name, field } of places) {
    const [min, max] = field.clamp ?? field.range ?? [NaN, NaN];
    expect(min <= field.default && field.default <= max, name).toBe(true);
    expect(min, name).toBeGreaterThanOrEqual(0);
  }
});

const noNumbers: readonly unknown[] = [
  0.5,
  -0.5,
  1e-9,
  NaN,
  Infinity,
  -Infinity,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER + 1,
  Number.MIN_SAFE_INTEGER - 1,
  '',
  ' ',
  '-1',
  '5',
  'NaN',
  'Infinity',
  '1e3',
  '0x10',
  'unlimited',
  true,
  false,
  [],
  [5],
  {},
];

test.each(places)('$name takes nothing but a whole number', (place) => {
  for (const value of noNumbers) {
    expect(write(place, value), String(value)).toBe(`${place.path}: must be a whole number`);
  }
});

test.each(places)('$name outside of its limits is refused or clamped', (place) => {
  const { clamp, range } = place.field;
  const [min, max] = range ?? clamp ?? [NaN, NaN];
  const inside = (value: number) =>
    clamp ? Math.min(Math.max(value, clamp[0]), clamp[1]) : undefined;
  const outside = [-1, -3, min - 1, max + 1, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  for (const value of outside.filter((number) => number < min || number > max)) {
    if (!Number.isSafeInteger(value)) continue;
    const expected = range
      ? `${place.path}: must be between ${range[0]} and ${range[1]}`
      : place.bodyWith(inside(value));
    expect(write(place, value), String(value)).toEqual(expected);
  }
});
