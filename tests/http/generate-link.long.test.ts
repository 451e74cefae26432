// Invitations, and links and codes that administrators hand over themselves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Reply } from '../support/http.js';
import { asRecord, Deployment } from '../support/deployment.js';
import { type ProjectUnderTest, userPassword } from '../support/project.js';
import { auditOf, makeUser, rowsOf, trySignIn, userIn, usersPath } from './administration.js';
import { mailedLink } from './complete-project.js';

const site = 'https://app.example.org';
let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await save('security.rateLimit', { enabled: false });
  await save('auth.urls', { siteUrl: site, redirectUrls: ['https://*.preview.example.org'] });
});
afterAll(() => deployment.close());

async function save(group: string, body: object): Promise<void> {
  const path = `/api/admin/settings/${group}`;
  const reply = await project.asService({ method: 'PUT', path, body });
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
}

const post = (path: string, body: unknown) => project.send({ method: 'POST', path, body });
const invite = (body: object, path = usersPath) =>
  project.asService({ method: 'POST', path: `${path}/invite`, body });
const generate = (body: object, path = usersPath) =>
  project.asService({ method: 'POST', path: `${path}/generate-link`, body });

/** What a generated link is about. */
function propertiesOf(reply: Reply): Record<string, unknown> {
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  return asRecord(asRecord(reply.body)['properties']);
}
const linkOf = (reply: Reply) => new URL(String(propertiesOf(reply)['action_link']));

const look = (link: URL) => project.send({ path: `${link.pathname}${link.search}` });
/** Presses the button of the page behind a link, as a browser does: its page tells no origin. */
const press = (link: URL, headers: Readonly<Record<string, string>> = {}) =>
  project.send({
    method: 'POST',
    path: link.pathname,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'null',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    body: link.search.slice(1),
  });
const cookieOf = (reply: Reply) => reply.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
const sessionBy = async (cookie: string) =>
  (await project.send({ path: '/api/auth/get-session', headers: { cookie } })).body;

describe('POST /admin/users/invite', () => {
  test.each([usersPath, '/admin/users'])(
    '%s/invite: the mailed link signs in and lets the user set a first password',
    async (base) => {
      const email = `invited-${base.length}@example.org`;
      const data = { color: 'green' };
      const reply = await invite({ email, data, redirectTo: `${site}/welcome` }, base);
      expect(reply.status).toBe(200);
      expect(userIn(reply)).toMatchObject({ email, emailVerified: false, user_metadata: data });
      const link = await mailedLink(project, email);
      expect(link.host.split(':')[0]).toBe(project.host);
      const page = await look(link);
      expect(page.headers['content-type']).toMatch(/^text\/html/);
      expect(page.headers['set-cookie']).toBeUndefined();
      const opened = await press(link);
      expect(opened.status).toBe(302);
      expect(opened.headers.location).toBe(`${site}/welcome`);
      const cookie = cookieOf(opened);
      expect(await sessionBy(cookie)).toMatchObject({ user: { email, emailVerified: true } });
      const password = await project.send({
        method: 'POST',
        path: '/api/auth/update-password',
        headers: { cookie, origin: site },
        body: { newPassword: userPassword },
      });
      expect(password.status).toBe(200);
      expect((await trySignIn(project, email, userPassword)).status).toBe(200);
    },
  );

  test('programs that read mails use nothing up, and of five buttons one works', async () => {
    const email = 'scanned@example.org';
    await invite({ email });
    const link = await mailedLink(project, email);
    await Promise.all([look(link), look(link), look(link)]);
    const pressed = await Promise.all(Array.from({ length: 5 }, () => press(link)));
    const cookies = pressed.filter(({ headers }) => headers['set-cookie'] !== undefined);
    expect(cookies).toHaveLength(1);
    const targets = pressed.map(({ headers }) => headers.location).toSorted();
    expect(targets).toEqual([
      site,
      ...Array(4).fill(`${site}?error=INVALID_TOKEN&rowhouse_error=INVALID_TOKEN`),
    ]);
  });

  test('who has not come yet is invited again, and the earlier link is worth nothing', async () => {
    const email = 'again@example.org';
    const first = await invite({ email });
    const early = await mailedLink(project, email);
    const second = await invite({ email });
    expect(userIn(second)['id']).toBe(userIn(first)['id']);
    const late = await mailedLink(project, email);
    expect((await press(early)).headers['set-cookie']).toBeUndefined();
    expect((await press(late)).headers['set-cookie']).toBeDefined();
    const third = await invite({ email });
    expect({ status: third.status, ...asRecord(third.body) }).toMatchObject({
      status: 422,
      code: 'USER_ALREADY_EXISTS',
    });
  });

  test('a guest who has taken the address before the invitation is signed out by it', async () => {
    const email = 'squatted@example.org';
    const id = await makeUser(project, { email });
    await rowsOf(
      project,
      `insert into auth.session (id, "tokenHash", "userId", "expiresAt")
       values ('squatter', sha256('squatter-token'), $1, now() + interval '1 day')`,
      [id],
    );
    await invite({ email });
    expect((await press(await mailedLink(project, email))).headers['set-cookie']).toBeDefined();
    const left = await rowsOf(project, `select from auth.session where id = 'squatter'`);
    expect(left).toEqual([]);
  });
});

describe('POST /admin/users/generate-link', () => {
  test.each([
    { type: 'signup', extra: { password: userPassword } },
    { type: 'invite', extra: {} },
    { type: 'magiclink', extra: {} },
  ])('$type makes an account and a link that is not mailed', async ({ type, extra }) => {
    const email = `${type}@example.org`;
    const reply = await generate({ type, email, ...extra }, '/admin/users');
    expect(propertiesOf(reply)).toMatchObject({
      verification_type: type,
      email_otp: null,
      redirect_to: site,
    });
    const kept = await rowsOf(project, 'select identifier || value as text from auth.verification');
    const token = linkOf(reply).searchParams.get('token') ?? '';
    expect(kept.filter(({ text }) => String(text).includes(token))).toEqual([]);
    const opened = await press(linkOf(reply));
    expect(await sessionBy(cookieOf(opened))).toMatchObject({ user: { email } });
    const mails = `select from platform.inbox where recipient = $1
      union all select from platform.messages where recipient = $1`;
    expect(await rowsOf(project, mails, [email])).toEqual([]);
    const actions = (await auditOf(project, String(userIn(reply)['id']))).map(
      (row) => row['action'],
    );
    expect(actions).toEqual(['user.create', 'user.generateLink']);
  });

  test('the password of a new account is kept when its link is opened', async () => {
    const email = 'signup-kept@example.org';
    const reply = await generate({ type: 'signup', email, password: userPassword });
    await press(linkOf(reply));
    expect((await trySignIn(project, email, userPassword)).status).toBe(200);
    expect((await generate({ type: 'signup', email })).status).toBe(422);
  });

  test('a password of somebody who has not proven the address is gone when its reader comes', async () => {
    const attacker = await project.signUp('victim@example.org');
    await rowsOf(
      project,
      `insert into auth.apikey (id, "configId", "referenceId", key, enabled, "createdAt", "updatedAt")
       values ('early', 'default', $1, 'early', true, now(), now())`,
      [attacker.id],
    );
    const reply = await generate({ type: 'magiclink', email: attacker.email });
    const opened = await press(linkOf(reply));
    expect(await sessionBy(cookieOf(opened))).toMatchObject({ user: { emailVerified: true } });
    expect((await trySignIn(project, attacker.email, userPassword)).status).toBe(401);
    expect(await rowsOf(project, `select from auth.apikey where id = 'early'`)).toEqual([]);
    expect((await project.as(attacker, { path: '/api/auth/get-session' })).body).toBeNull();
  });

  test('recovery gives a code and no link, and the code is good for one new password', async () => {
    const email = 'recover@example.org';
    await makeUser(project, { email, password: userPassword });
    const properties = propertiesOf(await generate({ type: 'recovery', email }));
    expect(properties).toMatchObject({ action_link: null, verification_type: 'recovery' });
    expect(properties['email_otp']).toMatch(/^\d{6}$/);
    const use = (password: string) =>
      post('/api/auth/email-otp/reset-password', { email, otp: properties['email_otp'], password });
    expect((await use('the new password')).status).toBe(200);
    expect((await trySignIn(project, email, 'the new password')).status).toBe(200);
    expect((await use('a third password')).status).toBe(400);
  });

  test('with the flow code the redirect carries a code and no cookie', async () => {
    const reply = await generate({ type: 'invite', email: 'bearer@example.org', flow: 'code' });
    expect(propertiesOf(reply)['redirect_to']).toBe(site);
    const opened = await press(linkOf(reply));
    expect(opened.headers['set-cookie']).toBeUndefined();
    const target = new URL(opened.headers.location ?? '');
    expect([...target.searchParams.keys()]).toEqual(['rowhouse_code']);
    const exchanged = await post('/api/auth/exchange-code', {
      code: target.searchParams.get('rowhouse_code'),
    });
    expect(userIn(exchanged)['email']).toBe('bearer@example.org');
  });

  test('links work while sign-in by magic links is off', async () => {
    await save('auth.methods.magicLink', { enabled: false });
    const reply = await generate({ type: 'invite', email: 'unmagic@example.org' });
    expect((await press(linkOf(reply))).headers['set-cookie']).toBeDefined();
    expect((await project.send({ path: '/api/auth/magic-link/verify?token=x' })).status).toBe(404);
    await save('auth.methods.magicLink', { enabled: true });
  });

  const refused: readonly (readonly [string, object, number, string])[] = [
    ['a change of the address', { type: 'email_change_new' }, 400, 'CHANGE_EMAIL_DISABLED'],
    ['the other change of it', { type: 'email_change_current' }, 400, 'CHANGE_EMAIL_DISABLED'],
    ['another type', { type: 'phone' }, 400, 'INVALID_INPUT'],
    ['no type', {}, 400, 'INVALID_INPUT'],
    ['the recovery of nobody', { type: 'recovery' }, 404, 'USER_NOT_FOUND'],
    ['a reserved address', { type: 'invite', email: '1@phone.local' }, 400, 'INVALID_INPUT'],
    [
      'a password with a link to sign in',
      { type: 'magiclink', password: userPassword },
      400,
      'INVALID_INPUT',
    ],
    ['a short password', { type: 'signup', password: 'short' }, 400, 'PASSWORD_TOO_SHORT'],
  ];
  test.each(refused)('%s is refused, and nobody is made', async (_name, body, status, code) => {
    const count = 'select count(*) as n from auth."user"';
    const before = await rowsOf(project, count);
    const reply = await generate({ email: 'refused@example.org', ...body });
    expect({ status: reply.status, ...asRecord(reply.body) }).toMatchObject({ status, code });
    expect(await rowsOf(project, count)).toEqual(before);
  });

  test('nobody but administrators may', async () => {
    const user = await project.signUp('curious@example.org');
    const call = { method: 'POST', path: `${usersPath}/generate-link` };
    const body = { type: 'magiclink', email: 'victim@example.org' };
    expect((await project.as(user, { ...call, body })).status).toBe(403);
    expect((await project.send({ ...call, body })).status).toBe(401);
  });
});

describe('what a link leads to', () => {
  test.each([
    'https://evil.example',
    'https://app.example.org.evil.example',
    'https://app.example.org@evil.example',
    'https://preview.example.org.evil.example',
    '//evil.example',
    '/\\evil.example',
    '/%5cevil.example',
    'https:/\\evil.example',
    '\thttps://evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://app.example.org',
  ])('%j is refused', async (redirectTo) => {
    const reply = await generate({ type: 'invite', email: 'redirect@example.org', redirectTo });
    expect({ status: reply.status, body: reply.body }).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT' },
    });
    const made = await rowsOf(
      project,
      `select from auth."user" where email = 'redirect@example.org'`,
    );
    expect(made).toEqual([]);
  });

  test('addresses of the application are taken', async () => {
    const redirectTo = 'https://one.preview.example.org/a?b=c#d';
    const reply = await generate({ type: 'invite', email: 'target@example.org', redirectTo });
    const link = linkOf(reply);
    // Nothing of the address is in the link, where it could be changed.
    expect([...link.searchParams.keys()]).toEqual(['token']);
    const changed = new URL(`${link.href}&callbackURL=https://evil.example`);
    expect(await press(changed)).toMatchObject({
      status: 403,
      body: { code: 'INVALID_CALLBACK_URL' },
    });
  });
});

describe('a link is worth nothing', () => {
  const opened = async (link: URL) => {
    const { headers } = await press(link);
    return { target: headers.location, cookie: headers['set-cookie'] };
  };
  const made = async (email: string) => {
    const reply = await generate({ type: 'invite', email });
    return { link: linkOf(reply), path: `${usersPath}/${String(userIn(reply)['id'])}` };
  };

  test('after its time', async () => {
    const { link } = await made('late@example.org');
    await rowsOf(
      project,
      `update auth.verification set "expiresAt" = now() - interval '1 second' where identifier like 'admin-link:%'`,
    );
    expect(await opened(link)).toEqual({
      target: `${site}?error=INVALID_TOKEN&rowhouse_error=INVALID_TOKEN`,
      cookie: undefined,
    });
  });

  test.each([
    { name: 'the account is deactivated', call: { method: 'POST', path: '/deactivate' } },
    {
      name: 'the address is another one',
      call: { method: 'PATCH', path: '', body: { email: 'moved@example.org' } },
    },
    { name: 'the account is deleted', call: { method: 'DELETE', path: '' } },
  ])('when $name', async ({ name, call }) => {
    const { link, path } = await made(`${name.replaceAll(' ', '-')}@example.org`);
    const done = await project.asService({ ...call, path: `${path}${call.path}` });
    expect(done.status).toBeLessThan(300);
    expect(await opened(link)).toEqual({
      target: `${site}?error=INVALID_TOKEN&rowhouse_error=INVALID_TOKEN`,
      cookie: undefined,
    });
  });

  test.each([
    {
      name: 'in SQL',
      statement: `update auth."user" set status = 'inactive' where email = $1`,
      code: 'USER_INACTIVE',
    },
    {
      name: 'by another address',
      statement: `update auth."user" set email = 'x' || email where email = $1`,
      code: 'INVALID_TOKEN',
    },
  ])('when the account was changed $name', async ({ name, statement, code }) => {
    const email = `${name.replaceAll(' ', '-').toLowerCase()}@example.org`;
    const { link } = await made(email);
    await rowsOf(project, statement, [email]);
    expect(await opened(link)).toEqual({ target: `${site}?error=${code}`, cookie: undefined });
  });

  test('when a page of somebody else presses the button', async () => {
    const { link } = await made('foreign-page@example.org');
    const cross = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }];
    for (const headers of cross) {
      const reply = await press(link, headers);
      expect(reply.status).toBe(403);
      expect(reply.headers['set-cookie']).toBeUndefined();
    }
    expect((await press(link)).headers['set-cookie']).toBeDefined();
  });

  test('in another project', async () => {
    const { link } = await made('elsewhere@example.org');
    const other = await deployment.createProject();
    const reply = await other.send({
      method: 'POST',
      path: link.pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: link.search.slice(1),
    });
    expect(reply.headers['set-cookie']).toBeUndefined();
    expect(reply.status).toBe(400);
  });
});
