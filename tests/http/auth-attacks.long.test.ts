// Attacks on accounts, tried on the whole application: each row is a way in that other systems have had. The
// finer variants of each are beside the engine, in tests/auth-engine.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { projectRoutes } from '../isolation/api-routes.js';
import { digestOf } from '../isolation/neighbors.js';
import { asRecord } from '../support/deployment.js';
import type { Call, Reply } from '../support/http.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import { type SmsGateway } from '../support/sms-gateway.js';
import { makeSignedIn, signIn, trySignIn, userIn } from './administration.js';
import {
  codeIn,
  cookiesOf,
  done,
  fieldOf,
  mailedCode,
  mailedLink,
  outcomeOf,
  post,
  save,
  type CompleteProject,
  openCompleteProject,
} from './complete-project.js';
import { originOf, REDIRECTING } from './redirects.js';
import { bearer } from '../support/replies.js';

// The routes are the rows of a table below, so the application is asked before the tests are named.
const engineRoutes = (await projectRoutes())
  .filter(({ path }) => /^\/api\/auth\/[^*]+$/.test(path))
  .map((route) => ({ ...route, name: `${route.method} ${route.path}` }));

let complete: CompleteProject;
let sms: SmsGateway;
let project: ProjectUnderTest;
beforeAll(async () => {
  complete = await openCompleteProject();
  ({ sms, project } = complete);
});
afterAll(() => complete.close());

let people = 0;
const newEmail = () => `victim${(people += 1)}@example.org`;
const sessionBy = async (headers: Readonly<Record<string, string>>) =>
  (await project.send({ path: '/api/auth/get-session', headers })).body;
const filled = (path: string) => path.replace(/:\w+/g, 'abc');

describe('Pre-hijack by password sign-up', () => {
  test.each(['a code', 'a link'])(
    'the owner comes by %s: the password and the session of before are gone',
    async (way) => {
      const email = newEmail();
      const attacker = await project.signUp(email);
      if (way === 'a code') {
        await done(post(project, '/email-otp/send-verification-otp', { email, type: 'sign-in' }));
        const otp = await mailedCode(project, email);
        expect((await post(project, '/sign-in/email-otp', { email, otp })).status).toBe(200);
      } else {
        await done(post(project, '/sign-in/magic-link', { email }));
        expect((await press(await mailedLink(project, email))).status).toBe(302);
      }
      expect((await trySignIn(project, email, userPassword)).status).toBe(401);
      expect(await sessionBy(bearer(attacker))).toBeNull();
    },
  );
});

const press = (link: URL): Promise<Reply> =>
  project.send({
    method: 'POST',
    path: link.pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: link.search.slice(1),
  });

describe('Phone squatting and @phone.local squatting', () => {
  test('neither a number nor its stand-in address can be taken, and the owner signs in', async () => {
    const phoneNumber = '+15557770001';
    const body = { email: newEmail(), password: userPassword, phoneNumber };
    expect((await post(project, '/sign-up/email', body)).status).toBe(400);
    for (const email of ['15557770001@phone.local', '15557770001@PHONE.local']) {
      const squatted = { email, password: userPassword };
      expect(outcomeOf(await post(project, '/sign-up/email', squatted))).toBe('400 INVALID_INPUT');
      const code = { email, type: 'sign-in' };
      expect((await post(project, '/email-otp/send-verification-otp', code)).status).toBe(400);
    }
    await done(post(project, '/phone-number/send-otp', { phoneNumber }));
    const code = codeIn((await sms.waitForSms(phoneNumber)).text);
    expect((await post(project, '/phone-number/verify', { phoneNumber, code })).status).toBe(200);
  });
});

test('Host header: a mail about a request with foreign hosts leads to the project', async () => {
  const { email } = await makeSignedIn(project, newEmail());
  const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
  await done(post(project, '/request-password-reset', { email }, headers));
  expect((await mailedLink(project, email)).origin).toBe(originOf(project));
  const unknown = await post(
    project,
    '/request-password-reset',
    { email },
    { host: 'evil.example' },
  );
  expect(unknown.status).toBe(404);
});

test('Session fixation: signing in with a foreign cookie gives a new token, and no session to the cookie', async () => {
  const attacker = await makeSignedIn(project, newEmail());
  const victim = await makeSignedIn(project, newEmail());
  const headers = { cookie: attacker.cookie, origin: originOf(project) };
  const body = { email: victim.email, password: userPassword };
  const reply = await post(project, '/sign-in/email', body, headers);
  expect(fieldOf(reply, 'token')).not.toBe(attacker.token);
  expect(cookiesOf(reply)).not.toContain(attacker.token);
  expect(asRecord(await sessionBy(bearer(attacker)))).toMatchObject({ user: { id: attacker.id } });
});

test('Parallel sign-up: one account, and the others are told that it exists', async () => {
  const body = { email: newEmail(), password: userPassword };
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => post(project, '/sign-up/email', body)),
  );
  const outcomes = replies.map(outcomeOf).toSorted();
  expect(outcomes).toEqual(['200', ...Array(4).fill('422 USER_ALREADY_EXISTS')]);
});

test('Spoofed X-Forwarded-For: a new address in the header is no new allowance', async () => {
  await save(project, 'security.rateLimit', { credentialMax: 10, windowSeconds: 3600 });
  const statuses = [];
  for (let index = 0; index < 20; index += 1) {
    const headers = { 'x-forwarded-for': `203.0.113.${index}`, 'x-real-ip': `203.0.113.${index}` };
    const body = { email: `spoofed${index}@example.org`, password: 'a wrong password' };
    // The order of the requests is what is counted.
    statuses.push((await post(project, '/sign-in/email', body, headers)).status);
  }
  await save(project, 'security.rateLimit', { enabled: false });
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(10).fill(429)]);
});

describe('Privilege by fields', () => {
  const fields = {
    role: 'ADMIN',
    status: 'active',
    aal: 'aal2',
    activeOrganizationId: 'x',
    phoneNumber: '+15550001',
  };
  test.each(Object.entries(fields))(
    '%s is set by no sign-up, no profile and no session',
    async (field, value) => {
      const body = { email: newEmail(), password: userPassword, [field]: value };
      expect((await post(project, '/sign-up/email', body)).status).toBe(400);
      expect((await trySignIn(project, body.email, userPassword)).status).toBe(401);
      const user = await makeSignedIn(project, newEmail());
      const before = await digestOf(project);
      expect((await post(project, '/update-user', { [field]: value }, bearer(user))).status).toBe(
        400,
      );
      expect(
        (await post(project, '/update-session', { [field]: value }, bearer(user))).status,
      ).toBe(404);
      expect(await digestOf(project)).toEqual(before);
    },
  );
});

test('Tokens listed: a list of sessions has none', async () => {
  const user = await makeSignedIn(project, newEmail());
  const other = await signIn(project, user.email, userPassword);
  const { text } = await project.as(user, { path: '/api/auth/list-sessions' });
  expect([text.includes(user.token), text.includes(other.token), text.includes('aal1')]).toEqual([
    false,
    false,
    true,
  ]);
});

describe('Key escalation', () => {
  const allowed = new Set(['GET /api/auth/get-session']);
  test('an API key changes nothing of the account that it belongs to', async () => {
    const user = await makeSignedIn(project, newEmail());
    const key = fieldOf(
      await done(post(project, '/api-key/create', { name: 'k' }, bearer(user))),
      'key',
    );
    // Keys are made when they are needed first.
    await done(project.send({ path: '/api/auth/jwks' }));
    const before = await digestOf(project);
    const open = [];
    for (const { name, method, path } of engineRoutes) {
      const call: Call = { method, path: filled(path), ...(method === 'POST' && { body: {} }) };
      const reply = await project.send({ ...call, headers: { authorization: `Bearer ${key}` } });
      const tells = reply.text.includes(user.id) || reply.text.includes(user.email);
      if (tells && !allowed.has(name)) open.push(name);
    }
    expect(open).toEqual([]);
    // What is counted for the key itself.
    const counted = new Set(['auth.apikey']);
    const after = Object.entries(await digestOf(project));
    expect(after.filter(([table, md5]) => before[table] !== md5 && !counted.has(table))).toEqual(
      [],
    );
    expect(
      (await post(project, '/api-key/create', { name: 'more' }, { authorization: `Bearer ${key}` }))
        .status,
    ).toBe(403);
  });
});

describe('CSRF on cookie sessions', () => {
  let victim: SignedIn;
  beforeAll(async () => {
    victim = await makeSignedIn(project, newEmail());
  });
  const acting = engineRoutes.filter(
    ({ method, name }) => method === 'POST' && !REDIRECTING.has(name),
  );

  test.each(acting)('$name with the cookie from a foreign page: 403', async ({ path }) => {
    const headers = {
      cookie: victim.cookie,
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    };
    const reply = await project.send({ method: 'POST', path: filled(path), body: {}, headers });
    expect(outcomeOf(reply)).toBe('403 INVALID_ORIGIN');
  });

  test('GET never mutates', async () => {
    const before = await digestOf(project);
    // Options of a ceremony are kept until it ends; a link is used up by being opened.
    const kept = /^(\/api\/auth\/passkey\/generate-)/;
    for (const { method, path } of engineRoutes) {
      if (method !== 'GET' || kept.test(path)) continue;
      await project.send({ path: filled(path), headers: { cookie: victim.cookie } });
    }
    const after = Object.entries(await digestOf(project));
    expect(after.filter(([table, md5]) => before[table] !== md5)).toEqual([]);
    expect(
      userIn(
        await project.send({ path: '/api/auth/get-session', headers: { cookie: victim.cookie } }),
      )['id'],
    ).toBe(victim.id);
  });
});
