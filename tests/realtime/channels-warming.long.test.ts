// A join while a transaction is open that has written before anybody listened.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import type { Client } from 'pg';

import { Feed } from '#libs/realtime';
import { waitFor } from '#libs/testing';

import { connect, createProject, type ProjectFixture } from '../database/project-fixture.js';
import { type HubStage, type Listener, openHubStage } from './hub-stage.js';

let project: ProjectFixture;
let stage: HubStage;
let writer: Client;
beforeAll(async () => {
  project = await createProject();
  await project.admin.query(`
    create table public.news (text text);
    create policy everybody on public.news using (true);
    grant select on public.news to anon`);
  stage = await openHubStage(project);
  writer = await connect(project.database);
});
afterAll(async () => {
  await writer.end();
  await stage.close();
  await project.drop();
});

const join = (client: Listener, resume?: unknown) =>
  client.join({
    topic: 'news',
    config: { postgres_changes: [{ table: 'news' }] },
    ...(resume !== undefined && { resume }),
  });

test('a transaction that ends before the acknowledgement is reported after it', async () => {
  const replay = vi.spyOn(Feed.prototype, 'replay');
  let goOn: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  replay.mockImplementation(() => gate.then(() => ({ kind: 'lost' })));
  await writer.query(`begin; insert into public.news values ('unnoticed')`);
  const client = await stage.connect();
  const joining = join(client, 'any');
  await waitFor(() => replay.mock.calls.length > 0);
  await writer.query('commit');
  const other = await stage.connect();
  await waitFor(async () => (await join(other))['warming'] === undefined);
  expect(client.frames('rt:system')).toEqual([]);
  goOn?.();
  expect(await joining).toMatchObject({ warming: true, recovered: false });
  expect(client.frames('rt:system')).toEqual([]);
  await waitFor(() => client.frames('rt:system').length > 0);
  expect(client.frames('rt:system')).toMatchObject([{ code: 'WARM' }]);
  replay.mockRestore();
});
