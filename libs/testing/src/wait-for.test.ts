import { expect, test } from 'vitest';

import { timeUntil, waitFor } from './wait-for.js';

/** Compilers may write it with other spaces. */
const never = () => false;

test('what the condition returns is returned once it holds', async () => {
  const values = [undefined, 0, 'there'];
  expect(await waitFor(() => values.shift(), { everyMs: 1 })).toBe('there');
  expect(values).toEqual([]);
});

test.each([
  {
    name: 'its source text',
    until: {},
    error: `This did not happen within 0.005 s: ${String(never)}`,
  },
  {
    name: 'words',
    until: { until: 'the mail arrives' },
    error: 'This did not happen within 0.005 s: the mail arrives',
  },
])('a condition that does not hold in time is named by $name', async ({ until, error }) => {
  await expect(waitFor(never, { ...until, ms: 5, everyMs: 1 })).rejects.toThrow(new Error(error));
});

test('an error of the condition ends the wait at once', async () => {
  const failure = new Error('refused');
  let looks = 0;
  const condition = () => {
    looks += 1;
    throw failure;
  };
  await expect(waitFor(condition)).rejects.toBe(failure);
  expect(looks).toBe(1);
});

test('errors of a server that is away are waited out, and named if it stays away', async () => {
  const answers = [new Error('refused'), new Error('refused'), true];
  const condition = () => {
    const answer = answers.shift();
    if (answer === true) return true;
    throw answer ?? new Error('still refused');
  };
  expect(await timeUntil(condition, { everyMs: 1 })).toBeGreaterThan(0);
  const wait = { until: 'it answers', ms: 5, everyMs: 1, retriesErrors: true };
  await expect(waitFor(condition, wait)).rejects.toThrow('it answers: Error: still refused');
});
