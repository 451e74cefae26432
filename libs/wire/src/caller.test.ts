import { expect, test } from 'vitest';

import { adminStanding, type Caller } from './caller.js';

const user = { id: 'u1', email: 'u@example.org', isAnonymous: false };
const admin = { ...user, role: 'ADMIN' };
const operator = { operatorId: 'o1', email: 'o@example.org', capabilities: [] };

const lowered = { ...admin, lacksSecondFactor: true } as const;

const callers: { name: string; caller: Caller; expected: ReturnType<typeof adminStanding> }[] = [
  {
    name: 'a signed-out caller',
    caller: { role: 'anon', via: 'none' },
    expected: 'no-admin',
  },
  {
    name: 'the secret key',
    caller: { role: 'service_role', via: 'secret-key' },
    expected: 'admin',
  },
  {
    name: 'an operator',
    caller: { role: 'service_role', via: 'operator', operator },
    expected: 'admin',
  },
  {
    name: 'a signed-in administrator',
    caller: { role: 'authenticated', via: 'session', user: admin },
    expected: 'admin',
  },
  {
    name: 'an administrator who has a second factor and has not given it',
    caller: { role: 'authenticated', via: 'session', user: lowered },
    expected: 'lacks-second-factor',
  },
  {
    name: 'another signed-in user',
    caller: { role: 'authenticated', via: 'session', user: { ...user, role: 'USER' } },
    expected: 'no-admin',
  },
  {
    name: 'another user who has not given the second factor',
    caller: { role: 'authenticated', via: 'session', user: { ...lowered, role: 'USER' } },
    expected: 'no-admin',
  },
  {
    name: "an administrator's API key",
    caller: { role: 'authenticated', via: 'api-key', user: admin },
    expected: 'no-admin',
  },
];
test.each(callers)('$name: $expected', ({ caller, expected }) => {
  expect(adminStanding(caller, { asksSecondFactor: true })).toBe(expected);
});

test('nobody lacks a second factor where the project has none', () => {
  const caller: Caller = { role: 'authenticated', via: 'session', user: lowered };
  expect(adminStanding(caller, { asksSecondFactor: false })).toBe('admin');
});
