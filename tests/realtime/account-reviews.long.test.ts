// Reading the rights of one account again takes long: only the channels of that account wait.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { Feed } from '#libs/realtime';
import { waitFor } from '#libs/testing';

import { createProject, ids, type ProjectFixture } from '../database/project-fixture.js';
import { type HubStage, type Listener, openHubStage } from './hub-stage.js';

let project: ProjectFixture;
let stage: HubStage;
beforeAll(async () => {
  project = await createProject();
  await project.admin.query(`
    create table public.slowness (seconds float8);
    alter table public.slowness disable row level security;
    grant select on public.slowness to authenticated;
    create policy receive on realtime.messages for select to authenticated using (
      coalesce((select pg_sleep(seconds) is not null from public.slowness), true));
    create table public.news (text text);
    create policy everybody on public.news to authenticated using (true);
    create table public.reports (text text);
    create policy admins on public.reports to authenticated using (
      (select auth.jwt() ->> 'user_role') = 'ADMIN');
    grant select on public.news, public.reports to authenticated`);
  stage = await openHubStage(project);
});
afterAll(async () => {
  await stage.close();
  await project.drop();
});

const session = (token: string) => stage.connect({ kind: 'session', token });
const news = { postgres_changes: [{ table: 'news' }] };
const textsIn = (client: Listener) =>
  client
    .frames('rt:pg')
    .flatMap(({ e }) => e as readonly { readonly d: { readonly new: object } }[])
    .map(({ d }) => d.new);

/** Resolves a promise that calls wait for. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** Has the rights of all credentials be read only when the returned function is called. */
function holdLookups(): () => void {
  const { opened, open } = gate();
  const original = stage.db.resolveCaller.bind(stage.db);
  const lookups = vi
    .spyOn(stage.db, 'resolveCaller')
    .mockImplementation((credential) => opened.then(() => original(credential)));
  return () => {
    lookups.mockRestore();
    open();
  };
}

/** Connections of one account, each with private topics of its own. */
async function crowd(): Promise<readonly Listener[]> {
  const clients = await Promise.all(Array.from({ length: 8 }, () => session('ada-token')));
  for (const [index, client] of clients.entries()) {
    await client.join({ topic: 'news', config: news });
    for (let n = 0; n < 5; n += 1) {
      await client.join({ topic: `room ${index} ${n}`, config: { private: true } });
    }
  }
  return clients;
}

test('the feed goes on for others, and the account continues with what it has missed', async () => {
  const [ada, ...more] = await crowd();
  if (!ada) throw new Error('There is no crowd');
  const bob = await session('bob-token');
  await bob.join({ topic: 'news', config: news });
  await project.admin.query('insert into public.slowness values (0.2)');
  await project.admin.query(
    `update auth."user" set app_metadata = '{"plan":"free"}' where id = $1`,
    [ids.ada],
  );
  await project.admin.query(`insert into public.news values ('after the change')`);
  stage.realtime.wake();
  await waitFor(() => textsIn(bob).length > 0);
  expect(textsIn(ada)).toEqual([]);
  expect(ada.member.isUnderReview).toBe(true);
  await project.admin.query('delete from public.slowness');
  await waitFor(() => textsIn(ada).length > 0, { ms: 20_000 });
  await waitFor(() => more.every((client) => textsIn(client).length > 0));
  expect(ada.member.isUnderReview).toBe(false);
  expect(textsIn(ada)).toEqual([{ text: 'after the change' }]);
  expect(ada.member.rights.claims).toContain('free');
  for (const client of [ada, bob, ...more]) client.leave();
});

test('a channel that joins meanwhile is sent nothing by the rights of before', async () => {
  await project.admin.query(`update auth."user" set role = 'ADMIN' where id = $1`, [ids.ada]);
  const [ada, bob] = [await session('ada-token'), await session('bob-token')];
  await bob.join({ topic: 'news', config: news });
  const replay = gate();
  const replays = vi
    .spyOn(Feed.prototype, 'replay')
    .mockImplementation(() => replay.opened.then(() => ({ kind: 'lost' })));
  const config = { postgres_changes: [{ table: 'reports' }] };
  const joining = ada.join({ topic: 'reports', config, resume: 'any' });
  await waitFor(() => replays.mock.calls.length > 0);
  const release = holdLookups();
  await project.admin.query(`update auth."user" set role = 'USER' where id = $1`, [ids.ada]);
  await project.admin.query(`insert into public.reports values ('after the change')`);
  await project.admin.query(`insert into public.news values ('for all')`);
  stage.realtime.wake();
  await waitFor(() => textsIn(bob).length > 0);
  expect(ada.member.isUnderReview).toBe(true);
  release();
  await waitFor(() => !ada.member.isUnderReview);
  replays.mockRestore();
  replay.open();
  await joining;
  await ada.join({ topic: 'news', config: news });
  await project.admin.query(`insert into public.news values ('at last')`);
  stage.realtime.wake();
  await waitFor(() => textsIn(ada).length > 0);
  expect(textsIn(ada)).toEqual([{ text: 'at last' }]);
  for (const client of [ada, bob]) client.leave();
  await project.admin.query(`update auth."user" set role = 'ADMIN' where id = $1`, [ids.ada]);
});

test('a replay is judged by rights that are not older than its rows', async () => {
  const [ada, bob] = [await session('ada-token'), await session('bob-token')];
  const config = { postgres_changes: [{ table: 'reports' }, { table: 'news' }] };
  const { cursor: resume } = await bob.join({ topic: 'news', config });
  // oxlint-disable-next-line typescript/unbound-method -- called with the feed below
  const original = Feed.prototype.replay;
  // The feed has not read the change of the account when the replay is read.
  const replays = vi.spyOn(Feed.prototype, 'replay').mockImplementation(async function (
    this: Feed,
    ...args
  ) {
    await project.admin.query(`
      update auth."user" set role = 'USER' where id = '${ids.ada}';
      insert into public.news values ('for all')`);
    await project.admin.query(`insert into public.reports values ('after the change')`);
    return original.apply(this, args);
  });
  expect(await ada.join({ topic: 'both', config, resume })).toMatchObject({ recovered: true });
  replays.mockRestore();
  await waitFor(() => textsIn(ada).length > 0);
  // The feed may send again what the replay has read.
  expect(textsIn(ada)).toContainEqual({ text: 'for all' });
  expect(textsIn(ada)).not.toContainEqual({ text: 'after the change' });
  for (const client of [ada, bob]) client.leave();
  await project.admin.query(`update auth."user" set role = 'ADMIN' where id = $1`, [ids.ada]);
});

test('in private topics a client waits for the review before it joins, sends and tracks', async () => {
  await project.admin.query(`
    create policy admins on realtime.messages for insert to authenticated with check (
      (select auth.jwt() ->> 'user_role') = 'ADMIN')`);
  const ada = await session('ada-token');
  await ada.join({ topic: 'sent', config: { private: true } });
  const { hub } = stage.realtime;
  const frame = { topic: 'sent', event: 'e', payload: {} };
  expect(await hub.frames.send(ada.member, { kind: 'send', ...frame })).toEqual({ status: 'ok' });
  const release = holdLookups();
  await project.admin.query(`update auth."user" set role = 'USER' where id = $1`, [ids.ada]);
  stage.realtime.wake();
  await waitFor(() => ada.member.isUnderReview);
  const done: unknown[] = [];
  const codeOf = (answer: Promise<unknown>) =>
    answer.then(
      () => done.push('ok'),
      ({ code }: { readonly code: unknown }) => done.push(code),
    );
  const answers = [
    codeOf(hub.frames.send(ada.member, { kind: 'send', ...frame })),
    codeOf(hub.frames.track(ada.member, { kind: 'track', topic: 'sent', payload: {} })),
    codeOf(ada.join({ topic: 'joined', config: { private: true } })),
  ];
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(done).toEqual([]);
  release();
  await Promise.all(answers);
  expect(done.toSorted()).toEqual(['CHANNEL_REFUSED', 'CHANNEL_REFUSED', 'ok']);
  ada.leave();
  await project.admin.query(`update auth."user" set role = 'ADMIN' where id = $1`, [ids.ada]);
});

test('an account that loses its session during a review receives nothing of the time after', async () => {
  const clients = await crowd();
  const bob = await session('bob-token');
  await bob.join({ topic: 'news', config: news });
  await project.admin.query('insert into public.slowness values (0.2)');
  await project.admin.query(`update auth."user" set role = 'USER' where id = $1`, [ids.ada]);
  stage.realtime.wake();
  await waitFor(() => clients.every(({ member }) => member.isUnderReview));
  await project.admin.query(`delete from auth.session where id = 's-ada'`);
  await project.admin.query(`insert into public.news values ('after the sign-out')`);
  stage.realtime.wake();
  await waitFor(() => textsIn(bob).length > 0);
  await project.admin.query('delete from public.slowness');
  await waitFor(() => clients.every(({ member }) => member.isGone), { ms: 20_000 });
  expect(clients.flatMap(textsIn)).toEqual([]);
  bob.leave();
});
