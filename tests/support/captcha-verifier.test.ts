import { afterEach, expect, test } from 'vitest';

import { captchaVerifier } from './captcha-verifier.js';
import { type HttpRecorder, openHttpRecorder } from './http-recorder.js';

let recorder: HttpRecorder;
afterEach(() => recorder.close());

const secret = 'shh';

async function verify(fields: Readonly<Record<string, string>>, as: 'form' | 'json' = 'form') {
  const reply = await fetch(`${recorder.origin}/siteverify`, {
    method: 'POST',
    body: as === 'form' ? new URLSearchParams(fields) : JSON.stringify(fields),
  });
  const body: unknown = await reply.json();
  return body;
}

test.each([
  { kind: 'turnstile', name: 'a person', fields: { secret, response: 'human-1' } },
  {
    kind: 'turnstile',
    name: 'a robot',
    fields: { secret, response: 'robot' },
    code: 'invalid-input-response',
  },
  {
    kind: 'hcaptcha',
    name: 'no token',
    fields: { secret, response: '' },
    code: 'missing-input-response',
  },
  {
    kind: 'hcaptcha',
    name: 'a wrong secret',
    fields: { secret: 'x', response: 'human-1' },
    code: 'invalid-input-secret',
  },
  {
    kind: 'hcaptcha',
    name: 'no secret',
    fields: { response: 'human-1' },
    code: 'missing-input-secret',
  },
] as const)('$kind: $name', async ({ kind, fields, ...expected }) => {
  recorder = await openHttpRecorder(captchaVerifier({ kind, secret }));
  const code = 'code' in expected ? expected.code : undefined;
  expect(await verify(fields)).toMatchObject({
    success: code === undefined,
    'error-codes': code === undefined ? [] : [code],
  });
});

test.each([
  { kind: 'turnstile', code: 'timeout-or-duplicate' },
  { kind: 'hcaptcha', code: 'already-seen-response' },
] as const)('$kind: a token is good once', async ({ kind, code }) => {
  recorder = await openHttpRecorder(captchaVerifier({ kind, secret }));
  const fields = { secret, response: 'human-1' };
  expect(await verify(fields)).toMatchObject({ success: true });
  expect(await verify(fields)).toMatchObject({ success: false, 'error-codes': [code] });
  expect(await verify({ ...fields, response: 'human-2' })).toMatchObject({ success: true });
});

test('only Turnstile reads JSON', async () => {
  const fields = { secret, response: 'human-1' };
  recorder = await openHttpRecorder(captchaVerifier({ kind: 'turnstile', secret }));
  expect(await verify(fields, 'json')).toMatchObject({ success: true });
  recorder.answerWith(captchaVerifier({ kind: 'hcaptcha', secret }));
  expect(await verify(fields, 'json')).toMatchObject({ success: false });
});
