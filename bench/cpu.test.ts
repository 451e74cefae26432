import { expect, test } from 'vitest';
import { cpuMicrosOf, parseCpuMicros } from './cpu.js';

test('user and system ticks are added, whatever the name of the command holds', () => {
  const stat = '42 (a ) (b) S 1 42 42 0 -1 4194560 100 0 0 0 7 5 0 0 20 0 11 0 1 1 1';
  expect(parseCpuMicros(stat)).toBe(120_000);
});

test('a line without times is refused', () => {
  expect(() => parseCpuMicros('42 (a) S 1')).toThrow();
});

test('the time of this process grows with its work', () => {
  const before = cpuMicrosOf(process.pid);
  if (before === undefined) return;
  const startedAt = process.cpuUsage();
  while (process.cpuUsage(startedAt).user < 60_000) Math.sqrt(performance.now());
  expect((cpuMicrosOf(process.pid) ?? 0) - before).toBeGreaterThanOrEqual(30_000);
});
