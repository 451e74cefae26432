// Requests of the published client that it gives up, and those that it repeats.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { asSuperuser, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { clientOf, type PublishedClient } from './support/published-client.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let client: PublishedClient;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(`
    create table stars (id int primary key, name text);
    insert into stars values (1, 'Sun');
    create policy "everybody reads" on stars for select using (true);
    create function nap(seconds numeric) returns int language sql as 'select 1 from pg_sleep(seconds)';`);
  client = clientOf(project);
});
afterAll(() => deployment.close());

const database = () => project.database;

describe('abortSignal', () => {
  const isNapping = async () => {
    const text = `select from pg_stat_activity where datname = $1 and state = 'active' and query like '%nap%'`;
    return (await asSuperuser(text, { values: [database()] })).length > 0;
  };

  test('gives a request up, on the server too', async () => {
    const stop = new AbortController();
    const nap = client
      .rpc('nap', { seconds: 7 })
      .abortSignal(stop.signal)
      .then((reply) => reply);
    await waitFor(isNapping);
    stop.abort();
    const { data, error, status } = await nap;
    expect([data, status]).toEqual([null, 0]);
    expect(error?.message).toMatch(/^AbortError/);
    expect(error?.hint).toContain('aborted');
    await waitFor(async () => !(await isNapping()), { ms: 4_000 });
  });

  test('that is left alone changes nothing', async () => {
    const { signal } = new AbortController();
    const { data } = await client.from('stars').select('id').abortSignal(signal);
    expect(data).toEqual([{ id: 1 }]);
  });
});

describe('retries', () => {
  /** Sees the headers of every attempt, and opens the database before the second one. */
  const watched = (attempts: Record<string, string>[]) =>
    clientOf(project, {
      fetch: (through) => async (input, init) => {
        attempts.push(Object.fromEntries(new Headers(init?.headers)));
        if (attempts.length === 2) await letIn(true);
        return through(input, init);
      },
    });
  const letIn = async (isOpen: boolean) => {
    const name = database();
    await asSuperuser(`alter database ${name} with allow_connections ${isOpen}`);
    if (isOpen) return;
    await asSuperuser(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, {
      values: [name],
    });
  };

  test('a read is repeated until it is answered', async () => {
    const attempts: Record<string, string>[] = [];
    await letIn(false);
    const { data, error } = await watched(attempts).from('stars').select('id').eq('id', 1);
    expect(error).toBeNull();
    expect(data).toEqual([{ id: 1 }]);
    expect(attempts.map((headers) => headers['x-retry-count'])).toEqual([undefined, '1']);
  });

  test('a write is not repeated', async () => {
    const attempts: Record<string, string>[] = [];
    await letIn(false);
    const { error, status } = await watched(attempts).from('stars').insert({ id: 9, name: 'x' });
    await letIn(true);
    expect([status, error?.code, attempts.length]).toEqual([503, 'DATABASE_UNAVAILABLE', 1]);
  });

  test('pages of other origins may send the header of a repetition and read when to repeat', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
    const preflight = await project.send({ method: 'OPTIONS', path: '/rest/v1/stars', headers });
    expect(preflight.headers['access-control-allow-headers']).toContain('x-retry-count');
    expect(preflight.headers['access-control-expose-headers']).toContain('retry-after');
  });
});
