// What a request asks of its statements beside their text: limits by role, a connection of its own, and the
// name of the one that failed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ConnectionBudget,
  failedQuery,
  type ProjectDatabase,
  type StatementTimeouts,
} from '#libs/database';
import type { Credential } from '#libs/wire';
import { createProject, ids, type ProjectFixture } from './project-fixture.js';

let project: ProjectFixture;
let db: ProjectDatabase;
beforeAll(async () => {
  project = await createProject();
  db = project.open();
});
afterAll(() => project.drop());

const ada: Credential = { kind: 'session', token: 'ada-token' };
const operator = { operatorId: 'op1', email: 'op@example.test', capabilities: [] };
const query = (text: string, ...values: string[]) => ({ text, values });
const sleep = (seconds: number) => query('select pg_sleep($1)::text', String(seconds));
const readLimit = query(`select current_setting('statement_timeout')`);
const all = (ms: number): StatementTimeouts => ({ anonMs: ms, authenticatedMs: ms, serviceMs: ms });

describe('the limit of a statement', () => {
  const timeouts = { anonMs: 1_000, authenticatedMs: 2_000, serviceMs: 3_000 };
  const callers: { name: string; credential: Credential; limit: string }[] = [
    { name: 'nobody', credential: { kind: 'none' }, limit: '1s' },
    { name: 'an unknown session', credential: { kind: 'session', token: 'x' }, limit: '1s' },
    { name: 'a user', credential: ada, limit: '2s' },
    { name: 'impersonated anon', credential: { kind: 'impersonated-anon' }, limit: '1s' },
    {
      name: 'an impersonated user',
      credential: { kind: 'impersonated-user', userId: ids.bob },
      limit: '2s',
    },
    { name: 'the secret key', credential: { kind: 'secret-key' }, limit: '3s' },
    { name: 'an operator', credential: { kind: 'operator', operator }, limit: '3s' },
  ];
  describe.each([
    { name: 'a read', request: { readOnly: true } },
    { name: 'a write', request: { readOnly: false } },
    { name: 'an inspected write', request: { readOnly: false, inspect: () => undefined } },
  ])('of $name', ({ request }) => {
    test.each(callers)('$name has $limit', async ({ credential, limit }) => {
      const reply = await db.runTable({ ...request, credential, queries: [readLimit], timeouts });
      expect(reply.results[0]?.rows.first(0).toString()).toBe(limit);
    });
  });

  test('is left alone when it is that of the connection', async () => {
    const request = { credential: ada, queries: [readLimit], readOnly: true };
    const same = await db.runTable({ ...request, timeouts: all(8_000) });
    expect(same.results[0]?.rows.first(0).toString()).toBe('8s');
    expect(same.caller).toEqual((await db.runTable(request)).caller);
  });

  test('ends what takes longer, and holds for this request alone', async () => {
    const alone = project.open({ budget: new ConnectionBudget({ perProject: 1 }) });
    const request = { credential: ada, queries: [sleep(0.3)], readOnly: true };
    await expect(alone.runTable({ ...request, timeouts: all(100) })).rejects.toMatchObject({
      code: 'PGRST504',
      status: 504,
    });
    const { results } = await alone.runTable(request);
    expect(results).toHaveLength(1);
  });

  test('may be longer than that of the connection', async () => {
    const short = project.open({ statementTimeoutMs: 100 });
    const request = { credential: ada, queries: [sleep(0.3)], readOnly: true };
    await expect(short.runTable(request)).rejects.toMatchObject({ code: 'PGRST504' });
    expect((await short.runTable({ ...request, timeouts: all(5_000) })).results).toHaveLength(1);
  });

  test('is counted anew for each statement', async () => {
    const request = { credential: ada, readOnly: true, timeouts: all(400) };
    const queries = [sleep(0.2), sleep(0.2), sleep(0.2)];
    expect((await db.runTable({ ...request, queries })).results).toHaveLength(3);
  });
});

describe('a call of a function', () => {
  test('shares no connection, however fast it has been', async () => {
    const request = { credential: ada, queries: [query('select 1::text')], readOnly: true };
    const together = (opened: ProjectDatabase, isExclusive: boolean) =>
      Promise.all(Array.from({ length: 2 }, () => opened.runTable({ ...request, isExclusive })));
    const openFast = async () => {
      const opened = project.open();
      for (let n = 0; n < 10; n++) await opened.runTable(request);
      await together(opened, false);
      return opened;
    };
    let busy = await openFast();
    // A call that met a slow moment of the machine counts as slow for a while, and shares no connection either.
    for (let tries = 1; busy.stats().open > 1 && tries < 5; tries++) busy = await openFast();
    expect(busy.stats().open).toBe(1);
    await together(busy, true);
    expect(busy.stats().open).toBeGreaterThan(1);
  });
});

describe('a call of a function in a schema that is open to the caller alone', () => {
  const answer = query('select tools.answer()::text');
  beforeAll(async () => {
    await project.admin.query(`
      create schema tools;
      create function tools.answer() returns int language sql as 'select 42';
      grant usage on schema tools to authenticated;`);
  });

  test.each([
    { name: 'in one piece', inspect: undefined },
    { name: 'inspected', inspect: () => undefined },
  ])('$name, is prepared as the caller, and again after it was refused', async ({ inspect }) => {
    const alone = project.open({ budget: new ConnectionBudget({ perProject: 1 }) });
    const request = { queries: [answer, answer], readOnly: false, isExclusive: true, inspect };
    const gone: Credential = { kind: 'session', token: 'gone-token' };
    for (let n = 0; n < 2; n++) {
      const refused = alone.runTable({ ...request, credential: { kind: 'none' } });
      await expect(refused).rejects.toMatchObject({ code: '42501' });
      const inactive = alone.runTable({ ...request, credential: gone });
      await expect(inactive).rejects.toMatchObject({ code: 'USER_INACTIVE' });
      const { results } = await alone.runTable({ ...request, credential: ada });
      expect(results.map(({ rows }) => rows.first(0).toString())).toEqual(['42', '42']);
    }
    const { results } = await alone.runTable({ ...request, credential: ada });
    expect(results).toHaveLength(2);
  });
});

describe('a request of many queries', () => {
  const insert = (id: number, body = 'x') =>
    query('insert into public.notes (id, body) values ($1, $2)', String(id), body);

  test('prepares a text once that it has a hundred times', async () => {
    const alone = project.open({ budget: new ConnectionBudget({ perProject: 1 }) });
    await project.admin.query(
      `grant select on pg_prepared_statements to public;
       grant execute on function pg_prepared_statement() to public`,
    );
    const queries = Array.from({ length: 100 }, (_, n) => insert(1_000 + n));
    await alone.runTable({ credential: ada, queries, readOnly: false });
    const count = query(
      `select count(*)::text from pg_prepared_statements where statement = '${queries[0]?.text}'`,
    );
    const { results } = await alone.runTable({ credential: ada, queries: [count], readOnly: true });
    expect(results[0]?.rows.first(0).toString()).toBe('1');
  });

  test.each([
    { name: 'in one piece', inspect: undefined, id: 2_000 },
    { name: 'inspected', inspect: () => undefined, id: 2_010 },
  ])('$name, tells which of them failed', async ({ inspect, id }) => {
    const run = async (...queries: { text: string; values: string[] }[]) => {
      try {
        await db.runTable({ credential: ada, queries, readOnly: false, inspect });
      } catch (error) {
        return failedQuery(error);
      }
      return 'none';
    };
    expect(await run(insert(id), insert(id + 1), insert(id + 2, 'forbidden'))).toBe(2);
    expect(await run(insert(id, 'forbidden'), insert(id + 1))).toBe(0);
    expect(await run(insert(id), query('select nothing from public.notes'))).toBe(1);
    expect(await run(insert(id), insert(id + 1))).toBe('none');
  });

  test('an error of the lookup is none of theirs', async () => {
    const gone: Credential = { kind: 'session', token: 'gone-token' };
    const error: unknown = await db
      .runTable({ credential: gone, queries: [insert(3_000)], readOnly: false })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'USER_INACTIVE' });
    expect(failedQuery(error)).toBeUndefined();
  });
});
