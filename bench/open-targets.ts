// Opens the servers of a run and gives what is measured of them. A peer that cannot be installed or
// started, and a case that is answered wrongly, are noted with the reason and take no part.

import type { BaselineName, BenchCase } from './case.js';
import { CASES } from './cases.js';
import { startServer, type ServerChild } from './child.js';
import type { Cleanup } from './cleanup.js';
import { jwtOf, tokenOf } from './database/accounts.js';
import {
  createPolicyPeerLogin,
  createTrustedPeerLogin,
  dropLogin,
  type Login,
} from './database/baseline-login.js';
import { urlOfLogin } from './database/connection.js';
import { COUNT_WRITTEN_SQL, forgetWrites } from './database/tables.js';
import { isAskedFor } from './only.js';
import { installPeers } from './peers/install.js';
import { TYPEORM_CALLS } from './peers/nest-typeorm/calls.js';
import type { PeerPlace } from './peers/place.js';
import { POSTGRAPHILE_CALLS, startPostgraphile } from './peers/postgraphile.js';
import { startSupabaseLite, supabaseLiteCall } from './peers/supabase-lite.js';
import type { RateBook, TargetName } from './rate-book.js';
import { reasonOf, type Series } from './series.js';
import { runSecret, type ProductSite, type Site } from './site.js';
import { floorSeries, servedSeries, type MeasuredBy, type ServedTarget } from './targets.js';
import { faultOf, verifyStrangers } from './verify.js';

export interface TargetRun {
  readonly site: Site;
  readonly rates: RateBook;
  readonly by: MeasuredBy;
  readonly only: string;
  readonly cleanup: Cleanup;
  readonly say: (line: string) => void;
}

export async function openFloors({ by, only, cleanup }: TargetRun): Promise<Series[]> {
  const series: Series[] = [];
  for (const target of ['node-http', 'fastify'] as const) {
    if (!isAskedFor(only, { target, work: 'hello' })) continue;
    const server = await startServer(`./servers/${target}.js`);
    cleanup.keep(server, (started) => started.stop());
    series.push(...floorSeries(target, server, by));
  }
  return series;
}

export function productTarget(site: ProductSite): ServedTarget {
  const { apiPort, pid } = site.current();
  return {
    target: 'product',
    port: apiPort,
    pid,
    host: site.project.host,
    bearer: tokenOf,
    call: (measured, key) => measured.productCall(key),
  };
}

/** The cases that a target answers rightly. */
export async function listVerified(
  run: Pick<TargetRun, 'site' | 'rates' | 'only' | 'say'>,
  served: ServedTarget,
): Promise<BenchCase[]> {
  const { target } = served;
  const countRows = async (): Promise<number> => {
    const { rows } = await run.site.client.query<{ rows: string }>(COUNT_WRITTEN_SQL);
    return Number(rows[0]?.rows);
  };
  const right: BenchCase[] = [];
  // What the target before has written would be read.
  await forgetWrites(run.site.client);
  // One after another: a write is recognized by the number of rows before and after it.
  for (const measured of CASES) {
    const canDo = served.call(measured, 1) !== undefined;
    if (!canDo || !isAskedFor(run.only, { target, work: measured.name })) continue;
    const reason = await faultOf(served, measured, { countRows });
    if (reason === undefined) right.push(measured);
    else {
      run.rates.fail({ target, work: measured.name, reason });
      run.say(`${target}, ${measured.name}: FAILED: ${reason}`);
    }
  }
  const read = right.find(({ isRead }) => isRead);
  if (read !== undefined) await verifyStrangers(served, read);
  return right;
}

async function seriesOf(run: TargetRun, served: ServedTarget): Promise<Series[]> {
  const cases = await listVerified(run, served);
  return cases.flatMap((measured) => servedSeries(served, measured, run.by));
}

export async function openProduct(run: TargetRun): Promise<Series[]> {
  const { product } = run.site;
  return product === undefined ? [] : seriesOf(run, productTarget(product));
}

interface Peer {
  readonly target: TargetName;
  readonly call: ServedTarget['call'];
  readonly start: (jwtSecret: string) => Promise<ServerChild>;
}

async function keepLogin(
  { site, cleanup }: TargetRun,
  create: (client: Site['client']) => Promise<Login>,
): Promise<string> {
  const login = cleanup.keep(await create(site.client), (made) => dropLogin(site.client, made));
  return urlOfLogin(site.address, login);
}

/** The peers; those that are not ours are installed when the first of them starts. */
function listPeers(run: TargetRun): readonly Peer[] {
  let installed: Promise<Omit<PeerPlace, 'jwtSecret'>> | undefined;
  const place = async (jwtSecret: string): Promise<PeerPlace> => {
    installed ??= installPeers(run.say).then(async (folder) => ({
      folder,
      databaseUrl: await keepLogin(run, createPolicyPeerLogin),
    }));
    return { ...(await installed), jwtSecret };
  };
  return [
    {
      target: 'typeorm',
      call: (measured, key) => TYPEORM_CALLS[measured.name]?.(key),
      async start(jwtSecret) {
        const url = await keepLogin(run, createTrustedPeerLogin);
        return startServer('./peers/nest-typeorm/main.js', [url, jwtSecret]);
      },
    },
    {
      target: 'postgraphile',
      call: (measured, key) => POSTGRAPHILE_CALLS[measured.name]?.(key),
      start: async (jwtSecret) => startPostgraphile(await place(jwtSecret)),
    },
    {
      target: 'supabase-lite',
      call: supabaseLiteCall,
      start: async (jwtSecret) => startSupabaseLite(await place(jwtSecret)),
    },
  ];
}

async function openPeer(run: TargetRun, { target, call, start }: Peer): Promise<Series[]> {
  const isWanted = CASES.some(
    (measured) =>
      call(measured, 1) !== undefined && isAskedFor(run.only, { target, work: measured.name }),
  );
  if (!isWanted) return [];
  const jwtSecret = runSecret();
  let server: ServerChild;
  try {
    server = run.cleanup.keep(await start(jwtSecret), (started) => started.stop());
  } catch (error) {
    run.rates.fail({ target, reason: reasonOf(error) });
    run.say(`${target}: FAILED: ${reasonOf(error)}`);
    return [];
  }
  const { port, pid } = server;
  const bearer = (session: number): string => jwtOf(session, jwtSecret);
  return seriesOf(run, { target, port, pid, host: 'localhost', bearer, call });
}

export async function openPeers(run: TargetRun): Promise<Series[]> {
  const series: Series[] = [];
  // One after another, so that none is verified while another starts.
  for (const peer of listPeers(run)) series.push(...(await openPeer(run, peer)));
  return series;
}

/** The baselines that a case is held against. */
export function wantedBaselines(measured: BenchCase, only: string): BaselineName[] {
  return measured.baselines.filter((target) => isAskedFor(only, { target, work: measured.name }));
}
