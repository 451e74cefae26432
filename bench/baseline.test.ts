import { expect, test } from 'vitest';
import { bindVariables } from './baseline.js';

const VALUES = { n: '5', body: '[]', session: '7' };

test.each([
  { name: 'one variable', sql: 'select :n', text: 'select $1', values: ['5'] },
  { name: 'the same twice', sql: 'select :n + :n', text: 'select $1 + $1', values: ['5'] },
  {
    name: 'in the order of their first use',
    sql: 'select :body, :n, :body',
    text: 'select $1, $2, $1',
    values: ['[]', '5'],
  },
  { name: 'a cast is none', sql: `select 'a'::text`, text: `select 'a'::text`, values: [] },
  { name: 'an unknown one stays', sql: `select ':other'`, text: `select ':other'`, values: [] },
])('bound variables: $name', ({ sql, text, values }) => {
  expect(bindVariables(sql, VALUES)).toEqual({ text, values });
});
