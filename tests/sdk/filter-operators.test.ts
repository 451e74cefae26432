// The client imports nothing of the server, so it names the operators of filters once more. The check of types compares
// its list with the grammar.
import { expectTypeOf, test } from 'vitest';

import type { FilterOperator } from '#libs/sdk';

import type { Comparison, TextSearch } from '../../libs/rest-query/src/types/grammar.js';

test('the client names exactly the operators of the grammar', () => {
  expectTypeOf<FilterOperator>().toEqualTypeOf<Comparison | TextSearch | 'in' | 'is'>();
});
