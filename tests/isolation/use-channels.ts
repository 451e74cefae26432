// Everything that a socket of a project makes the platform run in its database.
import { expect } from 'vitest';

import { waitFor } from '#libs/testing';

import type { ProjectUnderTest } from '../support/project.js';
import { openClient, type RealtimeClient } from '../realtime/realtime-client.js';

const tables = `
  create table public.listened (id pg_catalog.int4 primary key, owner pg_catalog.text);
  create policy theirs on public.listened using (owner operator(pg_catalog.=) (select auth.uid())::pg_catalog.text);
  create table public.open_to_all (id pg_catalog.int4 primary key, size pg_catalog.int4);
  create policy everybody on public.open_to_all using (size operator(pg_catalog.>) 0);
  create policy members on realtime.messages for select using (realtime.topic() operator(pg_catalog.=) 'members');
  create policy writers on realtime.messages for insert with check (topic operator(pg_catalog.=) 'members');`;

const bindings = {
  postgres_changes: [
    { event: '*', schema: 'public', table: 'listened' },
    { event: '*', schema: 'public', table: 'open_to_all', filter: 'size=gt.1' },
  ],
};

/** Joins topics with each kind of caller, receives changes and messages, and comes back with a cursor. */
export async function useChannels(project: ProjectUnderTest): Promise<void> {
  await project.sql(tables);
  const user = await project.signUp('listener@example.org');
  let lastId = 0;
  for (const auth of [{}, { token: user.token }, { apikey: project.secretKey }]) {
    const client = await openClient(project, auth);
    const later = await openClient(project, auth);
    try {
      const { cursor } = await joined(client, { topic: 'news', config: bindings });
      const config = { private: true, presence: { key: 'me' } };
      await joined(client, { topic: 'members', config });
      expect(await client.ask('rt:track', { topic: 'members', payload: { at: 1 } })).toMatchObject({
        status: 'ok',
      });
      await client.ask('rt:send', { topic: 'members', event: 'said', payload: 'a word' });
      lastId += 2;
      await write(project, user.id, lastId);
      await waitFor(() => JSON.stringify(client.frames('rt:pg')).includes(`"id":${lastId}`));
      await joined(later, { topic: 'news', config: bindings, resume: cursor });
      await waitFor(() => JSON.stringify(later.frames('rt:pg')).includes(`"id":${lastId}`));
      await project.sql(`select realtime.send('1'::pg_catalog.jsonb, 'said', 'members')`);
      await waitFor(() => client.frames('rt:msg').length > 0);
    } finally {
      client.close();
      later.close();
    }
  }
}

async function joined(client: RealtimeClient, frame: object): Promise<Record<string, unknown>> {
  const ack = await client.ask('rt:join', frame);
  expect(ack).toMatchObject({ status: 'ok' });
  return ack;
}

async function write(project: ProjectUnderTest, owner: string, id: number): Promise<void> {
  const rows = [
    { method: 'POST', path: '/rest/v1/listened', body: { id, owner } },
    { method: 'PATCH', path: `/rest/v1/listened?id=eq.${id}`, body: { owner } },
    { method: 'POST', path: '/rest/v1/open_to_all', body: { id: id - 1, size: 2 } },
    { method: 'DELETE', path: `/rest/v1/open_to_all?id=eq.${id - 1}` },
    { method: 'POST', path: '/rest/v1/open_to_all', body: { id, size: 3 } },
  ];
  for (const call of rows) {
    const { status, text } = await project.asService(call);
    expect(status, text).toBeLessThan(300);
  }
}
