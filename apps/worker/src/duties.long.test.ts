import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';
import { pino } from 'pino';

import { waitFor } from '#libs/testing';

import { type Duty, DutyRunner } from './duties.js';

const database = `duties_${process.pid}`;
const server = process.env['TEST_DATABASE_URL'] ?? '';
const url = new URL(server);
url.pathname = `/${database}`;
const jobStore = { kind: 'postgres', url: url.href } as const;

async function asAdmin(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(text);
  await client.end();
}
beforeAll(() => asAdmin(`create database ${database}`));
afterAll(() => asAdmin(`drop database ${database} with (force)`));

/** A process with the role `worker` that has these duties alone. */
async function startRunner(duties: readonly Duty[]) {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  // The runner uses the store and the log alone.
  const deps = { jobStore, log } as unknown as ConstructorParameters<typeof DutyRunner>[0];
  const runner = new DutyRunner(deps, duties);
  await runner.start();
  return { lines, stop: () => runner.onModuleDestroy() };
}

test('a duty is done by one of several processes at each of its times, and at the start by each', async () => {
  const times: number[] = [];
  const duty = { everyMs: 500, failure: 'x', run: async () => void times.push(Date.now()) };
  const runners = [await startRunner([duty]), await startRunner([duty]), await startRunner([duty])];
  await waitFor(() => times.length >= 13, { ms: 20_000 });
  await Promise.all(runners.map(({ stop }) => stop()));
  // Three at the starts, then ten of one process: three processes would need a third of the time.
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(3_000);
}, 30_000);

test('a duty that failed takes up what others have left before it runs again, and the log says it once', async () => {
  const calls: string[] = [];
  let isAway = true;
  const duty = {
    everyMs: 200,
    failure: 'the duty failed',
    resume: async () => void calls.push('resume'),
    async run() {
      calls.push('run');
      if (isAway) throw new Error('away');
    },
  };
  const { lines, stop } = await startRunner([duty]);
  await waitFor(() => calls.length >= 6, { ms: 20_000 });
  isAway = false;
  const before = calls.length;
  await waitFor(() => calls.length >= before + 5, { ms: 20_000 });
  await stop();
  expect(calls.slice(0, 6)).toEqual(['resume', 'run', 'resume', 'run', 'resume', 'run']);
  expect(calls.slice(-3)).toEqual(['run', 'run', 'run']);
  expect(lines.filter((line) => line.includes('the duty failed'))).toHaveLength(1);
}, 30_000);

test('a duty that hangs keeps neither the others nor the end of the process', async () => {
  let runs = 0;
  const hanging = { everyMs: 200, failure: 'x', run: () => new Promise<void>(() => undefined) };
  const other = { everyMs: 200, failure: 'x', run: async () => void (runs += 1) };
  const { stop } = await startRunner([hanging, other]);
  await waitFor(() => runs >= 5, { ms: 20_000 });
  await stop();
}, 30_000);
