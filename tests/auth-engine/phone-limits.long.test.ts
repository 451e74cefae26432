import { afterEach, expect, test } from 'vitest';
import { openAuthProject, signUp, type AuthProject } from './auth-project.js';
import { at, bearer, textAt } from '../support/replies.js';

let project: AuthProject | undefined;
afterEach(() => project?.close());

async function open(settings: Readonly<Record<string, unknown>>, hasSms = true) {
  project = await openAuthProject({
    settings: { 'auth.phoneOtp': { enabled: true }, ...settings },
    hasSms,
  });
  return project;
}

const PATHS = [
  '/phone-number/send-otp',
  '/phone-number/verify',
  '/sign-in/phone-number',
  '/phone-number/request-password-reset',
  '/phone-number/reset-password',
] as const;

const statusesOf = async (opened: AuthProject, paths: readonly string[] = PATHS) =>
  Promise.all(paths.map(async (path) => (await opened.post(path, { body: {} })).status));

test('the routes are there while the group is on and there is a provider, and only then', async () => {
  const opened = await open({});
  expect(await statusesOf(opened)).toEqual([400, 400, 400, 400, 400]);
  const via = await opened.rebuild({ 'auth.phoneOtp': { enabled: false } });
  const off = await Promise.all(PATHS.map((path) => opened.post(path, { body: {}, via })));
  expect(new Set(off.map(({ status }) => status))).toEqual(new Set([404]));
});

test('without a provider of SMS there are none, whatever the settings say', async () => {
  const opened = await open({}, false);
  expect(new Set(await statusesOf(opened))).toEqual(new Set([404]));
});

test('without passwords only codes are left', async () => {
  const opened = await open({ 'auth.methods.emailPassword': { enabled: false } });
  expect(await statusesOf(opened)).toEqual([400, 400, 404, 404, 404]);
});

test('where new numbers make no account, no SMS goes to them, and the answer does not tell', async () => {
  const opened = await open({ 'auth.phoneOtp': { enabled: true, signUpOnVerification: false } });
  const { body } = await signUp(opened, 'closed@example.com');
  await opened.sql(
    `update auth."user" set "phoneNumber" = '+15551260001', "phoneNumberVerified" = true`,
  );
  const send = (phoneNumber: string, headers = {}) =>
    opened.post('/phone-number/send-otp', { body: { phoneNumber }, headers });
  const [known, unknown] = [await send('+15551260001'), await send('+15551260002')];
  expect(unknown.body).toEqual(known.body);
  expect(opened.texts.map(({ to }) => to)).toEqual(['+15551260001']);
  const guess = (phoneNumber: string) =>
    opened.post('/phone-number/verify', { body: { phoneNumber, code: '1' } });
  const [guessKnown, guessUnknown] = [await guess('+15551260001'), await guess('+15551260002')];
  expect([guessUnknown.status, guessUnknown.body]).toEqual([guessKnown.status, guessKnown.body]);
  await send('+15551260003', bearer(textAt(body, 'token')));
  expect(opened.texts.at(-1)?.to).toBe('+15551260003');
});

test.each([
  { name: 'sign-up is closed', signup: { enabled: false }, code: 'SIGNUP_DISABLED' },
  {
    name: 'only some domains may sign up',
    signup: { allowedEmailDomains: ['example.com'] },
    code: 'EMAIL_DOMAIN_NOT_ALLOWED',
  },
])('where $name, a new number makes no account', async ({ signup, code }) => {
  const opened = await open({});
  const phoneNumber = '+15551260010';
  await opened.post('/phone-number/send-otp', { body: { phoneNumber } });
  const via = await opened.rebuild({
    'auth.phoneOtp': { enabled: true },
    'auth.signup': signup,
  });
  const reply = await opened.post('/phone-number/verify', {
    body: { phoneNumber, code: opened.texts.at(-1)?.code },
    via,
  });
  expect([reply.status, at(reply.body, 'code')]).toEqual([403, code]);
  expect(await opened.sql('select from auth."user"')).toEqual([]);
});

const limits = (rest: object) => ({
  'security.rateLimit': { enabled: true, max: 10_000, credentialMax: 10_000 },
  'auth.rateLimits': rest,
});

const send = async (opened: AuthProject, phoneNumber: string, ip: string) => {
  const reply = await opened.post('/phone-number/send-otp', { body: { phoneNumber }, ip });
  return reply.status;
};

test('one number gets so many SMS and no more, wherever the requests come from', async () => {
  const opened = await open(limits({ sendSms: { perIdentifier: 3 } }));
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, i) => send(opened, '+15551260020', `203.0.113.${i}`)),
  );
  expect(replies.filter((status) => status === 200)).toHaveLength(3);
  expect(opened.texts).toHaveLength(3);
});

test('what is refused to one number uses up nothing of the day of the project', async () => {
  const opened = await open(limits({ sendSms: { perIdentifier: 1 }, smsPerDay: 3 }));
  for (let i = 0; i < 5; i += 1) await send(opened, '+15551260030', `203.0.113.${i}`);
  expect(await send(opened, '+15551260031', '203.0.113.9')).toBe(200);
  expect(await send(opened, '+15551260032', '203.0.113.9')).toBe(200);
  expect(await send(opened, '+15551260033', '203.0.113.9')).toBe(429);
  expect(opened.texts).toHaveLength(3);
});

test('the day of the project counts also where requests are not limited, for every kind of SMS', async () => {
  const opened = await open({ 'auth.rateLimits': { smsPerDay: 2 } });
  const request = (path: string, phoneNumber: string) =>
    opened.post(path, { body: { phoneNumber } });
  expect((await request('/phone-number/send-otp', '+15551260040')).status).toBe(200);
  expect((await request('/phone-number/request-password-reset', '+15551260041')).status).toBe(200);
  const refused = await request('/phone-number/send-otp', '+15551260042');
  expect([refused.status, at(refused.body, 'code')]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
  expect(opened.texts).toHaveLength(1);
});

test('one network address makes so many and no more, over all numbers', async () => {
  const opened = await open(limits({ sendSms: { perAddress: 4 } }));
  const replies: number[] = [];
  for (let i = 0; i < 6; i += 1) replies.push(await send(opened, `+1555126005${i}`, '203.0.113.1'));
  expect(replies).toEqual([200, 200, 200, 200, 429, 429]);
});
