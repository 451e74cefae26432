import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAuthProject, password, signUp, type AuthProject, type Reply } from './auth-project.js';
import { EVIL_TARGETS, lastMail, mailedPath, press } from './mail-links.js';
import { at } from '../support/replies.js';

const site = 'https://app.example.com';
const settings = {
  'auth.urls': { siteUrl: site },
  'auth.methods.emailPassword': { requireEmailVerification: true },
};

function signUpWith(project: AuthProject, body: object): Promise<Reply> {
  return project.post('/sign-up/email', { body: { password, ...body } });
}

function signIn(project: AuthProject, email: string): Promise<Reply> {
  return project.post('/sign-in/email', { body: { email, password } });
}

/** An answer without what every answer has anew. */
function shape(reply: Reply): unknown {
  const { headers, ...rest } = reply;
  const text = JSON.stringify(rest, (key, value: unknown) =>
    ['id', 'createdAt', 'updatedAt', 'username', 'email'].includes(key) ? typeof value : value,
  );
  return [headers.getSetCookie(), headers.get('set-auth-token'), JSON.parse(text)];
}

describe('an address that must be proven', () => {
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject({
      settings,
      hooks: {
        signUp: async () => ({ app_metadata: { plan: 'pro' }, user_metadata: { seen: true } }),
      },
    });
  });
  afterAll(() => project.close());

  test('gives no session until the link in the mail was opened', async () => {
    const email = 'ada@example.com';
    const reply = await signUpWith(project, { email });
    expect([reply.status, at(reply.body, 'token'), reply.headers.getSetCookie()]).toEqual([
      200,
      null,
      [],
    ]);
    const early = await signIn(project, email);
    expect([early.status, at(early.body, 'code')]).toEqual([403, 'EMAIL_NOT_VERIFIED']);
    expect(lastMail(project, email)).toMatchObject({
      kind: 'verifyEmail',
      values: { expiresInMinutes: 1440 },
    });
    const opened = await press(project, mailedPath(project, email));
    expect([opened.status, opened.headers.get('location')]).toEqual([302, site]);
    expect(opened.headers.getSetCookie()).toEqual([]);
    expect((await signIn(project, email)).status).toBe(200);
  });

  describe('by a link that programs open, too', () => {
    const isProven = async (email: string) => {
      const [row] = await project.sql('select "emailVerified" from auth."user" where email = $1', [
        email,
      ]);
      return row?.['emailVerified'];
    };

    test.each([
      { name: 'a bare GET', headers: {} },
      { name: 'a prefetch', headers: { 'sec-purpose': 'prefetch' } },
      { name: 'a navigation', headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' } },
      { name: 'the fetch of a foreign page', headers: { origin: 'https://evil.example' } },
    ])('$name proves nothing and shows a page that asks', async ({ name, headers }) => {
      const email = `${name.replaceAll(' ', '-').toLowerCase()}@example.com`;
      await signUpWith(project, { email });
      const page = await project.get(mailedPath(project, email), { headers });
      if (!('origin' in headers)) {
        expect(page.status).toBe(200);
        expect(page.body).toContain('<form method="post" action="verify-email">');
        expect(page.body).toContain('Confirm your email address');
      }
      expect(await isProven(email)).toBe(false);
      expect((await press(project, mailedPath(project, email))).status).toBe(302);
      expect(await isProven(email)).toBe(true);
    });

    test('a page of a stranger cannot press the button', async () => {
      const email = 'pressed@example.com';
      await signUpWith(project, { email });
      const reply = await press(project, mailedPath(project, email), {
        origin: 'https://evil.example',
      });
      expect([reply.status, await isProven(email)]).toEqual([403, false]);
    });

    test('a page of the application may fetch it, as the published client does', async () => {
      const email = 'fetched@example.com';
      await signUpWith(project, { email });
      await project.get(mailedPath(project, email), { headers: { origin: site } });
      expect(await isProven(email)).toBe(true);
    });
  });

  test('answers for a taken address as for a free one', async () => {
    const taken = await signUpWith(project, { email: 'taken@example.com' });
    const again = await signUpWith(project, { email: 'taken@example.com' });
    const free = await signUpWith(project, { email: 'free@example.com' });
    expect(shape(again)).toEqual(shape(taken));
    expect(shape(free)).toEqual(shape(taken));
    expect(at(again.body, 'user', 'id')).not.toBe(at(taken.body, 'user', 'id'));
    const rows = await project.sql(
      `select app_metadata from auth."user" where email like '%free%'`,
    );
    expect(rows).toEqual([{ app_metadata: { plan: 'pro' } }]);
  });

  test('shows who is refused by the policy', async () => {
    const reply = await signUpWith(project, { email: 'x@phone.local' });
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'INVALID_INPUT']);
  });

  test('gets another mail, and an unknown or proven one the same answer and none', async () => {
    await signUpWith(project, { email: 'resend@example.com' });
    const before = project.mails.length;
    const emails = ['resend@example.com', 'ada@example.com', 'unknown@example.com'];
    const replies = await Promise.all(
      emails.map((email) => project.post('/send-verification-email', { body: { email } })),
    );
    for (const reply of replies)
      expect([reply.status, reply.body]).toEqual([200, { status: true }]);
    expect(project.mails.slice(before).map(({ to }) => to)).toEqual(['resend@example.com']);
  });

  test.each([
    { name: 'no token', token: '', code: 'INVALID_TOKEN' },
    {
      name: 'a token of somebody else',
      token: 'eyJhbGciOiJIUzI1NiJ9.e30.x',
      code: 'INVALID_TOKEN',
    },
    {
      name: 'a token that is not signed',
      token: 'eyJhbGciOiJub25lIn0.e30.',
      code: 'INVALID_TOKEN',
    },
  ])('is not proven by $name', async ({ token, code }) => {
    const reply = await press(project, `/verify-email?token=${token}&callbackURL=${site}`);
    expect(reply.headers.get('location')).toBe(`${site}/?error=${code}`);
  });

  test.each(EVIL_TARGETS)('does not lead to %s', async (target) => {
    const encoded = encodeURIComponent(target);
    const link = `/verify-email?token=x&callbackURL=${encoded}`;
    for (const opened of [await project.get(link), await press(project, link)]) {
      expect([opened.status, opened.headers.get('location')]).toEqual([403, null]);
    }
    const body = { email: 'resend@example.com', callbackURL: target };
    expect((await project.post('/send-verification-email', { body })).status).toBe(403);
    expect((await signUpWith(project, body)).status).toBe(403);
  });
});

describe('an address that need not be proven', () => {
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject({ settings: { 'auth.urls': { siteUrl: site } } });
  });
  afterAll(() => project.close());

  test('is told to be taken, also when two sign up at the same moment', async () => {
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => signUpWith(project, { email: 'race@example.com' })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
    const codes = replies
      .filter(({ status }) => status === 422)
      .map(({ body }) => at(body, 'code'));
    expect(new Set(codes)).toEqual(new Set(['USER_ALREADY_EXISTS']));
  });

  test('gets a mail when one is asked for', async () => {
    const email = 'asks@example.com';
    await signUp(project, email);
    expect(project.mails).toHaveLength(0);
    await project.post('/send-verification-email', { body: { email } });
    expect((await press(project, mailedPath(project, email))).status).toBe(302);
  });

  test.each([
    { path: '/change-email', body: { newEmail: 'new@example.com' } },
    { path: '/email-otp/request-email-change', body: { newEmail: 'new@example.com' } },
    { path: '/email-otp/change-email', body: { newEmail: 'new@example.com', otp: '123456' } },
    { path: '/update-user', body: { email: 'new@example.com' } },
    { path: '/update-user', body: { email: 'new@example.com', name: 'New' } },
  ])('cannot be changed by $path $body', async ({ path, body }) => {
    const reply = await signUp(project, `fixed-${crypto.randomUUID()}@example.com`);
    const headers = { authorization: `Bearer ${String(at(reply.body, 'token'))}` };
    const refused = await project.post(path, { headers, body });
    expect([refused.status, at(refused.body, 'code')]).toEqual([400, 'CHANGE_EMAIL_DISABLED']);
    const anybody = await project.post('/change-email', { body });
    expect(anybody.status).toBe(401);
    const rows = await project.sql(`select from auth."user" where email = 'new@example.com'`);
    expect(rows).toHaveLength(0);
  });
});
