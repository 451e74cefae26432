// One measured series: a target, a case and a number of connections, measured once in each round.

import type { Baseline, BaselineWork } from './baseline.js';
import type { LoadClient } from './load-client.js';
import type { LoadResult } from './load-plan.js';
import type { Measurement, RateBook, SeriesKey } from './rate-book.js';
import { rateText } from './report.js';

// The first round waits until the compiler has done its work; later ones only until every connection has
// prepared its statements again.
const FIRST_WARM_UP_SECONDS = 4;
const WARM_UP_SECONDS = 1;

export interface Series {
  readonly key: SeriesKey;
  readonly measure: () => Promise<Measurement>;
}

export interface HttpTarget {
  readonly port: number;
  readonly pid: number;
  readonly requests: readonly string[];
  /** For requests so slow that the compiler sees too few of them in the usual time. */
  readonly firstWarmUpSeconds?: number;
  /** See LoadPlan. */
  readonly numberMark?: string;
}

export function perReply({
  replies,
  seconds,
  p50Ms,
  p99Ms,
  serverCpuMicros,
}: LoadResult): Measurement {
  // A disk may hold every write up for longer than a short round: that round's rate is nought.
  if (replies === 0) return { perSecond: 0 };
  return {
    perSecond: replies / seconds,
    p50Ms,
    p99Ms,
    ...(serverCpuMicros === undefined ? {} : { cpuMicros: serverCpuMicros / replies }),
  };
}

/** A series over HTTP. */
export function httpSeries(
  key: SeriesKey,
  target: HttpTarget,
  measuredBy: { readonly load: LoadClient; readonly seconds: number },
): Series {
  let warmUpSeconds = target.firstWarmUpSeconds ?? FIRST_WARM_UP_SECONDS;
  return {
    key,
    async measure() {
      const result = await measuredBy.load.run({
        kind: 'load',
        port: target.port,
        serverPid: target.pid,
        requests: target.requests,
        ...(target.numberMark === undefined ? {} : { numberMark: target.numberMark }),
        connections: key.connections,
        warmUpSeconds,
        seconds: measuredBy.seconds,
      });
      warmUpSeconds = WARM_UP_SECONDS;
      return perReply(result);
    },
  };
}

export function baselineSeries(
  key: SeriesKey,
  work: BaselineWork,
  measuredBy: { readonly baseline: Baseline; readonly seconds: number },
): Series {
  return {
    key,
    async measure() {
      const load = { clients: key.connections, seconds: measuredBy.seconds };
      return { perSecond: await measuredBy.baseline.measure(work, load) };
    },
  };
}

export interface RoundsOptions {
  readonly rounds: number;
  writes(key: SeriesKey): boolean;
  /** Makes the tables as they were, so that every series meets the same rows. */
  reset(): Promise<void>;
  say(line: string): void;
}

/** What an error says. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Measures every series once in each round. A series that fails is noted with its reason and measured no
 * more; the others go on.
 */
export async function measureRounds(
  series: readonly Series[],
  rates: RateBook,
  options: RoundsOptions,
): Promise<void> {
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const { key, measure } of series) {
      if (rates.hasFailed(key)) continue;
      const name = `${key.target}, ${key.work}, ${String(key.connections)} connections`;
      try {
        const measured = await measure();
        rates.add(key, measured);
        options.say(`round ${String(round)}: ${name}: ${rateText(measured.perSecond)}/s`);
      } catch (error) {
        const reason = `with ${String(key.connections)} connections: ${reasonOf(error)}`;
        rates.fail({ target: key.target, work: key.work, reason });
        options.say(`round ${String(round)}: ${name}: FAILED: ${reasonOf(error)}`);
      }
      if (options.writes(key)) await options.reset();
    }
  }
}
