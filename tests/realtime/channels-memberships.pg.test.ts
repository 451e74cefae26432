// Rights in private topics that end with a row: policies read rows, and nothing says which.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { fail } from '#libs/errors';
import { waitFor } from '#libs/testing';

import { createProject, type ProjectFixture } from '../database/project-fixture.js';
import { type HubStage, type Listener, openHubStage } from './hub-stage.js';

let project: ProjectFixture;
let stage: HubStage;
beforeAll(async () => {
  project = await createProject();
  await project.admin.query(`
    create table public.open_rooms (room text, may text);
    alter table public.open_rooms disable row level security;
    grant select on public.open_rooms to anon;
    create policy receive on realtime.messages for select to anon using (
      exists (select from public.open_rooms o where o.room = realtime.topic() and o.may = 'receive'));
    create policy send on realtime.messages for insert to anon with check (
      exists (select from public.open_rooms o where o.room = realtime.topic() and o.may = 'send'))`);
  stage = await openHubStage(project);
});
afterAll(async () => {
  await stage.close();
  await project.drop();
});

const allow = (room: string, ...rights: readonly string[]) =>
  project.admin.query('insert into public.open_rooms select $1, r from unnest($2::text[]) as r', [
    room,
    rights,
  ]);
const join = (client: Listener, topic: string) => client.join({ topic, config: { private: true } });
/** The longest pause between two readings. */
const intervalMs = 30_000;

test('a member whose row is deleted loses the channel within the interval', async () => {
  await allow('club', 'receive');
  await allow('other', 'receive');
  const client = await stage.connect();
  await join(client, 'club');
  await join(client, 'other');
  await project.admin.query(`delete from public.open_rooms where room = 'club'`);
  stage.clock.move(intervalMs);
  await waitFor(() => client.frames('rt:system').length > 0);
  expect(client.frames('rt:system')).toMatchObject([
    { t: 'club', status: 'error', code: 'CHANNEL_REFUSED' },
  ]);
  expect([...client.member.channels.keys()]).toEqual(['other']);
  client.leave();
});

test('rights are read again and again, also the right to send', async () => {
  await allow('changing', 'receive');
  const client = await stage.connect();
  await join(client, 'changing');
  const maySend = () => client.member.channels.get('changing')?.rights.maySend.broadcast;
  for (const [change, expected] of [
    [() => allow('changing', 'send'), true],
    [() => project.admin.query(`delete from public.open_rooms where may = 'send'`), false],
    [() => allow('changing', 'send'), true],
  ] as const) {
    await change();
    stage.clock.move(intervalMs);
    await waitFor(() => maySend() === expected);
  }
  client.leave();
});

test('clients of one topic with the same claims are one lookup', async () => {
  await allow('crowded', 'receive');
  const clients = await Promise.all(Array.from({ length: 50 }, () => stage.connect()));
  await Promise.all(clients.map((client) => join(client, 'crowded')));
  const [first] = clients;
  const readAt = () => first?.member.channels.get('crowded')?.rightsReadAt;
  const before = readAt();
  const lookups = vi.spyOn(stage.db, 'runAsRole');
  stage.clock.move(intervalMs);
  await waitFor(() => readAt() !== before);
  // The policies of the table, and what they say.
  expect(lookups).toHaveBeenCalledTimes(2);
  lookups.mockRestore();
  for (const client of clients) client.leave();
});

test('a client keeps its channel while the database cannot be asked, for a minute and a half', async () => {
  await allow('trusting', 'receive');
  const client = await stage.connect();
  await join(client, 'trusting');
  const busy = vi.spyOn(stage.db, 'runAsRole').mockRejectedValue(fail('PROJECT_BUSY'));
  stage.clock.move(intervalMs);
  await waitFor(() => busy.mock.calls.length > 0);
  expect(client.frames('rt:system')).toEqual([]);
  stage.clock.move(60_000);
  await waitFor(() => client.frames('rt:system').length > 0);
  expect(client.frames('rt:system')).toMatchObject([{ t: 'trusting', code: 'PROJECT_BUSY' }]);
  busy.mockRestore();
});
