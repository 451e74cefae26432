// The client imports nothing of the server, so it names the operators of filters and the reserved names once more. Here
// its lists are compared with the grammar.
import { expect, expectTypeOf, test } from 'vitest';

import { RESERVED_NAMES } from '#libs/rest-query';
import type { FilterOperator } from '#libs/sdk';

import { exactName, reservedNames } from '../../libs/sdk/src/encode.js';
import type { Comparison, TextSearch } from '../../libs/rest-query/src/types/grammar.js';

test('the client names exactly the operators of the grammar', () => {
  expectTypeOf<FilterOperator>().toEqualTypeOf<Comparison | TextSearch | 'in' | 'is'>();
});

test('the client quotes exactly the names that the server reserves', () => {
  expect([...reservedNames].sort()).toEqual([...RESERVED_NAMES].sort());
  for (const name of RESERVED_NAMES) expect(exactName(name)).toBe(`"${name}"`);
});
