import { expect, test } from 'vitest';

import { wholeCondition } from './conditions.js';
import { factsOf } from './facts.js';

const check = [true, null];
const using = [true, '(owner = auth.uid())'];

test.each([
  ['a permissive policy without USING lets nobody read', [check], 'false'],
  ['beside another it adds nothing', [check, using], '(((owner = auth.uid())))'],
  [
    'a restrictive one restricts nothing',
    [using, [false, null], [false, 'public']],
    '(((owner = auth.uid()))) and (public)',
  ],
])('%s', (_name, conditions, expected) => {
  const facts = factsOf([JSON.stringify({ columns: [], conditions }), 'hash', null]);
  expect(facts && wholeCondition(facts)).toBe(expected);
});
