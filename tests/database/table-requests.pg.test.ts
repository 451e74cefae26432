import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConnectionBudget, type ProjectDatabase, type TableRequest } from '#libs/database';
import { fail } from '#libs/errors';
import type { Credential } from '#libs/wire';
import { waitFor } from '#libs/testing';
import { createProject, type ProjectFixture } from './project-fixture.js';

let project: ProjectFixture;
let db: ProjectDatabase;
beforeAll(async () => {
  project = await createProject();
  db = project.open();
});
afterAll(() => project.drop());

const stranger = { user: 'no_such_login', password: 'wrong' };
const ada: Credential = { kind: 'session', token: 'ada-token' };
const readNotes = {
  text: 'select row_to_json(t)::text from (select n.id, n.body from public.notes n order by n.id) t',
  values: [],
};
const addNote = (id: number, body: string) => ({
  text: 'insert into public.notes (id, body) values ($1, $2) returning to_json(id)::text',
  values: [String(id), body],
});

async function bodyOf(request: Omit<TableRequest, 'credential'>): Promise<string> {
  const { results } = await db.runTable({ credential: ada, ...request });
  const body = results[0]?.rows.takeBody({ open: '[', separator: ',', close: ']' });
  return Buffer.isBuffer(body) ? body.toString() : '';
}

async function countOf(id: number): Promise<number | null> {
  return (await project.admin.query('select from public.notes where id = $1', [id])).rowCount;
}

test('rows are passed through as they were sent', async () => {
  expect(await bodyOf({ queries: [readNotes], readOnly: true })).toBe(
    '[{"id":1,"body":"first"},{"id":2,"body":"second ü"}]',
  );
});

test('several queries see each other, and all are undone when one is refused', async () => {
  const request = { credential: ada, readOnly: false };
  const { results } = await db.runTable({
    ...request,
    queries: [addNote(10, 'a'), addNote(11, 'b')],
  });
  expect(results.map(({ rows, affected }) => [rows.first(0).toString(), affected])).toEqual([
    ['10', 1],
    ['11', 1],
  ]);
  await expect(
    db.runTable({ ...request, queries: [addNote(12, 'a'), addNote(13, 'forbidden')] }),
  ).rejects.toMatchObject({ code: '42501', status: 403 });
  expect(await countOf(12)).toBe(0);
});

describe('a refused lookup', () => {
  test('means that nothing of the request ran', async () => {
    await expect(
      db.runTable({
        credential: { kind: 'session', token: 'gone-token' },
        queries: [addNote(20, 'never')],
        readOnly: false,
      }),
    ).rejects.toMatchObject({ code: 'USER_INACTIVE' });
    expect(await countOf(20)).toBe(0);
  });

  test('without a row of versions nothing runs either', async () => {
    await project.admin.query('begin; delete from platform.schema_version; commit');
    await expect(
      db.runTable({ credential: ada, queries: [readNotes], readOnly: true }),
    ).rejects.toMatchObject({
      code: '42501',
    });
    await project.admin.query('insert into platform.schema_version default values');
  });
});

test('role and claims of a request never reach the next one', async () => {
  const who = {
    text: `select to_json(current_user || coalesce(auth.role(), '-'))::text`,
    values: [],
  };
  const callers: Credential[] = [ada, { kind: 'none' }, { kind: 'secret-key' }];
  const runs = Array.from({ length: 300 }, async (_, n) => {
    const credential = callers[n % 3] ?? ada;
    const { results } = await db.runTable({ credential, queries: [who], readOnly: true });
    return results[0]?.rows.first(0).toString();
  });
  const expected = ['authenticated', 'anon', 'service_role'].map((role) => `"${role}${role}"`);
  expect(await Promise.all(runs)).toEqual(runs.map((_, n) => expected[n % 3]));
});

test('a request that only reads cannot write, whatever it calls', async () => {
  await expect(
    db.runTable({ credential: ada, queries: [addNote(30, 'x')], readOnly: true }),
  ).rejects.toMatchObject({ code: '25006', status: 405 });
  expect(await countOf(30)).toBe(0);
});

test('a changed table is no error for a statement that was prepared before', async () => {
  const all = { text: 'select n.* from public.notes n order by n.id limit 1', values: [] };
  const run = () => db.runTable({ credential: ada, queries: [all], readOnly: true });
  const before = await run();
  await project.admin.query('alter table public.notes add column extra int');
  const after = await run();
  expect(after.results[0]?.rows.texts(0)).toHaveLength(4);
  expect(Number(after.schemaVersion)).toBeGreaterThan(Number(before.schemaVersion));
  await project.admin.query('alter table public.notes drop column extra');
});

test('for another version of the schema a parameter takes the type that its column has now', async () => {
  await project.admin
    .query(`create table public.typed (v int); grant select on public.typed to public;
    alter table public.typed disable row level security`);
  // Statements are prepared for each connection.
  const single = project.open({ budget: new ConnectionBudget({ perProject: 1 }) });
  const run = (value: string, schemaVersion: string) => {
    const text = 'select count(*)::text from public.typed t where t.v = $1';
    const queries = [{ text, values: [value] }];
    return single.runTable({ credential: ada, queries, readOnly: true, schemaVersion });
  };
  await run('1', 'a');
  await project.admin.query('alter table public.typed alter column v type text');
  await expect(run('x', 'a')).rejects.toMatchObject({ code: '22P02' });
  expect((await run('x', 'b')).results[0]?.rows.first(0).toString()).toBe('0');
});

describe('results looked at before the commit', () => {
  test('what the look throws undoes the writes', async () => {
    await expect(
      db.runTable({
        credential: ada,
        queries: [addNote(40, 'x')],
        readOnly: false,
        inspect: ({ results }) => {
          throw fail('PGRST116', { rows: results[0]?.affected ?? 0 });
        },
      }),
    ).rejects.toMatchObject({ code: 'PGRST116', status: 406 });
    expect(await countOf(40)).toBe(0);
  });

  test('a look that finds nothing wrong commits', async () => {
    const seen: number[] = [];
    const reply = await db.runTable({
      credential: ada,
      queries: [addNote(41, 'x')],
      readOnly: false,
      inspect: ({ results }) => seen.push(results[0]?.affected ?? 0),
    });
    expect(seen).toEqual([1]);
    expect(reply.caller).toMatchObject({ role: 'authenticated' });
    expect(await countOf(41)).toBe(1);
  });

  test('a dry run answers and leaves nothing', async () => {
    const { results } = await db.runTable({
      credential: ada,
      queries: [addNote(42, 'x')],
      readOnly: false,
      isDryRun: true,
    });
    expect(results[0]?.affected).toBe(1);
    expect(await countOf(42)).toBe(0);
  });

  test('an error of the database ends it cleanly', async () => {
    const broken = { credential: ada, readOnly: false, inspect: () => undefined };
    const denied = { ...broken, queries: [addNote(43, 'forbidden')] };
    await expect(db.runTable(denied)).rejects.toMatchObject({ code: '42501' });
    await db.runTable({ ...broken, queries: [addNote(44, 'x')] });
    expect(await countOf(44)).toBe(1);
    expect(db.stats().busy).toBe(0);
  });

  test('statements that the server lost are prepared again', async () => {
    const alone = project.open({ budget: new ConnectionBudget({ perProject: 1 }) });
    const request = { credential: ada, readOnly: false, inspect: () => undefined };
    await alone.runTable({ ...request, queries: [addNote(45, 'x')] });
    const forget = { text: 'deallocate all', values: [] };
    await alone.runTable({ credential: ada, queries: [forget], readOnly: false });
    await alone.runTable({ ...request, queries: [addNote(46, 'x')] });
    expect(await countOf(46)).toBe(1);
  });
});

describe('noise', () => {
  test('a project that sleeps on all its connections and fills its queue does not hold up another', async () => {
    const budget = new ConnectionBudget({ total: 6, perProject: 3, maxWaiting: 500 });
    const noisy = project.open({ budget });
    const quiet = project.open({ budget });
    const stops: AbortController[] = [];
    const sleep = { text: 'select pg_sleep(20)::text', values: [] };
    const fallAsleep = (): Promise<unknown> => {
      const stop = new AbortController();
      stops.push(stop);
      return noisy.runTable({ credential: ada, queries: [sleep], readOnly: true, client: stop });
    };
    const asleep = Array.from({ length: 3 }, fallAsleep);
    await waitFor(() => noisy.stats().waiting === 0);
    asleep.push(...Array.from({ length: 500 }, fallAsleep));
    expect(noisy.stats()).toMatchObject({ open: 3, busy: 3, waiting: 500 });
    await expect(noisy.resolveCaller({ kind: 'none' })).rejects.toMatchObject({
      code: 'PROJECT_BUSY',
      status: 503,
      retryAfterSeconds: 1,
    });
    for (let n = 0; n < 50; n++) {
      await quiet.runTable({ credential: ada, queries: [readNotes], readOnly: true });
    }
    // None of them waited for a sleeper.
    expect(noisy.stats()).toMatchObject({ busy: 3, waiting: 500 });
    const outcomes = Promise.allSettled(asleep);
    for (const stop of stops) stop.abort();
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ reason: { code: 'REQUEST_ABORTED' } });
    }
    expect(noisy.stats()).toMatchObject({ busy: 0, waiting: 0 });
  });

  test('a statement above its limit is ended', async () => {
    const short = project.open({ statementTimeoutMs: 50 });
    const sleep = { text: 'select pg_sleep(20)::text', values: [] };
    await expect(
      short.runTable({ credential: ada, queries: [sleep], readOnly: true }),
    ).rejects.toMatchObject({ code: 'PGRST504', status: 504 });
  });
});

describe('a database that cannot be reached', () => {
  test.each([
    { name: 'nobody listens', settings: { port: 1 } },
    { name: 'there is no such database', settings: { database: 'no_such_database' } },
    {
      name: 'there is no such login',
      settings: {
        logins: {
          owner: stranger,
          editor: stranger,
          api: stranger,
          engine: stranger,
          deleter: stranger,
          lab: stranger,
        },
      },
    },
  ])('$name', async ({ settings }) => {
    const broken = project.open(settings);
    await expect(broken.resolveCaller(ada)).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      status: 503,
    });
    await expect(broken.runAsEngine(() => Promise.resolve())).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
    });
    expect(broken.stats().open).toBe(0);
  });
});

test('closing waits for what runs, refuses what comes, and leaves no connection', async () => {
  const closing = project.open();
  await closing.resolveCaller(ada);
  const sleep = { text: 'select pg_sleep(0.2)::text', values: [] };
  const running = closing.runTable({ credential: ada, queries: [sleep], readOnly: true });
  expect(closing.stats().busy).toBe(1);
  const closed = closing.close();
  await expect(closing.resolveCaller(ada)).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  await expect(running).resolves.toBeDefined();
  await closed;
  expect(closing.stats().open).toBe(0);
});
