// Somebody signs up with an address that is not theirs and proves a phone of their own. When the owner of the
// address comes, the phone must open nothing any more.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { at, bearer, openAuthProject, signUp, textAt, type AuthProject } from './auth-project.js';

let project: AuthProject;
beforeAll(async () => {
  project = await openAuthProject({ settings: { 'auth.phoneOtp': { enabled: true } } });
});
afterAll(() => project.close());

const phoneNumber = '+15552010123';
const owner = 'owner@example.com';

async function codeToPhone(): Promise<string> {
  const sent = await project.post('/phone-number/send-otp', { body: { phoneNumber } });
  expect(sent.status).toBe(200);
  return project.texts.at(-1)?.code ?? '';
}

test('a phone that was proven before the owner of the address came opens another account', async () => {
  const token = textAt((await signUp(project, owner)).body, 'token');
  const linked = await project.post('/phone-number/verify', {
    body: { phoneNumber, code: await codeToPhone(), updatePhoneNumber: true },
    headers: bearer(token),
  });
  expect(linked.status).toBe(200);

  await project.post('/email-otp/send-verification-otp', {
    body: { email: owner, type: 'sign-in' },
  });
  const otp = String(project.mails.at(-1)?.values['code']);
  const signedIn = await project.post('/sign-in/email-otp', { body: { email: owner, otp } });
  expect(signedIn.status).toBe(200);

  const byPhone = await project.post('/phone-number/verify', {
    body: { phoneNumber, code: await codeToPhone() },
  });
  expect(byPhone.status).toBe(200);
  expect(at(byPhone.body, 'user', 'id')).not.toBe(at(signedIn.body, 'user', 'id'));
});
