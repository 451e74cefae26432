import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAuthProject, password, signUp, type AuthProject } from './auth-project.js';
import { press } from './mail-links.js';
import { at, bearer, textAt } from '../support/replies.js';

const on = { 'auth.methods.anonymous': { enabled: true } };

interface Guest {
  readonly id: string;
  readonly token: string;
}

async function newGuest(project: AuthProject): Promise<Guest> {
  const { body } = await project.post('/sign-in/anonymous', { body: {} });
  return { id: textAt(body, 'user', 'id'), token: textAt(body, 'token') };
}

async function userRow(project: AuthProject, id: string) {
  const [row] = await project.sql(
    'select email, "emailVerified", "isAnonymous", username from auth."user" where id = $1',
    [id],
  );
  return row;
}

const linkIn = (project: AuthProject, to: string): URL =>
  new URL(textAt(project.mails.findLast((mail) => mail.to === to)?.values, 'url'));

const pathOf = (link: URL): string => `${link.pathname.replace('/api/auth', '')}${link.search}`;

describe('guests', () => {
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject({ settings: on });
    await signUp(project, 'taken@example.com');
  });
  afterAll(() => project.close());

  const upgrade = (guest: Guest, body: object, via = project.auth) =>
    project.post('/upgrade-anonymous', { via, headers: bearer(guest.token), body });

  test('a guest has a session, is_anonymous, and an address that reaches nobody', async () => {
    const { body, status } = await project.post('/sign-in/anonymous', { body: {} });
    expect(status).toBe(200);
    expect(at(body, 'user', 'is_anonymous')).toBe(true);
    const row = await userRow(project, textAt(body, 'user', 'id'));
    expect(row).toMatchObject({ isAnonymous: true, emailVerified: false });
    expect(row?.['email']).toMatch(/@anonymous\.local$/);
    expect(row?.['username']).toMatch(/^user_/);
    const who = await project.get('/get-session', { headers: bearer(textAt(body, 'token')) });
    expect(at(who.body, 'user', 'is_anonymous')).toBe(true);
  });

  test.each([
    { name: 'off', settings: {}, status: 404 },
    {
      name: 'on and sign-up closed',
      settings: { ...on, 'auth.signup': { enabled: false } },
      status: 403,
    },
  ])('while guests are $name the answer is $status', async ({ settings, status }) => {
    const via = await project.rebuild(settings);
    expect((await project.post('/sign-in/anonymous', { via, body: {} })).status).toBe(status);
  });

  test.each([{ isAnonymous: false }, { role: 'ADMIN' }, { email: 'x@example.com' }])(
    'a guest cannot choose %p',
    async (body) => {
      expect((await project.post('/sign-in/anonymous', { body })).status).toBe(400);
    },
  );

  test('a guest becomes a permanent account with the same id and session', async () => {
    const guest = await newGuest(project);
    const email = 'Ada@Example.com';
    const reply = await upgrade(guest, { email, password });
    expect(reply).toMatchObject({
      status: 200,
      body: { status: true, user: { id: guest.id, email: 'ada@example.com', is_anonymous: false } },
    });
    const who = await project.get('/get-session', { headers: bearer(guest.token) });
    expect(at(who.body, 'user')).toMatchObject({ id: guest.id, is_anonymous: false });
    expect(await userRow(project, guest.id)).toMatchObject({ emailVerified: false });
    const signedIn = await project.post('/sign-in/email', { body: { email, password } });
    expect(at(signedIn.body, 'user', 'id')).toBe(guest.id);
  });

  test('the new address is proven by the link that is sent to it', async () => {
    const guest = await newGuest(project);
    await upgrade(guest, { email: 'link@example.com' });
    const link = linkIn(project, 'link@example.com');
    const opened = await press(project, pathOf(link));
    expect(opened.status).toBe(302);
    expect(await userRow(project, guest.id)).toMatchObject({ emailVerified: true });
  });

  test.each([
    {
      name: 'that is taken',
      body: { email: 'TAKEN@example.com' },
      status: 422,
      code: 'USER_ALREADY_EXISTS',
    },
    { name: 'of guests', body: { email: 'x@anonymous.local' }, status: 400, code: 'INVALID_INPUT' },
    {
      name: 'of phone users',
      body: { email: '15557770000@phone.local' },
      status: 400,
      code: 'INVALID_INPUT',
    },
    { name: 'that is none', body: { email: 'ada' }, status: 400, code: 'INVALID_EMAIL' },
    { name: 'that is missing', body: {}, status: 400, code: 'INVALID_INPUT' },
    { name: 'with a NUL', body: { email: 'a\0@example.com' }, status: 400, code: 'INVALID_INPUT' },
    {
      name: 'beside a short password',
      body: { email: 'a@example.com', password: 'x' },
      status: 400,
      code: 'PASSWORD_TOO_SHORT',
    },
    {
      name: 'beside a role',
      body: { email: 'a@example.com', role: 'ADMIN' },
      status: 400,
      code: 'FIELD_NOT_ALLOWED',
    },
  ])('an address $name leaves a guest as it was', async ({ body, status, code }) => {
    const guest = await newGuest(project);
    const before = await userRow(project, guest.id);
    expect(await upgrade(guest, body)).toMatchObject({ status, body: { code } });
    expect(await userRow(project, guest.id)).toEqual(before);
    const accounts = await project.sql('select 1 from auth.account where "userId" = $1', [
      guest.id,
    ]);
    expect(accounts).toEqual([]);
  });

  test('the rules of sign-up hold for guests who name an address', async () => {
    const guest = await newGuest(project);
    const via = await project.rebuild({
      ...on,
      'auth.signup': { blockedEmailDomains: ['mail.example'] },
    });
    const reply = await upgrade(guest, { email: 'a@mail.example' }, via);
    expect(reply).toMatchObject({ status: 403, body: { code: 'EMAIL_DOMAIN_NOT_ALLOWED' } });
  });

  test('a permanent account keeps its address', async () => {
    const { body } = await signUp(project, 'permanent@example.com');
    const user = { id: textAt(body, 'user', 'id'), token: textAt(body, 'token') };
    const reply = await upgrade(user, { email: 'other@example.com' });
    expect(reply).toMatchObject({ status: 400, body: { code: 'CHANGE_EMAIL_DISABLED' } });
    expect(await userRow(project, user.id)).toMatchObject({ email: 'permanent@example.com' });
  });

  test('of upgrades at the same moment one counts', async () => {
    const guest = await newGuest(project);
    const replies = await Promise.all(
      [1, 2, 3, 4].map((n) => upgrade(guest, { email: `race${n}@example.com`, password })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.every(({ status }) => status < 500)).toBe(true);
  });

  test('of two guests who want one address at the same moment one gets it', async () => {
    const guests = await Promise.all([newGuest(project), newGuest(project), newGuest(project)]);
    const replies = await Promise.all(
      guests.map((guest) => upgrade(guest, { email: 'wanted@example.com' })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });

  test('a guest gets no password in another way', async () => {
    const guest = await newGuest(project);
    const reply = await project.post('/update-password', {
      headers: bearer(guest.token),
      body: { newPassword: password },
    });
    expect(reply).toMatchObject({ status: 403, body: { code: 'PERMANENT_ACCOUNT_REQUIRED' } });
  });

  test('a guest who signs in as somebody else stays a guest, and nothing of it is deleted', async () => {
    const guest = await newGuest(project);
    const reply = await project.post('/sign-in/email', {
      headers: bearer(guest.token),
      body: { email: 'taken@example.com', password },
    });
    expect(reply.status).toBe(200);
    expect(await userRow(project, guest.id)).toMatchObject({ isAnonymous: true });
  });

  test('guests who came before are upgraded while no new ones are let in', async () => {
    const guest = await newGuest(project);
    const via = await project.rebuild({});
    expect((await upgrade(guest, { email: 'late@example.com' }, via)).status).toBe(200);
  });
});

describe('guests where only verified addresses sign in', () => {
  let project: AuthProject;
  beforeAll(async () => {
    const emailPassword = { requireEmailVerification: true };
    project = await openAuthProject({
      settings: { ...on, 'auth.methods.emailPassword': emailPassword },
    });
    await project.post('/sign-up/email', { body: { email: 'taken@example.com', password } });
  });
  afterAll(() => project.close());

  const upgrade = (guest: Guest, body: object) =>
    project.post('/upgrade-anonymous', { headers: bearer(guest.token), body });

  test('a program that opens the link of a guest changes nothing', async () => {
    const guest = await newGuest(project);
    await upgrade(guest, { email: 'scanned@example.com', password });
    const page = await project.get(pathOf(linkIn(project, 'scanned@example.com')));
    expect(page.status).toBe(200);
    expect(page.body).toContain('<form method="post" action="confirm">');
    expect(await userRow(project, guest.id)).toMatchObject({ isAnonymous: true });
  });

  test('a guest becomes permanent when the link is opened, once', async () => {
    const guest = await newGuest(project);
    expect((await upgrade(guest, { email: 'ada@example.com', password })).status).toBe(200);
    expect(await userRow(project, guest.id)).toMatchObject({ isAnonymous: true });
    const link = linkIn(project, 'ada@example.com');
    expect((await press(project, pathOf(link))).status).toBe(302);
    expect(await userRow(project, guest.id)).toMatchObject({
      email: 'ada@example.com',
      emailVerified: true,
      isAnonymous: false,
    });
    const again = await press(project, pathOf(link));
    expect(again.headers.get('location')).toContain('error=INVALID_CODE');
    const body = { email: 'ada@example.com', password };
    expect((await project.post('/sign-in/email', { body })).status).toBe(200);
  });

  test('nothing tells that an address is taken', async () => {
    const [first, second] = [await newGuest(project), await newGuest(project)];
    const sent = project.mails.length;
    const taken = await upgrade(first, { email: 'taken@example.com', password });
    expect(project.mails).toHaveLength(sent);
    const free = await upgrade(second, { email: 'free@example.com', password });
    expect(taken.status).toBe(free.status);
    expect(Object.keys(Object(taken.body))).toEqual(Object.keys(Object(free.body)));
    for (const { id } of [first, second]) {
      // Two rows, one after the other.
      expect(await userRow(project, id)).toMatchObject({ isAnonymous: true });
    }
  });

  test('a link does not lead to a page of somebody else', async () => {
    const guest = await newGuest(project);
    const body = { email: 'evil@example.com', callbackURL: 'https://evil.example' };
    expect((await upgrade(guest, body)).status).toBe(403);
    await upgrade(guest, { email: 'evil@example.com' });
    const link = linkIn(project, 'evil@example.com');
    link.searchParams.set('callbackURL', 'https://evil.example');
    expect((await press(project, pathOf(link))).status).toBe(403);
  });

  test('a link that nobody was sent changes nothing', async () => {
    expect((await press(project, '/upgrade-anonymous/confirm?token=guess')).status).toBe(400);
  });
});
