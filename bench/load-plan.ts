// What the measuring process and the load process say to each other.

/** One round of load against one server. */
export interface LoadPlan {
  readonly kind: 'load';
  readonly port: number;
  readonly connections: number;
  /** Load before the clock starts, so that connections, statements and the compiler are warm. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** The process whose CPU time is read at both ends of the measured time. */
  readonly serverPid: number;
  /** Whole HTTP/1.1 requests, sent in turn by whichever connection is free. */
  readonly requests: readonly string[];
  /** Is replaced in each request by a number that the load process gives to no other. */
  readonly numberMark?: string;
}

export interface LoadResult {
  readonly kind: 'result';
  /** Replies of status 2xx that arrived in the measured time. */
  readonly replies: number;
  /** Replies of any other status. */
  readonly failures: number;
  readonly failureStatus?: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly serverCpuMicros?: number;
}

export interface LoadError {
  readonly kind: 'error';
  readonly message: string;
}

export type LoadAnswer = LoadResult | LoadError;

function kindOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'kind' in message
    ? message.kind
    : undefined;
}

export function isLoadPlan(message: unknown): message is LoadPlan {
  return kindOf(message) === 'load';
}

export function isLoadAnswer(message: unknown): message is LoadAnswer {
  const kind = kindOf(message);
  return kind === 'result' || kind === 'error';
}
