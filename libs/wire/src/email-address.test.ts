import { expect, test } from 'vitest';

import { acceptedAddresses, refusedAddresses } from '#libs/testing';
import { readEmailAddress } from './email-address.js';

test.each(acceptedAddresses)('$name: $sent is stored as $stored', ({ sent, stored }) => {
  expect(readEmailAddress(sent)).toBe(stored);
  expect(readEmailAddress(stored)).toBe(stored);
});

test.each([
  ...refusedAddresses,
  { name: '65 characters before the @', sent: `${'a'.repeat(65)}@example.org` },
  { name: 'a label of 64 characters', sent: `mib@${'a'.repeat(64)}.org` },
  { name: '255 characters', sent: `mib@${'a.'.repeat(124)}org` },
  { name: 'a domain that is too long in ASCII', sent: `mib@${'ü.'.repeat(60)}org` },
  { name: 'nothing', sent: '' },
])('$name is no address', ({ sent }) => {
  expect(readEmailAddress(sent)).toBeUndefined();
});

test('one of 254 characters is read', () => {
  const address = `mib@${'a.'.repeat(123)}orgx`;
  expect(address).toHaveLength(254);
  expect(readEmailAddress(address)).toBe(address);
});
