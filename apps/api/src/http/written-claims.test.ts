import { expect, test } from 'vitest';

import { AppError } from '#libs/errors';

import { readWrittenClaims } from './written-claims.js';

test.each([
  { name: 'no claims are the role alone', given: undefined, claims: {} },
  {
    name: 'any claim is kept',
    given: { sub: 'ada', teams: ['a'] },
    claims: { sub: 'ada', teams: ['a'] },
  },
  { name: 'the same role may be among them', given: { role: 'authenticated' }, claims: {} },
])('$name', ({ given, claims }) => {
  expect(readWrittenClaims('authenticated', given)).toEqual({ ...claims, role: 'authenticated' });
});

test.each([
  { name: 'null', given: null, field: 'as.claims' },
  { name: 'a list', given: [], field: 'as.claims' },
  { name: 'another role', given: { role: 'service_role' }, field: 'as.claims.role' },
  { name: 'a subject that is a number', given: { sub: 1 }, field: 'as.claims.sub' },
  { name: 'a subject that is null', given: { sub: null }, field: 'as.claims.sub' },
  { name: 'the character NUL', given: { team: 'a\0' }, field: 'as.claims' },
  { name: 'half of a surrogate pair in a name', given: { 'a\ud800': 1 }, field: 'as.claims' },
  { name: 'more than 8 KB', given: { a: 'x'.repeat(8_192) }, field: 'as.claims' },
])('$name is refused', ({ given, field }) => {
  const refused = expect(() => readWrittenClaims('authenticated', given));
  refused.toThrow(AppError);
  refused.toThrow(field);
});
