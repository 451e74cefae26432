import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AuthHooks } from '#libs/auth-engine';
import { fail } from '#libs/errors';
import { openAuthProject, password, type AuthProject, type Reply } from './auth-project.js';
import { mailedCode, mailedPath } from './mail-links.js';
import { at } from '../support/replies.js';

type Asked = Parameters<NonNullable<AuthHooks['signUp']>>[0];

const asked: Asked[] = [];
const events: { readonly type: string; readonly data: object }[] = [];
let refuse: (() => Error) | undefined;
let project: AuthProject;

beforeAll(async () => {
  project = await openAuthProject({
    hooks: {
      signUp: async (event) => {
        asked.push(event);
        if (refuse) throw refuse();
        return { app_metadata: { plan: 'pro' }, user_metadata: { theme: 'dark' } };
      },
      emit: async (type, data) => void events.push({ type, data }),
    },
  });
});
afterAll(() => project.close());
beforeEach(() => {
  refuse = undefined;
  asked.length = 0;
  events.length = 0;
});

const WAYS: readonly {
  readonly method: string;
  readonly enter: (email: string) => Promise<Reply>;
}[] = [
  {
    method: 'email',
    enter: (email) => project.post('/sign-up/email', { body: { email, password } }),
  },
  {
    method: 'email-otp',
    enter: async (email) => {
      await project.post('/email-otp/send-verification-otp', { body: { email, type: 'sign-in' } });
      const otp = mailedCode(project, email);
      return project.post('/sign-in/email-otp', { body: { email, otp } });
    },
  },
  {
    method: 'magic-link',
    enter: async (email) => {
      await project.post('/sign-in/magic-link', { body: { email, callbackURL: '/done' } });
      const token = new URLSearchParams(mailedPath(project, email).split('?')[1]).get('token');
      return project.post('/magic-link/verify', { body: { token } });
    },
  },
];

test.each(WAYS)(
  '$method: the hook is asked once, and what it adds is stored',
  async ({ method, enter }) => {
    const email = `${method}@example.com`;
    const reply = await enter(email);
    expect(reply.status).toBe(200);
    expect(at(reply.body, 'user')).toMatchObject({
      app_metadata: { plan: 'pro' },
      user_metadata: { theme: 'dark' },
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      method,
      ip: '203.0.113.1',
      user: { email, is_anonymous: false },
    });
    const id = at(reply.body, 'user', 'id');
    expect(events.map(({ type }) => type).sort()).toEqual(['session.created', 'user.created']);
    expect(events.find(({ type }) => type === 'user.created')?.data).toMatchObject({
      user: { id, email },
    });
    const session = events.find(({ type }) => type === 'session.created')?.data;
    expect(session).toMatchObject({ session: { userId: id } });
    expect(JSON.stringify(session)).not.toContain(String(at(reply.body, 'token')));
  },
);

test.each(WAYS)('$method: the hook refuses, and there is no account', async ({ method, enter }) => {
  refuse = () => fail('SIGNUP_REFUSED', { reason: 'not today' });
  const email = `refused-${method}@example.com`;
  const reply = await enter(email);
  if (method === 'magic-link') {
    expect(reply.headers.get('location')).toContain('error=SIGNUP_REFUSED&error_description=not');
  } else {
    expect([reply.status, at(reply.body, 'code')]).toEqual([403, 'SIGNUP_REFUSED']);
    expect(at(reply.body, 'message')).toBe('not today');
  }
  expect(await project.sql('select from auth."user" where email = $1', [email])).toHaveLength(0);
  expect(events).toEqual([]);
});

test('a hook that cannot be asked is no mistake of the caller, and no account is made', async () => {
  const cause = new Error('connection refused');
  refuse = () => fail('HOOK_FAILED', { hook: 'signUp' }, { cause });
  const logged = project.log.length;
  const body = { email: 'down@example.com', password };
  const reply = await project.post('/sign-up/email', { body });
  expect([reply.status, at(reply.body, 'code')]).toEqual([503, 'HOOK_FAILED']);
  expect(events).toEqual([]);
  const requestId = 'request-1';
  expect(at(reply.body, 'requestId')).toBe(requestId);
  expect(project.log.slice(logged)).toEqual([
    { level: 'warn', message: 'An auth request failed', requestId, cause },
  ]);
});
