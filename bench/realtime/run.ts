// The realtime run: capture, visibility, sending and delays of one project, measured in interleaved rounds, and
// many sockets in rounds of their own before.

import { turnOffRateLimits } from '../auth/open-auth.js';
import type { Cleanup } from '../cleanup.js';
import { createBaselineLogin, dropLogin } from '../database/baseline-login.js';
import { openClient, urlOfDatabase } from '../database/connection.js';
import { isAskedFor } from '../only.js';
import type { TargetRun } from '../open-targets.js';
import type { Project } from '../product.js';
import { measureRounds, type Series } from '../series.js';
import type { ProductSite } from '../site.js';
import { openVerified } from '../storage/run.js';
import { openCapture } from './capture.js';
import { openCrowds } from './crowd.js';
import { CONNECTED } from './demands.js';
import { openDelays } from './delays.js';
import { openFanOut } from './fan-out.js';
import { openIngest } from './flow.js';
import { measureMany } from './many.js';
import type { RealtimePlace } from './place.js';
import { openResume } from './resume.js';
import { openRights } from './rights.js';
import { openStorm } from './storm.js';
import { CAPTURED, NEIGHBOR_TABLES_SQL, PLAIN, REALTIME_TABLES_SQL } from './tables.js';
import { openVisibility } from './visibility.js';

export interface RealtimeRun extends TargetRun {
  readonly rounds: number;
  readonly sockets: number;
  readonly searchPath: readonly string[];
}

// The first ones without a client: no reader of changes runs beside them.
const PARTS = [
  openCapture,
  openVisibility,
  openFanOut,
  openIngest,
  openRights,
  openResume,
  openStorm,
  openDelays,
] as const;

/** More than the run sends, so that no limit takes part in what is measured. */
const LIMITS = {
  maxConnections: 100_000,
  joinsPerSecond: 1_000,
  joinBurst: 1_000,
  messagesPerSecond: 10_000,
  messageBurst: 10_000,
  projectMessagesPerSecond: 1_000_000,
};

async function setUp(product: ProductSite, project: Project, sql: string): Promise<void> {
  const running = product.current();
  await running.saveSettings(project, 'realtime', LIMITS);
  await running.runSql(project, sql);
}

async function preparePlace(run: RealtimeRun, cleanup: Cleanup): Promise<RealtimePlace> {
  const { site } = run;
  const { product } = site;
  if (product === undefined) throw new Error('A realtime run measures the product');
  await turnOffRateLimits(product);
  const neighbor = await product.current().createProject('benchneighbor');
  await setUp(product, product.project, REALTIME_TABLES_SQL);
  await setUp(product, neighbor, NEIGHBOR_TABLES_SQL);
  const login = cleanup.keep(await createBaselineLogin(site.client), (made) =>
    dropLogin(site.client, made),
  );
  // Policies would be a part of each insert that has nothing to do with its capture.
  await site.client.query(
    `alter role ${login.user} bypassrls; grant insert on public.${PLAIN}, public.${CAPTURED} to ${login.user}`,
  );
  const connect = async (database: string) =>
    cleanup.keep(await openClient(urlOfDatabase(site.server.url, database)), (opened) =>
      opened.end(),
    );
  return {
    ...run,
    product,
    neighbor,
    login,
    writer: await connect(site.address.database),
    neighborWriter: await connect(neighbor.databaseName),
    crowds: cleanup.keep(openCrowds(), (opened) => opened.stop()),
  };
}

/** Measures into the rates of the run. */
export async function measureRealtime(run: RealtimeRun): Promise<void> {
  const { rates, rounds, cleanup, say, only } = run;
  const place = await preparePlace(run, cleanup);
  if (isAskedFor(only, CONNECTED)) await measureMany(place, rounds);
  const series: Series[] = await openVerified(place, PARTS);
  await measureRounds(series, rates, {
    rounds,
    writes: () => false,
    reset: () => Promise.resolve(),
    say,
  });
}
