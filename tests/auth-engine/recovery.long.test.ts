import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openAuthProject,
  password,
  signUp,
  storedIdentifier,
  type Ask,
  type AuthProject,
  type Reply,
} from './auth-project.js';
import { EVIL_TARGETS, lastMail, mailedCode, mailedPath, wrongCode } from './mail-links.js';
import { at, bearer, textAt } from '../support/replies.js';

const site = 'https://app.example.com';
const settings = { 'auth.urls': { siteUrl: site } };
const chosen = 'another horse';

function signIn(project: AuthProject, email: string, secret: string): Promise<Reply> {
  return project.post('/sign-in/email', { body: { email, password: secret } });
}

async function askByLink(project: AuthProject, email: string): Promise<string> {
  const body = { email, redirectTo: `${site}/reset` };
  expect((await project.post('/request-password-reset', { body })).status).toBe(200);
  const opened = await project.get(mailedPath(project, email));
  const target = new URL(opened.headers.get('location') ?? '');
  expect([opened.status, target.origin, target.pathname]).toEqual([302, site, '/reset']);
  return target.searchParams.get('token') ?? '';
}

async function askByCode(project: AuthProject, email: string): Promise<string> {
  const reply = await project.post('/email-otp/request-password-reset', { body: { email } });
  expect([reply.status, reply.body]).toEqual([200, { success: true }]);
  return mailedCode(project, email);
}

const WAYS = [
  {
    name: 'a link',
    request: '/request-password-reset',
    reset: async (project: AuthProject, email: string, ask: Ask = {}): Promise<Reply> => {
      const token = await askByLink(project, email);
      return project.post('/reset-password', { ...ask, body: { newPassword: chosen, token } });
    },
  },
  {
    name: 'a code',
    request: '/email-otp/request-password-reset',
    reset: async (project: AuthProject, email: string, ask: Ask = {}): Promise<Reply> => {
      const otp = await askByCode(project, email);
      const body = { email, otp, password: chosen };
      return project.post('/email-otp/reset-password', { ...ask, body });
    },
  },
] as const;

describe.each(WAYS)('a reset by $name', ({ name, request, reset }) => {
  const address = (what: string): string => `${what}-${name.replace(' ', '-')}@example.com`;
  const events: unknown[][] = [];
  let project: AuthProject;
  beforeAll(async () => {
    const emit = async (...event: unknown[]): Promise<void> => void events.push(event);
    project = await openAuthProject({ settings, hooks: { emit } });
  });
  afterAll(() => project.close());

  test('gives a new password, ends every session, proves the address and is told', async () => {
    const email = address('ada');
    const token = textAt((await signUp(project, email)).body, 'token');
    expect((await reset(project, email)).status).toBe(200);
    expect((await signIn(project, email, password)).status).toBe(401);
    const session = await project.get('/get-session', { headers: bearer(token) });
    expect(session.body).toBeNull();
    const fresh = await signIn(project, email, chosen);
    expect([fresh.status, at(fresh.body, 'user', 'emailVerified')]).toEqual([200, true]);
    expect(lastMail(project, email).kind).toBe('passwordChanged');
    const changed = events.filter(([type]) => type === 'password.changed');
    expect(changed.at(-1)).toEqual(['password.changed', { userId: at(fresh.body, 'user', 'id') }]);
  });

  test('gives the first password to an account without one', async () => {
    const email = address('first');
    const body = { email, type: 'sign-in' };
    await project.post('/email-otp/send-verification-otp', { body });
    const otp = mailedCode(project, email);
    await project.post('/sign-in/email-otp', { body: { email, otp } });
    expect((await reset(project, email)).status).toBe(200);
    expect((await signIn(project, email, chosen)).status).toBe(200);
  });

  test('answers for an unknown address as for a known one', async () => {
    const known = address('known');
    await signUp(project, known);
    const seen = [];
    for (const email of [known, address('unknown')]) {
      // One after the other, so that each gets its own mail.
      const asked = await project.post(request, { body: { email, ...forLink(request) } });
      const guesses = [];
      for (let index = 0; index < 5; index += 1) {
        const guess = { email, otp: '000', password: chosen };
        const reply = await project.post('/email-otp/reset-password', { body: guess });
        guesses.push([reply.status, reply.body]);
      }
      seen.push([asked.status, asked.body, guesses]);
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(project.mails.some(({ to }) => to === address('unknown'))).toBe(false);
  });

  test.each([
    { what: 'a weak password', secret: '1234567', code: 'PASSWORD_TOO_SHORT' },
    { what: 'a long password', secret: 'x'.repeat(129), code: 'PASSWORD_TOO_LONG' },
  ])('refuses $what and can be tried again', async ({ secret, code }) => {
    const email = address(`weak-${secret.length}`);
    await signUp(project, email);
    const byLink = request === '/request-password-reset';
    const proof = byLink ? await askByLink(project, email) : await askByCode(project, email);
    const attempt = (next: string): Promise<Reply> =>
      byLink
        ? project.post('/reset-password', { body: { newPassword: next, token: proof } })
        : project.post('/email-otp/reset-password', {
            body: { email, otp: proof, password: next },
          });
    const refused = await attempt(secret);
    expect([refused.status, at(refused.body, 'code')]).toEqual([400, code]);
    expect((await signIn(project, email, password)).status).toBe(200);
    expect((await attempt(chosen)).status).toBe(200);
  });

  test.each(['15550000@phone.local', 'x@anonymous.local'])('is not for %s', async (email) => {
    const reply = await project.post(request, { body: { email, ...forLink(request) } });
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'INVALID_INPUT']);
  });

  test('is not there without passwords', async () => {
    const via = await project.rebuild({ 'auth.methods.emailPassword': { enabled: false } });
    const reply = await project.post(request, { via, body: { email: address('off') } });
    expect(reply.status).toBe(404);
  });
});

function forLink(request: string): object {
  return request === '/request-password-reset' ? { redirectTo: `${site}/reset` } : {};
}

describe('what a reset is proven by', () => {
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject({ settings });
  });
  afterAll(() => project.close());

  test('a link works once, also when it is used at the same moment', async () => {
    const email = 'once@example.com';
    await signUp(project, email);
    const token = await askByLink(project, email);
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        project.post('/reset-password', { body: { newPassword: `${chosen} ${index}`, token } }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a link that is opened is not used up', async () => {
    const email = 'opened@example.com';
    await signUp(project, email);
    const token = await askByLink(project, email);
    await project.get(mailedPath(project, email));
    const reply = await project.post('/reset-password', { body: { newPassword: chosen, token } });
    expect(reply.status).toBe(200);
  });

  test('the table does not show the token of a link', async () => {
    const email = 'digest@example.com';
    await signUp(project, email);
    const token = await askByLink(project, email);
    const rows = JSON.stringify(await project.sql('select * from auth.verification'));
    expect(token).not.toBe('');
    expect(rows).not.toContain(token);
  });

  test('a code is guessed three times at most', async () => {
    const email = 'guess@example.com';
    await signUp(project, email);
    const otp = await askByCode(project, email);
    await Promise.all(
      Array.from({ length: 20 }, () =>
        project.post('/email-otp/reset-password', {
          body: { email, otp: wrongCode(otp), password: chosen },
        }),
      ),
    );
    const rows = await project.sql(
      `select split_part(value, ':', 2)::int as used from auth.verification where identifier = $1`,
      [storedIdentifier(`forget-password-otp-${email}`)],
    );
    expect(rows.every(({ used }) => Number(used) <= 3)).toBe(true);
    expect((await signIn(project, email, password)).status).toBe(200);
  });

  test('a code to sign in resets nothing', async () => {
    const email = 'other@example.com';
    await signUp(project, email);
    const body = { email, type: 'sign-in' };
    await project.post('/email-otp/send-verification-otp', { body });
    const otp = mailedCode(project, email);
    const reply = await project.post('/email-otp/reset-password', {
      body: { email, otp, password: chosen },
    });
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'INVALID_OTP']);
  });

  test.each(EVIL_TARGETS)('a link does not lead to %s', async (target) => {
    const email = 'evil@example.com';
    const body = { email, redirectTo: target };
    const asked = await project.post('/request-password-reset', { body });
    expect([asked.status, at(asked.body, 'code')]).toEqual([403, 'INVALID_REDIRECT_URL']);
    const opened = await project.get(`/reset-password/x?callbackURL=${encodeURIComponent(target)}`);
    expect([opened.status, opened.headers.get('location')]).toEqual([403, null]);
  });

  test('a link leads to the project, whatever host the request names', async () => {
    const email = 'host@example.com';
    await signUp(project, email);
    await project.post('/request-password-reset', {
      url: 'http://evil.example',
      headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
      body: { email, redirectTo: `${site}/reset` },
    });
    expect(textAt(lastMail(project, email).values, 'url')).toMatch(
      /^http:\/\/abc\.localhost:8000\/api\/auth\/reset-password\//,
    );
  });

  test('a link needs a page that it leads to', async () => {
    const via = await project.rebuild({});
    const body = { email: 'page@example.com' };
    const reply = await project.post('/request-password-reset', { via, body });
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'INVALID_INPUT']);
  });
});
