import { expect, test } from 'vitest';
import { assertFreeToName, newRef } from './ref.js';

test.each([
  { name: 'letters and digits', ref: 'shop2', allowed: true },
  { name: 'the shortest', ref: 'abc', allowed: true },
  { name: 'the longest', ref: 'a'.repeat(31), allowed: true },
  { name: 'too short', ref: 'ab', allowed: false },
  { name: 'too long', ref: 'a'.repeat(32), allowed: false },
  { name: 'a digit first', ref: '1abc', allowed: false },
  { name: 'upper case', ref: 'Shop', allowed: false },
  { name: 'a hyphen', ref: 'my-shop', allowed: false },
  { name: 'a quote', ref: 'a"b', allowed: false },
  { name: 'a line break at the end', ref: 'shop\n', allowed: false },
  { name: 'a host of the platform', ref: 'console', allowed: false },
  { name: 'a role of the cluster', ref: 'authenticated', allowed: false },
  { name: 'the name of the platform with more', ref: 'rowhouse2', allowed: false },
])('$name: allowed is $allowed', ({ ref, allowed }) => {
  const attempt = (): void => assertFreeToName(ref);
  if (allowed) expect(attempt).not.toThrow();
  else expect(attempt).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
});

test('generated refs are allowed and differ', () => {
  const refs = Array.from({ length: 50 }, newRef);
  for (const ref of refs) expect(() => assertFreeToName(ref)).not.toThrow();
  expect(new Set(refs).size).toBe(refs.length);
});
