// Clients that follow changes, send messages and are present, for a long time: their connections break at random, and
// the memory of the server is watched. `npm run soak -- --realtime` does it longer and with more of them.
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { testIf, waitFor } from '#libs/testing';
import {
  type Background,
  closeGround,
  type Ground,
  openGround,
  repeat,
  untilJoined,
} from '../realtime-proof/ground.js';
import { Continuity, type FinalRow } from './continuity.js';
import { followedSeconds, isLongFollowing, soakFollowers, soakSeed } from './settings.js';

const openingMs = 600_000;
vi.setConfig({
  testTimeout: followedSeconds * 1000 + openingMs,
  hookTimeout: followedSeconds * 1000 + openingMs,
});

const perSecond = 200;
const writers = 6;
const longestAwayMs = 2_000;
const sampleMs = 5_000;
const minuteMs = 60_000;
/** The code is compiled and the heap has its size. */
const warmUpShare = 0.25;
/** As in the soak with kills: memory that the collector has not yet given back varies that much. */
const mostGrowth = 1.2;

const say = (line: string) => {
  if (isLongFollowing) process.stdout.write(`soak: ${line}\n`);
};

let ground: Ground<Continuity>;
let rows: readonly FinalRow[];
const samples: number[] = [];

beforeAll(async () => {
  ground = await openGround(
    { seed: soakSeed, perSecond, followersEach: soakFollowers, isPresent: true },
    (name, expected) => new Continuity(name, expected),
  );
  await follow(ground);
  rows = await finalRows(ground);
  const isComplete = () => ground.books.every((book) => book.behind(rows) === 0);
  await waitFor(isComplete, { ms: minuteMs, everyMs: 500 }).catch(() => undefined);
  say(summary());
});
afterAll(() => closeGround(ground));

async function follow(of: Ground<Continuity>): Promise<void> {
  const startedAt = performance.now();
  const background = [dropClients(of), sendMessages(of), sampleMemory(of)];
  const eachMinute = setInterval(() => {
    const minutes = Math.round((performance.now() - startedAt) / minuteMs);
    say(`${minutes} min, ${summary()}`);
  }, minuteMs);
  of.writers.start(writers);
  await delay(followedSeconds * 1000);
  clearInterval(eachMinute);
  for (const each of background) await each.stop();
  await of.writers.stop();
  await untilJoined(of.followers);
}

function dropClients({ followers, chance }: Ground<Continuity>): Background {
  return repeat(
    () => 200 + chance.below(600),
    () => chance.pick(followers)?.drop(chance.below(longestAwayMs)),
  );
}

function sendMessages({ followers, chance }: Ground<Continuity>): Background {
  return repeat(
    () => 50,
    () => chance.pick(followers)?.say({ text: 'What a client says'.repeat(5) }),
  );
}

function sampleMemory({ deployment }: Ground<Continuity>): Background {
  return repeat(
    () => sampleMs,
    async () => {
      samples.push(await deployment.rssMb());
    },
  );
}

async function finalRows({ deployment, project }: Ground<Continuity>): Promise<FinalRow[]> {
  const found = await deployment.ask(
    'select id, owner, version from public.counters order by id',
    project.database,
  );
  return found.map(({ id, owner, version }) => ({
    id: Number(id),
    owner: String(owner),
    version: Number(version),
  }));
}

/** Of a part of the samples; megabytes. */
function middleOf(part: readonly number[]): number {
  return [...part].sort((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
}

/** The middle of the first and of the last third of the samples after the warm-up. */
function memory(): { readonly first: number; readonly last: number } {
  const warm = samples.slice(Math.floor(samples.length * warmUpShare));
  const third = Math.ceil(warm.length / 3);
  return { first: middleOf(warm.slice(0, third)), last: middleOf(warm.slice(-third)) };
}

function summary(): string {
  const sum = (count: (at: number) => number): number =>
    ground.followers.reduce((total, _, at) => total + count(at), 0);
  const { first, last } = memory();
  return [
    `${ground.writers.written} rows written, ${sum((at) => ground.books[at]?.received ?? 0)} changes`,
    `and ${sum((at) => ground.followers[at]?.messages ?? 0)} messages received,`,
    `${sum((at) => ground.followers[at]?.joins ?? 0)} joins,`,
    `${sum((at) => ground.books[at]?.lost ?? 0)} lost, server ${samples.at(-1) ?? 0} MB`,
    `(middle of the first third ${first} MB, of the last ${last} MB)`,
  ].join(' ');
}

test('no client has missed a change or received one twice', () => {
  const wrong = ground.books
    .map((book) => ({
      name: book.name,
      lost: book.lost + book.behind(rows),
      disordered: book.disordered,
      leaked: book.leaked,
    }))
    .filter(({ lost, disordered, leaked }) => lost + disordered + leaked > 0);
  expect({ seed: soakSeed, wrong }).toEqual({ seed: soakSeed, wrong: [] });
  expect(Math.max(...ground.books.map(({ received }) => received))).toBeGreaterThan(100);
});

test('every inserted row has come to each client that may see it, once', async () => {
  const { deployment, project } = ground;
  const entries = await deployment.ask(
    'select owner, hidden from public.entries',
    project.database,
  );
  const expected = ground.books.map((book) => ({
    name: book.name,
    entries: entries.filter(({ owner, hidden }) => book.sees(String(owner), hidden === true))
      .length,
  }));
  expect(ground.books.map(({ name, entries: count }) => ({ name, entries: count }))).toEqual(
    expected,
  );
});

test('clients have received messages of each other', () => {
  expect(ground.followers.some(({ messages }) => messages > 10)).toBe(true);
});

testIf(isLongFollowing, 'a short run says nothing of memory')(
  'the memory of the server does not grow',
  () => {
    const { first, last } = memory();
    expect(first).toBeGreaterThan(0);
    expect(last).toBeLessThanOrEqual(first * mostGrowth);
  },
);
