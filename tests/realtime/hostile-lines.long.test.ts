// Every role of a project may add lines to its outbox. The process that reads them serves other projects as well.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { holdsLoop } from '../http/event-loop.js';
import { ChannelFixture, messagesIn } from './channel-fixture.js';
import type { RealtimeClient } from './realtime-client.js';

const boundMs = 50;
const kilobytes = 1024;
const megabytes = 1024 * 1024;

let fixture: ChannelFixture;
let client: RealtimeClient;
let marks = 0;
beforeAll(async () => {
  fixture = await ChannelFixture.open(`
    create table prepared (name text, line json);
    alter table prepared alter column line set compression pglz;
    create function message(length int, topic text default 'news') returns json language sql as
      $$ select json_build_object('topic', topic, 'event', 'said', 'payload', repeat('x', length), 'private', false) $$;
  `);
  client = await fixture.joined('news');
}, 60_000);
afterAll(() => fixture.close());

/** Sends a message in the proper way and waits for it: what was written before it is read by then. */
async function mark(): Promise<void> {
  marks += 1;
  const payload = `mark ${marks}`;
  await fixture.project.sql(`select realtime.send(to_jsonb($1::text), 'said', 'news', false)`, [
    payload,
  ]);
  await waitFor(() => messagesIn(client).includes(payload), { until: payload, ms: 20_000 });
}

const lengths = () =>
  messagesIn(client)
    .map((payload) => String(payload))
    .filter((payload) => payload.startsWith('x'))
    .map(({ length }) => length);

const forge = (kind: string, length: number, count = 1) =>
  `insert into prepared select 'forged', message(${length}) from generate_series(1, ${count});
   insert into realtime.outbox (kind, tbl, n, o)
     select '${kind}', 'prepared'::regclass::oid, line, line from prepared where name = 'forged'`;

describe('a line that is longer than any of the platform', () => {
  test.each([
    { name: 'a message', kind: 'B' },
    { name: 'a change of an account', kind: 'A' },
    { name: 'a change of a row', kind: 'U' },
    { name: 'an unknown kind', kind: '?' },
  ])('is not read, and those after it are: $name', async ({ kind }) => {
    for (const length of [3 * megabytes, 60 * megabytes]) {
      await fixture.project.sql(`truncate prepared; ${forge(kind, length)}`);
      await mark();
    }
    expect(lengths()).toEqual([]);
  });

  test('does not hold the event loop, where it is compressed either', async () => {
    // Compressed it is as long as a line of the platform.
    await fixture.project.sql(`truncate prepared; ${forge('B', 90 * megabytes)}`);
    const [stored] = await fixture.project.sql(
      `select max(pg_column_size(line)) < 2 * 1024 * 1024 as "isShort" from prepared`,
    );
    expect(stored).toEqual({ isShort: true });
    await mark();
    const insert = `insert into realtime.outbox (kind, n) select 'B', line from prepared`;
    const work = async () => {
      await fixture.project.sql(insert);
      await mark();
    };
    expect(await holdsLoop(work, boundMs)).toBe(false);
    expect(lengths()).toEqual([]);
  });
});

test('compressed lines, which a page has more of than it should, are not read', async () => {
  await fixture.project.sql(`truncate prepared; ${forge('B', 900 * kilobytes, 40)}`);
  await mark();
  expect(lengths()).toEqual([]);
});

test('a message as long as SQL may send is delivered', async () => {
  const before = lengths().length;
  const length = 256 * kilobytes - 2;
  await fixture.project.sql(
    `select realtime.send(to_jsonb(repeat('x', ${length})), 'said', 'news', false)`,
  );
  await mark();
  expect(lengths().slice(before)).toEqual([length]);
});
