// The hooks that a request waits for, called over HTTP with a real receiver.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHooks, type AuthHooks } from '../../libs/hooks/src/create-hooks.js';
import type { HookDelivery, HookLogEntry, HookSettings } from '../../libs/hooks/src/hook-types.js';
import {
  hookWiring,
  noFunction,
  openReceiver,
  settingsFor,
  type HookReceiver,
} from './hook-receiver.js';

let receiver: HookReceiver;
const recorded: HookDelivery[] = [];
const log: HookLogEntry[] = [];

function hooksWith(change: Partial<HookSettings> = {}): AuthHooks {
  return createHooks({
    ...hookWiring,
    settings: settingsFor(receiver, change),
    callFunction: noFunction,
    record: (delivery) => Promise.resolve(void recorded.push(delivery)),
    log: (entry) => log.push(entry),
  });
}

beforeAll(async () => {
  receiver = await openReceiver();
});

beforeEach(() => {
  receiver.received.length = 0;
  recorded.length = 0;
  log.length = 0;
  receiver.answer = () => ({});
});

afterAll(() => receiver.close());

const newUser = { user: { email: 'ada@example.com' }, method: 'email', ip: '203.0.113.1' };
const token = { userId: 'u1', claims: { sub: 'u1', role: 'authenticated', email: 'a@b.test' } };
const mail = {
  channel: 'email',
  kind: 'magic-link',
  to: 'ada@example.com',
  values: { url: 'https://abc.test/verify?token=hush-hush', token: 'hush-hush' },
} as const;

const ASK = {
  signUp: (hooks: AuthHooks): Promise<unknown> => hooks.signUp(newUser),
  accessToken: (hooks: AuthHooks): Promise<unknown> => hooks.accessToken(token),
  send: (hooks: AuthHooks): Promise<unknown> => hooks.send(mail),
};
const names = ['signUp', 'accessToken', 'send'] as const;

describe('every hook', () => {
  test.each(names)('%s that is off is not called', async (name) => {
    await ASK[name](hooksWith({ enabled: false }));
    expect([receiver.received, recorded]).toEqual([[], []]);
  });

  test.each(names)('%s is called with a signed message, and recorded', async (name) => {
    await ASK[name](hooksWith());
    expect(receiver.received).toEqual([
      {
        isSigned: true,
        contentType: 'application/json',
        webhookId: recorded[0]?.eventId,
        message: {
          type: `hook.${name}`,
          id: recorded[0]?.eventId,
          project: 'abc',
          createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
          data: expect.anything(),
        },
      },
    ]);
    expect(recorded).toMatchObject([
      { hook: name, status: 'succeeded', attempts: 1, responseStatus: 200 },
    ]);
    expect(recorded[0]?.target).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hooks$/);
  });

  const FAILURES = [
    { rule: 'answers 500', answer: { status: 500 }, error: 'status 500', status: 500 },
    { rule: 'answers 404', answer: { status: 404, body: 'no' }, error: 'status 404', status: 404 },
    { rule: 'redirects', answer: { status: 302, body: {} }, error: 'status 302', status: 302 },
    { rule: 'answers no JSON', answer: { body: '<html>' }, error: 'not JSON', status: 200 },
    { rule: 'answers too much', answer: { body: `"${'x'.repeat(70_000)}"` }, error: '65536 bytes' },
    { rule: 'does not answer', answer: { isSilent: true }, error: 'in time' },
  ].flatMap((failure) => names.map((name) => ({ ...failure, name })));

  test.each(FAILURES)('$name that $rule fails', async ({ name, answer, error, status }) => {
    receiver.answer = () => answer;
    const call = ASK[name](hooksWith({ timeoutMs: 1 }));
    await expect(call).rejects.toMatchObject({ code: 'HOOK_FAILED', status: 503 });
    expect(recorded).toMatchObject([{ status: 'failed', error: expect.stringContaining(error) }]);
    expect(recorded[0]?.responseStatus).toBe(status);
    expect(log).toMatchObject([{ level: 'warn' }]);
  });

  test.each(names)('%s that fails may be gone on without', async (name) => {
    receiver.answer = () => ({ status: 500 });
    const withoutHook = await ASK[name](hooksWith({ enabled: false }));
    expect(await ASK[name](hooksWith({ onFailure: 'continue' }))).toEqual(withoutHook);
    expect(recorded).toMatchObject([{ status: 'failed', responseStatus: 500 }]);
    expect(log).toHaveLength(1);
  });

  test.each([
    { rule: 'without a secret', change: { secret: '' } },
    { rule: 'without an address', change: { url: '' } },
    { rule: 'on an address that may not be called', change: { url: 'http://169.254.169.254/' } },
    { rule: 'with a secret that is none', change: { secret: 'hush' } },
  ])('$rule fails', async ({ change }) => {
    const call = hooksWith(change).signUp(newUser);
    await expect(call).rejects.toMatchObject({ code: 'HOOK_FAILED' });
    expect(receiver.received).toEqual([]);
  });

  test('goes on when its delivery cannot be recorded', async () => {
    const hooks = createHooks({
      ...hookWiring,
      settings: settingsFor(receiver),
      callFunction: noFunction,
      record: () => Promise.reject(new Error('no database')),
      log: (entry) => log.push(entry),
    });
    expect(await hooks.send(mail)).toBe(true);
    expect(log).toMatchObject([{ level: 'error' }]);
  });
});

describe('signUp', () => {
  test('is told who wants to sign up and how', async () => {
    await hooksWith().signUp(newUser);
    expect(receiver.received[0]?.message.data).toEqual(newUser);
  });

  test('adds metadata', async () => {
    receiver.answer = () => ({ body: { app_metadata: { plan: 'pro' }, role: 'ADMIN' } });
    expect(await hooksWith().signUp(newUser)).toEqual({
      app_metadata: { plan: 'pro' },
      user_metadata: {},
    });
  });

  test.each([
    { rule: 'with a decision', answer: { body: { decision: 'reject', message: 'Members only' } } },
    { rule: 'with an error', answer: { body: { error: { message: 'Members only' } } } },
    {
      rule: 'with a status too',
      answer: { status: 403, body: { decision: 'reject', message: 'Members only' } },
    },
  ])('turns away $rule, whatever the policy for failures', async ({ answer }) => {
    receiver.answer = () => answer;
    const call = hooksWith({ onFailure: 'continue' }).signUp(newUser);
    await expect(call).rejects.toMatchObject({
      code: 'SIGNUP_REFUSED',
      status: 403,
      message: 'Members only',
    });
    expect(recorded).toMatchObject([{ status: 'succeeded' }]);
  });

  test('turns nobody away by failing itself', async () => {
    receiver.answer = () => ({ status: 500, body: { error: { message: 'stack trace' } } });
    const call = hooksWith().signUp(newUser);
    await expect(call).rejects.toMatchObject({ code: 'HOOK_FAILED' });
  });
});

describe('accessToken', () => {
  test('is told the claims, and adds to them', async () => {
    receiver.answer = ({ message }) => ({
      body: { claims: { ...Object(message.data['claims']), team: 7, plan: 'gold' } },
    });
    expect(await hooksWith().accessToken({ ...token, method: 'otp' })).toEqual({
      ...token.claims,
      team: 7,
      plan: 'gold',
    });
    expect(receiver.received[0]?.message.data).toEqual({
      user_id: 'u1',
      claims: token.claims,
      authentication_method: 'otp',
    });
    expect(log).toEqual([]);
  });

  test('does not change who the token is for, and that it tried is logged', async () => {
    receiver.answer = () => ({
      body: { claims: { sub: 'u2', role: 'service_role', user_role: 'ADMIN', aal: 'aal2' } },
    });
    expect(await hooksWith().accessToken(token)).toEqual(token.claims);
    expect(log).toMatchObject([{ message: expect.stringContaining('sub, role, user_role, aal') }]);
  });

  test('that answers an error fails', async () => {
    receiver.answer = () => ({ body: { error: { message: 'out of order' } } });
    await expect(hooksWith().accessToken(token)).rejects.toMatchObject({ code: 'HOOK_FAILED' });
    expect(recorded[0]?.error).toBe('the hook answered with an error: out of order');
  });
});

describe('send', () => {
  test('gets the message whole, and delivers it', async () => {
    expect(await hooksWith().send(mail)).toBe(true);
    expect(receiver.received[0]?.message.data).toEqual(mail);
  });

  test('leaves nothing in the log that signs in', async () => {
    await hooksWith().send(mail);
    expect(JSON.stringify(recorded)).not.toContain('hush');
    expect(recorded[0]?.payload.data).toMatchObject({ to: mail.to, kind: 'magic-link' });
  });
});
