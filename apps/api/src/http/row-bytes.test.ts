import { describe, expect, test } from 'vitest';

import { finish, stepBytes } from '#libs/steps';

import { rowBytes } from './row-bytes.js';

describe('a body', () => {
  test('of text stays as it is', () => {
    const bytes = Buffer.from(`\uFEFF${'é'.repeat(stepBytes)}`);
    expect(finish(rowBytes(bytes, 'application/json'))).toBe(bytes);
  });

  test('of bytes is written as PostgreSQL writes them', () => {
    const bytes = Buffer.alloc(stepBytes + 1, 0xab);
    const type = 'application/octet-stream';
    expect(finish(rowBytes(bytes, type)).toString() === `\\x${bytes.toString('hex')}`).toBe(true);
    expect(finish(rowBytes(Buffer.alloc(0), type)).toString()).toBe('\\x');
  });

  test.each(['text/csv', 'application/octet-stream'])('is read in steps: %s', (type) => {
    const steps = rowBytes(Buffer.alloc(5 * stepBytes), type);
    let count = 1;
    while (!steps.next().done) count++;
    expect(count).toBe(6);
  });

  test('waits for its turn, if it is long', () => {
    const notUtf8 = (length: number): Buffer => Buffer.alloc(length, 0xff);
    expect(() => rowBytes(notUtf8(65_536), 'text/csv').next()).toThrow(/UTF-8/);
    const steps = rowBytes(notUtf8(65_537), 'text/csv');
    expect(steps.next().done).toBe(false);
    expect(() => steps.next()).toThrow(/UTF-8/);
  });

  test('that is not UTF-8 is refused', () => {
    expect(() => finish(rowBytes(Buffer.from([0xff]), 'text/csv'))).toThrow(/UTF-8/);
  });
});
