// The CAPTCHA of auth.attackProtection: the rows of the specification on lists, messages and statuses.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { captchaVerifier } from '../support/captcha-verifier.js';
import { type HttpRecorder, openHttpRecorder } from '../support/http-recorder.js';
import type { Call, Reply } from '../support/http.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { openSmsGateway, type SmsGateway } from '../support/sms-gateway.js';
import { makeSignedIn } from './administration.js';
import { completeSettings, createWith, save, site } from './complete-project.js';

const secret = 'site-secret';
const verifier = captchaVerifier({ kind: 'turnstile', secret });
let deployment: Deployment;
let sms: SmsGateway;
let provider: HttpRecorder;
let project: ProjectUnderTest;
beforeAll(async () => {
  [deployment, sms, provider] = await Promise.all([
    Deployment.shared('outbound'),
    openSmsGateway(),
    openHttpRecorder(verifier),
  ]);
  project = await createWith(deployment, completeSettings(sms));
  await project.sql('create table notes (id int)');
});
afterAll(async () => {
  await deployment.close();
  await Promise.all([sms.close(), provider.close()]);
});

const settings = () => ({
  captchaEnabled: true,
  captchaSecret: secret,
  captchaVerifyUrl: `${provider.origin}/siteverify`,
});
const send = ({ headers, ...call }: Call, proof?: string) =>
  project.send({
    ...call,
    headers: { ...headers, ...(proof && { 'x-captcha-response': proof }) },
  });
const authCall = (path: string): Call => ({ method: 'POST', path: `/api/auth${path}`, body: {} });

const endpoints = {
  'sign-up': '/sign-up/email',
  'sign-in-password': '/sign-in/email',
  'sign-in-anonymous': '/sign-in/anonymous',
  'magic-link': '/sign-in/magic-link',
  'email-code': '/email-otp/send-verification-otp',
  'sms-code': '/phone-number/send-otp',
  'recovery-email': '/request-password-reset',
  'recovery-phone': '/phone-number/request-password-reset',
};
test.each(Object.entries(endpoints))(
  'captchaAuthEndpoints, all by default: %s',
  async (name, path) => {
    await save(project, 'auth.attackProtection', settings());
    const asked = (reply: Reply) => ({
      status: reply.status,
      message: asRecord(reply.body)['message'],
    });
    const missing = { status: 400, message: 'Missing CAPTCHA response' };
    expect(asked(await send(authCall(path)))).toEqual(missing);
    expect(asked(await send(authCall(path), 'robot'))).toEqual({
      status: 403,
      message: 'Captcha verification failed',
    });
    expect(asked(await send(authCall(path), `human ${name}`))).not.toEqual(missing);
    const preflight = {
      method: 'OPTIONS',
      path: `/api/auth${path}`,
      headers: { origin: site, 'access-control-request-method': 'POST' },
    };
    expect((await send(preflight)).status).toBe(204);
    const others = Object.keys(endpoints).filter((other) => other !== name);
    await save(project, 'auth.attackProtection', { ...settings(), captchaAuthEndpoints: others });
    expect(asked(await send(authCall(path)))).not.toEqual(missing);
  },
);

test('captchaRoutes: method plus path glob; no method means every method; server-side callers too', async () => {
  await save(project, 'auth.attackProtection', {});
  const user = await makeSignedIn(project, 'ada@example.org');
  const captchaRoutes = ['POST /rest/v1/notes', '/api/users/*'];
  await save(project, 'auth.attackProtection', { ...settings(), captchaRoutes });
  const insert = { method: 'POST', path: '/rest/v1/notes', body: { id: 1 } };
  expect((await project.asService(insert)).status).toBe(400);
  const headers = { 'x-captcha-response': 'human writer' };
  expect((await project.asService({ ...insert, headers })).status).toBe(201);
  expect((await project.asService({ path: '/rest/v1/notes' })).status).toBe(200);
  const rename = { method: 'PUT', path: '/api/users/username', body: { username: 'abc' } };
  expect((await project.as(user, rename)).body).toMatchObject({
    message: 'Missing CAPTCHA response',
  });
});

test.each([
  { rule: 'POST /rest/v1/notes', path: '/api/rest/v1/notes' },
  { rule: 'POST /api/rest/v1/notes', path: '/rest/v1/notes' },
  { rule: 'POST /rest/v1/notes', path: '/api/rest/v1/batch' },
  { rule: '/rest/v1/rpc/*', path: '/api/rest/v1/rpc/notes_count' },
  { rule: '/api/admin/sql', path: '/admin/sql' },
  { rule: '/admin/*', path: '/api/admin/sql' },
  { rule: '/api/auth/two-factor/*', path: '/auth/two-factor/verify-totp' },
])('captchaRoutes: $rule guards $path, which does the same', async ({ rule, path }) => {
  await save(project, 'auth.attackProtection', { ...settings(), captchaRoutes: [rule] });
  const reply = await project.asService({ method: 'POST', path, body: {} });
  expect({ status: reply.status, message: asRecord(reply.body)['message'] }).toEqual({
    status: 400,
    message: 'Missing CAPTCHA response',
  });
});

test('a proof that two rules ask for is verified once', async () => {
  const captchaRoutes = ['/auth/login', '/api/auth/sign-in/*'];
  await save(project, 'auth.attackProtection', { ...settings(), captchaRoutes });
  const body = { email: 'nobody@example.org', password: 'wrong password' };
  const headers = { 'x-captcha-response': 'human administrator' };
  const reply = await project.send({ method: 'POST', path: '/auth/login', body, headers });
  expect(reply.status).toBe(401);
});

test('CAPTCHA provider unreachable: 503', async () => {
  await save(project, 'auth.attackProtection', settings());
  provider.answerWith(() => 'cut');
  expect((await send(authCall('/sign-in/email'), 'human again')).status).toBe(503);
  provider.answerWith(verifier);
});
