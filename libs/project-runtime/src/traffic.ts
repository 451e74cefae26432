// Figures of one project's requests: plain counters, so that a request pays almost nothing for them.
import { latencyBoundsMs, type Usage } from '#libs/wire';

const areas = ['rest', 'auth', 'admin', 'functions', 'other'] as const;
export type Area = (typeof areas)[number];
const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;
export type StatusClass = (typeof statusClasses)[number];

export interface RequestCount {
  readonly area: Area;
  readonly status: StatusClass;
  readonly count: number;
}

export interface FinishedRequest {
  readonly area: Area;
  readonly status: number;
  readonly durationMs: number;
  readonly bytesReceived: number;
  readonly bytesSent: number;
  /** Whether an operator has made it at the console. */
  readonly isOfOperator: boolean;
}

/** Counters since the project was opened. */
type Totals = Omit<Usage, 'connections'>;

/** Counts and latencies by area. */
class Counters {
  readonly counts = new Float64Array(areas.length * statusClasses.length);
  /** One row per area: the buckets, one for everything slower, and the sum of milliseconds. */
  readonly latencies = areas.map(() => new Float64Array(latencyBoundsMs.length + 2));

  record(area: number, status: number, durationMs: number): void {
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

  countOf(area: number, status: number): number {
    return this.counts[area * statusClasses.length + status] ?? 0;
  }
}

export class Traffic {
  private readonly clients = new Counters();
  /** Requests of operators at the console: load of the server, but no use of the project. */
  private readonly operators = new Counters();
  private bytesReceived = 0;
  private bytesSent = 0;
  private signIns = 0;
  private isIdle = true;
  /** What {@link takeUsage} has returned so far. */
  private taken: Totals | undefined;

  /** Counts a finished request with its bytes. */
  record(request: FinishedRequest): void {
    const { area, status, durationMs, bytesReceived, bytesSent, isOfOperator } = request;
    const counters = isOfOperator ? this.operators : this.clients;
    counters.record(areas.indexOf(area), status, durationMs);
    this.isIdle = false;
    if (isOfOperator) return;
    this.bytesReceived += bytesReceived;
    this.bytesSent += bytesSent;
  }

  countSignIn(): void {
    this.signIns += 1;
    this.isIdle = false;
  }

  /**
   * What clients have used since the last call; undefined if nothing was requested. It is empty if only operators have
   * requested something. `connections` is what the caller has seen.
   */
  takeUsage(connections: number): Usage | undefined {
    if (this.isIdle) return undefined;
    this.isIdle = true;
    const totals = this.totals();
    const { taken } = this;
    this.taken = totals;
    return { ...(taken ? difference(totals, taken) : totals), connections };
  }

  /** All requests, those of operators included. */
  listCounts(): readonly RequestCount[] {
    return areas.flatMap((area, row) =>
      statusClasses.map((status, column) => ({
        area,
        status,
        count: this.clients.countOf(row, column) + this.operators.countOf(row, column),
      })),
    );
  }

  /** Cumulative buckets in the form of Prometheus, with the number and the sum (ms) of all requests. */
  latencyOf(area: Area): {
    readonly buckets: readonly number[];
    readonly count: number;
    readonly sumMs: number;
  } {
    const index = areas.indexOf(area);
    const ofOperators = this.operators.latencies[index];
    const row = [...(this.clients.latencies[index] ?? [])].map(
      (count, bucket) => count + (ofOperators?.[bucket] ?? 0),
    );
    const sumMs = row.pop() ?? 0;
    let count = 0;
    const buckets = row.map((inBucket) => (count += inBucket));
    return { buckets: buckets.slice(0, -1), count, sumMs };
  }

  private totals(): Totals {
    const { bytesReceived, bytesSent, signIns, clients } = this;
    const ofStatus = (wanted: StatusClass): number => {
      const column = statusClasses.indexOf(wanted);
      return areas.reduce((sum, _area, row) => sum + clients.countOf(row, column), 0);
    };
    return {
      requests: clients.counts.reduce((sum, count) => sum + count, 0),
      clientErrors: ofStatus('4xx'),
      serverErrors: ofStatus('5xx'),
      bytesReceived,
      bytesSent,
      signIns,
      latency: Array.from({ length: latencyBoundsMs.length + 1 }, (_, bucket) =>
        clients.latencies.reduce((sum, row) => sum + (row[bucket] ?? 0), 0),
      ),
    };
  }
}

function difference(now: Totals, before: Totals): Totals {
  return {
    requests: now.requests - before.requests,
    clientErrors: now.clientErrors - before.clientErrors,
    serverErrors: now.serverErrors - before.serverErrors,
    bytesReceived: now.bytesReceived - before.bytesReceived,
    bytesSent: now.bytesSent - before.bytesSent,
    signIns: now.signIns - before.signIns,
    latency: now.latency.map((count, bucket) => count - (before.latency[bucket] ?? 0)),
  };
}
