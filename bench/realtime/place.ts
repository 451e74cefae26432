// What every part of the realtime run works with, and how a part is put together.

import type { Login } from '../database/baseline-login.js';
import { tokenOf } from '../database/accounts.js';
import type { Client } from 'pg';
import type { Project } from '../product.js';
import { median, type Measurement, type SeriesKey } from '../rate-book.js';
import type { ProductSite } from '../site.js';
import type { CheckedSeries } from '../storage/place.js';
import type { TargetRun } from '../open-targets.js';
import type { CrowdProcess } from './crowd.js';
import { LoadSocket, type SocketOptions, type SocketTarget } from './load-socket.js';

export interface RealtimePlace extends TargetRun {
  readonly product: ProductSite;
  /** A second project of the same process. */
  readonly neighbor: Project;
  /** A login that may become the roles of the project, and write its tables. */
  readonly login: Login;
  /** The superuser in the project's database, with a connection of its own for statements that are timed. */
  readonly writer: Client;
  /** The same in the database of the neighbor. */
  readonly neighborWriter: Client;
  readonly crowds: CrowdProcess;
  /** Sockets of the part with many. */
  readonly sockets: number;
  readonly searchPath: readonly string[];
}

/** Where clients of a project connect. */
export function socketTargetOf(
  { product }: Pick<RealtimePlace, 'product'>,
  project: Project = product.project,
): SocketTarget {
  return { port: product.current().apiPort, host: project.host };
}

/** The `auth` of a session. */
export function sessionAuth(session: number): { readonly token: string } {
  return { token: tokenOf(session) };
}

/** A connection of the measuring process itself. */
export function openSocket(
  place: RealtimePlace,
  options: SocketOptions,
  project?: Project,
): Promise<LoadSocket> {
  return LoadSocket.open(socketTargetOf(place, project), options);
}

/** What the times of the same work, in milliseconds, say together. */
export function timesMeasured(times: readonly number[]): Measurement {
  const p50Ms = median(times);
  if (p50Ms === undefined) throw new Error('Nothing was timed');
  const sorted = [...times].sort((a, b) => a - b);
  const p99Ms = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? p50Ms;
  return { perSecond: p50Ms > 0 ? 1000 / p50Ms : 0, p50Ms, p99Ms };
}

/**
 * Series that are measured together, so that what slows the machine meets all of them alike. The first series of a
 * round measures them all, and each takes its own.
 */
export function measuredTogether<Name extends string>(
  keys: Readonly<Record<Name, SeriesKey>>,
  measure: () => Promise<Readonly<Record<Name, Measurement>>>,
  faultOf: CheckedSeries['faultOf'],
): CheckedSeries[] {
  // What Object.keys gives are the names of the record.
  const names = Object.keys(keys) as Name[];
  let current: Promise<Readonly<Record<Name, Measurement>>> | undefined;
  const taken = new Set<Name>();
  return names.map((name) => ({
    key: keys[name],
    faultOf,
    async measure() {
      if (current === undefined || taken.has(name)) {
        taken.clear();
        current = measure();
      }
      taken.add(name);
      return (await current)[name];
    },
  }));
}
