// Many clients that come back at the same time: their replays wait their turn, or the clients join again later.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { AppError } from '#libs/errors';
import { Feed } from '#libs/realtime';
import { waitFor } from '#libs/testing';

import { createProject, type ProjectFixture } from '../database/project-fixture.js';
import { type HubStage, type Listener, openHubStage } from './hub-stage.js';

let project: ProjectFixture;
let stage: HubStage;
beforeAll(async () => {
  project = await createProject();
  await project.admin.query(`
    create table public.news (text text);
    create policy everybody on public.news using (true);
    grant select on public.news to anon, authenticated`);
  stage = await openHubStage(project);
});
afterAll(async () => {
  await stage.close();
  await project.drop();
});

const join = (client: Listener, topic: string, resume?: unknown) =>
  client.join({
    topic,
    config: { postgres_changes: [{ table: 'news' }] },
    ...(resume !== undefined && { resume }),
  });

/** Delays all replays until `end` is called, and counts them. */
function holdReplays() {
  // oxlint-disable-next-line typescript/unbound-method -- called with the feed below
  const original = Feed.prototype.replay;
  let goOn = (): void => undefined;
  const opened = new Promise<void>((resolve) => (goOn = resolve));
  const replays = vi.spyOn(Feed.prototype, 'replay').mockImplementation(async function (
    this: Feed,
    ...args
  ) {
    await opened;
    return original.apply(this, args);
  });
  return {
    running: () => replays.mock.calls.length,
    end: () => {
      replays.mockRestore();
      goOn();
    },
  };
}

test('a replay that takes too long is given up, and leaves its place to other projects', async () => {
  const first = await stage.connect();
  const { cursor } = await join(first, 'first');
  const { running, end } = holdReplays();
  const clients = await Promise.all([stage.connect(), stage.connect()]);
  const answers = clients.map((client) => join(client, 'late', cursor));
  await waitFor(() => running() === 2);
  const others = Array.from({ length: 4 }, () => stage.replayPlaces.run(() => Promise.resolve()));
  stage.clock.move(8_000);
  for (const answer of answers) expect(await answer).toMatchObject({ recovered: false });
  await Promise.all(others);
  expect(stage.replayPlaces.waiting).toBe(0);
  // The project itself has no place left.
  const third = await stage.connect();
  const waiting = join(third, 'late', cursor);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(running()).toBe(2);
  end();
  expect(await waiting).toMatchObject({ recovered: true });
});

test('one user has one place, and a client that leaves does not wait any more', async () => {
  const first = await stage.connect();
  const { cursor } = await join(first, 'first');
  const { running, end } = holdReplays();
  const session = () => stage.connect({ kind: 'session', token: 'ada-token' });
  const [ada, again, visitor] = [await session(), await session(), await stage.connect()];
  const joined = join(ada, 'news', cursor);
  await waitFor(() => running() === 1);
  const left = join(again, 'news', cursor).catch((error: unknown) => error);
  const visits = join(visitor, 'news', cursor);
  await waitFor(() => running() === 2);
  again.leave();
  expect(await left).toMatchObject({ code: 'CHANNEL_CLOSED' });
  expect(running()).toBe(2);
  end();
  for (const answer of [joined, visits]) expect(await answer).toMatchObject({ recovered: true });
});

test('a long replay is sent as fast as its client reads, and what is new comes after it', async () => {
  const first = await stage.connect();
  const { cursor } = await join(first, 'first');
  await project.admin.query(
    `insert into public.news select n || repeat('x', 200000) from generate_series(10, 49) n`,
  );
  const client = await stage.connect();
  client.readLate();
  expect(await join(client, 'long', cursor)).toMatchObject({ recovered: true });
  await project.admin.query(`insert into public.news values ('50')`);
  stage.realtime.wake();
  const numbers = () =>
    client
      .frames('rt:pg')
      .flatMap(({ e }) => e as readonly { readonly d: { readonly new: { text: string } } }[])
      .map(({ d }) => Number(d.new.text.slice(0, 2)));
  await waitFor(() => client.member.isGone || numbers().includes(50));
  // What the replay has read may come again behind it.
  expect([...new Set(numbers())]).toEqual(Array.from({ length: 41 }, (_, index) => index + 10));
  for (const one of [first, client]) one.leave();
});

test('two replays of a project are read at a time, a hundred wait, and more are refused', async () => {
  const first = await stage.connect();
  const { cursor } = await join(first, 'first');
  // oxlint-disable-next-line typescript/unbound-method -- called with the feed below
  const original = Feed.prototype.replay;
  let [running, most] = [0, 0];
  let open: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const counted = vi.spyOn(Feed.prototype, 'replay').mockImplementation(async function (
    this: Feed,
    ...args
  ) {
    running += 1;
    most = Math.max(most, running);
    await gate;
    try {
      return await original.apply(this, args);
    } finally {
      running -= 1;
    }
  });
  const clients = await Promise.all(Array.from({ length: 110 }, () => stage.connect()));
  const answers = clients.map((client) =>
    join(client, 'later', cursor).then(
      ({ recovered }) => ({ recovered }),
      (error: unknown) =>
        error instanceof AppError
          ? { code: error.code, retryAfterSeconds: error.retryAfterSeconds }
          : error,
    ),
  );
  const refused = { code: 'REPLAYS_BUSY', retryAfterSeconds: 2 };
  const early: unknown[] = [];
  for (const answer of answers) void answer.then((one) => early.push(one));
  await waitFor(() => early.length === 8);
  expect(early).toEqual(Array.from({ length: 8 }, () => refused));
  open?.();
  const all = await Promise.all(answers);
  expect(all.filter((one) => JSON.stringify(one) === '{"recovered":true}')).toHaveLength(102);
  expect(most).toBe(2);
  counted.mockRestore();
  const [again] = clients.filter(({ member }) => !member.channels.has('later'));
  if (!again) throw new Error('Every client has joined');
  expect(await join(again, 'later', cursor)).toMatchObject({ recovered: true });
});
