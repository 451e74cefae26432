// The load process: runs one plan for each message. It is a process of its own so that its CPU time
// is never taken for the server's.

import { isLoadPlan, type LoadAnswer, type LoadPlan } from './load-plan.js';
import { runLoad } from './load-round.js';

async function answer(plan: LoadPlan): Promise<LoadAnswer> {
  try {
    return await runLoad(plan);
  } catch (error) {
    return { kind: 'error', message: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (message: unknown) => {
  if (isLoadPlan(message)) void answer(message).then((reply) => process.send?.(reply));
});
process.once('disconnect', () => process.exit());
