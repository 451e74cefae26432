import { expect, test } from 'vitest';
import { isSigningSecret } from './signing-secret.js';

const bytes = (count: number) => Buffer.alloc(count, 7).toString('base64');

test.each([
  { name: '24 bytes', text: `whsec_${bytes(24)}`, is: true },
  { name: '32 bytes, padded', text: `whsec_${bytes(32)}`, is: true },
  { name: '32 bytes without padding', text: `whsec_${bytes(32).replaceAll('=', '')}`, is: true },
  { name: '64 bytes', text: `whsec_${bytes(64)}`, is: true },
  { name: '23 bytes', text: `whsec_${bytes(23)}`, is: false },
  { name: '65 bytes', text: `whsec_${bytes(65)}`, is: false },
  { name: 'no prefix', text: bytes(32), is: false },
  { name: 'no base64', text: 'whsec_not a secret that anybody should use!', is: false },
  { name: 'half a character', text: `whsec_${bytes(24)}A`, is: false },
])('$name: $is', ({ text, is }) => {
  expect(isSigningSecret(text)).toBe(is);
});
