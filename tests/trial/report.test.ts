import { expect, test } from 'vitest';

import { linesOf, summaryOf } from './report.js';

const good = { name: 'cold', tookMs: 1_500, load: 2.25, measured: 'p50 30 ms', failures: [] };
const bad = { ...good, name: 'sweep', failures: ['a', 'b', 'a'] };

test('a case is one line, and each of its failures another one', () => {
  expect(linesOf(good)).toEqual(['pass  cold                  1.5 s  p50 30 ms (load 2.3)']);
  expect(linesOf(bad)).toEqual([
    'FAIL  sweep                 1.5 s  p50 30 ms (load 2.3)',
    '      a',
    '      b',
  ]);
});

test('many failures are cut short', () => {
  const failures = Array.from({ length: 10 }, (_, index) => `failure ${index}`);
  expect(linesOf({ ...good, failures }).at(-1)).toBe('      and 2 more');
});

test('the summary names what failed, the processors and the highest load', () => {
  expect(summaryOf([good], 2)).toBe('1 of 1 passed; processors: 2, load: 2.3 at most');
  expect(summaryOf([{ ...good, load: 1 }, bad], 8)).toBe(
    '1 of 2 passed; failed: sweep; processors: 8, load: 2.3 at most',
  );
});
