import { expect, test } from '@jest/globals';

import { type Caller, isAdmin } from './caller.js';

const user = { id: 'u1', email: 'u@example.org', isAnonymous: false };
const admin = { ...user, role: 'ADMIN' };
const operator = { operatorId: 'o1', email: 'o@example.org', capabilities: [] };

const callers: { name: string; caller: Caller; expected: boolean }[] = [
  { name: 'a signed-out caller', caller: { role: 'anon', via: 'none' }, expected: false },
  {
    name: 'the secret key',
    caller: { role: 'service_role', via: 'secret-key' },
    expected: true,
  },
  {
    name: 'an operator',
    caller: { role: 'service_role', via: 'operator', operator },
    expected: true,
  },
  {
    name: 'a signed-in administrator',
    caller: { role: 'authenticated', via: 'session', user: admin },
    expected: true,
  },
  {
    name: 'another signed-in user',
    caller: { role: 'authenticated', via: 'session', user: { ...user, role: 'USER' } },
    expected: false,
  },
  {
    name: "an administrator's API key",
    caller: { role: 'authenticated', via: 'api-key', user: admin },
    expected: false,
  },
];
test.each(callers)('$name administers the project: $expected', ({ caller, expected }) => {
  expect(isAdmin(caller)).toBe(expected);
});
