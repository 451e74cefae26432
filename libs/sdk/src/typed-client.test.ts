// What the compiler says of a client with a `Database` type. The assertions are types: `tsc` checks them,
// and a line below `@ts-expect-error` that compiles is an error of its own.
import { expect, test } from 'vitest';

import { createClient } from './client.js';
import { recordingFetch } from '../tests/recording-fetch.js';

interface Todo {
  id: number;
  title: string;
  due_on: string | null;
  tags: string[];
  data: unknown;
}

// As an interface: generated types are aliases, hand-written ones often are not.
interface Database {
  public: {
    Tables: {
      todos: {
        Row: Todo;
        Insert: { id?: number; title: string; due_on?: string | null };
        Update: { title?: string; due_on?: string | null };
        Relationships: [];
      };
    };
    Views: Record<never, never>;
    Functions: {
      open_todos: { Args: { owner: number }; Returns: Todo[] };
      now: { Args: never; Returns: string };
    };
  };
}

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles when the type of the value is exactly `Expected`. */
const typeIs = <Expected>() => ({
  of: <Actual>(value: Actual, same: Equal<Actual, Expected>) => [value, same],
});

const { fetch } = recordingFetch({ body: [] });
const client = createClient<Database>('http://shop.test', undefined, { fetch });
const loose = createClient('http://shop.test', undefined, { fetch });

test('rows have the type of their table, also one row and none', async () => {
  const rows = await client.from('todos').select();
  typeIs<Todo[] | null>().of(rows.data, true);
  const one = await client.from('todos').select().single();
  typeIs<Todo | null>().of(one.data, true);
  const first = await client.from('todos').select().maybeSingle().throwOnError();
  typeIs<Todo | null>().of(first.data, true);
  const all = await client.from('todos').select().throwOnError();
  typeIs<Todo[]>().of(all.data, true);
  typeIs<null>().of((await client.from('todos').insert({ title: 'x' })).data, true);
  typeIs<string | null>().of((await client.from('todos').select().csv()).data, true);
  expect(rows.error).toBeNull();
});

test('after the error is excluded, the data is there', async () => {
  const { data, error } = await client.from('todos').select();
  if (error) throw error;
  typeIs<Todo[]>().of(data, true);
  expect(data).toEqual([]);
});

test('functions have the type of what they return', async () => {
  const rows = await client.rpc('open_todos', { owner: 1 }).gt('id', 1).throwOnError();
  typeIs<Todo[]>().of(rows.data, true);
  const now = await client.rpc('now').throwOnError();
  typeIs<string>().of(now.data, true);
  expect(now.status).toBe(200);
});

test('types that the caller declares replace or join those of the row', async () => {
  const query = () => client.from('todos').select();
  const joined = await query().overrideTypes<{ data: { a: 1 } }[]>().throwOnError();
  typeIs<{ a: 1 } | undefined>().of(joined.data[0]?.data, true);
  typeIs<number | undefined>().of(joined.data[0]?.id, true);
  const replaced = await query().overrideTypes<string[], { merge: false }>().throwOnError();
  typeIs<string[]>().of(replaced.data, true);
  const declared = await query().returns<{ n: 1 }[]>().limit(1).maybeSingle().throwOnError();
  typeIs<{ n: 1 } | null>().of(declared.data, true);
  expect(declared.data).toBeNull();
});

test('columns, values and tables that do not exist do not compile', async () => {
  const todos = client.from('todos');
  // @ts-expect-error -- there is no such table
  client.from('nothing');
  // @ts-expect-error -- there is no such column
  todos.select().eq('titel', 'x');
  // @ts-expect-error -- the column holds a number
  todos.select().eq('id', 'x');
  // @ts-expect-error -- NULL is reached with `is`
  todos.select().eq('due_on', null);
  // @ts-expect-error -- the list holds a text
  todos.select().in('id', [1, 'x']);
  // @ts-expect-error -- there is no such column
  todos.select().order('titel');
  // @ts-expect-error -- there is no such column
  todos.delete().match({ titel: 'x' });
  // @ts-expect-error -- the title is missing
  todos.insert({ due_on: null });
  // @ts-expect-error -- the title is a text
  todos.update({ title: 1 });
  // @ts-expect-error -- there is no such function
  client.rpc('nothing');
  // @ts-expect-error -- there is no such argument
  client.rpc('open_todos', { user: 1 });
  // What cannot be known here compiles.
  const known = todos
    .select()
    .eq('data->>key', 'x')
    .eq('author.name', 1)
    .in('id', [1])
    .is('due_on', null);
  expect((await known).error).toBeNull();
});

test('a reference stands for any value of a transaction, and only there', async () => {
  const { error } = await client.transaction((tx) => {
    const todo = tx.from('todos').insert({ title: 'x' });
    tx.from('todos')
      .update({ title: todo.ref('title') })
      .eq('id', todo.ref('id'));
    // @ts-expect-error -- there is no such column
    todo.ref('titel');
  });
  // @ts-expect-error -- outside of a transaction there is nothing to refer to
  client.from('todos').insert({ title: { $ref: '/0/0/title' } });
  expect(error).not.toBeNull();
});

test('without a type everything compiles', async () => {
  const { data } = await loose.from('anything').select('a, b(c)').eq('x', null).gt('y', 1);
  expect(data?.[0]?.['b']?.c).toBeUndefined();
  const call = await loose.rpc('f', { a: 1 });
  expect(call.data?.length).toBe(0);
});
