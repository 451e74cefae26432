// A sign-in takes the time of a hash, and an account may change meanwhile: the password that was right is none
// any more, or the user is gone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthProject, openAuthProject, password, type Reply, signUp } from './auth-project.js';
import { mailedCode } from './mail-links.js';
import { bearer, textAt } from '../support/replies.js';

let project: AuthProject;
beforeAll(async () => {
  project = await openAuthProject();
});
afterAll(() => project.close());

const chosen = 'another horse';
const workers = 4;

/** The answers to sign-ins with the old password, a few at a time, until `change` is answered. */
async function signInsDuring(email: string, change: Promise<Reply>): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  let isOver = false;
  const over = change.finally(() => {
    isOver = true;
  });
  const worker = async () => {
    while (!isOver) {
      replies.push(await project.post('/sign-in/email', { body: { email, password } }));
    }
  };
  await Promise.all([over, ...Array.from({ length: workers }, worker)]);
  return replies;
}

/** How many of the sign-ins gave a session that is accepted now. */
async function liveAmong(replies: readonly Reply[]): Promise<number> {
  const tokens = replies
    .filter(({ status }) => status === 200)
    .map(({ body }) => textAt(body, 'token'));
  const found = await Promise.all(
    tokens.map((token) => project.get('/get-session', { headers: bearer(token) })),
  );
  return found.filter(({ body }) => body !== null).length;
}

const rounds = Array.from({ length: 6 }, (_, round) => round);

test.each(rounds)('a reset leaves no session by the old password, time %i', async (round) => {
  const email = `ada${round}@example.com`;
  await signUp(project, email);
  await project.post('/email-otp/request-password-reset', { body: { email } });
  const body = { email, otp: mailedCode(project, email), password: chosen };
  const reset = project.post('/email-otp/reset-password', { body });
  const replies = await signInsDuring(email, reset);
  expect((await reset).status).toBe(200);
  expect(replies.every(({ status }) => status === 200 || status === 401)).toBe(true);
  expect(await liveAmong(replies)).toBe(0);
});

test.each(rounds)('nor does a change that ends sessions, time %i', async (round) => {
  const email = `bea${round}@example.com`;
  const own = textAt((await signUp(project, email)).body, 'token');
  const change = project.post('/change-password', {
    headers: bearer(own),
    body: { currentPassword: password, newPassword: chosen, revokeOtherSessions: true },
  });
  const replies = await signInsDuring(email, change);
  const changed = await change;
  expect(changed.status).toBe(200);
  expect(await liveAmong(replies)).toBe(0);
  const kept = await project.get('/get-session', {
    headers: bearer(textAt(changed.body, 'token')),
  });
  expect(kept.body).not.toBeNull();
});
