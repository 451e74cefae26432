import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAuthProject, signUp, type AuthProject } from './auth-project.js';
import { at, bearer, textAt } from '../support/replies.js';

let project: AuthProject;
beforeAll(async () => {
  project = await openAuthProject({
    settings: {
      'auth.phoneOtp': { enabled: true },
      'auth.methods.anonymous': { enabled: true },
    },
  });
});
afterAll(() => project.close());

let lastNumber = 15551240000;
const newNumber = (): string => `+${(lastNumber += 1)}`;

async function prove(phoneNumber: string, token?: string) {
  const headers = token === undefined ? {} : bearer(token);
  await project.post('/phone-number/send-otp', { body: { phoneNumber }, headers });
  return project.post('/phone-number/verify', {
    body: {
      phoneNumber,
      code: project.texts.at(-1)?.code,
      ...(token !== undefined && { updatePhoneNumber: true }),
    },
    headers,
  });
}

async function userOf(id: string) {
  const rows = await project.sql('select * from auth."user" where id = $1', [id]);
  return rows[0];
}

test('a signed-in user gets the number that it proves, and keeps session and address', async () => {
  const { body } = await signUp(project, 'change@example.com');
  const phoneNumber = newNumber();
  const reply = await prove(phoneNumber, textAt(body, 'token'));
  expect([reply.status, at(reply.body, 'token')]).toEqual([200, textAt(body, 'token')]);
  expect(project.texts.at(-1)?.kind).toBe('verifyPhone');
  expect(await userOf(textAt(body, 'user', 'id'))).toMatchObject({
    phoneNumber,
    phoneNumberVerified: true,
    email: 'change@example.com',
  });
});

test('the number then signs in to the same account', async () => {
  const { body } = await signUp(project, 'same@example.com');
  const phoneNumber = newNumber();
  await prove(phoneNumber, textAt(body, 'token'));
  expect(at((await prove(phoneNumber)).body, 'user', 'id')).toBe(at(body, 'user', 'id'));
});

test('without a session no number is changed, and the code is not used up', async () => {
  const phoneNumber = newNumber();
  await project.post('/phone-number/send-otp', { body: { phoneNumber } });
  const code = project.texts.at(-1)?.code;
  const body = { phoneNumber, code, updatePhoneNumber: true };
  expect((await project.post('/phone-number/verify', { body })).status).toBe(401);
  const signIn = await project.post('/phone-number/verify', { body: { phoneNumber, code } });
  expect(signIn.status).toBe(200);
});

test('the number of somebody else is refused', async () => {
  const phoneNumber = newNumber();
  const owner = await prove(phoneNumber);
  const { body } = await signUp(project, 'taker@example.com');
  const reply = await prove(phoneNumber, textAt(body, 'token'));
  expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'PHONE_NUMBER_EXIST']);
  expect(await userOf(textAt(body, 'user', 'id'))).toMatchObject({ phoneNumber: null });
  expect(await userOf(textAt(owner.body, 'user', 'id'))).toMatchObject({ phoneNumber });
});

test('an old number is free for whoever has it next', async () => {
  const [old, next] = [newNumber(), newNumber()];
  const first = await prove(old);
  await prove(next, textAt(first.body, 'token'));
  expect(await userOf(textAt(first.body, 'user', 'id'))).toMatchObject({
    phoneNumber: next,
    email: `${next.slice(1)}@phone.local`,
  });
  const second = await prove(old);
  expect(second.status).toBe(200);
  expect(at(second.body, 'user', 'id')).not.toBe(at(first.body, 'user', 'id'));
});

test('a guest who proves a number is permanent, under the same id', async () => {
  const guest = await project.post('/sign-in/anonymous', { body: {} });
  const phoneNumber = newNumber();
  const reply = await prove(phoneNumber, textAt(guest.body, 'token'));
  expect(at(reply.body, 'user')).toMatchObject({
    id: at(guest.body, 'user', 'id'),
    is_anonymous: false,
    phoneNumber,
  });
});

test('a number that came unproven, as by an import, is proven by its first sign-in', async () => {
  const phoneNumber = newNumber();
  const { body } = await signUp(project, 'imported@example.com');
  await project.sql(
    'update auth."user" set "phoneNumber" = $2, "phoneNumberVerified" = false where id = $1',
    [textAt(body, 'user', 'id'), phoneNumber],
  );
  const reply = await prove(phoneNumber);
  expect(at(reply.body, 'user', 'id')).toBe(at(body, 'user', 'id'));
  expect(await userOf(textAt(body, 'user', 'id'))).toMatchObject({ phoneNumberVerified: true });
});
