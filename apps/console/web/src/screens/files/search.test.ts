import { describe, expect, test } from 'vitest';

import { nextOrder, orderText, readFolder, readOrder, readPart } from './search.js';

describe('the order', () => {
  test.each([
    { text: undefined, order: { field: 'name', direction: 'asc' } },
    { text: 'size.desc', order: { field: 'size', direction: 'desc' } },
    { text: 'updatedAt', order: { field: 'updatedAt', direction: 'asc' } },
    { text: 'owner.sideways', order: { field: 'name', direction: 'asc' } },
  ])('of $text', ({ text, order }) => {
    expect(readOrder(text)).toEqual(order);
  });

  test('turns with a second press, and begins with the largest and the newest', () => {
    const byName = readOrder(undefined);
    expect(orderText(nextOrder(byName, 'name'))).toBe('name.desc');
    expect(orderText(nextOrder(byName, 'size'))).toBe('size.desc');
    expect(orderText(nextOrder(readOrder('name.desc'), 'name'))).toBeUndefined();
  });
});

test('an unknown part is the files', () => {
  expect(readPart('tokens')).toBe('tokens');
  expect(readPart('toString')).toBe('files');
});

test('a folder ends with a slash', () => {
  expect([undefined, '', 'a', 'a/b/'].map(readFolder)).toEqual(['', '', 'a/', 'a/b/']);
});
