// The rules that hold for every limiter, whatever it counts in, and what is special about the shared ones.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Redis } from 'ioredis';
import pg from 'pg';
import { describeIf, freePort, waitFor } from '#libs/testing';
import { createMemoryLimiter } from './memory-limiter.js';
import { createPostgresLimiter } from './postgres-limiter.js';
import type { RateLimiter, RateRule } from '#libs/wire';
import { createRedisLimiter } from './redis-limiter.js';

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const migration = new URL('../../../migrations/project/0014_rate_limits.sql', import.meta.url);
const databases = [`limits_${process.pid}_a`, `limits_${process.pid}_b`] as const;
const rule = { windowSeconds: 3600, max: 10 };

const admins: pg.Pool[] = [];
const pools: pg.Pool[] = [];
const clients: Redis[] = [];
let server: ChildProcess | undefined;

beforeAll(async () => {
  if (hasRedis) await startRedis();
  for (const database of databases) await makeDatabase(database); // They share the roles.
});
afterAll(async () => {
  await Promise.all([...pools, ...admins].map((pool) => pool.end()));
  for (const client of clients) client.disconnect();
  for (const database of databases) await onServer(`drop database if exists ${database}`);
  if (!server) return;
  server.kill();
  await once(server, 'exit');
});

/** Two limiters of one project, as in two processes, and one of another project. */
interface Limiters {
  readonly one: RateLimiter;
  readonly twin: RateLimiter;
  readonly stranger: RateLimiter;
}

function inMemory(): Limiters {
  const open = () => createMemoryLimiter(() => performance.now());
  const one = open();
  return { one, twin: one, stranger: open() };
}

function inPostgres(): Limiters {
  const [one, twin, stranger] = pools.map((pool) => createPostgresLimiter(pool));
  if (!one || !twin || !stranger) throw new Error('the databases are not open');
  return { one, twin, stranger };
}

function inRedis(): Limiters {
  const [one, twin] = clients;
  if (!one || !twin) throw new Error('Redis is not open');
  return {
    one: createRedisLimiter(one, 'rate:a'),
    twin: createRedisLimiter(twin, 'rate:a'),
    stranger: createRedisLimiter(twin, 'rate:b'),
  };
}

function use(limiter: RateLimiter, key: string, given: RateRule = rule) {
  return limiter.consume([{ key, rule: given }]);
}

function holdsTheRules(open: () => Limiters): void {
  test('as many parallel uses are allowed as the rule says, over all processes', async () => {
    const { one, twin } = open();
    const verdicts = await Promise.all(
      Array.from({ length: 60 }, (_, index) => use(index % 2 ? one : twin, 'parallel')),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(rule.max);
    const refused = verdicts.find(({ allowed }) => !allowed);
    expect(refused).toEqual({ allowed: false, retryAfterSeconds: 3600, key: 'parallel' });
  });

  test('a call counts every key, and a key that is named twice once', async () => {
    const { one } = open();
    const uses = ['x', 'y', 'x'].map((key) => ({ key, rule: { ...rule, max: 2 } }));
    await one.consume(uses);
    expect((await one.consume(uses)).allowed).toBe(true);
    await one.reset(['x']);
    expect(await one.consume(uses)).toMatchObject({ allowed: false, key: 'y' });
    expect(await one.consume([])).toEqual({ allowed: true, retryAfterSeconds: 0 });
  });

  test('keys do not share an allowance, and projects share nothing', async () => {
    const { one, stranger } = open();
    const single = { windowSeconds: 3600, max: 1 };
    expect((await use(one, 'mine', single)).allowed).toBe(true);
    expect((await use(one, 'other', single)).allowed).toBe(true);
    expect((await use(stranger, 'mine', single)).allowed).toBe(true);
    expect((await use(one, 'mine', single)).allowed).toBe(false);
  });

  test('a reset gives back the allowance of its keys alone, in every process', async () => {
    const { one, twin } = open();
    const single = { windowSeconds: 3600, max: 1 };
    for (const key of ['kept', 'given', 'back']) await use(one, key, single); // One after the other.
    await twin.reset(['given', 'back', 'never used']);
    expect((await use(one, 'given', single)).allowed).toBe(true);
    expect((await use(one, 'back', single)).allowed).toBe(true);
    expect((await use(one, 'kept', single)).allowed).toBe(false);
    await one.reset([]);
  });

  test('a use that is given back can be used again, once, in every process', async () => {
    const { one, twin } = open();
    const twice = { windowSeconds: 3600, max: 2 };
    for (const key of ['returned', 'returned', 'other', 'other']) await use(one, key, twice);
    await twin.giveBack(['returned', 'returned', 'never seen']);
    expect((await use(one, 'returned', twice)).allowed).toBe(true);
    expect((await use(one, 'returned', twice)).allowed).toBe(false);
    expect((await use(one, 'other', twice)).allowed).toBe(false);
    expect((await use(one, 'never seen', { ...twice, max: 1 })).allowed).toBe(true);
    expect((await use(one, 'never seen', { ...twice, max: 1 })).allowed).toBe(false);
    await one.giveBack([]);
  });

  test('a window ends on its own, and the next one counts anew', async () => {
    const { one } = open();
    const short = { windowSeconds: 0.4, max: 2 };
    await use(one, 'short', short);
    await use(one, 'short', short);
    expect(await use(one, 'short', short)).toMatchObject({ allowed: false, retryAfterSeconds: 1 });
    await waitFor(async () => (await use(one, 'short', short)).allowed);
    // The use that was allowed is the first of the new window.
    expect((await use(one, 'short', { ...short, max: 1 })).allowed).toBe(false);
  });
}

describe('in memory', () => holdsTheRules(inMemory));

describe('in PostgreSQL', () => {
  holdsTheRules(inPostgres);

  test('calls that name the same keys in opposite orders do not block each other for good', async () => {
    const { one, twin } = inPostgres();
    const keys = Array.from({ length: 12 }, (_, index) => `order ${index}`);
    const uses = keys.map((key) => ({ key, rule }));
    const backwards = uses.toReversed();
    const calls = Array.from({ length: 150 }, (_, index) => [
      one.consume(index % 2 ? uses : backwards),
      twin.reset(index % 3 ? keys.toReversed() : keys),
    ]);
    await expect(Promise.all(calls.flat())).resolves.toHaveLength(300);
  });

  test('the table holds no key as it was given', async () => {
    await use(inPostgres().one, 'sign-in:someone@example.com');
    const { rows } = await admins[0]!.query('select key from auth.rate_limit');
    expect(rows.length).toBeGreaterThan(0);
    for (const { key } of rows) expect(key).toMatch(/^[\w-]{43}$/);
  });
});

describeIf(hasRedis, 'no redis-server on this machine (package redis-server)')('in Redis', () => {
  holdsTheRules(inRedis);

  test('keys name their project and nobody else, and end with their window', async () => {
    await use(inRedis().one, 'sign-in:someone@example.com');
    const [client] = clients;
    const keys = (await client?.keys('*')) ?? [];
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) {
      expect(key).toMatch(/^\{rate:[ab]\}:[\w-]{43}$/);
      expect(await client?.pttl(key)).toBeGreaterThan(0);
    }
  });
});

async function startRedis(): Promise<void> {
  const port = await freePort();
  server = spawn('redis-server', ['--port', String(port), '--save', '', '--bind', '127.0.0.1']);
  for await (const line of server.stdout ?? []) if (String(line).includes('Ready to accept')) break;
  clients.push(new Redis(port, '127.0.0.1'), new Redis(port, '127.0.0.1'));
}

/** The first database has two pools, as if two processes served it. */
async function makeDatabase(database: string): Promise<void> {
  await onServer(`do $$ begin create role platform_engine nologin;
    exception when duplicate_object or unique_violation then null; end $$`);
  await onServer(`create database ${database}`);
  const admin = new pg.Pool({ connectionString: serverUrl(database), max: 1 });
  admins.push(admin);
  await admin.query('create schema auth; grant usage on schema auth to platform_engine');
  const text = await readFile(migration, 'utf8');
  // It may run again after an upgrade that was cut short.
  await admin.query(text);
  await admin.query(text);
  const count = database === databases[0] ? 2 : 1;
  for (let index = 0; index < count; index += 1) {
    pools.push(
      new pg.Pool({
        connectionString: serverUrl(database),
        max: 6,
        options: '-c role=platform_engine',
      }),
    );
  }
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client(serverUrl());
  await client.connect();
  await client.query(statement);
  await client.end();
}

function serverUrl(database?: string): string {
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  if (database !== undefined) url.pathname = `/${database}`;
  return url.href;
}
