import { describe, expect, test } from 'vitest';

import { buildCaptcha, type CaptchaGroup } from './build-captcha.js';
import {
  type CaptchaCall,
  type CaptchaProvider,
  createCaptchaVerifier,
} from './captcha-verifier.js';

type Sent = Parameters<CaptchaCall>[0];
const answering = (status: number, body: unknown): CaptchaCall => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return () => Promise.resolve({ status, text });
};
const passed = { success: true, 'error-codes': [], challenge_ts: 'now', hostname: 'a.example' };
const refused = (...codes: string[]) => ({ success: false, 'error-codes': codes });
const verifierOf = (call: CaptchaCall, provider: CaptchaProvider = 'turnstile') =>
  createCaptchaVerifier({ provider, secret: 's&cret', call });

describe.each([
  { provider: 'turnstile', url: 'https://challenges.cloudflare.com/turnstile/v0/siteverify' },
  { provider: 'hcaptcha', url: 'https://api.hcaptcha.com/siteverify' },
] as const)('$provider', ({ provider, url }) => {
  test('is sent secret, token and address as a form', async () => {
    const sent: Sent[] = [];
    const call: CaptchaCall = (request) => {
      sent.push(request);
      return answering(200, passed)(request);
    };
    await verifierOf(call, provider)(' tok+en ', '203.0.113.7');
    expect(sent).toEqual([
      expect.objectContaining({
        url,
        method: 'POST',
        headers: expect.objectContaining({ 'content-type': 'application/x-www-form-urlencoded' }),
        body: 'secret=s%26cret&response=tok%2Ben&remoteip=203.0.113.7',
        timeoutMs: 5_000,
      }),
    ]);
  });

  test('is not asked about a token that is longer than its own', async () => {
    const call: CaptchaCall = () => Promise.reject(new Error('it was asked'));
    const verify = verifierOf(call, provider);
    await expect(verify('x'.repeat(8193), '::1')).rejects.toMatchObject({ code: 'CAPTCHA_FAILED' });
  });
});

test('another address takes the place of the provider', async () => {
  const urls: string[] = [];
  const verify = createCaptchaVerifier({
    provider: 'turnstile',
    secret: 's',
    verifyUrl: 'https://verify.example/',
    call: (request) => {
      urls.push(request.url);
      return answering(200, passed)(request);
    },
  });
  await verify('t', '::1');
  expect(urls).toEqual(['https://verify.example/']);
});

test.each([undefined, '', '  '])('no token (%j) is 400 without asking', async (token) => {
  const verify = verifierOf(() => Promise.reject(new Error('it was asked')));
  await expect(verify(token, '::1')).rejects.toMatchObject({
    status: 400,
    message: 'Missing CAPTCHA response',
  });
});

test.each([
  { name: 'a wrong token', body: refused('invalid-input-response') },
  { name: 'a used token', body: refused('timeout-or-duplicate') },
  { name: 'a used token of hCaptcha', body: refused('already-seen-response') },
  { name: 'a token for another site', body: refused('sitekey-secret-mismatch') },
  { name: 'a refusal without a reason', body: { success: false } },
  { name: 'a refusal with a client status', body: refused('bad-request'), status: 400 },
])('$name is 403', async ({ body, status = 200 }) => {
  await expect(verifierOf(answering(status, body))('t', '::1')).rejects.toMatchObject({
    status: 403,
    message: 'Captcha verification failed',
  });
});

test.each([
  { name: 'a failure of the service', call: answering(500, passed) },
  { name: 'too many questions', call: answering(429, passed) },
  { name: 'a redirect', call: answering(302, '') },
  { name: 'a page', call: answering(200, '<html>') },
  { name: 'JSON that is no verdict', call: answering(200, [true]) },
  { name: 'null', call: answering(200, null) },
  { name: 'a verdict in words', call: answering(200, { success: 'true' }) },
  { name: 'a wrong secret of ours', call: answering(200, refused('invalid-input-secret')) },
  { name: 'a fault of theirs', call: answering(200, refused('internal-error')) },
  { name: 'no answer', call: (() => Promise.reject(new Error('timeout'))) satisfies CaptchaCall },
])('$name is 503 and keeps the cause', async ({ call }) => {
  await expect(verifierOf(call)('t', '::1')).rejects.toMatchObject({
    status: 503,
    code: 'CAPTCHA_UNAVAILABLE',
    cause: expect.any(Error),
  });
});

describe('buildCaptcha', () => {
  const group: CaptchaGroup = {
    captchaEnabled: true,
    captchaProvider: 'hcaptcha',
    captchaSecret: 's',
    captchaAuthEndpoints: ['sign-up'],
    captchaRoutes: ['POST /rest/v1/orders'],
  };
  const signUp = ['POST', '/api/auth/sign-up/email', 'sign-up'] as const;

  test('guards both lists and verifies', async () => {
    const captcha = buildCaptcha(group, answering(200, passed));
    expect(captcha.guards(...signUp)).toBe(true);
    expect(captcha.guards('POST', '/rest/v1/orders')).toBe(true);
    await expect(captcha.verify('t', '::1')).resolves.toBeUndefined();
  });

  test('turned off it guards nothing', () => {
    const captcha = buildCaptcha({ ...group, captchaEnabled: false }, answering(200, passed));
    expect(captcha.guards(...signUp)).toBe(false);
  });

  test('without a secret guarded routes stay closed', async () => {
    const captcha = buildCaptcha({ ...group, captchaSecret: undefined }, answering(200, passed));
    expect(captcha.guards(...signUp)).toBe(true);
    await expect(captcha.verify('t', '::1')).rejects.toMatchObject({ status: 503 });
  });
});
