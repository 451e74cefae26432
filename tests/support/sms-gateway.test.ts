import { afterEach, expect, test } from 'vitest';

import { codeIn } from './mail-server.js';
import { openSmsGateway, SMS_ACCOUNTS, type SmsGateway } from './sms-gateway.js';

let gateway: SmsGateway;
afterEach(() => gateway.close());

const { twilio, vonage, messagebird } = SMS_ACCOUNTS;
const text = 'Your code is 4821';

interface Case {
  readonly service: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body: string | URLSearchParams;
  readonly accepted: object;
  readonly refused: object;
}

const cases: readonly Case[] = [
  {
    service: 'twilio',
    path: `/2010-04-01/Accounts/${twilio.accountSid}/Messages.json`,
    headers: { authorization: `Basic ${btoa(`${twilio.accountSid}:${twilio.authToken}`)}` },
    body: new URLSearchParams({ To: '+15550001', From: 'Deployment', Body: text }),
    accepted: { status: 'queued' },
    refused: { code: 21211, message: 'no such number' },
  },
  {
    service: 'vonage',
    path: '/sms/json',
    body: new URLSearchParams({
      api_key: vonage.apiKey,
      api_secret: vonage.apiSecret,
      to: '15550001',
      from: 'Deployment',
      text,
    }),
    accepted: { messages: [expect.objectContaining({ status: '0' })] },
    refused: { messages: [{ status: '6', 'error-text': 'no such number' }] },
  },
  {
    service: 'messagebird',
    path: '/messages',
    headers: { authorization: `AccessKey ${messagebird.accessKey}` },
    body: JSON.stringify({ recipients: ['15550001'], originator: 'Deployment', body: text }),
    accepted: { id: 'M0' },
    refused: { errors: [expect.objectContaining({ description: 'no such number' })] },
  },
  {
    service: 'webhook',
    path: '/any/hook',
    body: JSON.stringify({ to: '+15550001', text }),
    accepted: {},
    refused: { message: 'no such number' },
  },
];

async function post({ path, headers = {}, body }: Case): Promise<unknown> {
  const reply = await fetch(`${gateway.origin}${path}`, { method: 'POST', headers, body });
  return reply.json();
}

test.each(cases)('$service takes a message', async (given) => {
  gateway = await openSmsGateway();
  expect(await post(given)).toMatchObject(given.accepted);
  const sms = await gateway.waitForSms('+15550001');
  expect(sms).toMatchObject({ service: given.service, to: '+15550001', text });
  expect(codeIn(sms)).toBe('4821');
});

test.each(cases)('$service refuses a number', async (given) => {
  gateway = await openSmsGateway(() => 'no such number');
  expect(await post(given)).toMatchObject(given.refused);
  expect(gateway.messages).toEqual([]);
  expect(gateway.requests).toHaveLength(1);
});

test.each([
  { service: 'twilio', headers: { authorization: 'Basic eDp5' }, shown: { code: 20003 } },
  {
    service: 'vonage',
    headers: {},
    body: 'api_key=x',
    shown: { messages: [expect.objectContaining({ status: '4' })] },
  },
  {
    service: 'messagebird',
    headers: {},
    shown: { errors: [expect.objectContaining({ code: 2 })] },
  },
])('$service does not know a stranger', async ({ service, shown, ...change }) => {
  gateway = await openSmsGateway();
  const known = cases.find((one) => one.service === service);
  if (known === undefined) throw new Error(service);
  expect(await post({ ...known, ...change })).toMatchObject(shown);
  expect(gateway.messagesTo('+15550001')).toEqual([]);
});
