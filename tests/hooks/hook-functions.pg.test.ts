// Hooks that are functions of the project's database.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHooks, type AuthHooks } from '../../libs/hooks/src/create-hooks.js';
import { deliverEvent } from '../../libs/hooks/src/deliver-event.js';
import type {
  CallHookFunction,
  HookCaller,
  HookDelivery,
  HookSettings,
  HooksSettings,
} from '../../libs/hooks/src/hook-types.js';
import { openAuthProject, type AuthProject } from '../auth-engine/auth-project.js';
import { hookWiring } from './hook-receiver.js';

let project: AuthProject;
const recorded: HookDelivery[] = [];

const callFunction: CallHookFunction = async (name, event) => {
  const [schema, fn] = name.split('.').map((part) => `"${part}"`);
  const rows = await project.sql(`select ${schema}.${fn}($1::jsonb) as answer`, [
    JSON.stringify(event),
  ]);
  return rows[0]?.['answer'];
};

function settingsOf(functionName: string, change: Partial<HookSettings> = {}): HooksSettings {
  const hook: HookSettings = {
    enabled: true,
    target: 'function',
    functionName,
    timeoutMs: 5000,
    onFailure: 'refuse',
    ...change,
  };
  return { signUp: hook, accessToken: hook, send: hook, events: hook };
}

function callerOf(settings: HooksSettings): HookCaller {
  return { ...hookWiring, settings, callFunction, log: () => undefined };
}

function hooksOf(functionName: string, change: Partial<HookSettings> = {}): AuthHooks {
  return createHooks({
    ...callerOf(settingsOf(functionName, change)),
    record: (delivery) => Promise.resolve(void recorded.push(delivery)),
  });
}

beforeAll(async () => {
  project = await openAuthProject();
  await project.sql(`
    create table public.heard (event jsonb);
    create function public.hear(event jsonb) returns jsonb language sql as
      $$ insert into public.heard values (event) returning null::jsonb $$;
    create function public.only_example(event jsonb) returns jsonb language sql as
      $$ select case when event->'user'->>'email' like '%@example.com'
           then '{"app_metadata": {"plan": "free"}}'::jsonb
           else '{"error": {"http_code": 403, "message": "Only example.com"}}'::jsonb end $$;
    create function public.add_team(event jsonb) returns jsonb language sql as
      $$ select jsonb_build_object('claims', (event->'claims') || jsonb_build_object('team', event->>'user_id')) $$;
    create function public.broken(event jsonb) returns jsonb language sql as $$ select to_jsonb(1/0) $$;
    create function public.slow(event jsonb) returns jsonb language sql as
      $$ select to_jsonb(pg_sleep(2)::text) $$`);
});

afterAll(() => project.close());

describe('a function', () => {
  test('decides about a sign-up', async () => {
    const hooks = hooksOf('public.only_example');
    expect(await hooks.signUp({ user: { email: 'a@example.com' }, method: 'email' })).toEqual({
      app_metadata: { plan: 'free' },
      user_metadata: {},
    });
    const refused = hooks.signUp({ user: { email: 'a@other.test' }, method: 'email' });
    await expect(refused).rejects.toMatchObject({
      code: 'SIGNUP_REFUSED',
      message: 'Only example.com',
    });
  });

  test('adds claims', async () => {
    const claims = { sub: 'u1', role: 'authenticated' };
    expect(await hooksOf('public.add_team').accessToken({ userId: 'u1', claims })).toEqual({
      ...claims,
      team: 'u1',
    });
  });

  test('takes a message to send, and answers nothing', async () => {
    const values = { code: '123456' };
    const event = { channel: 'sms', kind: 'otp', to: '+15557770000', values } as const;
    expect(await hooksOf('public.hear').send(event)).toBe(true);
    const [row] = await project.sql(`select event from public.heard`);
    expect(row?.['event']).toMatchObject({ ...event, type: 'hook.send', project: 'abc' });
  });

  test('hears of events in the background', async () => {
    await hooksOf('public.hear').emit('user.deleted', { user: { id: 'u9' } });
    const event = recorded.at(-1);
    if (!event) throw new Error('no event');
    const caller = callerOf(settingsOf('public.hear'));
    expect(await deliverEvent(caller, event.payload)).toMatchObject({ error: undefined });
    expect(
      await project.sql(
        `select event->'user'->>'id' as id from public.heard where event->>'type' = 'user.deleted'`,
      ),
    ).toEqual([{ id: 'u9' }]);
  });

  test.each([
    { rule: 'fails', fn: 'public.broken', error: 'division by zero' },
    { rule: 'does not exist', fn: 'public.missing', error: 'does not exist' },
    { rule: 'is not named', fn: '', error: 'names no function' },
    { rule: 'takes too long', fn: 'public.slow', error: 'took too long' },
  ])('that $rule is a failure of the hook', async ({ fn, error }) => {
    const hooks = hooksOf(fn, { timeoutMs: 500 });
    const call = hooks.signUp({ user: {}, method: 'email' });
    await expect(call).rejects.toMatchObject({ code: 'HOOK_FAILED' });
    expect(recorded.at(-1)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(error),
    });
  });
});
