// Which series a run has: every target with every case that it can do, in the order in which a round
// measures them.

import type { Baseline, BaselineWork } from './baseline.js';
import type { BaselineName, BenchCase, HttpCall } from './case.js';
import type { ServerChild } from './child.js';
import { SESSIONS } from './database/accounts.js';
import { FEW_CONNECTIONS, MANY_CONNECTIONS } from './demands.js';
import type { LoadClient } from './load-client.js';
import type { TargetName } from './rate-book.js';
import { buildRequests, requestText } from './requests.js';
import { baselineSeries, httpSeries, type HttpTarget, type Series } from './series.js';

const CONNECTION_COUNTS = [FEW_CONNECTIONS, MANY_CONNECTIONS] as const;

export interface MeasuredBy {
  readonly load: LoadClient;
  readonly seconds: number;
}

/** A server that answers cases. */
export interface ServedTarget {
  readonly target: TargetName;
  readonly port: number;
  readonly pid: number;
  /** The Host header. */
  readonly host: string;
  readonly bearer: (session: number) => string;
  /** Undefined for what it cannot express. */
  readonly call: (measured: BenchCase, key: number) => HttpCall | undefined;
}

export function floorSeries(
  target: 'node-http' | 'fastify',
  server: ServerChild,
  by: MeasuredBy,
): Series[] {
  const requests = [requestText('localhost', { method: 'GET', path: '/' })];
  const http: HttpTarget = { port: server.port, pid: server.pid, requests };
  return CONNECTION_COUNTS.map((connections) =>
    httpSeries({ target, work: 'hello', connections }, http, by),
  );
}

/** The requests of a case with a bearer token for each session; none for what the target cannot do. */
export function caseRequests(served: ServedTarget, measured: BenchCase): string[] {
  if (served.call(measured, 1) === undefined) return [];
  return buildRequests({
    host: served.host,
    keys: measured.keys,
    sessions: SESSIONS,
    bearer: (session) => served.bearer(session),
    call(key) {
      const call = served.call(measured, key);
      if (call === undefined) throw new Error(`${served.target} knows ${measured.name} at times`);
      return call;
    },
  });
}

/** The series of one case: with few connections always, with many where the product is crowded. */
export function servedSeries(served: ServedTarget, measured: BenchCase, by: MeasuredBy): Series[] {
  const { target, port, pid } = served;
  const requests = caseRequests(served, measured);
  const isCrowded = target === 'product' && measured.isCrowded;
  const counts = isCrowded ? CONNECTION_COUNTS : [FEW_CONNECTIONS];
  return counts.map((connections) =>
    httpSeries({ target, work: measured.name, connections }, { port, pid, requests }, by),
  );
}

const BASELINE_WORK: Readonly<Record<BaselineName, Pick<BaselineWork, 'travel' | 'caller'>>> = {
  baseline: { travel: 'pipelined', caller: 'live lookup' },
  'baseline-serial': { travel: 'serial', caller: 'live lookup' },
  'baseline-claims': { travel: 'pipelined', caller: 'claims only' },
};

/**
 * A baseline, always with few clients: PostgreSQL gives most at about that number, so the product at
 * many connections is held against the best that the database can do.
 */
export function baselineSeriesOf(
  target: BaselineName,
  measured: BenchCase,
  by: { readonly baseline: Baseline; readonly seconds: number },
): Series[] {
  const work = { measured, ...BASELINE_WORK[target] };
  if (!by.baseline.measures(work)) return [];
  return [baselineSeries({ target, work: measured.name, connections: FEW_CONNECTIONS }, work, by)];
}
