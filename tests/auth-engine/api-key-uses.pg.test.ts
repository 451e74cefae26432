import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createKeyUses } from '#libs/auth-engine';

import { type AuthProject, openAuthProject } from './auth-project.js';

let project: AuthProject;
let nowMs = 0;
const open = () => createKeyUses({ pool: project.pool, now: () => nowMs });

beforeAll(async () => {
  project = await openAuthProject();
});
afterAll(() => project.close());

/** Makes a key and gives its hash. Columns are SQL expressions. */
async function makeKey(columns: Readonly<Record<string, string>> = {}): Promise<string> {
  const hash = randomUUID();
  const names = Object.keys(columns).map((name) => `, "${name}"`);
  const values = Object.values(columns).map((value) => `, ${value}`);
  await project.sql(
    `insert into auth.apikey
       (id, "configId", key, "referenceId", enabled, "createdAt", "updatedAt"${names.join('')})
     values ($1, 'default', $1, 'u1', true, now() - interval '1 day', now()${values.join('')})`,
    [hash],
  );
  return hash;
}

async function keyRow(hash: string): Promise<Record<string, unknown> | undefined> {
  const [row] = await project.sql(
    `select remaining, "requestCount" as count, "lastRequest" is not null as "wasUsed",
       "lastRefillAt" is not null as "wasRefilled" from auth.apikey where key = $1`,
    [hash],
  );
  return row;
}

test('each use of a key with a limit is taken off, and after the last one it is exhausted', async () => {
  const hash = await makeKey({ remaining: '2' });
  const uses = open();
  expect(await uses.count(hash)).toBe('counted');
  expect(await uses.count(hash)).toBe('counted');
  await expect(uses.count(hash)).rejects.toMatchObject({ code: 'API_KEY_EXHAUSTED', status: 429 });
  expect(await keyRow(hash)).toMatchObject({ remaining: 0, count: 2, wasUsed: true });
});

test('uses at the same time take no more than there are', async () => {
  const hash = await makeKey({ remaining: '5' });
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, async () => open().count(hash)),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  expect(await keyRow(hash)).toMatchObject({ remaining: 0, count: 5 });
});

const refill = { refillAmount: '3', refillInterval: '1000' };
test.each([
  { name: 'that was never refilled', columns: { remaining: '0' } },
  {
    name: 'that is used up',
    columns: { remaining: '0', lastRefillAt: `now() - interval '2 seconds'` },
  },
  {
    name: 'that has uses left',
    columns: { remaining: '2', lastRefillAt: `now() - interval '2 seconds'` },
  },
])('a key $name is filled up when it is time', async ({ columns }) => {
  const hash = await makeKey({ ...refill, ...columns });
  expect(await open().count(hash)).toBe('counted');
  expect(await keyRow(hash)).toMatchObject({ remaining: 2, wasRefilled: true });
});

test('parallel uses fill a key up once', async () => {
  const hash = await makeKey({ refillAmount: '3', refillInterval: '60000', remaining: '0' });
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, async () => open().count(hash)),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
});

test('a key is not filled up before its time', async () => {
  const columns = { ...refill, refillInterval: '60000', lastRefillAt: 'now()', remaining: '0' };
  await expect(open().count(await makeKey(columns))).rejects.toMatchObject({
    code: 'API_KEY_EXHAUSTED',
  });
});

test('a key without a limit is asked about once in ten seconds', async () => {
  const hash = await makeKey();
  const uses = open();
  expect(await uses.count(hash)).toBe('unlimited');
  expect(uses.count(hash)).toBe('unlimited');
  expect(await keyRow(hash)).toMatchObject({ remaining: null, count: 1, wasUsed: true });
  nowMs += 10_000;
  expect(await uses.count(hash)).toBe('unlimited');
  expect(await keyRow(hash)).toMatchObject({ count: 2 });
});

test.each([
  { name: 'disabled', columns: { enabled_: 'false' } },
  { name: 'expired', columns: { expiresAt: `now() - interval '1 second'` } },
])(
  'a key that is $name is unknown and not counted',
  async ({ columns: { enabled_, ...columns } }) => {
    const hash = await makeKey({ ...columns, remaining: '2' });
    if (enabled_ !== undefined) {
      await project.sql(`update auth.apikey set enabled = false where key = $1`, [hash]);
    }
    expect(await open().count(hash)).toBe('unknown');
    expect(await keyRow(hash)).toMatchObject({ remaining: 2, count: null });
  },
);

test("nobody's key is unknown", async () => {
  expect(await open().count('nobody')).toBe('unknown');
});
