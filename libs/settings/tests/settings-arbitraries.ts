import fc from 'fast-check';
import type { Field, Fields, LeafField, TextFormat } from '../src/field.js';
import { fieldsIn } from '../src/field.js';
import type { Group } from '../src/define-group.js';
import type { Environment } from '../src/resolve.js';

/** Every generated secret begins with it, and nothing else contains it. */
export const secretMark = 'hidden-';

const SAMPLES: Readonly<Record<TextFormat, readonly [string, ...string[]]>> = {
  url: ['https://a.example', 'http://localhost:3000/path'],
  'redirect-url': ['https://*.example.com', 'myapp://callback'],
  email: ['a@b.example', 'c@d.example'],
  sender: ['a@b.example', 'Row <c@d.example>'],
  host: ['mail.example', '127.0.0.1'],
  domain: ['a.example', 'b.example'],
  id: ['acme', 'b_2'],
  'function-name': ['public.f', 'app.g'],
  'edge-function': ['hello', 'on-sign-up'],
  'phone-sender': ['+15551234567', 'Row'],
  route: ['/rest/v1/a', 'POST /rest/v1/b'],
};

/** JSON bodies whose single fields are all valid for the group. */
export function bodyOf({ fields }: Group): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  return valuesOf(fields);
}

/** Possible stored values of a group: valid values of its fields among arbitrary ones. */
export function storedOf({ fields }: Group): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: mangled(fields) }, fc.jsonValue());
}

/** An environment with some of the variables of a group. */
export function environmentOf({ fields }: Group): fc.Arbitrary<Environment> {
  const variables = leavesIn(fields).flatMap((field): [string, fc.Arbitrary<string>][] =>
    field.env === undefined ? [] : [[field.env, variableOf(field)]],
  );
  return fc.record(Object.fromEntries(variables), { requiredKeys: [] });
}

function leavesIn(fields: Fields): readonly LeafField[] {
  return fieldsIn(fields).flatMap(([, field]) => {
    if (field.kind === 'entries') return [];
    return field.kind === 'object' ? leavesIn(field.fields) : [field];
  });
}

function variableOf(field: LeafField): fc.Arbitrary<string> {
  if (field.kind === 'list') return textOf(field);
  return leafOf(field).map(String);
}

function valuesOf(fields: Fields): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const members = fieldsIn(fields).map(([name, field]) => {
    const missing = fc.constant(null);
    return [name, fc.oneof({ weight: 4, arbitrary: valueOf(field) }, missing)] as const;
  });
  return fc.record(Object.fromEntries(members), { requiredKeys: [] });
}

function valueOf(field: Field): fc.Arbitrary<unknown> {
  if (field.kind === 'object') return valuesOf(field.fields);
  if (field.kind !== 'entries') return leafOf(field);
  const keyed = fc
    .tuple(valuesOf(field.fields), fc.constantFrom('a', 'b', 'c'))
    .map(([values, key]) => ({ ...values, [field.key]: key }));
  return fc.uniqueArray(keyed, {
    maxLength: Math.min(field.maxItems, 3),
    selector: (entry) => entry[field.key],
  });
}

function leafOf(field: LeafField): fc.Arbitrary<boolean | number | string | readonly string[]> {
  switch (field.kind) {
    case 'flag':
      return fc.boolean();
    case 'integer': {
      const [min, max] = field.range ?? [-5, 100_000];
      return fc.integer({ min, max });
    }
    case 'text':
      return textOf(field);
    case 'secret':
      return fc.integer({ min: 0, max: 999 }).map((number) => `${secretMark}${number}`);
    case 'choice':
      return fc.constantFrom(...field.of);
    case 'list':
      return fc.array(textOf(field), { maxLength: Math.min(field.maxItems, 3) });
  }
}

function textOf(field: {
  readonly format?: TextFormat;
  readonly of?: readonly string[];
}): fc.Arbitrary<string> {
  if (field.of) return fc.constantFrom(...field.of);
  return fc.constantFrom(...(field.format ? SAMPLES[field.format] : ['abc', 'd.e']));
}

/** Values in which any field, at any depth, may hold anything. */
function mangled(fields: Fields): fc.Arbitrary<unknown> {
  const members = fieldsIn(fields).map(([name, field]) => {
    const anything = fc.jsonValue({ maxDepth: 2 });
    return [name, fc.oneof({ weight: 4, arbitrary: mangledValue(field) }, anything)] as const;
  });
  return fc.record(Object.fromEntries(members), { requiredKeys: [] });
}

function mangledValue(field: Field): fc.Arbitrary<unknown> {
  if (field.kind === 'object') return mangled(field.fields);
  return field.kind === 'entries'
    ? fc.array(mangled(field.fields), { maxLength: 4 })
    : leafOf(field);
}
