import { expect, test } from 'vitest';

import { callerKinds, offeredCallers, withOfferedCaller } from './search.js';

test('callers whose claims show accounts are offered to operators who may see accounts', () => {
  expect(offeredCallers(true)).toEqual(callerKinds);
  expect(offeredCallers(false)).toEqual(['anon', 'claims']);
});

test.each([
  { as: 'user', becomes: undefined },
  { as: 'key', becomes: undefined },
  { as: 'claims', becomes: 'claims' },
  { as: undefined, becomes: undefined },
] as const)('the caller $as of an address becomes $becomes without accounts', ({ as, becomes }) => {
  const search = { as, user: 'u1', table: 'notes' };
  expect(withOfferedCaller(search, offeredCallers(false))).toEqual({ ...search, as: becomes });
  expect(withOfferedCaller(search, offeredCallers(true))).toBe(search);
});
