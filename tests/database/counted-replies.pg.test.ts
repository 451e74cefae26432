// The answers of all lanes take part in the budget of replies, until their request or their work ends.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { type ProjectDatabase, readScript, ReplyBudget } from '#libs/database';
import { finish } from '#libs/steps';

import { Reading } from '../../libs/database/src/replies/reading.js';
import { createProject, type ProjectFixture } from './project-fixture.js';

const kilobyte = 1024;
/** What a reply has before any of it is counted. */
const freeBytes = 16 * kilobyte;
const megabyte = 1024 * kilobyte;
const noSignal = new AbortController().signal;
const service = { kind: 'secret-key' } as const;
const refused = { code: 'REPLY_SPACE_EXHAUSTED', status: 503, retryAfterSeconds: 5 };

/** Rows of a kilobyte each. */
const rows = (count: number): string =>
  `select repeat('x', ${kilobyte}) as x from pg_catalog.generate_series(1, ${count})`;

let project: ProjectFixture;
let folder: string;
let budget: ReplyBudget;
let db: ProjectDatabase;
let owner: Reading;

/** A project has a quarter of the memory. */
function openWith(memoryBytes: number): { budget: ReplyBudget; db: ProjectDatabase } {
  const replies = new ReplyBudget({ memoryBytes, spoolBytes: megabyte, minFreeBytes: 0, folder });
  return { budget: replies, db: project.open({ replies }) };
}

const held = (): number => budget.stats().memoryBytes;

beforeAll(async () => {
  project = await createProject();
  folder = await mkdtemp(join(tmpdir(), 'counted-replies-'));
  ({ budget, db } = openWith(4 * megabyte));
  owner = new Reading();
});
afterEach(() => {
  owner[Symbol.dispose]();
  owner = new Reading();
  expect(held()).toBe(0);
});
afterAll(async () => {
  await project.drop();
  await rm(folder, { recursive: true, force: true });
});

describe('the SQL editor', () => {
  const script = (text: string) => ({ script: finish(readScript(text)), owner });

  test.each(['answerScript', 'answerStatements'] as const)(
    '%s: the answer is counted until its request ends',
    async (answer) => {
      const json = await db[answer]('owner', script(rows(200)));
      expect(json.length).toBeGreaterThan(200 * kilobyte);
      expect(held()).toBeGreaterThanOrEqual(json.length - freeBytes);
      expect(held()).toBeLessThan(1.2 * json.length);
    },
  );

  test.each(['answerScript', 'answerStatements'] as const)(
    '%s: without space the answer is refused, and nothing of it is held',
    async (answer) => {
      await expect(db[answer]('owner', script(rows(700)))).rejects.toMatchObject(refused);
      expect(held()).toBe(0);
      await db[answer]('owner', script(rows(10)));
    },
  );

  test('a short answer holds nothing, and needs no space', async () => {
    const taken = await db.answerScript('owner', script(rows(390)));
    expect(taken.length).toBeGreaterThan(390 * kilobyte);
    const before = held();
    await db.answerScript('owner', script(rows(3)));
    expect(held()).toBe(before);
  });

  test('a script that fails holds nothing', async () => {
    const failing = script(`${rows(200)}; select 1 / 0`);
    await expect(db.answerScript('owner', failing)).rejects.toMatchObject({ code: '22012' });
    expect(held()).toBe(0);
  });

  test('an answer without a request is counted until it is returned', async () => {
    expect((await db.runScript(rows(200))).rowCount).toBe(200);
    expect(held()).toBe(0);
    await expect(db.runScript(rows(700))).rejects.toMatchObject(refused);
  });
});

describe('a transaction as a caller', () => {
  test('what it reads is counted until it ends', async () => {
    const inside = await db.runAs(service, async (tx) => {
      await tx.query(rows(300));
      return held();
    });
    expect(inside).toBeGreaterThan(300 * kilobyte - freeBytes);
    expect(held()).toBe(0);
  });

  test('or until its request ends', async () => {
    await db.runAs(service, (tx) => tx.query(rows(300)), { owner });
    expect(held()).toBeGreaterThan(300 * kilobyte - freeBytes);
  });

  test('without space it is refused and undone', async () => {
    await project.admin.query(
      'create table public.noted (n int); grant all on public.noted to service_role',
    );
    const work = db.runAs(service, async (tx) => {
      await tx.query('insert into public.noted values (1)');
      await tx.query(rows(2_000));
    });
    await expect(work).rejects.toMatchObject(refused);
    const { rowCount } = await project.admin.query('select from public.noted');
    expect(rowCount).toBe(0);
  });
});

describe('queries as a role', () => {
  const query = (count: number) => db.runAsRole('anon', [{ text: rows(count), values: [] }]);

  test('each row can be read, however many there are', async () => {
    const [found] = await query(900);
    expect(found?.map(([x]) => x?.length)).toEqual(Array.from({ length: 900 }, () => kilobyte));
    expect(held()).toBe(0);
  });

  test('without space they are refused', async () => {
    await expect(query(1_100)).rejects.toMatchObject(refused);
    expect((await query(1))[0]).toHaveLength(1);
  });
});

describe('a trial', () => {
  test.each([
    { name: 'without changes', changes: [] },
    { name: 'with changes', changes: ['create table public.tried ()'] },
  ])('$name: its answers are counted until it ends', async ({ changes }) => {
    const caller = await db.resolveCaller(service);
    const [inside, error] = await db.tryOut({ changes, timeoutMs: 5_000 }, async (trial) => {
      await trial.query(caller, { text: rows(500), values: [] });
      const text = rows(600);
      const late = await trial.query(caller, { text, values: [] }).catch((e: unknown) => e);
      return [held(), late];
    });
    expect(inside).toBeGreaterThan(450 * kilobyte);
    expect(error).toMatchObject(refused);
  });
});

describe('requests on tables', () => {
  const request = (count: number) => ({
    credential: service,
    queries: [{ text: rows(count), values: [] }],
    readOnly: true,
  });

  test('a short reply is not counted', async () => {
    await db.runTable({ ...request(15), owner });
    expect(held()).toBe(0);
  });

  test('a longer one is, until its request ends', async () => {
    const { results } = await db.runTable({ ...request(200), owner });
    expect(held()).toBeGreaterThanOrEqual(200 * kilobyte - 16 * kilobyte);
    const body = results[0]?.rows.takeBody({ open: '', separator: '', close: '' });
    expect(body).toBeInstanceOf(Buffer);
    expect(body).toHaveLength(200 * kilobyte);
  });

  test('one that names no owner belongs to its client, and each row can be read', async () => {
    const client = { signal: noSignal, onEnd: (release: () => void) => owner.onEnd(release) };
    const { results } = await db.runTable({ ...request(500), client });
    expect(held()).toBeGreaterThan(450 * kilobyte);
    expect(results[0]?.rows.texts(499)[0]).toHaveLength(kilobyte);
    const refusedReply = db.runTable({ ...request(700), client });
    await expect(refusedReply).rejects.toMatchObject(refused);
  });

  test('the first row of each statement is counted, because it stays in memory', async () => {
    const text = `select repeat('x', ${100 * kilobyte}) as x`;
    const many = (count: number) => ({
      credential: service,
      queries: Array.from({ length: count }, () => ({ text, values: [] })),
      readOnly: true,
      owner,
    });
    const { results } = await db.runTable(many(8));
    expect(held()).toBeGreaterThan(780 * kilobyte);
    expect(results.map(({ rows }) => rows.first(0).length)).toEqual(
      Array.from({ length: 8 }, () => 100 * kilobyte),
    );
    await expect(db.runTable(many(4))).rejects.toMatchObject(refused);
  });

  test('without memory a longer one goes to a file, and is the same', async () => {
    const tight = openWith(200 * kilobyte);
    const { results } = await tight.db.runTable({ ...request(200), owner });
    const { memoryBytes, spoolBytes } = tight.budget.stats();
    expect(memoryBytes).toBeLessThanOrEqual(50 * kilobyte);
    expect(spoolBytes).toBeGreaterThan(130 * kilobyte);
    const body = results[0]?.rows.takeBody({ open: '[', separator: ',', close: ']' });
    if (!body || Buffer.isBuffer(body)) throw new Error('the body is in memory');
    await body.ready();
    const pieces: Buffer[] = [];
    for await (const piece of body.slices()) pieces.push(piece);
    const row = 'x'.repeat(kilobyte);
    const text = Buffer.concat(pieces).toString().replaceAll(/\s/g, '');
    expect(text).toBe(`[${Array.from({ length: 200 }, () => row).join(',')}]`);
  });
});
