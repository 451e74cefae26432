/** Upper bounds of the buckets that count requests by their time, in milliseconds. */
export const latencyBoundsMs = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];

/** What a project was used for in a span of time. */
export interface Usage {
  readonly requests: number;
  /** Requests that were answered with 4xx, or whose client disconnected. */
  readonly clientErrors: number;
  /** Requests that were answered with 5xx. */
  readonly serverErrors: number;
  readonly bytesReceived: number;
  readonly bytesSent: number;
  /** Sessions that began. */
  readonly signIns: number;
  /** The most database connections that a process had open for the project at the end of a minute. */
  readonly connections: number;
  /** Requests by their time: one count for each of {@link latencyBoundsMs}, and one for slower ones. */
  readonly latency: readonly number[];
}

/** Of a span in which nothing was counted. */
export const noUsage: Usage = {
  requests: 0,
  clientErrors: 0,
  serverErrors: 0,
  bytesReceived: 0,
  bytesSent: 0,
  signIns: 0,
  connections: 0,
  latency: Array.from({ length: latencyBoundsMs.length + 1 }, () => 0),
};

/** Returns the sum of two spans; `connections` is the larger one. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    requests: a.requests + b.requests,
    clientErrors: a.clientErrors + b.clientErrors,
    serverErrors: a.serverErrors + b.serverErrors,
    bytesReceived: a.bytesReceived + b.bytesReceived,
    bytesSent: a.bytesSent + b.bytesSent,
    signIns: a.signIns + b.signIns,
    connections: Math.max(a.connections, b.connections),
    latency: a.latency.map((count, bucket) => count + (b.latency[bucket] ?? 0)),
  };
}

/**
 * The time within which `share` (0 to 1) of the requests ended, in milliseconds, as if those of a bucket were spread
 * evenly over it; null without requests. Slower than the last bound counts as that bound.
 */
export function latencyPercentile(latency: readonly number[], share: number): number | null {
  const wanted = latency.reduce((sum, count) => sum + count, 0) * share;
  let seen = 0;
  for (const [bucket, count] of latency.entries()) {
    if (count === 0 || seen + count < wanted) {
      seen += count;
      continue;
    }
    const from = latencyBoundsMs[bucket - 1] ?? 0;
    const to = latencyBoundsMs[bucket] ?? from;
    return from + ((to - from) * (wanted - seen)) / count;
  }
  return null;
}
