// Somebody signs up with an address that is not theirs and proves a phone of their own. When the owner of the
// address comes, the phone must open nothing any more.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAuthProject, signUp, type AuthProject } from './auth-project.js';
import { at, bearer, textAt } from '../support/replies.js';

let project: AuthProject;
beforeAll(async () => {
  project = await openAuthProject({
    settings: {
      'auth.phoneOtp': { enabled: true },
      'auth.urls': { siteUrl: 'http://localhost:3000' },
    },
  });
});
afterAll(() => project.close());

/** Ways in which the owner of an address comes, each with the mail that only the owner reads. */
const ways = [
  {
    name: 'a code to sign in',
    owner: 'code@example.com',
    phoneNumber: '+15552010123',
    come: async (email: string) => {
      await project.post('/email-otp/send-verification-otp', { body: { email, type: 'sign-in' } });
      const otp = String(project.mails.at(-1)?.values['code']);
      return project.post('/sign-in/email-otp', { body: { email, otp } });
    },
  },
  {
    name: 'a link to reset the password',
    owner: 'link@example.com',
    phoneNumber: '+15552010124',
    come: async (email: string) => {
      const redirectTo = 'http://localhost:3000/reset';
      await project.post('/request-password-reset', { body: { email, redirectTo } });
      const link = new URL(String(project.mails.at(-1)?.values['url']));
      const token = link.pathname.split('/').at(-1);
      const body = { newPassword: 'another long password', token };
      return project.post('/reset-password', { body });
    },
  },
];

test.each(ways)(
  'a phone of before the owner came by $name opens another account',
  async ({ owner, phoneNumber, come }) => {
    const codeToPhone = async () => {
      const sent = await project.post('/phone-number/send-otp', { body: { phoneNumber } });
      expect(sent.status).toBe(200);
      return project.texts.at(-1)?.code ?? '';
    };
    const signedUp = (await signUp(project, owner)).body;
    const linked = await project.post('/phone-number/verify', {
      body: { phoneNumber, code: await codeToPhone(), updatePhoneNumber: true },
      headers: bearer(textAt(signedUp, 'token')),
    });
    expect(linked.status).toBe(200);
    expect((await come(owner)).status).toBe(200);

    const byPhone = await project.post('/phone-number/verify', {
      body: { phoneNumber, code: await codeToPhone() },
    });
    expect(byPhone.status).toBe(200);
    expect(at(byPhone.body, 'user', 'id')).not.toBe(at(signedUp, 'user', 'id'));
  },
);
