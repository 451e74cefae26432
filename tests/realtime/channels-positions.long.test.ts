// Positions are exact while deliveries run: what is sent after a join is what its cursor has not seen, and what a batch
// that is delivered twice has done already is not done again.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { asRecord } from '../support/deployment.js';
import {
  changesIn,
  changesOf,
  changesUntil,
  ChannelFixture,
  messagesIn,
} from './channel-fixture.js';
import type { RealtimeClient } from './realtime-client.js';

let fixture: ChannelFixture;
beforeAll(async () => {
  // While a row of `slow` is looked at, its delivery runs.
  fixture = await ChannelFixture.open(`
    create table public.slow (text text);
    create policy everybody on public.slow using (pg_sleep(0.7) is not null);
    create table public.steps (text text);
    create policy everybody on public.steps using (true)`);
}, 60_000);
afterAll(() => fixture.close());

const slow = changesOf({ table: 'slow' });
const steps = changesOf({ table: 'steps' });
const textsIn = (client: RealtimeClient): readonly unknown[] =>
  changesIn(client).map((change) => asRecord(change.new)['text']);
const run = (sql: string) => fixture.project.sql(sql);

/** The backends that look at rows of `slow`. */
async function evaluations(): Promise<readonly number[]> {
  const rows = await fixture.asSuperuser(
    `select pid from pg_stat_activity where datname = current_database() and state = 'active'
       and wait_event = 'PgSleep'`,
  );
  return Array.isArray(rows) ? rows.map((row) => Number(asRecord(row)['pid'])) : [];
}
const delivering = () =>
  waitFor(async () => (await evaluations()).length > 0, { until: 'a row is looked at' });

let sleeper: RealtimeClient;
beforeEach(async () => {
  sleeper = await fixture.joined('slow', slow);
  return () => sleeper.close();
});

test('a join during a delivery begins after it: its cursor misses nothing that it is not sent', async () => {
  const keeper = await fixture.joined('keeper', steps);
  await run(`insert into slow values ('one'); insert into steps values ('in the delivery')`);
  await delivering();
  const client = await fixture.client();
  const { cursor } = await client.ask('rt:join', { topic: 'late', config: steps });
  await run(`insert into steps values ('after')`);
  await changesUntil(client, 'after');
  await changesUntil(keeper, 'after');
  const again = await fixture.client();
  await again.ask('rt:join', { topic: 'again', config: steps, resume: cursor });
  await changesUntil(again, 'after');
  expect(textsIn(client)).toEqual(textsIn(again));
  keeper.close();
});

test('a join is not sent what was committed before, although another process listened already', async () => {
  await run('create table public.elsewhere (text text); create policy e on elsewhere using (true)');
  await fixture.asSuperuser(
    `select realtime.open(array[rowhouse_gate_bit('public.elsewhere'::regclass)], 'another', 60)`,
  );
  await run(`insert into slow values ('two')`);
  await delivering();
  await run(`insert into elsewhere values ('before')`);
  const client = await fixture.joined('elsewhere', changesOf({ table: 'elsewhere' }));
  await run(`insert into elsewhere values ('after')`);
  await changesUntil(client, 'after');
  expect(textsIn(client)).toEqual(['after']);
});

test('a message of SQL is sent once, although its batch is delivered again', async () => {
  await run(
    `select realtime.send('"once"', 'e', 'slow', false); insert into slow values ('three')`,
  );
  await delivering();
  for (const pid of await evaluations()) {
    await fixture.asSuperuser('select pg_terminate_backend($1)', [pid]);
  }
  await changesUntil(sleeper, 'three');
  expect(messagesIn(sleeper)).toEqual(['once']);
});

test('a row is not lost to a client that shows another token while its policies are asked', async () => {
  const { project } = fixture;
  const user = await project.signUp('renews@example.org');
  const client = await fixture.as(user);
  await client.ask('rt:join', { topic: 'mine', config: slow });
  await run(`insert into slow values ('four')`);
  await delivering();
  const { token } = await project.signUp('other@example.org');
  expect(await client.ask('rt:token', { token })).toEqual({ status: 'ok' });
  await changesUntil(client, 'four');
});
