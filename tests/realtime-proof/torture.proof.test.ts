// Changes under faults: the API is killed with -9 under 1,000 rows a second, the database is restarted and killed, the
// reader's connection is ended again and again, clients lose their connection at random, and a transaction stays open in
// another project. REALTIME_SEED repeats the choices, REALTIME_ROUNDS does more of them.
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { waitFor } from '#libs/testing';
import {
  type Background,
  closeGround,
  type Ground,
  holdTransaction,
  openGround,
  repeat,
  untilJoined,
} from './ground.js';
import { type Comparison, Ledger, type Written } from './ledger.js';
import { countUncaptured, readWritten } from './outbox.js';

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 600_000 });

const seed = Number(process.env['REALTIME_SEED'] ?? Date.now() % 1_000_000);
const rounds = Number(process.env['REALTIME_ROUNDS'] ?? 1);
const writers = 16;
const perSecond = 1_000;
const calmMs = 4_000;
const longestAwayMs = 1_000;
const arrivedMs = 60_000;

/** Ends the connections that have read the outbox. */
const endReadersSql = `select pg_terminate_backend(pid) from pg_stat_activity
  where pid <> pg_backend_pid() and datname = current_database() and query like '%realtime.read(%'`;

let ground: Ground<Ledger>;
let written: readonly Written[];
let compared: readonly Comparison[];
const faults = { api: 0, databaseStops: 0, databaseKills: 0, readers: 0, drops: 0 };

beforeAll(async () => {
  ground = await openGround(
    { seed, perSecond, followersEach: 2 },
    (name, expected) => new Ledger(name, expected),
  );
  await sufferFaults(ground);
  written = await readWritten(ground.deployment, ground.project);
  await untilArrived(ground, written);
  compared = ground.books.map((ledger) => ledger.compare(written));
  console.log(summary());
});
afterAll(() => closeGround(ground));

async function sufferFaults(of: Ground<Ledger>): Promise<void> {
  const { deployment, elsewhere } = of;
  const held = holdTransaction(deployment.dataDir, elsewhere.database);
  const background: Background[] = [dropClients(of), endReaders(of)];
  of.writers.start(writers);
  try {
    for (let round = 0; round < rounds; round += 1) {
      await apart(of, () => killApi(of));
      await apart(of, () => stopDatabase(of));
      await apart(of, () => killApi(of));
      await apart(of, () => killDatabase(of));
    }
    await delay(calmMs);
    // Readers are ended while they have a connection, which is not always on a fast machine.
    await waitFor(() => faults.readers >= rounds * 10, { ms: 60_000 }).catch(() => undefined);
  } finally {
    await of.writers.stop();
    for (const each of background) await each.stop();
    await held.stop();
  }
}

/** A fault after a while without one. */
async function apart({ followers }: Ground<Ledger>, fault: () => Promise<void>): Promise<void> {
  await delay(calmMs);
  await fault();
  await untilJoined(followers);
}

async function killApi({ deployment }: Ground<Ledger>): Promise<void> {
  faults.api += 1;
  await deployment.kill();
  await deployment.start();
}

/** Ends PostgreSQL in order; the server starts it again. */
async function stopDatabase({ deployment }: Ground<Ledger>): Promise<void> {
  faults.databaseStops += 1;
  await deployment.stopDatabase();
  await deployment.ensureReady();
}

async function killDatabase({ deployment }: Ground<Ledger>): Promise<void> {
  faults.databaseKills += 1;
  await deployment.killDatabase();
  await deployment.ensureReady();
}

function dropClients({ followers, chance }: Ground<Ledger>): Background {
  return repeat(
    () => 100 + chance.below(300),
    () => {
      faults.drops += 1;
      chance.pick(followers)?.drop(chance.below(longestAwayMs));
    },
  );
}

function endReaders({ deployment, project }: Ground<Ledger>): Background {
  return repeat(
    () => 1_500,
    async () => {
      const ended = await deployment.ask(endReadersSql, project.database);
      faults.readers += ended.length;
    },
  );
}

/** Waits until every client has what it may see; what has not come then is compared. */
async function untilArrived({ books }: Ground<Ledger>, rows: readonly Written[]): Promise<void> {
  const isComplete = () => books.every((ledger) => ledger.missing(rows) === 0);
  await waitFor(isComplete, { ms: arrivedMs, everyMs: 500 }).catch(() => undefined);
}

function summary(): string {
  const { followers, writers: rows } = ground;
  const sum = (count: (of: (typeof followers)[number]) => number): number =>
    followers.reduce((total, each) => total + count(each), 0);
  return [
    `realtime torture: seed ${seed}, ${written.length} lines, ${rows.written} rows written,`,
    `${rows.broken} transactions broke, ${faults.api} kills of the API,`,
    `${faults.databaseStops} stops and ${faults.databaseKills} kills of the database,`,
    `${faults.readers} connections of readers ended, ${faults.drops} drops of clients,`,
    `${sum(({ joins }) => joins)} joins, ${sum(({ repeated }) => repeated)} entries came again,`,
    `refused: ${JSON.stringify(followers.flatMap(({ refusals }) => [...refusals]))}`,
  ].join(' ');
}

test('there was enough to lose', () => {
  expect(written.length).toBeGreaterThan(rounds * 10_000);
  expect(faults.readers).toBeGreaterThanOrEqual(rounds * 10);
  const mostExpected = Math.max(...compared.map(({ expected }) => expected));
  expect(mostExpected).toBe(written.length);
});

test('every row that was written has its line', async () => {
  expect(await countUncaptured(ground.deployment, ground.project)).toBe(0);
});

test('no client has missed a change', () => {
  expect(compared.map(({ name, lost }) => ({ seed, name, lost }))).toEqual(
    compared.map(({ name }) => ({ seed, name, lost: 0 })),
  );
});

test('no change has come twice after the ids were compared', () => {
  expect(compared.filter(({ doubled }) => doubled > 0)).toEqual([]);
});

test('the changes of a row came in the order of its versions', () => {
  expect(compared.filter(({ outOfOrder }) => outOfOrder > 0)).toEqual([]);
});

test('no client has received what its policies hide, or what is of another project', () => {
  expect(compared.filter(({ leaked }) => leaked > 0)).toEqual([]);
});

test('every client that came back was brought up to date', () => {
  // A client that may see nothing receives no cursor, so that its own is older than what is brought again.
  const mayMiss = compared.filter(({ expected }) => expected > 0).map(({ name }) => name);
  expect(mayMiss.length).toBeGreaterThan(0);
  const gaps = ground.followers.filter(
    ({ name, gaps: count }) => mayMiss.includes(name) && count > 0,
  );
  expect(gaps.map(({ name }) => name)).toEqual([]);
  const missed = ground.followers.flatMap(({ closings }) => closings.map(({ code }) => code));
  expect(missed).not.toContain('CHANGES_MISSED');
});
