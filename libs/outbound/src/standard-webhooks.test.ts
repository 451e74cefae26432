import { describe, expect, test } from 'vitest';
import {
  isWebhookSecret,
  newWebhookSecret,
  signWebhook,
  verifyWebhook,
} from './standard-webhooks.js';

// The example of the specification of Standard Webhooks.
const example = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestampSeconds: 1614265330,
  body: '{"test": 2432232314}',
};
const { secret, body } = example;
const nowSeconds = example.timestampSeconds;
const signed = signWebhook(example);

test('the signature is that of the specification', () => {
  expect(signed).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

describe('verification', () => {
  const right = signed['webhook-signature'];
  test.each([
    { name: 'takes what was signed', change: {}, isRight: true },
    {
      name: 'takes one right signature of several',
      change: { headers: { 'webhook-signature': `v1,AAAA v2,x ${right}` } },
      isRight: true,
    },
    { name: 'refuses another body', change: { body: `${body} ` }, isRight: false },
    { name: 'refuses another id', change: { headers: { 'webhook-id': 'msg_2' } }, isRight: false },
    { name: 'refuses no id', change: { headers: { 'webhook-id': '' } }, isRight: false },
    {
      name: 'refuses another time',
      change: { headers: { 'webhook-timestamp': '1614265331' } },
      isRight: false,
    },
    {
      name: 'refuses a time that is none',
      change: { headers: { 'webhook-timestamp': 'soon' } },
      isRight: false,
    },
    {
      name: 'refuses another version',
      change: { headers: { 'webhook-signature': right.replace('v1', 'v2') } },
      isRight: false,
    },
    { name: 'refuses another secret', change: { secret: newWebhookSecret() }, isRight: false },
    {
      name: 'refuses no signature',
      change: { headers: { 'webhook-signature': '' } },
      isRight: false,
    },
    {
      name: 'takes a message of five minutes ago',
      change: { nowSeconds: nowSeconds + 300 },
      isRight: true,
    },
    { name: 'refuses an older one', change: { nowSeconds: nowSeconds + 301 }, isRight: false },
    { name: 'refuses one of the future', change: { nowSeconds: nowSeconds - 301 }, isRight: false },
  ])('$name', ({ change, isRight }) => {
    const { headers, ...others } = { headers: {}, ...change };
    const received = { secret, body, nowSeconds, ...others };
    const sent = new Headers({ ...signed, ...headers });
    expect(verifyWebhook({ ...received, headers: sent })).toBe(isRight);
  });
});

test('a new secret is another one each time and can be signed with', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()];
  expect(new Set(secrets).size).toBe(2);
  for (const fresh of secrets) {
    const headers = new Headers(signWebhook({ ...example, secret: fresh }));
    expect(verifyWebhook({ secret: fresh, headers, body, nowSeconds })).toBe(true);
  }
});

test.each([
  { name: 'nothing', text: '' },
  { name: 'no prefix', text: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  { name: 'too few bytes', text: `whsec_${Buffer.alloc(23).toString('base64')}` },
  { name: 'too many bytes', text: `whsec_${Buffer.alloc(65).toString('base64')}` },
  { name: 'other characters', text: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS!' },
])('$name is no secret', ({ text }) => {
  expect(isWebhookSecret(text)).toBe(false);
  expect(() => signWebhook({ ...example, secret: text })).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT' }),
  );
});
