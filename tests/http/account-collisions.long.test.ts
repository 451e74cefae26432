// Two changes of one account at the same moment take the same locks in the same order: the second waits for the
// end of the first, and the database gives neither up. A third hand holds a row so that they surely meet.
import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';

import { waitFor } from '#libs/testing';
import { Deployment, testDatabaseUrl } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import { makeSignedIn, rowsOf, signIn, usersPath } from './administration.js';

let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.asService({
    method: 'PUT',
    path: '/api/admin/settings/security.rateLimit',
    body: { enabled: false },
  });
});
afterAll(() => deployment.close());

const admin = (id: string, path: string, body?: object): Promise<Reply> =>
  project.asService({ method: 'POST', path: `${usersPath}/${id}/${path}`, body });

const changePassword = (user: SignedIn): Promise<Reply> =>
  project.as(user, {
    method: 'POST',
    path: '/api/auth/change-password',
    body: {
      currentPassword: userPassword,
      newPassword: `${userPassword} new`,
      revokeOtherSessions: true,
    },
  });

const mailsTo = (email: string) =>
  rowsOf(project, 'select text from platform.inbox where recipient = $1 order by id desc limit 1', [
    email,
  ]);

async function resetByCode(user: SignedIn): Promise<Reply> {
  const { email } = user;
  const [mail] = await mailsTo(email);
  const otp = /\b\d{6}\b/.exec(String(mail?.['text']))?.[0];
  return project.send({
    method: 'POST',
    path: '/api/auth/email-otp/reset-password',
    body: { email, otp, password: `${userPassword} reset` },
  });
}

const deleteSelf = (user: SignedIn): Promise<Reply> =>
  project.as(user, {
    method: 'POST',
    path: '/api/auth/delete-user',
    body: { password: userPassword },
  });

const removeByAdmin = (user: SignedIn): Promise<Reply> =>
  project.asService({ method: 'DELETE', path: `${usersPath}/${user.id}` });

const deactivate = (user: SignedIn): Promise<Reply> => admin(user.id, 'deactivate');

const newPassword = (user: SignedIn): Promise<Reply> =>
  admin(user.id, 'reset-password', { password: `${userPassword} given` });

/** The row that is held while the two changes begin. */
const held = {
  user: 'select from auth."user" where id = $1 for update',
  account: 'select from auth.account where "userId" = $1 for update',
  'newest session': `select from auth.session where id =
    (select id from auth.session where "userId" = $1 order by "createdAt" desc limit 1) for update`,
} as const;

const meetings: readonly {
  readonly first: (user: SignedIn) => Promise<Reply>;
  readonly second: (user: SignedIn) => Promise<Reply>;
  readonly holding: keyof typeof held;
}[] = [
  { first: changePassword, second: deactivate, holding: 'account' },
  { first: changePassword, second: newPassword, holding: 'account' },
  { first: changePassword, second: removeByAdmin, holding: 'account' },
  { first: changePassword, second: deleteSelf, holding: 'account' },
  { first: deleteSelf, second: resetByCode, holding: 'account' },
  { first: deactivate, second: resetByCode, holding: 'user' },
  { first: newPassword, second: resetByCode, holding: 'newest session' },
  { first: resetByCode, second: removeByAdmin, holding: 'newest session' },
  { first: resetByCode, second: deleteSelf, holding: 'newest session' },
];

test.each(meetings.map((each) => ({ ...each, names: [each.first.name, each.second.name] })))(
  '$names.0, then $names.1, at the $holding',
  async ({ first, second, holding, names }) => {
    const user = await personWithCode(`${names.join('-').toLowerCase()}@example.org`);
    const url = new URL(testDatabaseUrl());
    url.pathname = `/${project.database}`;
    const hand = new pg.Client(url.href);
    await hand.connect();
    try {
      await hand.query('begin');
      await hand.query(held[holding], [user.id]);
      const changes = [first(user)];
      await waiting(1);
      changes.push(second(user));
      await waiting(2);
      await hand.query('commit');
      const replies = await Promise.all(changes);
      const collided = replies.filter(
        ({ status, text }) => status >= 500 || /40P01|CONCURRENT_CHANGE/.test(text),
      );
      expect(collided.map(({ text }) => text)).toEqual([]);
      // What came first was done, and its answer says so whatever came next.
      expect(replies[0]?.status).toBeLessThan(300);
    } finally {
      await hand.end();
    }
  },
);

/** Resolves when so many transactions of the project wait for a row. */
async function waiting(count: number): Promise<void> {
  await waitFor(async () => {
    const rows = await rowsOf(
      project,
      `select pid from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length === count;
  });
}

/** A user with several sessions, so that a change holds one row of them and waits for another. */
async function personWithCode(email: string): Promise<SignedIn> {
  const user = await makeSignedIn(project, email);
  for (let count = 0; count < 2; count += 1) await signIn(project, email, userPassword);
  await project.send({
    method: 'POST',
    path: '/api/auth/email-otp/request-password-reset',
    body: { email },
  });
  // Mails are written after the answer.
  await waitFor(async () => (await mailsTo(email)).length > 0);
  return user;
}
