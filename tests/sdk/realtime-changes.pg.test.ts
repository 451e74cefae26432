// Changes of tables, from the table "Events" of the contract, row by row, with our own client.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type {
  RealtimeChangeEvent,
  RealtimePostgresChangesPayload,
  RowhouseClient,
} from '#libs/sdk';

import type { SignedIn } from '../support/project.js';
import { arrived, joined, Live } from './support/live.js';

type Change = RealtimePostgresChangesPayload;

let live: Live;
let ada: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  live = await Live.open();
  ada = await live.project.signUp('ada@example.org');
  bob = await live.project.signUp('bob@example.org');
}, 60_000);
afterAll(() => live.close());

let ids = 0;
const newId = () => (ids += 1);

/** Follows changes of planets and returns what arrives. */
async function watch(
  topic: string,
  filter: { readonly event: RealtimeChangeEvent; readonly filter?: string },
  client: RowhouseClient = live.client(),
): Promise<Change[]> {
  const changes: Change[] = [];
  const wanted = { schema: 'public', table: 'planets', ...filter };
  const channel = client.channel(topic);
  await joined(channel.on('postgres_changes', wanted, (change) => changes.push(change)));
  return changes;
}

const short = ({ eventType, new: now, old }: Change) => ({ eventType, new: now, old });

describe('postgres_changes', () => {
  /** Inserts, updates and deletes a planet. */
  async function life(client = live.client()) {
    const id = newId();
    const planets = client.from('planets');
    await planets.insert({ id, name: 'Mars', moons: 1 }).throwOnError();
    await planets.update({ moons: 2 }).eq('id', id).throwOnError();
    await planets.delete().eq('id', id).throwOnError();
    const row = { id, name: 'Mars', moons: 1 };
    return { id, row, changed: { ...row, moons: 2 } };
  }

  test.each([
    { event: 'INSERT', types: ['INSERT'] },
    { event: 'UPDATE', types: ['UPDATE'] },
    { event: 'DELETE', types: ['DELETE'] },
    { event: '*', types: ['INSERT', 'UPDATE', 'DELETE'] },
  ] as const)('filter { event: $event, schema, table }', async ({ event, types }) => {
    const changes = await watch(`event ${event}`, { event });
    await life();
    // What comes last has everything before it.
    const all = await watch(`all ${event}`, { event: '*' });
    const { id } = await life();
    await arrived(all, 3);
    await arrived(changes, 2 * types.length);
    expect(changes.map(({ eventType }) => eventType)).toEqual([...types, ...types]);
    const last = changes.at(-1);
    expect(last && { ...last.new, ...last.old }).toMatchObject({ id });
  });

  test('filter { event, schema, table, filter }', async () => {
    const changes = await watch('filtered', { event: '*', filter: 'moons=gt.1' });
    const { changed } = await life();
    expect((await arrived(changes, 2)).map(short)).toEqual([
      { eventType: 'UPDATE', new: changed, old: { ...changed, moons: 1 } },
      { eventType: 'DELETE', new: {}, old: changed },
    ]);
  });

  test('payload: schema, table, eventType, new, old, commit_timestamp', async () => {
    const changes = await watch('payload', { event: '*' });
    const { row } = await life();
    const [inserted] = await arrived(changes, 3);
    expect(inserted).toEqual({
      schema: 'public',
      table: 'planets',
      eventType: 'INSERT',
      new: row,
      old: {},
      commit_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+\+00:00$/),
    });
  });

  test('delete events carry the deleted row in old', async () => {
    const changes = await watch('deleted', { event: 'DELETE' });
    const { changed } = await life();
    expect((await arrived(changes, 1)).map(short)).toEqual([
      { eventType: 'DELETE', new: {}, old: changed },
    ]);
  });

  test('delivery respects the same RLS visibility as REST: the stream is filtered server side', async () => {
    const clients = {
      ada: await live.as(ada),
      bob: await live.as(bob),
      visitor: live.client(),
      service: live.client({}, live.project.secretKey),
    };
    const texts: Record<string, string[]> = {};
    for (const [name, client] of Object.entries(clients)) {
      const seen: string[] = (texts[name] = []);
      await joined(
        client
          .channel('notes')
          .on('postgres_changes', { event: '*', table: 'notes' }, ({ new: note }) =>
            seen.push(note['text']),
          ),
      );
    }
    await clients.ada.from('notes').insert({ id: 1, text: 'of Ada' }).throwOnError();
    await clients.bob.from('notes').insert({ id: 2, text: 'of Bob' }).throwOnError();
    await clients.ada.from('notes').insert({ id: 3, text: 'of Ada too' }).throwOnError();
    await clients.bob.from('notes').insert({ id: 4, text: 'last' }).throwOnError();
    await arrived(texts['service'] ?? [], 4);
    await arrived(texts['ada'] ?? [], 2);
    await arrived(texts['bob'] ?? [], 2);
    expect(texts).toEqual({
      ada: ['of Ada', 'of Ada too'],
      bob: ['of Bob', 'last'],
      visitor: [],
      service: ['of Ada', 'of Bob', 'of Ada too', 'last'],
    });
    for (const name of ['ada', 'bob', 'visitor'] as const) {
      const { data } = await clients[name].from('notes').select('text').order('id').throwOnError();
      expect(data.map(({ text }) => text)).toEqual(texts[name]);
    }
  });
});

describe('which operation emits which event', () => {
  const operations: Readonly<
    Record<string, (client: RowhouseClient, id: number) => PromiseLike<unknown>>
  > = {
    insert: (client, id) => client.from('planets').insert({ id, name: 'new' }),
    update: (client, id) => client.from('planets').update({ name: 'changed' }).eq('id', id),
    'upsert that conflicted': (client, id) => client.from('planets').upsert({ id, name: 'again' }),
    delete: (client, id) => client.from('planets').delete().eq('id', id),
    'upsert that did not conflict': (client, id) =>
      client.from('planets').upsert({ id, name: 'upserted' }),
  };

  test('insert, update, delete and upsert emit table change events', async () => {
    const changes = await watch('operations', { event: '*' });
    const client = live.client();
    const id = newId();
    for (const run of Object.values(operations)) {
      expect(await run(client, id)).toMatchObject({ error: null });
    }
    const emitted = (await arrived(changes, 5)).map(({ eventType }) => eventType);
    expect(Object.keys(operations).map((name, index) => [name, emitted[index]])).toEqual([
      ['insert', 'INSERT'],
      ['update', 'UPDATE'],
      ['upsert that conflicted', 'UPDATE'],
      ['delete', 'DELETE'],
      ['upsert that did not conflict', 'INSERT'],
    ]);
  });

  test('batch writes that are rolled back announce nothing', async () => {
    const changes = await watch('batches', { event: '*' });
    const client = live.client();
    const [lost, kept] = [newId(), newId()];
    const failed = await client.transaction((tx) => {
      tx.from('planets').insert({ id: lost, name: 'lost' });
      tx.from('planets').insert({ id: lost, name: 'the same key' });
    });
    expect(failed.error).toMatchObject({ code: '23505' });
    await client.from('planets').insert({ id: lost, name: 'taken back' }).rollback();
    const { error } = await client.transaction((tx) => {
      tx.from('planets').insert({ id: kept, name: 'kept' });
      tx.from('planets').update({ moons: 7 }).eq('id', kept);
    });
    expect(error).toBeNull();
    const emitted = await arrived(changes, 2);
    expect(emitted.map(({ eventType, new: row }) => [eventType, row['id']])).toEqual([
      ['INSERT', kept],
      ['UPDATE', kept],
    ]);
  });
});
