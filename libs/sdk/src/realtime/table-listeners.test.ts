import { expect, test } from 'vitest';

import type { Listener } from './ports.js';
import { TableListeners } from './table-listeners.js';

const listener = (event: 'INSERT' | '*', table: string, schema?: string): Listener => ({
  type: 'postgres_changes',
  filter: { event, table, ...(schema !== undefined && { schema }) },
  callback: () => undefined,
});

test('listeners with the same filter share a binding, and all of them receive the change', () => {
  const [one, two, three] = [
    listener('*', 'planets'),
    listener('INSERT', 'planets'),
    listener('*', 'planets'),
  ];
  const tables = new TableListeners([one, two, three, { type: 'gap', callback: () => undefined }]);
  expect(tables.filters).toEqual([
    { event: '*', table: 'planets' },
    { event: 'INSERT', table: 'planets' },
  ]);
  tables.bind([{ id: 'all' }, { id: 'new' }]);
  expect(tables.of(['all'])).toEqual([one, three]);
  expect(tables.of(['new', 'unknown'])).toEqual([two]);
});

test('filters that are the same for the server have one binding', () => {
  const [one, two] = [listener('*', 'planets'), listener('*', 'planets', 'public')];
  const tables = new TableListeners([one, two]);
  tables.bind([{ id: 'same' }, { id: 'same' }]);
  expect(tables.of(['same'])).toEqual([one, two]);
  // Of the next join.
  tables.bind([{ id: 'x' }, { id: 'y' }]);
  expect(tables.of(['same'])).toEqual([]);
  expect(tables.of(['y'])).toEqual([two]);
});
