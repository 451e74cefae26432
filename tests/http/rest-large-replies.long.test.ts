// Large replies: the same bytes wherever they waited, room for them within limits, and clients that do not read.
import { connect, type Socket } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { repliesReleased, type ReplyFigures, replyFigures } from '../support/reply-figures.js';
import type { Reply } from '../support/http.js';

/** About 2 MB as JSON in as many rows as an answer may have, with values of all kinds. */
const tables = `
  create table stones (id int primary key, name text, note text, geometry jsonb);
  insert into stones select i, repeat('ü"' || i, i % 700), case when i % 3 = 0 then null else '' end,
    '{"type":"Point","coordinates":[1,2]}' from generate_series(1, 1000) i;
  create policy everybody on stones for select using (true);
  create function texts() returns setof text language sql stable
    as $$ select case when i % 5 = 0 then null else repeat('x', i * 3) end from generate_series(1, 1000) i $$;
  create function one_json() returns json language sql stable
    as $$ select json_agg(s) from stones s $$;
  create table flood (id int primary key, body text);
  insert into flood select i, repeat('y', 5500) from generate_series(1, 1000) i;
  create policy everybody on flood for select using (true);`;
const spools = { REPLY_MEMORY_MB: '1', REPLY_SPOOL_MB: '60' };
const readerLimits = { stalledMs: 1_500 };

/** Keeps large replies in memory. */
let roomy: Deployment;
/** Another process of the deployment, which has next to no memory for them. */
let tight: Deployment;
let inMemory: ProjectUnderTest;
let inSpool: ProjectUnderTest;
let neighbor: ProjectUnderTest;
beforeAll(async () => {
  roomy = await Deployment.open();
  tight = await Deployment.open({ env: spools, readerLimits }, roomy);
  inMemory = await roomy.createProject();
  inSpool = inMemory.through(tight.apiOrigin);
  const other = await roomy.createProject();
  await Promise.all([inMemory.sql(tables), other.sql(tables)]);
  neighbor = other.through(tight.apiOrigin);
});
afterAll(async () => {
  await tight.stop();
  await roomy.close();
});

/** Where two long texts begin to differ. */
function firstDifference(seen: string, wanted: string): object | undefined {
  if (seen === wanted) return undefined;
  let at = 0;
  while (seen[at] === wanted[at]) at += 1;
  const show = (text: string): string => text.slice(Math.max(0, at - 20), at + 60);
  return { at, seen: show(seen), wanted: show(wanted), lengths: [seen.length, wanted.length] };
}

/** What a text is made of, whatever its order and white space. */
const lettersOf = (text: string): string => [...text.replaceAll(/\s/g, '')].toSorted().join('');

/** Sends a request and never reads. */
function askAndSleep(project: ProjectUnderTest, path: string): Socket {
  const socket = connect({ port: Number(new URL(project.apiOrigin).port), host: '127.0.0.1' });
  // It is the server that ends the connection, and it may do so by a reset.
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${project.host}\r\n\r\n`);
  return socket;
}

describe('a large reply is the same bytes from memory and from a file', () => {
  test.each([
    { name: 'a JSON array', path: '/rest/v1/stones?order=id', accept: 'application/json' },
    {
      name: 'without nulls',
      path: '/rest/v1/stones?order=id',
      accept: 'application/vnd.pgrst.array+json;nulls=stripped',
    },
    { name: 'CSV', path: '/rest/v1/stones?order=id', accept: 'text/csv' },
    { name: 'GeoJSON', path: '/rest/v1/stones?order=id', accept: 'application/geo+json' },
    { name: 'values of a function', path: '/rest/v1/rpc/texts', accept: 'application/json' },
    {
      name: 'a page of counted rows',
      path: '/rest/v1/stones?order=id&offset=5',
      accept: 'application/json',
      prefer: 'count=exact',
    },
    {
      name: 'counted values of a function',
      path: '/rest/v1/rpc/texts?offset=7',
      accept: 'application/json',
      prefer: 'count=exact',
    },
  ])('$name', async ({ path, accept, prefer }) => {
    const headers = { accept, ...(prefer !== undefined && { prefer }) };
    const wanted = await inMemory.asService({ path, headers });
    const seen = await inSpool.asService({ path, headers });
    expect(wanted).toMatchObject({ status: 200 });
    expect(seen.status).toBe(200);
    expect(firstDifference(seen.text, wanted.text)).toBeUndefined();
    expect(seen.headers['content-range']).toBe(wanted.headers['content-range']);
    expect(seen.headers['content-type']).toBe(wanted.headers['content-type']);
    expect(seen.headers['content-length']).toBe(String(Buffer.byteLength(seen.text)));
    await Promise.all([repliesReleased(tight), repliesReleased(roomy)]);
  });

  test('all rows are there, in their order', async () => {
    const { body } = await inSpool.asService({ path: '/rest/v1/stones?order=id' });
    const rows = await inMemory.sql('select id, name, note, geometry from stones order by id');
    expect(firstDifference(JSON.stringify(body), JSON.stringify(rows))).toBeUndefined();
  });

  test('values of a function with nulls among them', async () => {
    const { body } = await inSpool.asService({ path: '/rest/v1/rpc/texts' });
    const wanted = Array.from({ length: 1_000 }, (_, at) =>
      (at + 1) % 5 === 0 ? null : 'x'.repeat((at + 1) * 3),
    );
    expect(firstDifference(JSON.stringify(body), JSON.stringify(wanted))).toBeUndefined();
  });

  test('CSV has a line for each row', async () => {
    const { text } = await inSpool.asService({
      path: '/rest/v1/flood?order=id',
      headers: { accept: 'text/csv' },
    });
    const wanted = Array.from({ length: 1_000 }, (_, at) => `\r\n${at + 1},${'y'.repeat(5_500)}`);
    expect(firstDifference(text, `id,body${wanted.join('')}\r\n`)).toBeUndefined();
  });

  test('the results of a batch', async () => {
    const operations = [1, 2].map((round) => ({
      method: 'PATCH',
      model: 'stones',
      query: 'note=eq.',
      body: { geometry: { round } },
    }));
    const call = { method: 'POST', path: '/rest/v1/batch', body: { operations } };
    const wanted = await inMemory.asService(call);
    const seen = await inSpool.asService(call);
    expect([wanted.status, seen.status]).toEqual([200, 200]);
    expect(seen.text.length).toBeGreaterThan(1_000_000);
    // An update moves rows, which come in the order in which they lie.
    expect(lettersOf(seen.text) === lettersOf(wanted.text)).toBe(true);
  });
});

describe('clients that do not read', () => {
  let before: ReplyFigures;
  beforeEach(async () => {
    await repliesReleased(tight);
    before = await replyFigures(tight);
  });

  test('a flood is refused beyond the share of its project, and the neighbor has its own', async () => {
    const sockets = Array.from({ length: 12 }, () => askAndSleep(inSpool, '/rest/v1/flood'));
    await waitFor(async () => (await replyFigures(tight)).refused > before.refused);
    const [small, large] = await Promise.all([
      inSpool.send({ path: '/rest/v1/flood?limit=1' }),
      neighbor.send({ path: '/rest/v1/flood' }),
    ]);
    expect([small.status, large.status]).toEqual([200, 200]);
    const { memory, spool } = await replyFigures(tight);
    expect(memory).toBeLessThanOrEqual(2 ** 20);
    expect(spool).toBeLessThanOrEqual(60 * 2 ** 20);
    // They take nothing, so the server ends them. All twelve may have been refused, since they share the room.
    sockets.push(askAndSleep(inSpool, '/rest/v1/flood'));
    await waitFor(async () => (await replyFigures(tight)).slow > before.slow);
    await repliesReleased(tight);
    for (const socket of sockets) socket.destroy();
  });

  test('the refusal is 503 with Retry-After, and the next request works', async () => {
    const sockets: ReturnType<typeof askAndSleep>[] = [];
    let refused: Reply | undefined;
    await waitFor(async () => {
      // The server ends those that take nothing.
      for (let round = 0; round < 12; round += 1)
        sockets.push(askAndSleep(inSpool, '/rest/v1/flood'));
      const reply = await inSpool.send({ path: '/rest/v1/flood' });
      if (reply.status !== 200) refused = reply;
      return refused !== undefined;
    });
    expect(refused).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { code: 'REPLY_SPACE_EXHAUSTED' },
    });
    for (const socket of sockets) socket.destroy();
    await repliesReleased(tight);
    expect(await inSpool.send({ path: '/rest/v1/flood' })).toMatchObject({ status: 200 });
  });

  test('a client that goes gives everything back at once', async () => {
    const socket = askAndSleep(inSpool, '/rest/v1/flood');
    await waitFor(async () => (await replyFigures(tight)).spool > 0);
    socket.destroy();
    await repliesReleased(tight);
    expect(await replyFigures(tight)).toMatchObject({ slow: before.slow });
  });

  test('one value that is too large for the share is refused before it is read', async () => {
    const reply = await inSpool.send({ path: '/rest/v1/rpc/one_json' });
    expect(reply).toMatchObject({ status: 503, body: { code: 'REPLY_SPACE_EXHAUSTED' } });
    expect(await inSpool.send({ path: '/rest/v1/flood?limit=1' })).toMatchObject({ status: 200 });
    expect(await replyFigures(tight)).toMatchObject({ memory: 0, spool: 0 });
  });
});
