// Accounts under load: users and administrators do everything at once, at random, and what must hold is checked
// with each answer. `npm run soak` does it longer and with more of them.
import { beforeAll, expect, vi, test } from 'vitest';

import { INVARIANTS } from './invariants.js';
import { reportOf } from './report.js';
import { runSoak, type SoakResult } from './run-soak.js';
import { isLongRun, soakProjects, soakSeconds, soakSeed, soakWorkers } from './settings.js';

const openingMs = 600_000;
vi.setConfig({
  testTimeout: soakSeconds * 1000 + openingMs,
  hookTimeout: soakSeconds * 1000 + openingMs,
});

const say = (line: string) => {
  if (isLongRun) process.stdout.write(`soak: ${line}\n`);
};

let result: SoakResult;

beforeAll(async () => {
  result = await runSoak({
    seconds: soakSeconds,
    workers: soakWorkers,
    projects: soakProjects,
    seed: soakSeed,
    say,
  });
  say(`repeat with --seed ${soakSeed}\n${reportOf(result)}`);
});

test.each(Object.entries(INVARIANTS))('%s: %s', (invariant) => {
  const broken = result.violations.filter((each) => each.invariant === invariant);
  expect(broken.map(({ message }) => `${message}\n  seed ${soakSeed}`)).toEqual([]);
});

test('steps of nearly every kind had their turn, and some requests were refused', () => {
  const counted = [...result.tally.byStep.values()];
  expect(counted.length).toBeGreaterThan(12);
  expect(counted.some(({ refused }) => refused > 0)).toBe(true);
});
