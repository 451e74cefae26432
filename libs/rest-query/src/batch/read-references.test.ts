import { describe, expect, test } from 'vitest';
import { AppError } from '#libs/errors';

import type { RestInput } from '../types/request.js';
import { readBatch } from './read-batch.js';
import { finish } from '#libs/steps';

const read = (operations: readonly unknown[]): readonly RestInput[] =>
  finish(readBatch(Buffer.from(JSON.stringify({ operations })), {}));

/** The refusal of a batch as its code and message. */
function refusal(operations: readonly unknown[]): string {
  try {
    read(operations);
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return `${error.code} ${error.message}`;
    throw error;
  }
  throw new Error('the batch was accepted');
}

describe('references', () => {
  const order = { method: 'POST', model: 'orders', body: {}, as: 'order' };
  const line = (reference: unknown) => ({
    method: 'POST',
    model: 'lines',
    body: { order_id: reference },
  });

  test.each([
    { name: 'by index', pointer: '/0/0/id', reference: { operation: 0, row: 0, column: 'id' } },
    {
      name: 'by name',
      pointer: '/order/12/id',
      reference: { operation: 0, row: 12, column: 'id' },
    },
    {
      name: 'with escapes',
      pointer: '/0/0/a~1b~0c',
      reference: { operation: 0, row: 0, column: 'a/b~c' },
    },
  ])('$name', ({ pointer, reference }) => {
    const [first, second] = read([order, line({ $ref: pointer })]);
    expect(first?.place).toEqual({ index: 0, isReferenced: true, references: [], matches: [] });
    expect(second?.place).toEqual({
      index: 1,
      isReferenced: false,
      references: [{ row: 0, column: 'order_id', reference }],
      matches: [],
    });
  });

  test('in any row, and in match', () => {
    const $ref = '/order/0/id';
    const reference = { operation: 0, row: 0, column: 'id' };
    const rows = { method: 'POST', model: 't', body: [{ a: 1 }, { a: { $ref } }] };
    const update = { method: 'PATCH', model: 't', body: { b: 1 }, match: { a: { $ref }, c: 2 } };
    const [, second, third] = read([order, rows, update]);
    expect(second?.place?.references).toEqual([{ row: 1, column: 'a', reference }]);
    expect(third?.place?.matches).toEqual([{ column: 'a', reference }]);
    expect(third?.queryString).toBe('%22c%22=eq.2');
  });

  test.each([
    { name: 'deeper than a column', value: { a: { $ref: '/0/0/id' } } },
    { name: 'in a list', value: [{ $ref: '/0/0/id' }] },
    { name: 'beside another key', value: { $ref: '/0/0/id', other: 1 } },
    { name: 'that is no text', value: { $ref: 1 } },
  ])('a $ref $name is data', ({ value }) => {
    expect(read([order, line(value)]).map(({ place }) => place)).toEqual([undefined, undefined]);
  });

  test.each([
    { name: 'itself', pointer: '/1/0/id' },
    { name: 'a later operation', pointer: '/2/0/id' },
    { name: 'an unknown name', pointer: '/nobody/0/id' },
    { name: 'a list without a row', pointer: '/0/id' },
    { name: 'a row that is no number', pointer: '/0/first/id' },
    { name: 'a negative row', pointer: '/0/-1/id' },
    { name: 'a row with a leading zero', pointer: '/0/01/id' },
    { name: 'no column', pointer: '/0/0/' },
    { name: 'deeper than a column', pointer: '/0/0/a/b' },
    { name: 'without the first slash', pointer: '0/0/id' },
    { name: 'a name with NUL', pointer: '/0/0/i\0d' },
    { name: 'nothing', pointer: '' },
  ])('to $name is refused', ({ pointer }) => {
    const later = { ...order, as: 'later' };
    expect(refusal([order, line({ $ref: pointer }), later])).toMatch(
      /^INVALID_INPUT operations\[1\]\.body\.order_id: /,
    );
  });

  test('more than 1,000 references', () => {
    const $ref = '/0/0/id';
    const rows = Array.from({ length: 1_001 }, () => ({ a: { $ref } }));
    expect(refusal([order, { ...order, as: 'other', body: rows }])).toMatch(
      /^PGRST100 .*operations\[1\]\.body/,
    );
    expect(
      read([order, { ...order, as: 'other', body: rows.slice(1) }])[1]?.place?.references,
    ).toHaveLength(1_000);
  });
});
