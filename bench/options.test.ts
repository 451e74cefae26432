import { expect, test } from '@jest/globals';
import { parseOptions } from './options.js';

test('nothing given: the defaults', () => {
  expect(parseOptions([])).toEqual({
    out: 'data/bench.json',
    rounds: 3,
    seconds: 2,
    projects: 200,
    only: '',
    withoutProduct: false,
  });
});

test('no projects: no fleet', () => {
  expect(parseOptions(['--projects', '0'])?.projects).toBe(0);
});

test('--help asks for no run', () => {
  expect(parseOptions(['--help'])).toBeUndefined();
});

test.each([
  { name: 'an unknown option', args: ['--fast'] },
  { name: 'no rounds', args: ['--rounds', '0'] },
  { name: 'half a second', args: ['--seconds', '0.5'] },
  { name: 'fewer projects than the wide ones', args: ['--projects', '3'] },
])('$name is refused', ({ args }) => {
  expect(() => parseOptions(args)).toThrow();
});
