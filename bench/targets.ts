// Which series a run has: every target with every case, in the order in which a round measures them.

import type { Baseline, BaselineWork } from './baseline.js';
import { CASES, type BenchCase, type HttpCall } from './cases.js';
import type { ServerChild } from './child.js';
import { jwtOf, SESSIONS, tokenOf } from './database/accounts.js';
import { FEW_CONNECTIONS, MANY_CONNECTIONS } from './demands.js';
import type { LoadClient } from './load-client.js';
import type { Product, Project } from './product.js';
import type { TargetName } from './rate-book.js';
import { buildRequests, requestText } from './requests.js';
import { baselineSeries, httpSeries, type HttpTarget, type Series } from './series.js';

export const CONNECTION_COUNTS = [FEW_CONNECTIONS, MANY_CONNECTIONS] as const;

export interface MeasuredBy {
  readonly load: LoadClient;
  readonly seconds: number;
}

export interface PeerTarget {
  readonly server: ServerChild;
  readonly jwtSecret: string;
}

export interface ProductTarget {
  readonly product: Product;
  readonly project: Project;
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

/** The requests of a case, with a bearer token for each session. */
export function caseRequests(
  measured: BenchCase,
  how: {
    readonly host: string;
    call(key: number): HttpCall;
    bearer(session: number): string;
  },
): string[] {
  return buildRequests({ ...how, keys: measured.keys, sessions: SESSIONS });
}

export function peerSeries({ server, jwtSecret }: PeerTarget, by: MeasuredBy): Series[] {
  return CASES.flatMap((measured) => {
    const requests = caseRequests(measured, {
      host: 'localhost',
      call: (key) => measured.peerCall(key),
      bearer: (session) => jwtOf(session, jwtSecret),
    });
    return CONNECTION_COUNTS.map((connections) =>
      httpSeries(
        { target: 'peer', work: measured.name, connections },
        { port: server.port, pid: server.pid, requests },
        by,
      ),
    );
  });
}

export function productSeries({ product, project }: ProductTarget, by: MeasuredBy): Series[] {
  return CASES.flatMap((measured) => {
    const requests = caseRequests(measured, {
      host: project.host,
      call: (key) => measured.productCall(key),
      bearer: tokenOf,
    });
    return CONNECTION_COUNTS.map((connections) =>
      httpSeries(
        { target: 'product', work: measured.name, connections },
        { port: product.apiPort, pid: product.pid, requests },
        by,
      ),
    );
  });
}

const BASELINES: readonly (Pick<BaselineWork, 'travel' | 'caller'> & {
  readonly target: TargetName;
})[] = [
  { target: 'baseline', travel: 'pipelined', caller: 'live lookup' },
  { target: 'baseline-serial', travel: 'serial', caller: 'live lookup' },
  { target: 'baseline-claims', travel: 'pipelined', caller: 'claims only' },
];

/**
 * The baselines, always with few clients: PostgreSQL gives most at about that number, so the product at
 * many connections is held against the best that the database can do.
 */
export function baselineSeriesOf(
  measured: BenchCase,
  by: { readonly baseline: Baseline; readonly seconds: number },
): Series[] {
  return BASELINES.flatMap(({ target, travel, caller }) => {
    const work = { measured, travel, caller };
    const isWanted = measured.isRead || target === 'baseline';
    if (!isWanted || !by.baseline.measures(work)) return [];
    return [
      baselineSeries({ target, work: measured.name, connections: FEW_CONNECTIONS }, work, by),
    ];
  });
}
