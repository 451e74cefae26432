import { expect, test } from 'vitest';

import { parsePs, parseStat, readUsage } from './usage.js';

test('a name with spaces and brackets moves no field', () => {
  const numbers = Array.from({ length: 50 }, (_, at) => String(at + 4));
  const { cpuMs } = parseStat(`7 (a) b (c)) S ${numbers.join(' ')}`);
  expect(cpuMs).toBe((14 + 15) * 10);
});

test.each([
  ['  2048   0:01.50', { cpuMs: 1_500, memoryKb: 2_048 }],
  ['10 01:02:03', { cpuMs: 3_723_000, memoryKb: 10 }],
  ['10 2-00:00:01', { cpuMs: 172_801_000, memoryKb: 10 }],
  ['', undefined],
])('the line %j of ps is read', (line, usage) => {
  expect(parsePs(line)).toEqual(usage);
});

test('this process uses memory and time, and one that does not exist nothing', () => {
  expect(readUsage(process.pid)?.memoryKb).toBeGreaterThan(10_000);
  expect(readUsage(process.pid)?.cpuMs).toBeGreaterThan(0);
  expect(readUsage(2 ** 30)).toBeUndefined();
});
