import { describe, expect, test } from 'vitest';
import type { BaselineWork } from './baseline.js';
import type { CaseName } from './case.js';
import { caseOf } from './cases.js';
import { parsePgbench, pgbenchArguments, pgbenchScript } from './pgbench.js';

const SUMMARY = `pgbench (15.18)
transaction type: transaction.sql
number of transactions actually processed: 25469
number of failed transactions: 0 (0.000%)
latency average = 2.513 ms
initial connection time = 60.1 ms
tps = 12734.510000 (without initial connection time)
`;

const PROGRESS = 'progress: 1.0 s, 3000.0 tps, lat 0.021 ms stddev 0.321, 0 failed\n';

function scriptOf(name: CaseName, travel: BaselineWork['travel']): string[] {
  return pgbenchScript({ measured: caseOf(name), travel, caller: 'live lookup' })
    .trim()
    .split('\n');
}

describe('pgbenchScript', () => {
  test('pipelined: one pipeline holds the transaction, one statement a line', () => {
    const lines = scriptOf('single', 'pipelined');
    expect(lines.slice(0, 4)).toEqual([
      '\\set session random(1, 20000)',
      '\\set n random(1, 100000)',
      '\\startpipeline',
      'begin;',
    ]);
    expect(lines.slice(-2)).toEqual(['commit;', '\\endpipeline']);
    expect(lines).toHaveLength(8);
  });

  test('serial: the same statements without a pipeline', () => {
    const piped = scriptOf('list20', 'pipelined').filter((line) => !line.endsWith('pipeline'));
    expect(scriptOf('list20', 'serial')).toEqual(piped);
  });
});

test('a body travels as a variable, and without one there is none', () => {
  const load = { clients: 4, seconds: 1 };
  expect(pgbenchArguments('f', { body: '[{"a": 1}]' }, load)).toContain('--define=body=[{"a": 1}]');
  expect(pgbenchArguments('f', {}, load).join(' ')).not.toContain('--define');
});

test('a body fits into one argument of a program (128 KiB on Linux)', () => {
  expect(Buffer.byteLength(caseOf('bulk').body ?? '')).toBeLessThan(120 * 1024);
});

describe('parsePgbench', () => {
  test('reads the rate of what came after the warm-up', () => {
    // 2 seconds of 9,000 in all, 1 of them of 3,000.
    const stdout = SUMMARY.replace('25469', '9000').replace(/tps = \S+/, 'tps = 4500.0');
    expect(parsePgbench({ stdout, stderr: PROGRESS })).toBe(6000);
  });

  test('no time for any transaction: a rate of nought', () => {
    const stalled = SUMMARY.replace('25469', '0').replace(/tps.*/, '');
    expect(parsePgbench({ stdout: stalled, stderr: '' })).toBe(0);
  });

  test.each([
    { name: 'failed transactions', stdout: SUMMARY.replace('transactions: 0', 'transactions: 3') },
    { name: 'no rate', stdout: SUMMARY.replace(/tps.*/, '') },
    { name: 'nothing', stdout: '' },
    { name: 'no progress', stdout: SUMMARY, stderr: '' },
  ])('$name: no result', ({ stdout, stderr = PROGRESS }) => {
    expect(() => parsePgbench({ stdout, stderr })).toThrow();
  });
});
