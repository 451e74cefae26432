// What the compiler says of channels with a `Database` type. The assertions are types: `tsc` checks them, and a line below
// `@ts-expect-error` that compiles is an error of its own. Nothing subscribes.
import { expect, test } from 'vitest';

import { createClient } from './client.js';
import type { RealtimePostgresChangesPayload } from './realtime/index.js';

interface Todo {
  id: number;
  title: string;
}

interface Database {
  public: {
    Tables: {
      todos: { Row: Todo; Insert: Partial<Todo>; Update: Partial<Todo>; Relationships: [] };
    };
    Views: Record<never, never>;
    Functions: Record<never, never>;
  };
}

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles when the type of the value is exactly `Expected`. */
const typeIs = <Expected>() => ({
  of: <Actual>(value: Actual, same: Equal<Actual, Expected>) => [value, same],
});

const channel = createClient<Database>('http://shop.test').channel('todos');
const loose = createClient('http://shop.test').channel('todos');

test('a change has the rows of its table, as its event has them', () => {
  channel
    .on('postgres_changes', { event: 'INSERT', table: 'todos' }, (change) => {
      typeIs<'INSERT'>().of(change.eventType, true);
      typeIs<Todo>().of(change.new, true);
    })
    .on('postgres_changes', { event: 'UPDATE', schema: 'public', table: 'todos' }, (change) => {
      typeIs<Todo>().of(change.new, true);
      typeIs<string | undefined>().of(change.old.title, true);
    })
    .on('postgres_changes', { event: 'DELETE', table: 'todos', filter: 'id=gt.2' }, (change) => {
      typeIs<Partial<Todo>>().of(change.old, true);
    })
    .on('postgres_changes', { event: '*', table: 'todos' }, (change) => {
      if (change.eventType === 'DELETE') typeIs<number | undefined>().of(change.old.id, true);
      else typeIs<Todo>().of(change.new, true);
    });
  expect(channel.topic).toBe('todos');
});

test('a type of rows of the caller replaces that of the table', () => {
  interface Short {
    id: number;
  }
  channel.on<Short>('postgres_changes', { event: '*', table: 'todos' }, (change) => {
    if (change.eventType === 'INSERT') typeIs<Short>().of(change.new, true);
  });
  const show = (change: RealtimePostgresChangesPayload<Short>) => change.table;
  channel.on('postgres_changes', { event: '*', table: 'todos' }, show);
  expect(channel.topic).toBe('todos');
});

test('tables, types and events that do not exist do not compile', () => {
  const register = () => {
    // @ts-expect-error -- the table does not exist
    channel.on('postgres_changes', { event: '*', table: 'todoes' }, () => undefined);
    // @ts-expect-error -- the event does not exist
    channel.on('postgres_changes', { event: 'UPSERT', table: 'todos' }, () => undefined);
    // @ts-expect-error -- the type does not exist
    channel.on('changes', { event: '*', table: 'todos' }, () => undefined);
    // @ts-expect-error -- presence does not have the event
    channel.on('presence', { event: 'come' }, () => undefined);
    channel.subscribe((status) => {
      // @ts-expect-error -- the status does not exist
      if (status === 'JOINED') throw new Error();
    });
  };
  expect(register).toThrow(TypeError);
});

test('messages and presence have the types that the caller declares', () => {
  channel
    .on<{ x: number }>('broadcast', { event: 'moved' }, ({ payload }) => {
      typeIs<number>().of(payload.x, true);
    })
    .on<{ name: string }>('presence', { event: 'join' }, ({ key, newPresences }) => {
      typeIs<string>().of(key, true);
      typeIs<string | undefined>().of(newPresences[0]?.name, true);
    })
    .on('presence', { event: 'leave' }, ({ leftPresences }) => {
      typeIs<string | undefined>().of(leftPresences[0]?.presence_ref, true);
    });
  expect(channel.presenceState<{ name: string }>()['ada']?.[0]?.name).toBeUndefined();
});

test('without a type everything compiles', () => {
  loose
    .on('postgres_changes', { event: '*', table: 'anything' }, (change) => {
      if (change.eventType !== 'DELETE') return change.new['x'].y;
      return change.old['x'];
    })
    .on('broadcast', { event: '*' }, ({ payload }) => payload.x.y);
  expect(loose.presenceState()['key']?.[0]?.['x']).toBeUndefined();
});
