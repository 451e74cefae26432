import { expect, test } from 'vitest';

import type { Deployment } from './queries.js';
import { upgradeWords } from './upgrade-words.js';

type Upgrade = Deployment['fleet']['upgrade'];
const run = { wave: 2, waves: 4, size: 5, attempted: 3, failed: 1 };
const wordsOf = (upgrade: Partial<Upgrade>) =>
  upgradeWords({
    release: 'r',
    projects: {
      active: 1,
      paused: 0,
      deleted: 0,
      changing: 0,
      databaseBytes: 0,
      storageBytes: 0,
    },
    work: { open: 0, failed: 0, running: 0, overdue: 0, overdueSince: null },
    upgrade: { pending: 0, failures: [], run: null, snapshots: 0, ...upgrade },
  });

test.each([
  { name: 'nothing is left', upgrade: {}, kind: 'good', has: 'Every project' },
  { name: 'one is left', upgrade: { pending: 1 }, kind: 'warning', has: '1 project lacks' },
  { name: 'several are left', upgrade: { pending: 3 }, kind: 'warning', has: '3 projects lack' },
  {
    name: 'a run goes on',
    upgrade: { pending: 3, run: { ...run, state: 'open' } },
    kind: 'plain',
    has: 'wave 2 of 4: 3 of 5 tried, 1 failed',
  },
  {
    name: 'a run has stopped',
    upgrade: { pending: 3, run: { ...run, state: 'stopped' } },
    kind: 'warning',
    has: 'stopped in wave 2 of 4: 1 of 3 failed',
  },
  {
    name: 'a run is done',
    upgrade: { run: { ...run, state: 'done' } },
    kind: 'good',
    has: 'Every project',
  },
] as const)('$name', ({ upgrade, kind, has }) => {
  const words = wordsOf(upgrade);
  expect(words.kind).toBe(kind);
  expect(words.sentence).toContain(has);
});
