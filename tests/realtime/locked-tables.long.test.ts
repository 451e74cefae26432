// A transaction that changes a table locks it, and may take longer than a policy: what cannot be decided meanwhile is
// sent afterwards.
import type { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { connect, createProject, ids, type ProjectFixture } from '../database/project-fixture.js';
import { type HubStage, type Listener, openHubStage } from './hub-stage.js';
import { lockAttempts, waitForAttempts } from './lock-attempts.js';
import { openStage } from './support.js';

let project: ProjectFixture;
let stage: HubStage;
let migration: Client;
beforeAll(async () => {
  project = await createProject();
  await project.admin.query(`
    create table public.songs (text text);
    create policy everybody on public.songs using (true);
    create table public.members (user_id text);
    alter table public.members disable row level security;
    insert into public.members values ('${ids.ada}'), ('${ids.bob}');
    create table public.reports (text text);
    create policy members on public.reports to authenticated using (
      exists (select from public.members where user_id = auth.uid()));
    grant select on public.songs, public.members, public.reports to authenticated`);
  stage = await openHubStage(project);
  migration = await connect(project.database);
});
beforeEach(() => migration.query('begin'));
afterEach(() => migration.query('rollback'));
afterAll(async () => {
  await migration.end();
  await stage.close();
  await project.drop();
});

const textsIn = (client: Listener) =>
  client
    .frames('rt:pg')
    .flatMap(({ e }) => e as readonly { readonly d: { readonly new: { text: string } } }[])
    .map(({ d }) => d.new.text);
const codesIn = (client: Listener) => client.frames('rt:system').map(({ code }) => code);
/** The transaction with the lock may have been open when the gate was opened for a join. */
const lossesIn = (client: Listener) => codesIn(client).filter((code) => code !== 'WARM');
const isHeld = ({ member }: Listener) =>
  [...member.channels.values()].some(({ heldAt }) => heldAt !== undefined);

/** Both users follow the reports; Bob follows the songs in a channel of their own. */
async function audience() {
  const [ada, bob] = [
    await stage.connect({ kind: 'session', token: 'ada-token' }),
    await stage.connect({ kind: 'session', token: 'bob-token' }),
  ];
  const reports = { postgres_changes: [{ table: 'reports' }] };
  await ada.join({ topic: 'reports', config: reports });
  await bob.join({ topic: 'reports', config: reports });
  await bob.join({ topic: 'songs', config: { postgres_changes: [{ table: 'songs' }] } });
  return { ada, bob };
}

async function write(table: string, text: string): Promise<void> {
  await project.admin.query(`insert into public.${table} values ('${text}')`);
  stage.realtime.wake();
}

test.each([
  { name: 'a table', locked: 'reports' },
  { name: 'a table that its policy reads', locked: 'members' },
])(
  'the changes of $name arrive when its lock has ended, all others at once',
  async ({ locked }) => {
    const { ada, bob } = await audience();
    // In one message, so that the feed has no time to read the change before the lock.
    await migration.query(`
    insert into public.reports values ('before'); commit;
    begin; lock table public.${locked} in access exclusive mode`);
    const attempts = lockAttempts(project.admin);
    stage.realtime.wake();
    await waitFor(() => isHeld(ada) && isHeld(bob));
    await write('songs', 'meanwhile');
    await waitFor(() => textsIn(bob).length > 0);
    await waitForAttempts(attempts);
    expect([...textsIn(ada), ...textsIn(bob)]).toEqual(['meanwhile']);
    await migration.query('commit');
    await waitFor(() => textsIn(ada).length > 0 && textsIn(bob).length > 1);
    await write('reports', 'after');
    await waitFor(() => textsIn(ada).includes('after') && textsIn(bob).includes('after'));
    expect([textsIn(ada), textsIn(bob)]).toEqual([
      ['before', 'after'],
      ['meanwhile', 'before', 'after'],
    ]);
    expect([...codesIn(ada), ...codesIn(bob)]).toEqual([]);
    for (const client of [ada, bob]) client.leave();
  },
);

test('a lock of more than half a minute is a gap, and ends no binding', async () => {
  const { ada, bob } = await audience();
  await migration.query('lock table public.members in access exclusive mode');
  await write('reports', 'missed');
  await waitFor(() => isHeld(ada) && isHeld(bob));
  stage.clock.move(31_000);
  await waitFor(() => codesIn(ada).length > 0 && codesIn(bob).length > 0);
  expect([...codesIn(ada), ...codesIn(bob)]).toEqual(['CHANGES_MISSED', 'CHANGES_MISSED']);
  await migration.query('commit');
  await write('reports', 'after');
  await waitFor(() => textsIn(ada).length > 0 && textsIn(bob).length > 0);
  expect([...textsIn(ada), ...textsIn(bob)]).toEqual(['after', 'after']);
  for (const client of [ada, bob]) client.leave();
});

const reports = { postgres_changes: [{ table: 'reports' }] };
const joinAs = async (token: string, frame: object) => {
  const client = await stage.connect({ kind: 'session', token });
  return { client, joined: await client.join({ topic: 'reports', config: reports, ...frame }) };
};

test.each([
  { name: 'a table', locked: 'reports' },
  { name: 'a table that its policy reads', locked: 'members' },
])(
  'a client that comes back while $name is locked gets what it has missed afterwards',
  async ({ locked }) => {
    const first = await joinAs('ada-token', {});
    const { cursor: resume } = first.joined;
    first.client.leave();
    await migration.query(`
    insert into public.reports values ('missed'); commit;
    begin; lock table public.${locked} in access exclusive mode`);
    const attempts = lockAttempts(project.admin);
    const returning = [
      await joinAs('ada-token', { resume }),
      await joinAs('bob-token', { resume }),
    ];
    for (const { client, joined } of returning) {
      expect(joined).toMatchObject({ status: 'ok', recovered: true, cursor: resume });
      await waitFor(() => isHeld(client));
    }
    await waitForAttempts(attempts);
    expect(returning.flatMap(({ client }) => client.frames('rt:pg'))).toEqual([]);
    await migration.query('commit');
    for (const { client } of returning) await waitFor(() => textsIn(client).includes('missed'));
    await write('reports', 'after');
    for (const { client } of returning) {
      await waitFor(() => textsIn(client).includes('after'));
      expect(textsIn(client)).toEqual(['missed', 'after']);
      expect(lossesIn(client)).toEqual([]);
      client.leave();
    }
  },
);

test('a client that comes back before a lock of more than half a minute learns of the gap', async () => {
  const first = await joinAs('ada-token', {});
  await migration.query('lock table public.members in access exclusive mode');
  await write('reports', 'missed');
  await waitFor(() => isHeld(first.client));
  const { client, joined } = await joinAs('ada-token', { resume: first.joined['cursor'] });
  expect(joined).toMatchObject({ status: 'ok', recovered: true });
  await waitFor(() => isHeld(client));
  await waitFor(() => {
    // Its wait begins after the acknowledgement.
    stage.clock.move(31_000);
    return codesIn(client).length > 0;
  });
  expect(codesIn(client)).toEqual(['CHANGES_MISSED']);
  for (const one of [first.client, client]) one.leave();
});

test('each channel waits for its own half minute, also behind others', async () => {
  const { client: first, joined } = await joinAs('ada-token', {});
  await migration.query('lock table public.members in access exclusive mode');
  await write('reports', 'missed');
  await waitFor(() => isHeld(first));
  stage.clock.move(20_000);
  const joining = await joinAs('bob-token', { resume: joined['cursor'] });
  await waitFor(() => isHeld(joining.client));
  stage.clock.move(11_000);
  await waitFor(() => codesIn(first).includes('CHANGES_MISSED'));
  await migration.query('commit');
  await waitFor(() => [...textsIn(joining.client), ...lossesIn(joining.client)].length > 0);
  expect(textsIn(joining.client)).toEqual(['missed']);
  expect(lossesIn(joining.client)).toEqual([]);
  for (const one of [first, joining.client]) one.leave();
});

test('a first join of a locked table does not wait, with a filter it waits for the lock', async () => {
  await project.admin.query(`
    create table public.fresh (text text);
    create policy everybody on public.fresh using (true);
    grant select on public.fresh to authenticated`);
  await migration.query('lock table public.fresh in access exclusive mode');
  const attempts = lockAttempts(project.admin);
  const bindings = { all: { table: 'fresh' }, some: { table: 'fresh', filter: 'text=neq.other' } };
  const [ada, bob] = [
    await stage.connect({ kind: 'session', token: 'ada-token' }),
    await stage.connect({ kind: 'session', token: 'bob-token' }),
  ];
  const config = { postgres_changes: [bindings.all] };
  expect(await ada.join({ topic: 'fresh', config })).toMatchObject({ status: 'ok' });
  let isJoined = false;
  const joining = bob.join({ topic: 'fresh', config: { postgres_changes: [bindings.some] } });
  void joining.then(() => (isJoined = true));
  await waitForAttempts(attempts);
  expect(isJoined).toBe(false);
  await migration.query('commit');
  expect(await joining).toMatchObject({ status: 'ok' });
  await project.admin.query(`insert into public.fresh values ('other'), ('new')`);
  for (const client of [ada, bob]) await waitFor(() => textsIn(client).includes('new'));
  expect([textsIn(ada), textsIn(bob)]).toEqual([['other', 'new'], ['new']]);
  for (const client of [ada, bob]) client.leave();
});

test('joins that wait for a lock leave the places to other joins', async () => {
  await project.admin.query(`
    create table public.busy (text text);
    create policy everybody on public.busy using (true);
    grant select on public.busy to authenticated`);
  await migration.query('lock table public.busy in access exclusive mode');
  const attempts = lockAttempts(project.admin);
  const joinWith = (filter: string, table = 'busy') =>
    joinAs('ada-token', { config: { postgres_changes: [{ table, filter }] } });
  const waiting = [joinWith('text=neq.first')];
  // One join has found the lock when the others come.
  await waitForAttempts(attempts, 2);
  for (let n = 0; n < 12; n += 1) waiting.push(joinWith(`text=neq.${n}`));
  const [other] = await Promise.all([
    joinWith('text=neq.other', 'songs'),
    waitForAttempts(attempts, (await attempts.look()) + 2),
  ]);
  expect(other.joined).toMatchObject({ status: 'ok' });
  expect(attempts.mostAtOnce()).toBe(1);
  await migration.query('commit');
  const joins = await Promise.all(waiting);
  expect(joins.map(({ joined }) => joined['status'])).toEqual(Array(13).fill('ok'));
  for (const { client } of [other, ...joins]) client.leave();
});

test('joins with filters on a table that stays locked are refused, and may be tried again', async () => {
  await project.admin.query('create table public.closed (text text)');
  await project.admin.query('grant select on public.closed to authenticated');
  await migration.query('lock table public.closed in access exclusive mode');
  const clients: Listener[] = [];
  const refusals: unknown[] = [];
  for (const value of ['a', 'b', 'c']) {
    const ada = await stage.connect({ kind: 'session', token: 'ada-token' });
    clients.push(ada);
    const bindings = [{ table: 'closed', filter: `text=eq.${value}` }];
    ada
      .join({ topic: 'closed', config: { postgres_changes: bindings } })
      .catch((error: unknown) => refusals.push(error));
  }
  await waitFor(() => {
    stage.clock.move(1_000);
    return refusals.length === 3;
  });
  for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'PROJECT_BUSY' });
  for (const client of clients) client.leave();
});

test('a lock holds no review of rights up, and ends no channel', async () => {
  await project.admin.query('create policy everybody on realtime.messages for select using (true)');
  const ada = await stage.connect({ kind: 'session', token: 'ada-token' });
  const config = { postgres_changes: [{ table: 'songs', filter: 'text=neq.other' }] };
  await ada.join({ topic: 'open', config });
  await ada.join({ topic: 'closed', config: { ...config, private: true } });
  await migration.query('lock table public.songs in access exclusive mode');
  await project.admin.query('drop policy everybody on realtime.messages');
  void stage.realtime.hub.settle('schema');
  await waitFor(() => codesIn(ada).length > 0);
  await migration.query('commit');
  await write('songs', 'after');
  await waitFor(() => textsIn(ada).length > 0);
  expect(textsIn(ada)).toEqual(['after']);
  expect(ada.frames('rt:system')).toMatchObject([{ t: 'closed', code: 'CHANNEL_REFUSED' }]);
  ada.leave();
});

test('one wait shows that a table is locked, for any number of callers', async () => {
  const judge = await openStage(project, { lockMs: 1_000 });
  const changes = await judge.changes('public.reports', `insert into public.reports values ('a')`);
  await migration.query('lock table public.members in access exclusive mode');
  const callers = Array.from({ length: 40 }, (_, n) => `u${n}`);
  const attempts = lockAttempts(project.admin);
  let hasAnswer = false;
  const asking = judge.ask(changes, callers).finally(() => (hasAnswer = true));
  await waitFor(async () => (await attempts.look()) > 1 || hasAnswer, { everyMs: 50 });
  expect(await attempts.look()).toBe(1);
  const verdict = await asking;
  expect(verdict.isLocked).toBe(true);
  expect(verdict.errors.size).toBe(0);
  expect(verdict.newVisible.join('')).not.toContain('1');
});
