// What is used up at A is not used up at B: the same network address, the same address of mail, the same number.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { completeSettings, createWith, post, save } from '../http/complete-project.js';
import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { openSmsGateway, type SmsGateway } from '../support/sms-gateway.js';

const many = 1_000_000;
const max = 2;
let deployment: Deployment;
let sms: SmsGateway;
let a: ProjectUnderTest;
let b: ProjectUnderTest;
beforeAll(async () => {
  [deployment, sms] = await Promise.all([
    Deployment.open({ env: { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1', TRUST_PROXY: '127.0.0.1' } }),
    openSmsGateway(),
  ]);
  a = await createWith(deployment, completeSettings(sms));
  b = await createWith(deployment, completeSettings(sms));
});
afterAll(async () => {
  await deployment.close();
  await sms.close();
});

interface Client {
  /** Its network address. */
  readonly ip: string;
  readonly email: string;
  readonly phoneNumber: string;
}

/** One request of each kind. The answer does not matter, but for being counted. */
const kinds = {
  signUp: ['/sign-up/email', ({ email }: Client) => ({ email, password: 'short' })],
  signIn: ['/sign-in/email', ({ email }: Client) => ({ email, password: 'a wrong password' })],
  anonymous: ['/sign-in/anonymous', () => ({})],
  sendEmail: ['/sign-in/magic-link', ({ email }: Client) => ({ email })],
  sendSms: ['/phone-number/send-otp', ({ phoneNumber }: Client) => ({ phoneNumber })],
  verifyCode: ['/sign-in/email-otp', ({ email }: Client) => ({ email, otp: '000000' })],
  passwordReset: ['/request-password-reset', ({ email }: Client) => ({ email })],
} as const;
type Kind = keyof typeof kinds;

let clients = 0;
/** A client that nothing was counted for. */
function newClient(): Client {
  clients += 1;
  const phoneNumber = `+1555124${String(clients).padStart(4, '0')}`;
  return { ip: `203.0.113.${clients}`, email: `client${clients}@example.org`, phoneNumber };
}

/** Sends a request of a kind and answers the status. */
async function ask(project: ProjectUnderTest, kind: Kind, client: Client): Promise<number> {
  const [path, bodyOf] = kinds[kind];
  const headers = { 'x-forwarded-for': client.ip };
  return (await post(project, path, bodyOf(client), headers)).status;
}

type Count = 'perAddress' | 'perIdentifier';
const limitOf = (count: Count) => ({
  windowSeconds: 86_400,
  perAddress: many,
  perIdentifier: many,
  [count]: max,
});

/** Sends requests until one is refused for being too many; answers how many were taken. */
async function exhaust(request: () => Promise<number>): Promise<number> {
  for (let taken = 0; taken <= max; taken += 1) {
    // The order of the requests is what is counted.
    if ((await request()) === 429) return taken;
  }
  throw new Error('nothing is counted');
}

/** The limits of both projects, beside which nothing is limited. */
async function limitBoth(limits: object, overall: object = {}): Promise<void> {
  for (const project of [a, b]) {
    const enabled = { enabled: true, max: many, credentialMax: many, ...overall };
    await save(project, 'security.rateLimit', enabled);
    await save(project, 'auth.rateLimits', limits);
  }
}

// The keys of the table above, and no others.
const names = Object.keys(kinds) as readonly Kind[];
const counted = names.flatMap((kind) => {
  // A guest names nobody.
  const counts: readonly Count[] =
    kind === 'anonymous' ? ['perAddress'] : ['perAddress', 'perIdentifier'];
  return counts.map((count) => ({ kind, count }));
});

describe('the limit of auth.rateLimits', () => {
  test.each(counted)('$kind, $count', async ({ kind, count }) => {
    await limitBoth({ [kind]: limitOf(count) });
    const client = newClient();
    expect(await exhaust(() => ask(a, kind, client))).toBe(max);
    expect(await exhaust(() => ask(b, kind, client))).toBe(max);
  });

  test('is counted for each address alone', async () => {
    await limitBoth({ signIn: limitOf('perAddress') });
    const [one, other] = [newClient(), newClient()];
    expect(await exhaust(() => ask(a, 'signIn', one))).toBe(max);
    expect(await ask(a, 'signIn', other)).toBe(401);
  });
});

describe('the limit of security.rateLimit', () => {
  test.each(['max', 'credentialMax'])('%s', async (field) => {
    await limitBoth({}, { [field]: max, windowSeconds: 3600 });
    const client = newClient();
    expect(await exhaust(() => ask(a, 'signIn', client))).toBe(max);
    expect(await exhaust(() => ask(b, 'signIn', client))).toBe(max);
  });
});

test('the SMS of a day', async () => {
  const settings = { ...completeSettings(sms), 'auth.rateLimits': { smsPerDay: max } };
  const [c, d] = [await createWith(deployment, settings), await createWith(deployment, settings)];
  expect(await exhaust(() => ask(c, 'sendSms', newClient()))).toBe(max);
  expect(await exhaust(() => ask(d, 'sendSms', newClient()))).toBe(max);
});
