import { expect, test } from 'vitest';

import { matching } from './matching.js';
import type { Variable } from './queries.js';

const variable = (name: string, change: Partial<Variable> = {}): Variable => ({
  name,
  default: 'none',
  meaning: '',
  isSecret: false,
  isSet: false,
  value: null,
  ...change,
});
const variables = [
  variable('SMTP_HOST', { meaning: 'The mail server', isSet: true, value: 'relay.example.org' }),
  variable('SMTP_PASSWORD', { meaning: 'Password of that user', isSecret: true, isSet: true }),
  variable('PORT', { meaning: 'Port of the API' }),
];
const names = (q: string, isSetOnly = false) =>
  matching(variables, { q, isSetOnly }).map(({ name }) => name);

test.each([
  {
    name: 'nothing is left out without words',
    q: '',
    found: ['SMTP_HOST', 'SMTP_PASSWORD', 'PORT'],
  },
  { name: 'a part of the name', q: 'smtp', found: ['SMTP_HOST', 'SMTP_PASSWORD'] },
  { name: 'words of the meaning in any order', q: 'SERVER mail', found: ['SMTP_HOST'] },
  { name: 'the value', q: 'relay', found: ['SMTP_HOST'] },
  { name: 'all words must be there', q: 'smtp port', found: [] },
])('$name', ({ q, found }) => expect(names(q)).toEqual(found));

test('only those that are set', () => {
  expect(names('', true)).toEqual(['SMTP_HOST', 'SMTP_PASSWORD']);
});
