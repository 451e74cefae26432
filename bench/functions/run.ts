// The run of edge functions: calls of one project, measured in interleaved rounds beside bare Deno.

import { turnOffRateLimits } from '../auth/open-auth.js';
import type { TargetRun } from '../open-targets.js';
import { measureRounds } from '../series.js';
import { openVerified } from '../storage/run.js';
import { openCalls, openColdCalls, openStreams } from './calls.js';
import { openBareDeno } from './deno.js';
import { openIdle } from './idle.js';

export interface FunctionsRun extends TargetRun {
  readonly rounds: number;
  /** The program. */
  readonly deno: string;
}

/** Measures into the rates of the run. */
export async function measureFunctions(run: FunctionsRun): Promise<void> {
  const { site, rates, rounds, say } = run;
  const { product } = site;
  if (product === undefined) throw new Error('A run of functions measures the product');
  await turnOffRateLimits(product);
  const parts = [openBareDeno, openCalls, openColdCalls, openStreams, openIdle] as const;
  const series = await openVerified({ ...run, product }, parts);
  await measureRounds(series, rates, {
    rounds,
    writes: () => false,
    reset: () => Promise.resolve(),
    say,
  });
}
