import { expect, test } from 'vitest';
import { withoutSecrets } from './without-secrets.js';

test.each([
  {
    name: 'a text under the name of a secret is left out',
    value: { password: 'x' },
    shown: { password: '[left out]' },
  },
  {
    name: 'names are compared without case and underscores',
    value: { SMTP_api_key: 'x' },
    shown: { SMTP_api_key: '[left out]' },
  },
  {
    name: 'nested values are searched',
    value: { a: [{ clientSecret: 'x' }] },
    shown: { a: [{ clientSecret: '[left out]' }] },
  },
  {
    name: 'the sentinel stays',
    value: { password: '__SECRET_SET__' },
    shown: { password: '__SECRET_SET__' },
  },
  {
    name: 'numbers and flags stay',
    value: { minPassword: 8, hasSecret: true },
    shown: { minPassword: 8, hasSecret: true },
  },
  {
    name: 'other texts stay',
    value: { host: 'mail.test', tokenType: 'x' },
    shown: { host: 'mail.test', tokenType: 'x' },
  },
  { name: 'null stays', value: null, shown: null },
])('$name', ({ value, shown }) => {
  expect(withoutSecrets(value)).toEqual(shown);
});
