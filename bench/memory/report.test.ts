import { expect, test } from 'vitest';
import { checkMemory, renderMemory, type MemoryResult, type MemorySample } from './report.js';

function sample(minutes: number, heapBytes: number): MemorySample {
  return {
    minutes,
    requests: minutes * 1000,
    rssBytes: 100 * 2 ** 20,
    heapBytes,
    externalBytes: 0,
    backends: 8,
    backendBytes: 8 * 2 ** 20,
  };
}

function resultWith(heap: readonly number[]): MemoryResult {
  const samples = heap.map((bytes, index) => sample(index, bytes));
  const failures = [{ target: 'product', work: 'embed', reason: 'answered 400' }] as const;
  return {
    shapes: 10_000,
    cases: ['single'],
    failures,
    before: [sample(0, 1), sample(0, 2)],
    samples,
  };
}

function verdictOf(result: MemoryResult, title: string): boolean | undefined {
  return checkMemory(result).find((curve) => curve.title === title)?.isMet;
}

test.each([
  { name: 'a heap that fills and stays', heap: [10, 40, 60, 61, 61, 61], isMet: true },
  { name: 'a heap that goes on growing', heap: [10, 20, 30, 40, 50, 60], isMet: false },
])('$name: met is $isMet', ({ heap, isMet }) => {
  expect(verdictOf(resultWith(heap), 'heap in use')).toBe(isMet);
});

test('what could not be asked is shown as such and spoils nothing', () => {
  const result = resultWith([10, 10, 10, 10, 10, 10]);
  expect(verdictOf(result, 'prepared statements of a connection')).toBe(true);
  expect(renderMemory(result)).toMatch(/prepared statements.*\| +- \|.*not measured/);
});

test('the report has a row for each sample, and a block', () => {
  const text = renderMemory(resultWith([1, 2, 3, 4, 5, 6]));
  expect(text).toContain('| after 10000 shapes');
  expect(text).toContain('| 5.0 min of mixed load');
  expect(text).toContain('- product, embed: answered 400');
  expect(text).toMatch(/heap in use +▁▂▄▅▇█/);
});
