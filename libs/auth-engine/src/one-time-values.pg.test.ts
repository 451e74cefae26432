import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import pg from 'pg';
import { guessable, guessValue, keepValue, takeValue } from './one-time-values.js';

const database = `one_time_${randomBytes(6).toString('hex')}`;
const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';
let server: pg.Client;
let pool: pg.Pool;

beforeAll(async () => {
  server = new pg.Client(serverUrl);
  await server.connect();
  await server.query(`create database ${database}`);
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  pool = new pg.Pool({ connectionString: url.href, max: 10 });
  // Dropping the database ends connections that are still on their way out (SQLSTATE admin_shutdown).
  pool.on('error', (error) => {
    if (Reflect.get(error, 'code') !== '57P01') throw error;
  });
  await pool.query(`
    create schema auth;
    create table auth.verification (
      id text primary key, identifier text not null, value text not null,
      "expiresAt" timestamptz not null
    )`);
});
afterAll(async () => {
  await pool.end();
  await server.query(`drop database ${database} with (force)`);
  await server.end();
});
beforeEach(async () => {
  await pool.query('truncate auth.verification');
});

const guess = { identifier: 'x', digest: 'right' } as const;

function keep(value: string, expiresInSeconds = 60): Promise<void> {
  return keepValue(pool, { identifier: 'x', value, expiresInSeconds });
}

function atOnce<T>(count: number, run: () => Promise<T>): Promise<readonly T[]> {
  return Promise.all(Array.from({ length: count }, run));
}

test('a right guess counts once, however many come at the same moment', async () => {
  for (let round = 0; round < 20; round += 1) {
    // Each round begins with a value of its own.
    await keep(guessable('right'));
    const results = await atOnce(10, () => guessValue(pool, { ...guess, maxGuesses: 100 }));
    expect(results.filter(Boolean)).toHaveLength(1);
  }
});

test('guesses are over after as many as there are, however many come at the same moment', async () => {
  await keep(guessable('right'));
  const wrong = { ...guess, digest: 'wrong', maxGuesses: 3 };
  expect(await atOnce(20, () => guessValue(pool, wrong))).not.toContain(true);
  const { rows } = await pool.query('select value from auth.verification');
  expect(rows).toEqual([{ value: 'right:3' }]);
  expect(await guessValue(pool, { ...guess, maxGuesses: 3 })).toBe(false);
});

test('a value is taken once, however many want it at the same moment', async () => {
  await keep('kept');
  const taken = await atOnce(10, () => takeValue(pool, 'x'));
  expect(taken.filter((value) => value === 'kept')).toHaveLength(1);
});

test('a later value takes the place of the one before', async () => {
  await keep('first');
  await keep('second');
  expect(await takeValue(pool, 'x')).toBe('second');
  expect(await takeValue(pool, 'x')).toBeUndefined();
});

test('a value whose time is over is neither taken nor guessed', async () => {
  await keep(guessable('right'), 0);
  expect(await guessValue(pool, { ...guess, maxGuesses: 3 })).toBe(false);
  expect(await takeValue(pool, 'x')).toBeUndefined();
});
