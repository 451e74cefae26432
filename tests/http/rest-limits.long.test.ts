// How much a request may be and take (issue: robustness). Nothing of it is ever a fault of the server.
import { request as httpRequest } from 'node:http';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { asSuperuser, Deployment } from '../support/deployment.js';
import type { Call } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let ada: SignedIn;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  ada = await project.signUp('ada@example.org');
  await project.sql(`
    create table nodes (id int primary key, parent_id int references nodes (id), name text, extra jsonb);
    create policy anything on nodes using (true);
    create function nap(seconds float) returns text volatile language sql
      as $$ select pg_sleep(seconds); select 'rested' $$;`);
});
afterEach(() => save({}));
afterAll(() => deployment.close());

const save = async (values: object) => {
  const path = '/api/admin/settings/api.rest';
  expect((await project.asService({ method: 'PUT', path, body: values })).status).toBe(200);
};
const get = (path: string) => project.send({ path: `/rest/v1/${path}` });

describe('the URL', () => {
  const pathOf = (length: number) => {
    const path = '/rest/v1/nodes?name=eq.';
    return path + 'x'.repeat(length - path.length);
  };
  test.each([
    { name: '16 KB are fine', length: 16_384, status: 200, code: undefined },
    { name: 'one more byte is 414', length: 16_385, status: 414, code: 'URI_TOO_LONG' },
    { name: 'far more is refused', length: 60_000, status: 431, code: 'HEADERS_TOO_LARGE' },
  ])('$name', async ({ length, status, code }) => {
    const reply = await project.send({ path: pathOf(length) });
    expect(reply.status).toBe(status);
    if (code !== undefined) expect(reply.body).toMatchObject({ code, status });
  });

  test('of a call and of a batch is as long', async () => {
    const padding = `?x=${'x'.repeat(16_384)}`;
    expect((await get(`rpc/nap${padding}`)).body).toMatchObject({ code: 'URI_TOO_LONG' });
    const batch: Call = { method: 'POST', path: `/rest/v1/batch${padding}`, body: {} };
    expect((await project.send(batch)).body).toMatchObject({ code: 'URI_TOO_LONG' });
  });
});

describe('the body', () => {
  const rowOf = (bytes: number) => {
    const row = JSON.stringify({ id: 1, name: '' });
    return row.replace('""', `"${'x'.repeat(bytes - row.length)}"`);
  };
  const insert = (body: string): Call => ({
    method: 'POST',
    path: '/rest/v1/nodes',
    body,
    headers: { prefer: 'tx=rollback' },
  });

  /** Sends a body in chunks, without saying how long it will be. */
  const stream = (body: string, path = '/rest/v1/nodes') =>
    new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(project.apiOrigin);
      const headers = {
        host: project.host,
        'content-type': 'application/json',
        prefer: 'tx=rollback',
      };
      const request = httpRequest({ hostname, port, path, method: 'POST', headers, agent: false });
      request.on('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      request.on('error', reject);
      request.write(body.slice(0, 100));
      request.end(body.slice(100));
    });

  test('is as large as the setting allows', async () => {
    await save({ maxBodyBytes: 2_048 });
    expect((await project.send(insert(rowOf(2_048)))).status).toBe(201);
    const refused = await project.send(insert(rowOf(2_049)));
    expect(refused.body).toMatchObject({ code: 'BODY_TOO_LARGE', status: 413 });
    expect(refused.text).toContain('2048');
    expect(await stream(rowOf(2_048))).toBe(201);
    expect(await stream(rowOf(2_049))).toBe(413);
  });

  test('of 10 MB is fine by default, and of 20 MB where the setting allows it', async () => {
    const mega = 1024 * 1024;
    expect((await project.send(insert(rowOf(10 * mega)))).status).toBe(201);
    expect((await project.send(insert(rowOf(10 * mega + 1)))).status).toBe(413);
    await save({ maxBodyBytes: 32 * mega });
    expect((await project.send(insert(rowOf(20 * mega)))).status).toBe(201);
  });

  test('of another route does not depend on the setting', async () => {
    await save({ maxBodyBytes: 1_024 });
    const body = { query: `select 1 -- ${'x'.repeat(4_096)}` };
    expect((await project.asService({ method: 'POST', path: '/api/admin/sql', body })).status).toBe(
      200,
    );
  });

  test('of a batch and of a call is bounded as well', async () => {
    await save({ maxBodyBytes: 1_024 });
    for (const path of ['/rest/v1/batch', '/rest/v1/rpc/nap']) {
      expect(await stream(rowOf(2_000), path)).toBe(413);
    }
  });

  test.each([
    { name: 'not UTF-8', body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) },
    {
      name: 'nested without end',
      body: Buffer.from(`{"extra":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
    },
    { name: 'full of NUL', body: Buffer.alloc(1_000) },
    { name: 'a text with an escaped NUL', body: Buffer.from('{"id":1,"name":"a\\u0000b"}') },
    { name: 'half a surrogate pair', body: Buffer.from('{"id":1,"extra":"\\ud800"}') },
  ])('that is $name is refused with 400', async ({ body }) => {
    const status = await new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(project.apiOrigin);
      const headers = { host: project.host, 'content-type': 'application/json' };
      httpRequest({ hostname, port, path: '/rest/v1/nodes', method: 'POST', headers, agent: false })
        .on('response', (response) => (response.resume(), resolve(response.statusCode ?? 0)))
        .on('error', reject)
        .end(body);
    });
    expect(status).toBe(400);
  });
});

describe('the query', () => {
  const nested = (depth: number, inner: string, wrap: (inner: string) => string): string =>
    depth === 0 ? inner : wrap(nested(depth - 1, inner, wrap));
  const embed = (depth: number) => nested(depth, 'id', (inner) => `id,nodes!parent_id(${inner})`);
  const tree = (depth: number) => nested(depth, 'id.gt.0', (inner) => `and(${inner})`);
  const many = (count: number, make: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => make(i));

  test.each([
    { name: 'embeds 10 deep', path: `nodes?select=${embed(10)}`, isFine: true },
    { name: 'embeds 11 deep', path: `nodes?select=${embed(11)}`, isFine: false },
    {
      name: '50 embeds',
      path: `nodes?select=${many(50, (i) => `e${i}:nodes!parent_id(id)`).join(',')}`,
      isFine: true,
    },
    {
      name: '51 embeds',
      path: `nodes?select=${many(51, (i) => `e${i}:nodes!parent_id(id)`).join(',')}`,
      isFine: false,
    },
    {
      name: '500 conditions',
      path: `nodes?${many(500, (i) => `id=gt.${i}`).join('&')}`,
      isFine: true,
    },
    {
      name: '501 conditions',
      path: `nodes?${many(501, (i) => `id=gt.${i}`).join('&')}`,
      isFine: false,
    },
    { name: 'a logic tree 40 deep', path: `nodes?and=(${tree(40)})`, isFine: true },
    { name: 'a logic tree 60 deep', path: `nodes?and=(${tree(60)})`, isFine: false },
    {
      name: 'a logic tree that never closes',
      path: `nodes?and=${'('.repeat(5_000)}`,
      isFine: false,
    },
    {
      name: 'brackets that never close',
      path: `nodes?select=${'nodes('.repeat(2_500)}`,
      isFine: false,
    },
    {
      name: '1,000 columns',
      path: `nodes?select=${many(1_000, () => 'id').join(',')}`,
      isFine: true,
    },
    {
      name: '1,001 columns',
      path: `nodes?select=${many(1_001, () => 'id').join(',')}`,
      isFine: false,
    },
    { name: '50 order terms', path: `nodes?order=${many(50, () => 'id').join(',')}`, isFine: true },
    {
      name: '51 order terms',
      path: `nodes?order=${many(51, () => 'id').join(',')}`,
      isFine: false,
    },
    { name: '50 steps into JSON', path: `nodes?select=extra${'->a'.repeat(50)}`, isFine: true },
    { name: '51 steps into JSON', path: `nodes?select=extra${'->a'.repeat(51)}`, isFine: false },
  ])('$name: $isFine', async ({ path, isFine }) => {
    const reply = await get(path);
    if (isFine)
      expect({ status: reply.status, text: reply.text }).toEqual({ status: 200, text: '[]' });
    else expect(reply.body).toMatchObject({ status: 400, code: 'PGRST100' });
    expect(reply.text.length).toBeLessThan(1_000);
  });
});

describe('the time of a statement', () => {
  const nap = (seconds: number): Call => ({
    method: 'POST',
    path: '/rest/v1/rpc/nap',
    body: { seconds },
  });

  test('is bounded per role by the settings', async () => {
    await save({
      statementTimeoutAnon: 1,
      statementTimeoutAuthenticated: 2,
      statementTimeoutService: 3,
    });
    const requestId = 'too-slow.1';
    const [anon, user, service, quick] = await Promise.all([
      project.send({ ...nap(1.5), headers: { 'x-request-id': requestId } }),
      project.as(ada, nap(1.5)),
      project.asService(nap(2.5)),
      project.as(ada, nap(2.5)),
    ]);
    expect([anon.status, user.body, service.body]).toEqual([504, 'rested', 'rested']);
    expect(anon.body).toMatchObject({ code: 'PGRST504', status: 504, requestId });
    expect(anon.headers['x-request-id']).toBe(requestId);
    expect(quick.body).toMatchObject({ code: 'PGRST504' });
  });

  test('of an operation that is too slow undoes the batch', async () => {
    await save({ statementTimeoutAnon: 1 });
    await project.sql(`create or replace function slow() returns trigger language plpgsql as
        $$ begin perform pg_sleep(1.5); return new; end $$;
      create trigger slow before insert on nodes for each row when (new.id = 2) execute function slow();`);
    const insert = (id: number) => ({ method: 'POST', model: 'nodes', body: { id } });
    const reply = await project.send({
      method: 'POST',
      path: '/rest/v1/batch',
      body: { operations: [insert(1), insert(2)] },
    });
    expect(reply.body).toMatchObject({ code: 'PGRST504', details: { operation: 1 } });
    expect(await project.sql('drop trigger slow on nodes; select from nodes')).toEqual([]);
  });
});

test('who goes away takes the statement along', async () => {
  const sleeping = async () =>
    asSuperuser(
      `select from pg_stat_activity where datname = $1 and state = 'active' and query like '%nap%'
         and pid <> pg_backend_pid()`,
      { values: [project.database] },
    );
  const leaving = new AbortController();
  const body = { seconds: 7.5 };
  const outcome = project
    .send({ method: 'POST', path: '/rest/v1/rpc/nap', body, signal: leaving.signal })
    .catch((error: Error) => error.name);
  await waitFor(async () => (await sleeping()).length === 1);
  leaving.abort();
  expect(await outcome).toBe('AbortError');
  await waitFor(async () => (await sleeping()).length === 0, { ms: 4_000 });
});
