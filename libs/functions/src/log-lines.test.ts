import { describe, expect, test } from 'vitest';

import { parseOutput, plainLine } from './log-lines.js';

const now = 1_800_000_000_000;

describe('a line of output', () => {
  test('of the bootstrap has a level, a time and a request', () => {
    const line = { level: 'warn', message: 'low', at: now - 5, requestId: 'r1' };
    expect(parseOutput(JSON.stringify(line), now)).toEqual({
      ...line,
      kind: 'log',
      at: new Date(now - 5),
    });
  });

  test.each([
    ['text', 'hello'],
    ['JSON of its own', '{"level":"fatal","message":"x"}'],
    ['half of JSON', '{"level":'],
  ])('is kept as it is when it is %s', (_name, line) => {
    expect(parseOutput(line, now)).toMatchObject({ level: 'log', message: line });
  });

  test.each([
    ['a time in the future', now + 1000],
    ['a time that is none', -1e20],
    ['a time that is no number', 'soon'],
  ])('with %s has ours', (_name, at) => {
    const line = parseOutput(JSON.stringify({ level: 'log', message: '', at }), now);
    expect(line).toMatchObject({ at: new Date(now) });
  });

  test('has no more than 10,000 characters', () => {
    const line = parseOutput(JSON.stringify({ level: 'log', message: 'x'.repeat(20_000) }), now);
    expect(line).toMatchObject({ message: 'x'.repeat(10_000) });
  });

  test('has no colors', () => {
    expect(plainLine('\u001b[0m\u001b[31merror\u001b[0m', 'error', now).message).toBe('error');
  });
});
