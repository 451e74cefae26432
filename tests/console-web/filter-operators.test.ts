// The pages name the operators of filters themselves; they are those of the API.
import { expect, test } from 'vitest';

import { IS_TESTS } from '#libs/rest-query';

import { isWords, operators } from '../../apps/console/web/src/screens/tables/operators.js';
import { COMPARISONS, TEXT_SEARCHES } from '../../libs/rest-query/src/types/grammar.js';

test('each operator is one of the grammar, by itself or after `not.`', () => {
  const known = [...Object.keys(COMPARISONS), ...Object.keys(TEXT_SEARCHES), 'in', 'is'];
  const unknown = operators.filter(({ name }) => !known.includes(name.replace(/^not\./, '')));
  expect(unknown).toEqual([]);
});

test('each value of `is` is a word of the grammar', () => {
  expect(Object.keys(isWords).filter((word) => !(word in IS_TESTS))).toEqual([]);
});
