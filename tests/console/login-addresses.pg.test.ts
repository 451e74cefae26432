// Sign-in looks up the address that is stored: an address that could be stored once is not refused for its form.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type TestConsole } from './console-under-test.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startConsole();
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

const login = (email: unknown, password: string) =>
  site.call('POST', '/platform/login', { body: { email, password } });

test.each([
  { name: 'a quoted part', email: '"ada lovelace"@test.example' },
  { name: 'a quoted part with an @', email: '"ada@home"@test.example' },
  { name: 'a host without a dot', email: 'ada@localhost' },
  { name: 'letters of any script', email: 'ädä@test.example' },
  { name: 'an address literal', email: 'ada@[192.0.2.1]' },
  { name: 'the form of names in the auth engine', email: '616461@address.invalid' },
])('an operator signs in with $name', async ({ email }) => {
  const { password } = await site.addOperator(email);
  const token = await site.signIn(email.toUpperCase(), password);
  const seen = await site.call('GET', '/admin/session', { token });
  expect(seen.body.operator).toMatchObject({ email });
  expect(await login(email, 'a wrong password')).toMatchObject({ status: 401 });
});

test('an operator signs in with a domain beyond ASCII, and with it in its ASCII form', async () => {
  const { email, password } = await site.addOperator('new@xn--tst-qla.example');
  for (const typed of ['New@TÄST.example', email]) {
    const token = await site.signIn(typed, password);
    const seen = await site.call('GET', '/admin/session', { token });
    expect(seen.body.operator).toMatchObject({ email });
  }
  // One who was stored in the other form before is that operator.
  const old = await site.addOperator('new@täst.example');
  const token = await site.signIn(old.email, old.password);
  const seen = await site.call('GET', '/admin/session', { token });
  expect(seen.body.operator).toMatchObject({ email: old.email });
});

test.each([
  { name: 'nothing', email: '' },
  { name: 'a word', email: 'ada' },
  { name: 'more than 254 characters', email: `${'a'.repeat(9_000)}@test.example` },
])('$name is a failed sign-in like that of an unknown address', async ({ email }) => {
  const shown = [await login('unknown@test.example', 'x'), await login(email, 'x')].map(
    ({ status, body }) => ({ status, ...body, requestId: '' }),
  );
  expect(shown[0]).toMatchObject({ status: 401, code: 'INVALID_CREDENTIALS' });
  expect(shown[1]).toEqual(shown[0]);
});
