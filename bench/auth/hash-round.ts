// One round of the hash alone: what a sign-in cannot do without, and nothing beside it.

import type { HashPlan } from './hash-plan.js';

export type Verify = (passwordHash: string, password: string) => Promise<boolean>;

/** Keeps `atOnce` verifications under way for the time; gives how many were done in how long. */
async function verifyDuring(
  verify: Verify,
  plan: HashPlan,
  forSeconds: number,
): Promise<{ readonly verified: number; readonly seconds: number }> {
  const startedAt = performance.now();
  const endsAt = startedAt + forSeconds * 1000;
  const work = async (): Promise<number> => {
    let verified = 0;
    // One after another, as a client that waits for its sign-in before it asks again.
    for (; performance.now() < endsAt; verified += 1) {
      if (!(await verify(plan.passwordHash, plan.password))) {
        throw new Error('The password does not fit its hash');
      }
    }
    return verified;
  };
  const counts = await Promise.all(Array.from({ length: plan.atOnce }, work));
  return {
    verified: counts.reduce((sum, count) => sum + count, 0),
    // Those that were under way at the end are counted, so their time is, too.
    seconds: (performance.now() - startedAt) / 1000,
  };
}

/** Verifications per second. Rejects when the password does not fit. */
export async function measureHash(verify: Verify, plan: HashPlan): Promise<number> {
  await verifyDuring(verify, plan, plan.warmUpSeconds);
  const { verified, seconds } = await verifyDuring(verify, plan, plan.seconds);
  return verified / seconds;
}
