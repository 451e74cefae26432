// Codes and links by mail with our own client: signing in, and proving an address.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { codeIn, linkIn } from '../support/mail-server.js';
import {
  type Accounts,
  dataOf,
  eventsOf,
  openAccounts,
  type Opened,
  password,
  pressButton,
  sentTo,
  site,
} from './support/accounts.js';

const nobody = { user: null, session: null };
let accounts: Accounts;

beforeAll(async () => {
  accounts = await openAccounts();
});
afterAll(() => accounts.close());

const mailedCode = async (email: string) => codeIn(await accounts.mails.waitForMail(email));

/** A code of as many digits that is certainly another one. */
const wrong = (code: string) => code.replaceAll(/\d/g, (digit) => String((Number(digit) + 1) % 10));

/** Lets all codes and links run out that nobody has used yet. */
const expireAll = () =>
  accounts.rows(`update auth.verification set "expiresAt" = now() - interval '1 second'`);

/** That nobody is signed in, and that listeners have heard of nobody. */
async function expectVisitor(opened: Opened): Promise<void> {
  expect((await opened.auth.getSession()).data.session).toBeNull();
  expect(await eventsOf(opened)).toEqual(['INITIAL_SESSION']);
}

describe('a mailed code', () => {
  test('signs somebody new in, whom requests are then sent as', async () => {
    const opened = accounts.open();
    const email = accounts.newEmail();
    expect(await opened.auth.signInWithOtp({ email })).toEqual({ data: nobody, error: null });
    await expectVisitor(opened);
    const token = await mailedCode(email);
    const { session, user } = await dataOf(opened.auth.verifyOtp({ email, token, type: 'email' }));
    expect(user).toMatchObject({ email, emailVerified: true });
    expect(await eventsOf(opened)).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
    const asked = await opened.auth.getUser();
    expect([asked.data.user?.id, asked.error]).toEqual([user?.id, null]);
    expect((await opened.auth.getSession()).data.session?.access_token).toBe(session?.access_token);
  });

  test.each([
    { name: 'that is wrong', spoil: async () => undefined, use: wrong },
    { name: 'that has expired', spoil: expireAll, use: (code: string) => code },
  ])('$name signs nobody in', async ({ spoil, use }) => {
    const opened = accounts.open();
    const email = accounts.newEmail();
    await opened.auth.signInWithOtp({ email });
    const token = use(await mailedCode(email));
    await spoil();
    const answer = await opened.auth.verifyOtp({ email, token, type: 'email' });
    expect(answer).toMatchObject({ data: nobody, error: { status: 400 } });
    expect(answer.error?.code).toMatch(/^[A-Z_]+$/);
    await expectVisitor(opened);
  });

  test('works once, and a second use leaves the session of the first alone', async () => {
    const opened = accounts.open();
    const email = accounts.newEmail();
    await opened.auth.signInWithOtp({ email });
    const code = { email, token: await mailedCode(email), type: 'email' as const };
    const { session } = await dataOf(opened.auth.verifyOtp(code));
    const other = accounts.open();
    expect(await other.auth.verifyOtp(code)).toMatchObject({
      data: nobody,
      error: { status: 400 },
    });
    await expectVisitor(other);
    expect((await opened.auth.verifyOtp(code)).error?.status).toBe(400);
    expect((await opened.auth.getSession()).data.session?.access_token).toBe(session?.access_token);
    expect(await eventsOf(opened)).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
  });

  test('that is wrong too often takes the right one with it', async () => {
    const { auth } = accounts.open();
    const email = accounts.newEmail();
    await auth.signInWithOtp({ email });
    const token = await mailedCode(email);
    for (let guess = 0; guess < 3; guess += 1) {
      // One after the other: it is about their number.
      await auth.verifyOtp({ email, token: wrong(token), type: 'email' });
    }
    const { error } = await auth.verifyOtp({ email, token, type: 'email' });
    expect(error?.status).toBeGreaterThanOrEqual(400);
  });

  test('is sent again by resend, which makes the earlier one worthless', async () => {
    const { auth } = accounts.open();
    const email = accounts.newEmail();
    await auth.signInWithOtp({ email });
    const first = await mailedCode(email);
    expect(await auth.resend({ type: 'email', email })).toEqual({ data: nobody, error: null });
    const second = await mailedCode(email);
    // Both may be the same by chance; then there is nothing to tell apart.
    if (first !== second) {
      const early = await auth.verifyOtp({ email, token: first, type: 'email' });
      expect(early.error?.status).toBe(400);
    }
    const { user } = await dataOf(auth.verifyOtp({ email, token: second, type: 'email' }));
    expect(user?.email).toBe(email);
  });

  test('of one person signs no other in', async () => {
    const { auth } = accounts.open();
    const [one, other] = [accounts.newEmail(), accounts.newEmail()];
    await auth.signInWithOtp({ email: one });
    await auth.signInWithOtp({ email: other });
    await accounts.mails.waitForMail(other);
    const token = await mailedCode(one);
    const { error } = await auth.verifyOtp({ email: other, token, type: 'email' });
    expect(error?.status).toBe(400);
  });
});

describe('a link', () => {
  const ask = async (opened: Opened, email: string) => {
    const options = { emailRedirectTo: `${site}/in` };
    const answer = await opened.auth.signInWithOtp({ email, options });
    expect(answer).toEqual({ data: nobody, error: null });
    return linkIn(await accounts.mails.waitForMail(email));
  };

  test('brings a code into the address, which the client trades for a session', async () => {
    const opened = accounts.open();
    const email = accounts.newEmail();
    const reply = await pressButton(accounts.project, await ask(opened, email));
    expect(reply.headers['set-cookie']).toBeUndefined();
    const address = sentTo(reply);
    expect(address).toMatch(/^https:\/\/app\.example\.org\/in\?rowhouse_code=[\w-]+$/);
    const { user } = await dataOf(opened.auth.getSessionFromUrl({ url: address }));
    expect(user).toMatchObject({ email, emailVerified: true });
    expect(await eventsOf(opened)).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
  });

  test('may be opened on another device, whose client trades the code', async () => {
    const email = accounts.newEmail();
    const link = await ask(accounts.open(), email);
    const code = new URL(sentTo(await pressButton(accounts.project, link))).searchParams.get(
      'rowhouse_code',
    );
    const { auth } = accounts.open();
    expect((await dataOf(auth.exchangeCodeForSession(code ?? ''))).user?.email).toBe(email);
    const again = await accounts.open().auth.exchangeCodeForSession(code ?? '');
    expect(again).toMatchObject({ data: nobody, error: { status: 400 } });
  });

  test.each([
    { name: 'that was used', spoil: (link: string) => pressButton(accounts.project, link) },
    { name: 'that has expired', spoil: () => expireAll() },
  ])('$name brings an error, and signs nobody in', async ({ spoil }) => {
    const opened = accounts.open();
    const link = await ask(opened, accounts.newEmail());
    await spoil(link);
    const url = sentTo(await pressButton(accounts.project, link));
    expect(await opened.auth.getSessionFromUrl({ url })).toMatchObject({
      data: nobody,
      error: { status: 400, code: 'INVALID_TOKEN' },
    });
    await expectVisitor(opened);
  });

  test.each(['', 'never given', 'x'.repeat(43)])('code %j is refused', async (code) => {
    const opened = accounts.open();
    const answer = await opened.auth.exchangeCodeForSession(code);
    expect(answer).toMatchObject({ data: nobody, error: { status: 400 } });
    await expectVisitor(opened);
  });

  test('may not lead to a site that is not the application', async () => {
    const options = { emailRedirectTo: 'https://evil.example' };
    const email = accounts.newEmail();
    const { error } = await accounts.open().auth.signInWithOtp({ email, options });
    expect(error?.status).toBeGreaterThanOrEqual(400);
    expect(accounts.mails.mailsTo(email)).toEqual([]);
  });
});

describe('an address that must be proven', () => {
  beforeAll(() => accounts.save('auth.methods.emailPassword', { requireEmailVerification: true }));
  afterAll(() => accounts.save('auth.methods.emailPassword', { requireEmailVerification: false }));

  test('leaves a new account without a session until its mail is followed', async () => {
    const opened = accounts.open();
    const email = accounts.newEmail();
    const { session } = await dataOf(opened.auth.signUp({ email, password }));
    expect(session).toBeNull();
    await expectVisitor(opened);
    const early = await opened.auth.signInWithPassword({ email, password });
    expect(early).toMatchObject({ data: nobody, error: { status: 403 } });
    await accounts.mails.waitForMail(email);
    expect((await opened.auth.resend({ type: 'signup', email })).error).toBeNull();
    const mail = await accounts.mails.waitForMail(email);
    await pressOrVisit(linkIn(mail));
    const { user } = await dataOf(opened.auth.signInWithPassword({ email, password }));
    expect(user).toMatchObject({ email, emailVerified: true });
  });
});

async function pressOrVisit(link: string): Promise<void> {
  const { pathname, search } = new URL(link);
  const reply = await accounts.project.send({ path: `${pathname}${search}` });
  if (reply.status === 200) await pressButton(accounts.project, link);
}
