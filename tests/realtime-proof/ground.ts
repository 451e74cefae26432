// What the proofs of realtime share: a deployment with a project of two owners, writers in its database, and clients
// that follow what is written.
import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

import { waitFor } from '#libs/testing';
import { embeddedUrl } from '../start/rowhouse-process.js';
import { Chance } from '../soak/chance.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { TrialDeployment } from '../trial/deployment.js';
import { Follower, type Received } from './follower.js';
import type { Expected } from './ledger.js';
import { RowWriters, tablesOf } from './row-writers.js';

const tables = ['counters', 'entries'];
const joinedMs = 120_000;
/** A client that has missed more than 5,000 changes is not brought up to date: writers stay this near to each. */
const mostAhead = 3_000;

/** Notes what one client receives. */
export interface Book {
  readonly take: (received: Received) => void;
}

export interface Ground<Kept extends Book> {
  readonly deployment: TrialDeployment;
  readonly project: ProjectUnderTest;
  /** A project without any changes; one of its clients listens under the same names. */
  readonly elsewhere: ProjectUnderTest;
  readonly writers: RowWriters;
  readonly followers: readonly Follower[];
  /** In the order of the followers. */
  readonly books: readonly Kept[];
  readonly chance: Chance;
}

export interface GroundOptions {
  readonly seed: number;
  readonly perSecond: number;
  /** Of each kind: the two owners, the secret key, signed-out clients, and those of another project. */
  readonly followersEach: number;
  /** Whether the clients track their presence. */
  readonly isPresent?: boolean;
}

/** Opens a deployment whose clients have joined. The caller closes it. */
export async function openGround<Kept extends Book>(
  options: GroundOptions,
  bookOf: (name: string, expected: Expected) => Kept,
): Promise<Ground<Kept>> {
  const { seed, perSecond, followersEach, isPresent = false } = options;
  const deployment = await TrialDeployment.open();
  try {
    const project = await deployment.createProject('torture');
    const elsewhere = await deployment.createProject('elsewhere');
    const owners: [SignedIn, SignedIn] = [
      await project.signUp('ann@example.org'),
      await project.signUp('bob@example.org'),
    ];
    const sql = tablesOf([owners[0].id, owners[1].id]);
    await project.sql(sql);
    await elsewhere.sql(sql);
    const kinds = [
      ...owners.map(({ id, token, email }) => ({
        name: email,
        project,
        auth: { token },
        expected: { kind: 'owner', id } as const,
      })),
      {
        name: 'secret key',
        project,
        auth: { apikey: project.secretKey },
        expected: { kind: 'everything' } as const,
      },
      { name: 'signed out', project, auth: {}, expected: { kind: 'nothing' } as const },
      {
        name: 'elsewhere',
        project: elsewhere,
        auth: { apikey: elsewhere.secretKey },
        expected: { kind: 'nothing' } as const,
      },
    ];
    const books: Kept[] = [];
    // How many rows were written when each client that receives changes had its last cursor.
    const writtenAt = new Map<string, number>();
    const followers: Follower[] = [];
    const chance = new Chance(seed);
    const writers: RowWriters = new RowWriters({
      connectionString: () => embeddedUrl(deployment.dataDir, project.database),
      chance,
      perSecond,
      mayWrite: () => writers.written - Math.min(...writtenAt.values()) < mostAhead,
    });
    for (const { name, project: of, auth, expected } of kinds) {
      for (let number = 1; number <= followersEach; number += 1) {
        const called = `${name} ${number}`;
        const book = bookOf(called, expected);
        books.push(book);
        if (expected.kind !== 'nothing') writtenAt.set(called, 0);
        followers.push(
          new Follower({
            project: of,
            name: called,
            auth,
            tables,
            take: book.take,
            advance: () => writtenAt.set(called, writers.written),
            ...(isPresent && { presence: { name: called } }),
          }),
        );
      }
    }
    for (const follower of followers) follower.start();
    await untilJoined(followers);
    return { deployment, project, elsewhere, writers, followers, books, chance };
  } catch (error) {
    await deployment.remove();
    throw error;
  }
}

export async function closeGround(ground: Ground<Book> | undefined): Promise<void> {
  if (ground === undefined) return;
  await ground.writers.stop();
  await Promise.all(ground.followers.map((follower) => follower.stop()));
  await ground.deployment.remove();
}

/** Waits until each client has been in its topic since the call: they may be dropped at any time. */
export async function untilJoined(followers: readonly Follower[]): Promise<void> {
  const missing = new Set(followers);
  const allCame = (): boolean => {
    for (const follower of missing) if (follower.isJoined) missing.delete(follower);
    return missing.size === 0;
  };
  await waitFor(allCame, { ms: joinedMs }).catch(() => {
    const why = [...missing].map(
      ({ name, refusals }) => `${name}: ${JSON.stringify([...refusals])}`,
    );
    throw new Error(`these clients have not joined: ${why.join('; ')}`);
  });
}

/** Work that goes on in the background until it is stopped. */
export interface Background {
  stop(): Promise<void>;
}

/** Does the work again and again with pauses; failures while a server is away are ignored. */
export function repeat(pauseMs: () => number, work: () => Promise<void> | void): Background {
  const stopping = new AbortController();
  const running = (async () => {
    for (;;) {
      await delay(pauseMs(), undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      await Promise.resolve(work()).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Keeps a transaction that has written open in a database, through restarts of the server. */
export function holdTransaction(dataDir: string, database: string): Background {
  let client: pg.Client | undefined;
  const hold = async (): Promise<void> => {
    if (client !== undefined) return;
    const opened = new pg.Client({ connectionString: await embeddedUrl(dataDir, database) });
    opened.on('error', () => (client = undefined));
    await opened.connect();
    await opened.query('begin; create table public.held (id int)');
    client = opened;
    opened.on('end', () => (client = undefined));
  };
  const holding = repeat(() => 100, hold);
  return {
    async stop() {
      await holding.stop();
      await client?.end();
    },
  };
}
