// Where addresses must be proven, a sign-up takes about as long for a taken address as for a free one.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openAuthProject, password, type AuthProject } from './auth-project.js';

let project: AuthProject;
beforeAll(async () => {
  const settings = { 'auth.methods.emailPassword': { requireEmailVerification: true } };
  project = await openAuthProject({ settings });
});
afterAll(() => project.close());

async function timeOf(email: string): Promise<number> {
  const startedAt = performance.now();
  await project.post('/sign-up/email', { body: { email, password } });
  return performance.now() - startedAt;
}

const medianOf = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

test('a sign-up with a taken address takes about as long as one with a free address', async () => {
  await timeOf('taken@example.com');
  const times = { taken: [] as number[], free: [] as number[] };
  for (let round = 0; round < 11; round += 1) {
    // In turns, so that both meet the same load.
    times.taken.push(await timeOf('taken@example.com'));
    times.free.push(await timeOf(`free-${round}@example.com`));
  }
  // The hash costs most of it: without it a taken address would take a tenth of the time.
  expect(medianOf(times.taken) / medianOf(times.free)).toBeGreaterThan(0.35);
});
