import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAuthProject, signUp, type AuthProject } from './auth-project.js';
import { at } from '../support/replies.js';

let project: AuthProject;
beforeAll(async () => {
  project = await openAuthProject({ canMail: () => false });
  await signUp(project, 'known@example.com');
});
afterAll(() => project.close());

test.each([
  { path: '/sign-in/magic-link', body: {} },
  { path: '/email-otp/send-verification-otp', body: { type: 'sign-in' } },
  { path: '/email-otp/send-verification-otp', body: { type: 'forget-password' } },
  { path: '/email-otp/request-password-reset', body: {} },
  { path: '/request-password-reset', body: { redirectTo: '/reset' } },
  { path: '/send-verification-email', body: {} },
])(
  'without a way to send mail every address is refused alike: $path $body',
  async ({ path, body }) => {
    const replies = await Promise.all(
      ['known@example.com', 'unknown@example.com'].map((email) =>
        project.post(path, { body: { email, ...body } }),
      ),
    );
    for (const reply of replies) {
      expect([reply.status, at(reply.body, 'code')]).toEqual([503, 'EMAIL_NOT_CONFIGURED']);
    }
    expect(project.mails).toHaveLength(0);
  },
);
