import { expect, test } from 'vitest';

import { codeAfter, codeFor } from './authenticator.js';

// The key of RFC 6238, appendix B: the ASCII digits 1 to 0, twice.
const uri =
  'otpauth://totp/Deployment:a@example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Deployment';

test.each([
  { at: 59, code: '287082' },
  { at: 1_111_111_109, code: '081804' },
  { at: 20_000_000_000, code: '353130' },
])('the code at second $at is that of RFC 6238', ({ at, code }) => {
  expect(codeFor(uri, { at: new Date(at * 1000) })).toBe(code);
});

test('digits and period come from the URI', () => {
  const at = new Date(59_000);
  expect(codeFor(`${uri}&digits=8`, { at })).toBe('94287082');
  expect(codeFor(`${uri}&period=59`, { at })).toBe(codeFor(uri, { at: new Date(30_000) }));
});

test('the code of the next step is another one', () => {
  expect(codeAfter(uri, 1)).toMatch(/^\d{6}$/);
  expect(new Set([codeAfter(uri, -1), codeAfter(uri, 1), codeAfter(uri, 2)]).size).toBe(3);
});

test('a counter is refused', () => {
  expect(() => codeFor('otpauth://hotp/a?secret=GEZDGNBVGY3TQOJQ&counter=0')).toThrow('no clock');
});
