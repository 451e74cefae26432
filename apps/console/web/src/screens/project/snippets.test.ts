// Which table the code to paste reads.
import { expect, test } from 'vitest';

import { table } from './sample-tables.js';
import { snippetsFor, snippetTable } from './snippets.js';

test.each([
  { name: 'the first one', tables: [table('books'), table('users')], found: 'books' },
  {
    name: 'the first one that the API serves',
    tables: [table('audit', { isExposed: false }), table('books')],
    found: 'books',
  },
  {
    name: 'a table rather than its partition',
    tables: [table('a_2026', { partitionOf: 'all' }), table('all')],
    found: 'all',
  },
  { name: 'one to be made, if there is none', tables: [], found: 'notes' },
  { name: 'a placeholder, if the tables are not known', tables: undefined, found: 'your_table' },
])('reads $name', ({ tables, found }) => {
  expect(snippetTable(tables).name).toBe(found);
});

test('every way names the table, whatever its name has', () => {
  const place = { url: 'https://shop.example.org', key: 'svc_publishable_…' };
  const codes = snippetsFor({ ...place, table: `it's "new"` }).map(({ code }) => code);
  const literal = String.raw`from("it's \"new\"")`;
  expect(codes.slice(0, 3).every((code) => code.includes(literal))).toBe(true);
  expect(codes[3]).toContain(String.raw`/rest/v1/it'\''s%20%22new%22?select=*`);
});
