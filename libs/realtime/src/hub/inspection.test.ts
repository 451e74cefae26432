import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { fail } from '#libs/errors';
import { expect, test } from 'vitest';

import { Inspection } from './inspection.js';

test('refusals of frames with long topics keep their beginning alone in memory', () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const inspection = new Inspection(() => 0);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 100; n += 1) {
    const topic = `${n} ${'x'.repeat(1_000_000)}`.replace('x', 'y');
    inspection.noteRefusal('rt:leave', fail('RATE_LIMITED'), { topic });
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
  const refusals = inspection.refusals.list();
  expect(refusals.map(({ topic }) => topic?.length)).toEqual(Array(100).fill(255));
});

test('a listener goes on while it is open and for ten seconds after its end', () => {
  let now = 0;
  const inspection = new Inspection(() => now);
  expect(inspection.isListening('one')).toBe(false);
  const end = inspection.rememberListener('one');
  now = 3_600_000;
  expect([inspection.isListening('one'), inspection.isListening('other')]).toEqual([true, false]);
  const endNext = inspection.rememberListener('one');
  end();
  now += 60_000;
  expect(inspection.isListening('one')).toBe(true);
  endNext();
  now += 10_000;
  // A second end is that of the stream.
  endNext();
  expect(inspection.isListening('one')).toBe(true);
  now += 1;
  expect(inspection.isListening('one')).toBe(false);
});
