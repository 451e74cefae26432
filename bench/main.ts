// `npm run bench`: opens the ground, measures every target in interleaved rounds, walks through a fleet
// of projects, prints the tables and writes the JSON. With `--memory` it watches the product's memory
// under load instead, with `--storage` it measures files and images, with `--realtime` changes and messages,
// with `--functions` edge functions.

import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { dirname } from 'node:path';
import { findDeno } from '#libs/functions';
import type { Baseline } from './baseline.js';
import { CASES } from './cases.js';
import { Cleanup } from './cleanup.js';
import { closeControl } from './control.js';
import { openAuth } from './auth/open-auth.js';
import { forgetSignIns } from './database/accounts.js';
import { createBaselineLogin, dropLogin } from './database/baseline-login.js';
import { forgetWrites } from './database/tables.js';
import { readEnv } from './env.js';
import { FUNCTION_DEMANDS } from './functions/demands.js';
import { measureFunctions } from './functions/run.js';
import { openLoadClient } from './load-client.js';
import { checkMemory, renderMemory } from './memory/report.js';
import { measureMemory } from './memory/run.js';
import {
  openFloors,
  openPeers,
  openProduct,
  wantedBaselines,
  type TargetRun,
} from './open-targets.js';
import { parseOptions, USAGE, type BenchOptions } from './options.js';
import { ownClientBaseline } from './own-client.js';
import { buildPartReport, renderPart, type Part } from './part-report.js';
import { findPgbench, pgbenchBaseline } from './pgbench.js';
import { isAskedFor } from './only.js';
import { measureProjects } from './project-figures.js';
import { RateBook, type SeriesKey } from './rate-book.js';
import { REALTIME_DEMANDS } from './realtime/demands.js';
import { measureRealtime } from './realtime/run.js';
import { buildReport, renderReport, type MachineFacts, type RunFacts } from './report.js';
import { measureRounds, type Series } from './series.js';
import { openSite, type Site } from './site.js';
import { STORAGE_DEMANDS } from './storage/demands.js';
import { measureStorage } from './storage/run.js';
import { baselineSeriesOf } from './targets.js';

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

async function openSeries(run: TargetRun, baseline: Baseline): Promise<Series[]> {
  const { only, by } = run;
  const series = [
    ...(await openFloors(run)),
    ...(await openPeers(run)),
    ...(await openProduct(run)),
    ...(await openAuth(run)),
    ...CASES.flatMap((measured) =>
      wantedBaselines(measured, only).flatMap((target) =>
        baselineSeriesOf(target, measured, { baseline, seconds: by.seconds }),
      ),
    ),
  ];
  return series.filter(({ key }) => isAskedFor(only, key));
}

function writes({ work }: SeriesKey): boolean {
  return work === 'sign-in' || CASES.some(({ name, isRead }) => name === work && !isRead);
}

async function measureRates(
  site: Site,
  baseline: Baseline,
  options: BenchOptions,
): Promise<RateBook> {
  await using cleanup = new Cleanup();
  const load = cleanup.keep(openLoadClient(), (opened) => opened.stop());
  const by = { load, seconds: options.seconds };
  const rates = new RateBook();
  const reset = async (): Promise<void> => {
    await forgetWrites(site.client);
    await forgetSignIns(site.client);
  };
  await reset();
  const run = { site, rates, by, only: options.only, cleanup, say };
  const series = await openSeries(run, baseline);
  await reset();
  await measureRounds(series, rates, { rounds: options.rounds, writes, reset, say });
  return rates;
}

function machineFacts(site: Site): MachineFacts {
  const [cpu] = cpus();
  return {
    measuredAt: new Date().toISOString(),
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    cpus: `${String(cpus().length)} x ${cpu?.model.trim() ?? 'unknown CPU'}`,
    postgres: site.server.version,
  };
}

async function writeReport(file: string, report: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
}

function loadBefore(): number {
  const [loadAverage = 0] = loadavg();
  return loadAverage;
}

function runFacts(
  site: Site,
  { rounds, seconds }: BenchOptions,
  measured: Pick<RunFacts, 'baseline' | 'loadAverage'>,
): RunFacts {
  return { ...machineFacts(site), ...measured, rounds, seconds };
}

/** A peer may be missing; what the product cannot do is a failure of the run. */
function tellFailures(rates: RateBook): void {
  if (rates.failures().some(({ target }) => target === 'product')) process.exitCode = 1;
}

async function runRates(options: BenchOptions, cleanup: Cleanup): Promise<void> {
  const loadAverage = loadBefore();
  const site = await openSite({ ...options, databaseUrl: env.databaseUrl }, cleanup);
  const baseline = await openBaseline(site, cleanup);
  const rates = await measureRates(site, baseline, options);
  const results = { rates, ...(await measureProjects(site, { ...options, say })) };
  const facts = runFacts(site, options, { baseline: baseline.title, loadAverage });
  await writeReport(options.out, buildReport(facts, results));
  console.log(renderReport(facts, results));
  tellFailures(rates);
}

async function runMemory(options: BenchOptions, cleanup: Cleanup): Promise<void> {
  const given = { databaseUrl: env.databaseUrl, withoutProduct: false, isProbed: true };
  const site = await openSite(given, cleanup);
  const result = await measureMemory(site, { minutes: options.minutes, cleanup, say });
  await writeReport(options.out, { run: machineFacts(site), ...result });
  console.log(renderMemory(result));
  const isMet = checkMemory(result).every((curve) => curve.isMet);
  if (!isMet || result.failures.length > 0) process.exitCode = 1;
}

async function reportPart(
  part: Part,
  { out }: BenchOptions,
  { facts, rates }: { readonly facts: RunFacts; readonly rates: RateBook },
): Promise<void> {
  await writeReport(out, buildPartReport(part, facts, rates));
  console.log(renderPart(part, facts, rates));
  tellFailures(rates);
}

async function runStorage(options: BenchOptions, cleanup: Cleanup): Promise<void> {
  const loadAverage = loadBefore();
  const site = await openSite({ databaseUrl: env.databaseUrl, withoutProduct: false }, cleanup);
  const load = cleanup.keep(openLoadClient(), (opened) => opened.stop());
  const by = { load, seconds: options.seconds };
  const { rounds, only } = options;
  const { searchPath } = env;
  const rates = new RateBook();
  await measureStorage({ site, rates, by, only, cleanup, say, rounds, searchPath });
  const facts = runFacts(site, options, { baseline: 'nginx and dd', loadAverage });
  const part = { name: 'storage', title: 'files', demands: STORAGE_DEMANDS } as const;
  await reportPart(part, options, { facts, rates });
}

async function runRealtime(options: BenchOptions, cleanup: Cleanup): Promise<void> {
  const loadAverage = loadBefore();
  const given = { databaseUrl: env.databaseUrl, withoutProduct: false, isProbed: true };
  const site = await openSite(given, cleanup);
  const load = cleanup.keep(openLoadClient(), (opened) => opened.stop());
  const by = { load, seconds: options.seconds };
  const { rounds, only, sockets } = options;
  const { searchPath } = env;
  const rates = new RateBook();
  await measureRealtime({ site, rates, by, only, cleanup, say, rounds, sockets, searchPath });
  const baseline = 'a frame written to raw sockets, Socket.IO, tables without changes';
  const facts = runFacts(site, options, { baseline, loadAverage });
  const part = { name: 'realtime', title: 'realtime', demands: REALTIME_DEMANDS } as const;
  await reportPart(part, options, { facts, rates });
}

async function runFunctions(options: BenchOptions, cleanup: Cleanup): Promise<void> {
  const deno = findDeno();
  if (deno.kind === 'missing') {
    say(`Functions are not measured: ${deno.reason}`);
    return;
  }
  const loadAverage = loadBefore();
  const site = await openSite({ databaseUrl: env.databaseUrl, withoutProduct: false }, cleanup);
  const load = cleanup.keep(openLoadClient(), (opened) => opened.stop());
  const by = { load, seconds: options.seconds };
  const { rounds, only } = options;
  const rates = new RateBook();
  await measureFunctions({ site, rates, by, only, cleanup, say, rounds, deno: deno.program });
  const baseline = 'bare Deno, and bare node:http in front of it';
  const facts = runFacts(site, options, { baseline, loadAverage });
  const part = { name: 'functions', title: 'functions', demands: FUNCTION_DEMANDS } as const;
  await reportPart(part, options, { facts, rates });
}

const RUNS: Readonly<
  Record<BenchOptions['mode'], (options: BenchOptions, cleanup: Cleanup) => Promise<void>>
> = {
  rates: runRates,
  memory: runMemory,
  storage: runStorage,
  realtime: runRealtime,
  functions: runFunctions,
};

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
  cleanup.keep(undefined, closeControl);
  await RUNS[options.mode](options, cleanup);
}

await main();
