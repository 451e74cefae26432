import { describe, expect, test } from 'vitest';
import { TOTP, URI } from 'otpauth';
import { newTotpSecret, stepsOfCode, totpUri } from './totp.js';

// The secret of RFC 6238 appendix B in base32; its codes there have eight digits, of which these are the last.
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  { seconds: 59, code: '287082' },
  { seconds: 1_111_111_109, code: '081804' },
  { seconds: 1_111_111_111, code: '050471' },
  { seconds: 1_234_567_890, code: '005924' },
  { seconds: 2_000_000_000, code: '279037' },
  { seconds: 20_000_000_000, code: '353130' },
])('the code at second $seconds is that of RFC 6238', ({ seconds, code }) => {
  expect(stepsOfCode(rfcSecret, code, seconds * 1000)).toContain(Math.floor(seconds / 30));
});

describe('a code of another implementation', () => {
  const secret = newTotpSecret();
  const nowMs = 1_700_000_010_000;
  const app = URI.parse(totpUri({ secret, issuer: 'a: b', account: 'ü@x.org' }));
  if (!(app instanceof TOTP)) throw new Error('the address is not one of TOTP');

  test('is read from the address with its names', () => {
    expect(app).toMatchObject({ issuer: 'a  b', label: 'ü@x.org', digits: 6, period: 30 });
    expect(app.secret.base32).toBe(secret);
  });

  test.each([
    { name: 'now', offset: 0, fits: true },
    { name: 'of the step before', offset: -30, fits: true },
    { name: 'of the step after', offset: 30, fits: true },
    { name: 'of two steps before', offset: -60, fits: false },
    { name: 'of two steps after', offset: 60, fits: false },
  ])('$name: fits is $fits', ({ offset, fits }) => {
    const timestamp = nowMs + offset * 1000;
    const steps = stepsOfCode(secret, app.generate({ timestamp }), nowMs);
    expect(steps.includes(Math.floor(timestamp / 30_000))).toBe(fits);
  });
});

test.each(['', '12345', '1234567', '１２３４５６', 'abcdef', '12345\n'])(
  '%j is no code',
  (code) => {
    expect(stepsOfCode(rfcSecret, code, 0)).toEqual([]);
  },
);

test('secrets have 160 bits in base32 and differ', () => {
  const secrets = Array.from({ length: 50 }, newTotpSecret);
  expect(secrets.every((secret) => /^[A-Z2-7]{32}$/.test(secret))).toBe(true);
  expect(new Set(secrets).size).toBe(50);
});
