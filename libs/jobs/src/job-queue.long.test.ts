import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';

import { freePort, testIf } from '#libs/testing';

import { type JobQueue, openJobQueue, runJobs, type WorkerOptions } from './job-queue.js';
import type { JobStore } from './job-store.js';

interface Task {
  readonly name: string;
}

const database = `jobs_${process.pid}`;
const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const closings: (() => Promise<void>)[] = [];
let redis: ChildProcess | undefined;
let redisUrl = '';

beforeAll(async () => {
  await asAdmin(`create database ${database}`);
  if (hasRedis) await startRedis();
});
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});
afterAll(async () => {
  await asAdmin(`drop database ${database} with (force)`);
  if (!redis) return;
  redis.kill();
  await once(redis, 'exit');
});

describe.each(['postgres', 'redis'] as const)('over %s', (kind) => {
  const testHere = testIf(
    kind === 'postgres' || hasRedis,
    'no redis-server on this machine (package redis-server)',
  );

  testHere('a job is done once, also when it is added twice', async () => {
    const { queue, done, work } = await open(kind, 'twice');
    await queue.add({ id: 'a', data: { name: 'first' } });
    await queue.add({ id: 'a', data: { name: 'again' } });
    await queue.add({ id: 'b', data: { name: 'last' } });
    work({ concurrency: 1 });
    await done.until((names) => names.includes('last'));
    expect(done.names).toEqual(['first', 'last']);
  });

  testHere('a job that failed is tried again', async () => {
    const { queue, done, work } = await open(kind, 'retries');
    const failures: string[] = [];
    work({
      run: async ({ name }) => {
        done.add(name);
        if (done.names.length < 3) throw new Error(`not yet ${done.names.length}`);
      },
      onError: (error, data) => failures.push(`${error.message} ${data?.name}`),
    });
    await queue.add({ id: 'a', data: { name: 'x' } });
    await done.until((names) => names.length === 3);
    expect(failures).toEqual(['not yet 1 x', 'not yet 2 x']);
  });

  testHere('the id of a job that is done may be used again', async () => {
    const { queue, done, work } = await open(kind, 'again');
    const stop = work({});
    await queue.add({ id: 'a', data: { name: 'x' } });
    await done.until((names) => names.length === 1);
    await stop();
    work({});
    await queue.add({ id: 'a', data: { name: 'y' } });
    await done.until((names) => names.length === 2);
  });

  testHere('a job waits for its time', async () => {
    const { queue, done, work } = await open(kind, 'delay');
    work({});
    await queue.add({ id: 'late', data: { name: 'late' } }, 300);
    await queue.add({ id: 'soon', data: { name: 'soon' } });
    await done.until((names) => names.length === 2);
    expect(done.names).toEqual(['soon', 'late']);
  });

  testHere('a job runs at the times of an expression, under an id of its own', async () => {
    const ids: string[] = [];
    const { queue, work } = await open(kind, 'cron');
    work({ run: async (_data, _signal, { id }) => void ids.push(id) });
    const job = { id: 'second', data: { name: 'second' } };
    await queue.schedule(job, { cron: '0 0 1 1 *', timeZone: 'Europe/Paris' });
    await queue.schedule(job, { cron: '* * * * * *', timeZone: 'UTC' });
    await expect.poll(() => ids.length, { timeout: 10_000 }).toBe(2);
    expect(new Set(ids).size).toBe(2);
    await queue.unschedule('second');
  });

  testHere('a job is repeated', async () => {
    const { queue, done, work } = await open(kind, 'repeat');
    work({});
    await queue.repeat({ id: 'tick', data: { name: 'tick' } }, 100);
    await queue.repeat({ id: 'tick', data: { name: 'tick' } }, 100);
    await done.until((names) => names.length >= 3);
  });
});

test('a worker whose first connection fails leaves the event loop free, connects later, and runs each job once', async () => {
  const late = `${database}_late`;
  const url = new URL(serverUrl);
  url.pathname = `/${late}`;
  const store = { kind: 'postgres', url: url.href } as const;
  const done: string[] = [];
  let failures = 0;
  closings.push(
    runJobs<Task>(store, 'late', {
      concurrency: 1,
      run: async ({ name }) => void done.push(name),
      onError: () => (failures += 1),
      retryDelaysMs: [10],
    }),
  );
  await expect.poll(() => failures, { timeout: 10_000 }).toBeGreaterThan(1);
  await asAdmin(`create database ${late}`);
  const queue = await openJobQueue<Task>(store, 'late', () => undefined);
  await queue.add({ id: 'a', data: { name: 'first' } });
  await expect.poll(() => done, { timeout: 10_000 }).toEqual(['first']);
  // A job that cannot be completed would run again and again.
  await queue.add({ id: 'b', data: { name: 'second' } });
  await expect.poll(() => done.at(-1), { timeout: 10_000 }).toBe('second');
  expect(done).toEqual(['first', 'second']);
  await queue.close();
  for (const close of closings.splice(0)) await close();
  await asAdmin(`drop database ${late} with (force)`);
}, 30_000);

test('jobs go on after the server has ended every connection', async () => {
  const { queue, done, work, errors } = await open('postgres', 'killed');
  work({});
  await queue.add({ id: 'a', data: { name: 'before' } });
  await done.until((names) => names.length === 1);
  for (let round = 0; round < 3; round += 1) {
    await asAdmin(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
    );
    await addInTheEnd(queue, `after ${round}`);
    await done.until((names) => names.includes(`after ${round}`));
  }
  expect(errors.length).toBeGreaterThan(0);
});

/** The first attempt may meet a connection of which nobody knows yet that it is dead. */
async function addInTheEnd(queue: JobQueue<Task>, name: string): Promise<void> {
  const job = { id: name.replace(' ', '-'), data: { name } };
  await queue.add(job).catch(() => queue.add(job));
}

async function open(kind: JobStore['kind'], name: string) {
  const store = storeOf(kind);
  const errors: Error[] = [];
  const queue = await openJobQueue<Task>(store, name, (error) => errors.push(error));
  closings.push(() => queue.close());
  const done = new Log();
  const work = (options: Partial<WorkerOptions<Task>>) => {
    const stop = runJobs<Task>(store, name, {
      concurrency: 4,
      retryDelaysMs: [20, 50],
      run: async (task) => done.add(task.name),
      onError: (error) => errors.push(error),
      ...options,
    });
    closings.push(stop);
    return stop;
  };
  return { queue, done, work, errors };
}

/** What was done, in order. */
class Log {
  readonly names: string[] = [];
  private heard: (() => void) | undefined;

  add(name: string): void {
    this.names.push(name);
    this.heard?.();
  }

  async until(isEnough: (names: readonly string[]) => boolean): Promise<void> {
    while (!isEnough(this.names)) {
      await new Promise<void>((resolve) => {
        this.heard = resolve;
      });
    }
  }
}

function storeOf(kind: JobStore['kind']): JobStore {
  if (kind === 'redis') return { kind, url: redisUrl };
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return { kind, url: url.href };
}

async function asAdmin(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(text);
  await client.end();
}

async function startRedis(): Promise<void> {
  const port = await freePort();
  redisUrl = `redis://127.0.0.1:${port}`;
  redis = spawn('redis-server', ['--port', String(port), '--save', '', '--bind', '127.0.0.1']);
  for await (const line of redis.stdout ?? []) if (String(line).includes('Ready to accept')) break;
}
