import { describe, expect, test } from 'vitest';
import { spread } from '../spread.js';
import type { HashPlan } from './hash-plan.js';
import { measureHash } from './hash-round.js';
import { heapPerProject } from './heap.js';
import { summarizeSaves } from './saves.js';
import { AUTH_CASES, authRequests, PASSWORD_ACCOUNTS } from './works.js';

test.each([
  { values: [3, 1, 8], is: { median: 3, max: 8 } },
  { values: [], is: { median: 0, max: 0 } },
])('the spread of $values', ({ values, is }) => {
  expect(spread(values)).toEqual(is);
});

test('a save takes hold from its answer on, and as a whole from when it was sent', () => {
  const times = [
    { savedMs: 30, servedMs: 2 },
    { savedMs: 10, servedMs: 9 },
    { savedMs: 20, servedMs: 4 },
  ];
  expect(summarizeSaves(times)).toEqual({
    saves: 3,
    servedMs: { median: 4, max: 9 },
    wholeMs: { median: 24, max: 32 },
  });
});

test('the heap of a project is what its tables and its engine take', () => {
  const readings = { before: 50_000, withTables: 52_000, withEngines: 60_000 };
  expect(heapPerProject(readings, 10)).toEqual({
    projects: 10,
    tableBytes: 200,
    engineBytes: 800,
    projectBytes: 1_000,
  });
});

describe('the hash alone', () => {
  const plan: HashPlan = {
    kind: 'hash',
    passwordHash: 'hash',
    password: 'password',
    atOnce: 4,
    warmUpSeconds: 0.02,
    seconds: 0.1,
  };

  test('keeps as many verifications under way as asked and counts those of the measured time', async () => {
    let underWay = 0;
    let mostUnderWay = 0;
    let verified = 0;
    const perSecond = await measureHash(async () => {
      underWay += 1;
      mostUnderWay = Math.max(mostUnderWay, underWay);
      await new Promise((done) => setTimeout(done, 10));
      underWay -= 1;
      verified += 1;
      return true;
    }, plan);
    expect(mostUnderWay).toBe(4);
    expect(perSecond).toBeGreaterThan(0);
    // All of the warm-up and of the measured time: what is counted twice or of both would be more.
    expect(perSecond * plan.seconds).toBeLessThan(verified);
  });

  test('a password that does not fit is no rate', async () => {
    await expect(measureHash(() => Promise.resolve(false), plan)).rejects.toThrow(/does not fit/);
  });
});

describe('the requests', () => {
  const requestsOf = (work: string): readonly string[] =>
    AUTH_CASES.filter((one) => one.key.work === work).flatMap((one) =>
      authRequests(one, 'x.localhost'),
    );

  test('sign-ins go through all users with a password, without a session', () => {
    const emails = requestsOf('sign-in').map((text) => /"email":"([^"]+)"/.exec(text)?.[1]);
    expect(new Set(emails).size).toBe(PASSWORD_ACCOUNTS);
    expect(requestsOf('sign-in').filter((text) => /authorization|cookie/i.test(text))).toEqual([]);
  });

  test('sessions are read by many sessions', () => {
    const tokens = requestsOf('get-session').map((text) => /Bearer (\S+)/.exec(text)?.[1]);
    expect(new Set(tokens).size).toBeGreaterThan(1_000);
  });
});
