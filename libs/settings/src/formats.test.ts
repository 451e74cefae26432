import { describe, expect, test } from 'vitest';
import { decodeLeaf } from './decode.js';
import { list, text, type TextFormat } from './field.js';

const FORMATS: readonly {
  readonly format: TextFormat;
  readonly taken: readonly string[];
  readonly refused: readonly string[];
}[] = [
  {
    format: 'id',
    taken: ['acme', 'a', 'A-b_9', 'x'.repeat(64)],
    refused: ['x'.repeat(65), 'a.b', 'a b', 'a/b', 'é', '../a'],
  },
  {
    format: 'function-name',
    taken: ['public.on_sign_up', '_a._1', `${'s'.repeat(63)}.${'f'.repeat(63)}`],
    refused: [
      'on_sign_up',
      'a.b.c',
      'public.',
      '.f',
      '1a.f',
      'Public.f',
      'public."f"',
      'public.f()',
      'public.f;drop table x',
      `s.${'f'.repeat(64)}`,
    ],
  },
  {
    format: 'edge-function',
    taken: ['hello', 'on-sign-up', '1_a', 'x'.repeat(63)],
    refused: ['Hello', '-a', '_a', 'a/b', 'a.b', '../a', 'x'.repeat(64)],
  },
  {
    format: 'phone-sender',
    taken: ['+15551234567', 'Rowhouse', '12345', 'Row2', 'a'.repeat(11)],
    refused: ['+0123', '+1555123456789012', 'a'.repeat(12), 'Row House', '+1 555 123', 'Rów'],
  },
  {
    format: 'route',
    taken: ['/rest/v1/orders', 'POST /rest/v1/orders', 'post /rest', '/rest/*', 'DELETE /', '*'],
    refused: ['rest/v1', 'POST', 'OPTIONS /rest', '/a b', '/a?b=c', '/a#b', '/a\\b', 'FETCH /a'],
  },
];

describe.each(FORMATS)('the format $format', ({ format, taken, refused }) => {
  const field = text({ label: 'Text', format, maxLength: 200 });

  test.each(taken)('takes %s', (value) => {
    expect(decodeLeaf(field, value)).toEqual({ ok: true, value });
  });

  test.each(refused)('refuses %s', (value) => {
    expect(decodeLeaf(field, value)).toMatchObject({ ok: false });
  });
});

describe('a text', () => {
  const control = 'must not contain control characters';
  test.each([
    { name: 'of several lines has line breaks', multiline: true, value: 'a\r\nb\n\tc' },
    { name: 'of one line has none', multiline: false, value: 'a\nb', reason: control },
    { name: 'of one line has no tab', multiline: false, value: 'a\tb', reason: control },
    {
      name: 'of several lines has no other control character',
      multiline: true,
      value: 'a\u0000b',
      reason: control,
    },
    {
      name: 'of several lines has no C1 control character',
      multiline: true,
      value: 'a\u0085b',
      reason: control,
    },
    {
      name: 'has no half of a surrogate pair',
      multiline: false,
      value: 'a\ud800',
      reason: 'must be well-formed Unicode',
    },
    { name: 'may have whole surrogate pairs', multiline: false, value: 'a😀' },
  ])('$name', ({ multiline, value, reason }) => {
    const field = text({ label: 'Text', maxLength: 20, multiline });
    const expected = reason === undefined ? { ok: true, value } : { ok: false, reason };
    expect(decodeLeaf(field, value)).toEqual(expected);
  });

  test('of a list with words is one of them', () => {
    const field = list({
      label: 'Words',
      of: ['red', 'green'],
      default: [],
      maxItems: 5,
      maxLength: 9,
    });
    expect(decodeLeaf(field, ['green', 'red'])).toEqual({ ok: true, value: ['green', 'red'] });
    expect(decodeLeaf(field, ['red', 'blue'])).toEqual({
      ok: false,
      reason: 'entry 2 must be one of red, green',
    });
  });
});
