// Under which word requests about an address are counted.
import { expect, test } from 'vitest';

import { countedAddress } from './counted-address.js';

test.each([
  { name: 'a plain address', text: 'ada@example.org', counted: 'ada@example.org' },
  { name: 'capitals and spaces', text: ' Ada@Example.ORG ', counted: 'ada@example.org' },
  {
    name: 'a domain beyond ASCII',
    text: 'ada@bücher.example',
    counted: 'ada@xn--bcher-kva.example',
  },
  { name: 'it in ASCII', text: 'ada@XN--BCHER-KVA.example', counted: 'ada@xn--bcher-kva.example' },
  { name: 'letters of full width', text: 'ada@ｅxample。org', counted: 'ada@example.org' },
  { name: 'a final dot', text: 'ada@example.org.', counted: 'ada@example.org' },
  { name: 'an @ in quotes', text: '"a@b"@ｅxample.org', counted: '"a@b"@example.org' },
  { name: 'a phone number', text: '+15550001111', counted: '+15550001111' },
  { name: 'a user name', text: 'Ada.Ｌ', counted: 'ada.ｌ' },
  { name: 'a domain that is none', text: 'ada@EX AMPLE', counted: 'ada@ex ample' },
  { name: 'no domain', text: 'ada@', counted: 'ada@' },
])('$name: $counted', ({ text, counted }) => {
  expect(countedAddress(text)).toBe(counted);
});

test('a long one is cut off', () => {
  expect(countedAddress('x'.repeat(5_000))).toHaveLength(320);
});
