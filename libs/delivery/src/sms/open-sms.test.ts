import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, test } from 'vitest';

import { fail } from '#libs/errors';

import { openSms, type SmsAccess } from './open-sms.js';
import type { SignWebhook, SmsCall } from './sms-call.js';

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A provider of the test: it notes what it is sent and always answers the same. */
async function openProvider(status: number, answer: unknown) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      received.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(() => new Promise((resolve) => server.close(() => resolve())));
  // It listens on TCP, so its address is one of a host and a port.
  const { port } = server.address() as AddressInfo;
  return { received, origin: `http://127.0.0.1:${port}` };
}

const call: SmsCall = async ({ url, method = 'GET', headers = {}, body, timeoutMs = 1000 }) => {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, {
    method,
    headers: { connection: 'close', ...headers },
    body: body ?? null,
    signal,
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const sign: SignWebhook = ({ secret, body }) => ({
  'webhook-signature': `${secret}:${body.length}`,
});

const secret = 'very-secret-token';
const twilio = {
  provider: 'twilio',
  accountSid: 'AC1',
  authToken: secret,
  from: '+15550001111',
} as const;
const vonage = {
  provider: 'vonage',
  apiKey: 'key1',
  apiSecret: secret,
  from: '+15550001111',
} as const;
const messagebird = { provider: 'messagebird', accessKey: secret, from: 'House' } as const;
const at = (access: SmsAccess, origin: string): SmsAccess =>
  access.provider === 'webhook'
    ? { ...access, url: `${origin}/sms` }
    : { ...access, baseUrl: `${origin}/` };
const webhook = { provider: 'webhook', url: 'set by the test', secret } as const;
const sms = { to: '+491701234567', text: 'Your code is 123456', kind: 'phoneOtp' };
const basic = Buffer.from(`AC1:${secret}`).toString('base64');

const taken = {
  twilio: { status: 201, answer: { sid: 'SM1', status: 'queued', error_code: null } },
  vonage: {
    status: 200,
    answer: { 'message-count': '1', messages: [{ status: '0', 'message-id': '1' }] },
  },
  messagebird: { status: 201, answer: { id: '1', recipients: { totalSentCount: 1 } } },
  webhook: { status: 204, answer: '' },
} as const;

describe('a message is sent as the provider wants it', () => {
  const form = 'application/x-www-form-urlencoded';
  test.each([
    {
      name: 'Twilio, with a number',
      access: twilio,
      path: '/2010-04-01/Accounts/AC1/Messages.json',
      headers: { authorization: `Basic ${basic}`, 'content-type': form },
      body: 'To=%2B491701234567&From=%2B15550001111&Body=Your+code+is+123456',
    },
    {
      name: 'Twilio, with a messaging service',
      access: {
        provider: 'twilio',
        accountSid: 'AC1',
        authToken: secret,
        messagingServiceSid: 'MG1',
      } as const,
      path: '/2010-04-01/Accounts/AC1/Messages.json',
      headers: { authorization: `Basic ${basic}` },
      body: 'To=%2B491701234567&MessagingServiceSid=MG1&Body=Your+code+is+123456',
    },
    {
      name: 'Vonage',
      access: vonage,
      path: '/sms/json',
      headers: { 'content-type': form },
      body: `api_key=key1&api_secret=${secret}&from=15550001111&to=491701234567&text=Your+code+is+123456&type=text`,
    },
    {
      name: 'Vonage, in letters that need Unicode',
      access: vonage,
      text: 'Код 1',
      path: '/sms/json',
      headers: {},
      body: `api_key=key1&api_secret=${secret}&from=15550001111&to=491701234567&text=%D0%9A%D0%BE%D0%B4+1&type=unicode`,
    },
    {
      name: 'MessageBird',
      access: messagebird,
      path: '/messages',
      headers: { authorization: `AccessKey ${secret}`, 'content-type': 'application/json' },
      body: '{"originator":"House","recipients":["491701234567"],"body":"Your code is 123456","datacoding":"auto"}',
    },
    {
      name: 'a webhook, signed',
      access: webhook,
      path: '/sms',
      headers: { 'content-type': 'application/json', 'webhook-signature': `${secret}:69` },
      body: '{"to":"+491701234567","text":"Your code is 123456","kind":"phoneOtp"}',
    },
  ])('$name', async ({ access, path, headers, body, text = sms.text }) => {
    const { status, answer } = taken[access.provider];
    const { received, origin } = await openProvider(status, answer);
    await openSms(at(access, origin), { call, sign }).send({ ...sms, text });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ method: 'POST', path, body, headers });
  });
});

describe('what the provider refuses is said in its words', () => {
  test.each([
    {
      name: 'Twilio',
      access: twilio,
      status: 400,
      answer: { code: 21211, message: `Invalid 'To' number`, status: 400 },
      code: 'SMS_REFUSED',
      reason: `Invalid 'To' number`,
    },
    {
      name: 'Twilio, wrong token',
      access: twilio,
      status: 401,
      answer: { code: 20003, message: 'Authenticate', status: 401 },
      code: 'SMS_REFUSED',
      reason: 'Authenticate',
    },
    {
      name: 'Twilio, out of order',
      access: twilio,
      status: 503,
      answer: '<html>',
      code: 'SMS_UNREACHABLE',
      reason: 'it answered 503',
    },
    {
      name: 'Vonage, with status 200',
      access: vonage,
      status: 200,
      answer: { messages: [{ status: '4', 'error-text': 'Bad Credentials' }] },
      code: 'SMS_REFUSED',
      reason: 'Bad Credentials',
    },
    {
      name: 'Vonage, trouble of its own',
      access: vonage,
      status: 200,
      answer: { messages: [{ status: '5', 'error-text': 'Internal Error' }] },
      code: 'SMS_UNREACHABLE',
      reason: 'Internal Error',
    },
    {
      name: 'Vonage, an answer without messages',
      access: vonage,
      status: 200,
      answer: '{}',
      code: 'SMS_UNREACHABLE',
      reason: 'its answer says nothing of the message',
    },
    {
      name: 'Vonage, by status',
      access: vonage,
      status: 401,
      answer: { title: 'Unauthorized' },
      code: 'SMS_REFUSED',
      reason: 'Unauthorized',
    },
    {
      name: 'MessageBird',
      access: messagebird,
      status: 422,
      answer: {
        errors: [{ code: 9, description: 'no (correct) recipients found', parameter: 'recipient' }],
      },
      code: 'SMS_REFUSED',
      reason: 'no (correct) recipients found (recipient)',
    },
    {
      name: 'MessageBird, unreadable',
      access: messagebird,
      status: 404,
      answer: { errors: 'x' },
      code: 'SMS_REFUSED',
      reason: 'it answered 404',
    },
    {
      name: 'a webhook',
      access: webhook,
      status: 403,
      answer: { message: 'not this country' },
      code: 'SMS_REFUSED',
      reason: 'not this country',
    },
    {
      name: 'a webhook that sends elsewhere',
      access: webhook,
      status: 302,
      answer: '',
      code: 'SMS_REFUSED',
      reason: 'it answered 302',
    },
    {
      name: 'a webhook that fails',
      access: webhook,
      status: 500,
      answer: 'oops',
      code: 'SMS_UNREACHABLE',
      reason: 'it answered 500',
    },
  ])('$name', async ({ access, status, answer, code, reason }) => {
    const { origin } = await openProvider(status, answer);
    const sending = openSms(at(access, origin), { call, sign }).send(sms);
    await expect(sending).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`: ${reason}`),
    });
  });

  test.each([twilio, vonage, messagebird, webhook])(
    'without the credentials: $provider',
    async (access) => {
      const said = `no ${secret} ${basic} ${Buffer.from(secret).toString('base64')}\nBye`;
      const answer = {
        message: said,
        messages: [{ status: '4', 'error-text': said }],
        errors: [{ description: said }],
      };
      const { origin } = await openProvider(400, answer);
      const error: unknown = await openSms(at(access, origin), { call, sign })
        .send(sms)
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ message: expect.stringMatching(/: no … \S+ … Bye$/) });
      expect(String(error)).not.toContain(secret);
      if (access.provider === 'twilio') expect(String(error)).not.toContain(basic);
    },
  );
});

test.each([
  { name: 'refuses the message', status: 400 },
  { name: 'has trouble', status: 500 },
])('a provider that $name and repeats its text shows no code', async ({ status }) => {
  const answer = { message: `${'x'.repeat(165)} cannot send "${sms.text}": 123456` };
  const { origin } = await openProvider(status, answer);
  const error: unknown = await openSms(at(twilio, origin), { call, sign })
    .send(sms)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ message: expect.stringContaining('cannot send "Your code is …') });
  expect(String(error)).not.toContain('123');
});

describe('a provider that gives no answer', () => {
  test('cannot be used right now, and its address stays out of the reason', async () => {
    const { origin } = await openProvider(200, {});
    for (const close of closings.splice(0)) await close();
    const sending = openSms(at(twilio, origin), { call, sign }).send(sms);
    await expect(sending).rejects.toMatchObject({
      code: 'SMS_UNREACHABLE',
      status: 503,
      message: 'The SMS provider cannot be used: it gave no answer',
    });
  });

  test('gives the reason of whoever calls, when that is meant to be shown', async () => {
    const refuse: SmsCall = () => Promise.reject(fail('CONFLICT', { reason: 'not allowed here' }));
    const sending = openSms(webhook, { call: refuse, sign }).send(sms);
    await expect(sending).rejects.toThrow('cannot be used: not allowed here');
  });
});
