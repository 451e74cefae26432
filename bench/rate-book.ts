// Everything that the rounds measured, and the two ways to read it: medians and ratios. A ratio is taken
// within a round and then the median of the rounds, because a busy machine slows a whole round.

import type { AuthWork, CaseName, FunctionWork, RealtimeWork, StorageWork } from './case.js';

export const TARGETS = [
  'node-http',
  'fastify',
  'product',
  'typeorm',
  'postgraphile',
  'supabase-lite',
  'baseline',
  'baseline-serial',
  'baseline-claims',
  'hash',
  'nginx',
  'dd',
  'raw-socket',
  'socket-io',
  'plain-table',
  'user-queries',
  'deno',
  'deno-front',
] as const;
export type TargetName = (typeof TARGETS)[number];

/** What users could pick instead of the product. */
export const PEERS = ['typeorm', 'postgraphile', 'supabase-lite'] as const;
export type PeerName = (typeof PEERS)[number];

export type Work = CaseName | AuthWork | StorageWork | RealtimeWork | FunctionWork | 'hello';

export interface SeriesKey {
  readonly target: TargetName;
  readonly work: Work;
  readonly connections: number;
}

export interface Measurement {
  readonly perSecond: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** CPU time of the server process for one reply. */
  readonly cpuMicros?: number;
  /** How far the memory of the server process rose at most. */
  readonly grownBytes?: number;
  /** How far its heap rose. */
  readonly grownHeapBytes?: number;
}

/** What should have been measured and could not be. */
export interface Failure {
  readonly target: TargetName;
  /** Absent when the target as a whole is missing. */
  readonly work?: Work;
  readonly reason: string;
}

type Reading = (measurement: Measurement) => number | undefined;

const perSecond: Reading = (measurement) => measurement.perSecond;

/** The middle value, or the mean of the two middle ones; undefined when there is none. */
export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)];
  const lower = sorted[Math.ceil(middle) - 1];
  return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2;
}

function keyText(key: SeriesKey): string {
  return `${key.target}/${key.work}/${String(key.connections)}`;
}

function isHitBy(key: Pick<SeriesKey, 'target' | 'work'>, failure: Failure): boolean {
  return key.target === failure.target && (failure.work === undefined || failure.work === key.work);
}

export class RateBook {
  readonly #roundsByKey = new Map<string, { key: SeriesKey; rounds: Measurement[] }>();

  readonly #failures: Failure[] = [];

  add(key: SeriesKey, measurement: Measurement): void {
    const known = this.#roundsByKey.get(keyText(key));
    if (known === undefined) this.#roundsByKey.set(keyText(key), { key, rounds: [measurement] });
    else known.rounds.push(measurement);
  }

  /** Notes why something has no rate; what was measured of it before is forgotten. */
  fail(failure: Failure): void {
    this.#failures.push(failure);
    for (const [text, { key }] of this.#roundsByKey) {
      if (isHitBy(key, failure)) this.#roundsByKey.delete(text);
    }
  }

  failures(): readonly Failure[] {
    return this.#failures;
  }

  /** Whether a series has no rate because its target or its work failed. */
  hasFailed(key: Pick<SeriesKey, 'target' | 'work'>): boolean {
    return this.#failures.some((failure) => isHitBy(key, failure));
  }

  /** Every series in the order in which it was first measured. */
  series(): readonly { readonly key: SeriesKey; readonly rounds: readonly Measurement[] }[] {
    return [...this.#roundsByKey.values()];
  }

  /** The median of a reading over the rounds; undefined when it was not measured. */
  median(key: SeriesKey, read: Reading = perSecond): number | undefined {
    const rounds = this.#roundsByKey.get(keyText(key))?.rounds ?? [];
    return median(rounds.map(read).filter((value) => value !== undefined));
  }

  /** The median over the rounds of a reading of one series, such as its rate, by that of another. */
  ratio(key: SeriesKey, by: SeriesKey, read: Reading = perSecond): number | undefined {
    const over = this.#roundsByKey.get(keyText(key))?.rounds ?? [];
    const under = this.#roundsByKey.get(keyText(by))?.rounds ?? [];
    return median(
      over.flatMap((measurement, round) => {
        const other = under[round];
        const value = read(measurement);
        const divisor = other === undefined ? undefined : read(other);
        if (value === undefined || divisor === undefined || divisor <= 0) return [];
        return [value / divisor];
      }),
    );
  }
}
