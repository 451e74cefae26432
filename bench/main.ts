// `npm run bench`: opens the ground, measures every target in interleaved rounds, walks through a fleet
// of projects, prints the tables and writes the JSON.

import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { dirname } from 'node:path';
import type { Baseline } from './baseline.js';
import { CASES } from './cases.js';
import { startServer } from './child.js';
import { Cleanup } from './cleanup.js';
import { closeControl } from './control.js';
import { jwtOf, tokenOf } from './database/accounts.js';
import { createBaselineLogin, createPeerLogin, dropLogin } from './database/baseline-login.js';
import { urlOfLogin } from './database/connection.js';
import { FORGET_INSERTS_SQL } from './database/tables.js';
import { readEnv } from './env.js';
import { measureFleet, type FleetResult } from './fleet.js';
import { openLoadClient } from './load-client.js';
import { parseOptions, USAGE, type BenchOptions } from './options.js';
import { ownClientBaseline } from './own-client.js';
import { findPgbench, pgbenchBaseline } from './pgbench.js';
import { RateBook } from './rate-book.js';
import { buildReport, renderReport, type RunFacts } from './report.js';
import { measureRounds, type Series } from './series.js';
import { openSite, runSecret, type Site } from './site.js';
import {
  baselineSeriesOf,
  floorSeries,
  peerSeries,
  productSeries,
  type MeasuredBy,
} from './targets.js';
import { verifyTarget } from './verify.js';

const env = readEnv();

function say(line: string): void {
  console.error(line);
}

async function openBaseline(site: Site, cleanup: Cleanup): Promise<Baseline> {
  const pgbench = await findPgbench(env.searchPath);
  const login = cleanup.keep(await createBaselineLogin(site.client), (made) =>
    dropLogin(site.client, made),
  );
  const target = { ...site.address, ...login };
  return pgbench === undefined ? ownClientBaseline(target) : pgbenchBaseline(pgbench, target);
}

async function openFloors(by: MeasuredBy, cleanup: Cleanup): Promise<Series[]> {
  const nodeHttp = await startServer('./servers/node-http.js');
  cleanup.keep(nodeHttp, (server) => server.stop());
  const fastify = await startServer('./servers/fastify.js');
  cleanup.keep(fastify, (server) => server.stop());
  return [...floorSeries('node-http', nodeHttp, by), ...floorSeries('fastify', fastify, by)];
}

async function openPeer(site: Site, by: MeasuredBy, cleanup: Cleanup): Promise<Series[]> {
  const jwtSecret = runSecret();
  const login = cleanup.keep(await createPeerLogin(site.client), (made) =>
    dropLogin(site.client, made),
  );
  const server = cleanup.keep(
    await startServer('./peers/nest-typeorm/main.js', [urlOfLogin(site.address, login), jwtSecret]),
    (started) => started.stop(),
  );
  await verifyTarget({
    name: 'The peer',
    port: server.port,
    host: 'localhost',
    bearer: jwtOf(1, jwtSecret),
    call: (measured) => measured.peerCall(1),
    stranger: 'refused',
  });
  return peerSeries({ server, jwtSecret }, by);
}

async function openProductSeries(site: Site, by: MeasuredBy): Promise<Series[]> {
  if (site.product === undefined) return [];
  const { project } = site.product;
  const product = site.product.current();
  await verifyTarget({
    name: 'The product',
    port: product.apiPort,
    host: project.host,
    bearer: tokenOf(1),
    call: (measured) => measured.productCall(1),
    stranger: 'no rows',
  });
  return productSeries({ product, project }, by);
}

async function measureRates(
  site: Site,
  baseline: Baseline,
  options: BenchOptions,
): Promise<RateBook> {
  await using cleanup = new Cleanup();
  const load = cleanup.keep(openLoadClient(), (opened) => opened.stop());
  const by = { load, seconds: options.seconds };
  const series = [
    ...(await openFloors(by, cleanup)),
    ...(await openPeer(site, by, cleanup)),
    ...(await openProductSeries(site, by)),
    ...CASES.flatMap((measured) =>
      baselineSeriesOf(measured, { baseline, seconds: options.seconds }),
    ),
  ];
  const reset = async (): Promise<void> => {
    await site.client.query(FORGET_INSERTS_SQL);
    await site.client.query('vacuum (analyze) public.posts');
  };
  await reset();
  const rates = new RateBook();
  const wanted = series.filter(({ key }) => `${key.target}/${key.work}`.includes(options.only));
  await measureRounds(wanted, rates, { rounds: options.rounds, reset, say });
  return rates;
}

async function walkFleet(site: Site, projects: number): Promise<FleetResult | undefined> {
  if (site.product === undefined || projects === 0) return undefined;
  say(`making ${String(projects)} projects`);
  return measureFleet(site.product.current(), {
    projects,
    warm: site.product.project,
    admin: site.server.admin,
    restart: site.product.restart,
  });
}

function runFacts(
  site: Site,
  baseline: Baseline,
  options: BenchOptions,
): Omit<RunFacts, 'loadAverage'> {
  const [cpu] = cpus();
  return {
    measuredAt: new Date().toISOString(),
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    cpus: `${String(cpus().length)} x ${cpu?.model.trim() ?? 'unknown CPU'}`,
    postgres: site.server.version,
    baseline: baseline.title,
    rounds: options.rounds,
    seconds: options.seconds,
  };
}

async function run(options: BenchOptions, cleanup: Cleanup): Promise<void> {
  const [loadAverage = 0] = loadavg();
  cleanup.keep(undefined, closeControl);
  const site = await openSite({ ...options, databaseUrl: env.databaseUrl }, cleanup);
  const baseline = await openBaseline(site, cleanup);
  const rates = await measureRates(site, baseline, options);
  const results = { rates, fleet: await walkFleet(site, options.projects) };
  const facts = { ...runFacts(site, baseline, options), loadAverage };
  await mkdir(dirname(options.out), { recursive: true });
  await writeFile(options.out, `${JSON.stringify(buildReport(facts, results), null, 2)}\n`);
  console.log(renderReport(facts, results));
}

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) {
    console.log(USAGE);
    return;
  }
  await using cleanup = new Cleanup();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanup.close().finally(() => process.exit(130)));
  }
  await run(options, cleanup);
}

await main();
