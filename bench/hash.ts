// The process that verifies passwords and does nothing else, with the product's own function and as many
// threads as the product has. It runs one plan for each message.

import { verifyPassword } from '#libs/passwords';
import { isHashPlan, type HashAnswer, type HashPlan } from './auth/hash-plan.js';
import { measureHash } from './auth/hash-round.js';

async function answer(plan: HashPlan): Promise<HashAnswer> {
  try {
    return { kind: 'hashed', perSecond: await measureHash(verifyPassword, plan) };
  } catch (error) {
    return { kind: 'error', message: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (message: unknown) => {
  if (isHashPlan(message)) void answer(message).then((reply) => process.send?.(reply));
});
process.once('disconnect', () => process.exit());
