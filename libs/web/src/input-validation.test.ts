import 'reflect-metadata';

import { describe, expect, test } from 'vitest';
import { IsBoolean, IsIn, IsInt, IsString, MinLength } from 'class-validator';

import { inputValidation } from './input-validation.js';
import { IsEmailAddress } from './is-email-address.js';
import { Nested, NestedList } from './nested.js';

class Body {
  @IsInt()
  readonly count!: number;

  @IsBoolean()
  readonly flag!: boolean;

  @IsString({ each: true })
  readonly words!: string[];

  @IsString()
  @MinLength(2)
  readonly text!: string;

  @IsEmailAddress()
  readonly email!: string;

  @IsIn(['a', 'b'])
  readonly choice!: string;
}

const good = { count: 1, flag: true, words: ['x'], text: 'xy', email: 'a@b.example', choice: 'a' };
const check = (body: object) => inputValidation().transform(body, { type: 'body', metatype: Body });

class Outer {
  @Nested(() => Body)
  readonly one!: Body;

  @NestedList(() => Body)
  readonly many!: Body[];
}

// Before the validator, whose time grows with the square of their number.
describe('an unknown field is named first', () => {
  const unknown = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`x${at}`, 1]));
  test.each([
    { type: 'body', metatype: Body, value: unknown, field: 'x0' },
    { type: 'query', metatype: Body, value: unknown, field: 'x0' },
    { type: 'body', metatype: Outer, value: { one: unknown, many: [] }, field: 'one.x0' },
    {
      type: 'body',
      metatype: Outer,
      value: { one: good, many: [good, unknown] },
      field: 'many.1.x0',
    },
  ] as const)('$type: $field', async ({ type, metatype, value, field }) => {
    await expect(inputValidation().transform(value, { type, metatype })).rejects.toMatchObject({
      code: 'UNKNOWN_FIELD',
      message: expect.stringContaining(field),
    });
  });

  test('and nested ones that are known are valid', async () => {
    const value = { one: good, many: [good, good] };
    await expect(
      inputValidation().transform(value, { type: 'body', metatype: Outer }),
    ).resolves.toEqual(value);
  });
});

test.each(['count', 'flag', 'words', 'text', 'email'])(
  'a missing %s is required',
  async (field) => {
    await expect(check({ ...good, [field]: undefined })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: `${field}: is required`,
    });
  },
);

test.each([
  { field: 'count', value: 'x', message: 'count: must be a whole number' },
  { field: 'flag', value: 1, message: 'flag: must be true or false' },
  { field: 'text', value: null, message: 'text: must be a text' },
  {
    field: 'choice',
    value: undefined,
    message: 'choice: must be one of the following values: a, b',
  },
])('$message', async ({ field, value, message }) => {
  await expect(check({ ...good, [field]: value })).rejects.toMatchObject({ message });
});

test.each([
  { value: 'a\0b', message: 'text: must not contain the character NUL' },
  { value: 'a\ud800b', message: 'text: must not contain half of a surrogate pair' },
])('$message', async ({ value, message }) => {
  await expect(check({ ...good, text: value })).rejects.toMatchObject({ message });
});

test('a text that is the whole value has the name of the value', async () => {
  const checked = inputValidation().transform('\0', { type: 'query', data: 'q', metatype: String });
  await expect(checked).rejects.toMatchObject({ message: 'q: must not contain the character NUL' });
});

test('a body that keeps all rules is given', async () => {
  expect(await check(good)).toMatchObject(good);
});
