import { describe, expect, test } from 'vitest';

import { finish } from '#libs/steps';

import { rowText, stepBytes } from './row-text.js';

describe('a body is decoded', () => {
  test.each([
    { name: 'ASCII', text: 'a'.repeat(3 * stepBytes) },
    { name: 'two bytes', text: `a${'é'.repeat(stepBytes)}` },
    { name: 'three bytes', text: `ab${'€'.repeat(stepBytes)}` },
    { name: 'four bytes', text: `abc${'🪐'.repeat(stepBytes)}` },
    { name: 'a byte order mark', text: '\uFEFFa' },
    { name: 'nothing', text: '' },
  ])('$name, also across the end of a step', ({ text }) => {
    expect(finish(rowText(Buffer.from(text), 'application/json')) === text).toBe(true);
  });

  test('bytes, as PostgreSQL writes them', () => {
    const bytes = Buffer.alloc(stepBytes + 1, 0xab);
    const type = 'application/octet-stream';
    expect(finish(rowText(bytes, type)) === `\\x${bytes.toString('hex')}`).toBe(true);
    expect(finish(rowText(Buffer.alloc(0), type))).toBe('\\x');
  });

  test.each(['text/csv', 'application/octet-stream'])('in steps: %s', (type) => {
    const steps = rowText(Buffer.alloc(5 * stepBytes), type);
    let count = 1;
    while (!steps.next().done) count++;
    expect(count).toBe(6);
  });

  test('when its turn has come, if it is long', () => {
    const notUtf8 = (length: number): Buffer => Buffer.alloc(length, 0xff);
    expect(() => rowText(notUtf8(65_536), 'text/csv').next()).toThrow(/UTF-8/);
    const steps = rowText(notUtf8(65_537), 'text/csv');
    expect(steps.next().done).toBe(false);
    expect(() => steps.next()).toThrow(/UTF-8/);
  });

  test('unless it is not UTF-8', () => {
    expect(() => finish(rowText(Buffer.from([0xff]), 'text/csv'))).toThrow(/UTF-8/);
  });
});
