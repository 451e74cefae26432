// The measuring side of the load process.

import { askChild, startChild, type Child } from './child.js';
import { isLoadAnswer, type LoadPlan, type LoadResult } from './load-plan.js';

export interface LoadClient {
  /** Rejects when the round broke or any reply was not 2xx: a failing server has no rate. */
  run(plan: LoadPlan): Promise<LoadResult>;
  stop(): Promise<void>;
}

async function runIn(child: Child, plan: LoadPlan): Promise<LoadResult> {
  const answer = await askChild(child, plan);
  if (!isLoadAnswer(answer)) throw new Error('The load process said something unknown');
  if (answer.kind === 'error') throw new Error(`The load round broke: ${answer.message}`);
  return answer;
}

export function openLoadClient(): LoadClient {
  const child = startChild('./load.js');
  return {
    async run(plan) {
      const result = await runIn(child, plan);
      if (result.failures === 0) return result;
      throw new Error(
        `${String(result.failures)} of ${String(result.failures + result.replies)} replies ` +
          `were not 2xx; the first had status ${String(result.failureStatus)}`,
      );
    },
    stop: () => child.stop(),
  };
}
