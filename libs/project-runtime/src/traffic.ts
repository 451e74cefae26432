// Figures of one project's requests: plain counters, so that a request pays almost nothing for them.

/** Upper bounds of the latency buckets, in milliseconds. */
export const latencyBoundsMs = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];

const areas = ['rest', 'auth', 'admin', 'other'] as const;
export type Area = (typeof areas)[number];
const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;
export type StatusClass = (typeof statusClasses)[number];

export interface RequestCount {
  readonly area: Area;
  readonly status: StatusClass;
  readonly count: number;
}

export class Traffic {
  private readonly counts = new Float64Array(areas.length * statusClasses.length);
  /** One row per area: the buckets, one for everything slower, and the sum of milliseconds. */
  private readonly latencies = areas.map(() => new Float64Array(latencyBoundsMs.length + 2));

  /** Counts a finished request. */
  record(of: Area, status: number, durationMs: number): void {
    const area = areas.indexOf(of);
    const statusClass = Math.min(Math.max(Math.floor(status / 100), 1), 5) - 1;
    const cell = area * statusClasses.length + statusClass;
    this.counts[cell] = (this.counts[cell] ?? 0) + 1;
    const row = this.latencies[area];
    if (!row) return;
    let bucket = 0;
    while (bucket < latencyBoundsMs.length && durationMs > (latencyBoundsMs[bucket] ?? 0))
      bucket += 1;
    row[bucket] = (row[bucket] ?? 0) + 1;
    const sum = latencyBoundsMs.length + 1;
    row[sum] = (row[sum] ?? 0) + durationMs;
  }

  listCounts(): readonly RequestCount[] {
    return areas.flatMap((area, row) =>
      statusClasses.map((status, column) => ({
        area,
        status,
        count: this.counts[row * statusClasses.length + column] ?? 0,
      })),
    );
  }

  /** Cumulative buckets in the form of Prometheus, with the number and the sum (ms) of all requests. */
  latencyOf(area: Area): {
    readonly buckets: readonly number[];
    readonly count: number;
    readonly sumMs: number;
  } {
    const row = [...(this.latencies[areas.indexOf(area)] ?? [])];
    const sumMs = row.pop() ?? 0;
    let count = 0;
    const buckets = row.map((inBucket) => (count += inBucket));
    return { buckets: buckets.slice(0, -1), count, sumMs };
  }
}
