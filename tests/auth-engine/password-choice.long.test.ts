import { createHash } from 'node:crypto';
import { hash as bcrypt } from '@node-rs/bcrypt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OutboundCall } from '#libs/auth-engine';
import { openAuthProject, password, signUp, type AuthProject, type Reply } from './auth-project.js';
import { mailedCode, mailedPath } from './mail-links.js';
import { at, bearer, textAt } from '../support/replies.js';

const leaked = 'Leaked horse 1';

/** A service that knows one password; `broken` makes it fail. */
function breachService(): {
  readonly call: OutboundCall;
  readonly asked: string[];
  broken: boolean;
} {
  const digest = createHash('sha1').update(leaked).digest('hex').toUpperCase();
  const service = {
    asked: [] as string[],
    broken: false,
    call: (async ({ url }) => {
      service.asked.push(url);
      if (service.broken) throw new Error('the service is down');
      return { status: 200, headers: new Headers(), text: `${digest.slice(5)}:12` };
    }) satisfies OutboundCall,
  };
  return service;
}

/** Every way to choose a password. */
const WAYS: readonly {
  readonly name: string;
  readonly choose: (project: AuthProject, email: string, chosen: string) => Promise<Reply>;
}[] = [
  {
    name: 'sign-up',
    choose: (project, email, chosen) =>
      project.post('/sign-up/email', { body: { email: `new-${email}`, password: chosen } }),
  },
  {
    name: 'a change',
    choose: async (project, email, chosen) => {
      const token = textAt((await signUp(project, email)).body, 'token');
      const body = { currentPassword: password, newPassword: chosen };
      return project.post('/change-password', { headers: bearer(token), body });
    },
  },
  {
    name: 'an update',
    choose: async (project, email, chosen) => {
      const token = textAt((await signUp(project, email)).body, 'token');
      const body = { currentPassword: password, newPassword: chosen };
      return project.post('/update-password', { headers: bearer(token), body });
    },
  },
  {
    name: 'a reset by code',
    choose: async (project, email, chosen) => {
      await signUp(project, email);
      await project.post('/email-otp/request-password-reset', { body: { email } });
      const otp = mailedCode(project, email);
      return project.post('/email-otp/reset-password', { body: { email, otp, password: chosen } });
    },
  },
  {
    name: 'a reset by link',
    choose: async (project, email, chosen) => {
      await signUp(project, email);
      await project.post('/request-password-reset', { body: { email, redirectTo: '/reset' } });
      const token = /\/reset-password\/([^?]+)/.exec(mailedPath(project, email))?.[1];
      return project.post('/reset-password', { body: { token, newPassword: chosen } });
    },
  },
];

describe.each(WAYS)('the rules hold for $name', ({ name, choose }) => {
  const address = (what: string): string => `${what}-${name.replaceAll(' ', '-')}@example.com`;
  const service = breachService();
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject({
      call: service.call,
      settings: {
        'auth.methods.emailPassword': { minPasswordLength: 10, maxPasswordLength: 32 },
        'auth.attackProtection': { breachedPasswords: true, breachedPasswordsOnFailure: 'refuse' },
      },
    });
  });
  afterAll(() => project.close());

  test.each([
    { what: 'short', chosen: 'Abcdefg 1', status: 400, code: 'PASSWORD_TOO_SHORT' },
    {
      what: 'short-in-characters',
      chosen: '😀😀😀😀😀😀😀',
      status: 400,
      code: 'PASSWORD_TOO_SHORT',
    },
    { what: 'long', chosen: `A1 ${'x'.repeat(30)}`, status: 400, code: 'PASSWORD_TOO_LONG' },
    { what: 'long-in-bytes', chosen: '😀'.repeat(32), status: 200, code: undefined },
    { what: 'breached', chosen: leaked, status: 400, code: 'PASSWORD_BREACHED' },
    { what: 'fine', chosen: 'Another horse 1', status: 200, code: undefined },
  ])('$what: $status', async ({ what, chosen, status, code }) => {
    const reply = await choose(project, address(what), chosen);
    expect([reply.status, at(reply.body, 'code')]).toEqual([status, code]);
    const email = name === 'sign-up' ? `new-${address(what)}` : address(what);
    const signIn = await project.post('/sign-in/email', { body: { email, password: chosen } });
    expect(signIn.status === 200).toBe(status === 200);
  });
});

describe('character rules', () => {
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject({
      settings: { 'auth.methods.emailPassword': { requireDigit: true, requireUppercase: true } },
    });
  });
  afterAll(() => project.close());

  test('are told with what the password lacks', async () => {
    const reply = await project.post('/sign-up/email', {
      body: { email: 'rule@example.com', password: 'correct horse' },
    });
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'PASSWORD_TOO_WEAK']);
    expect(textAt(reply.body, 'message')).toContain('it needs an upper-case letter and a digit');
  });

  test('do not keep out passwords that are older than they are', async () => {
    const via = await project.rebuild({});
    await signUp(project, 'old@example.com', { via });
    const reply = await project.post('/sign-in/email', {
      body: { email: 'old@example.com', password },
    });
    expect(reply.status).toBe(200);
  });
});

describe('comparing is not choosing', () => {
  const service = breachService();
  let project: AuthProject;
  beforeAll(async () => {
    const protection = { breachedPasswords: true, breachedPasswordsOnFailure: 'refuse' };
    project = await openAuthProject({
      call: service.call,
      settings: { 'auth.attackProtection': protection },
    });
  });
  afterAll(() => project.close());

  test('a sign-in to no account is refused like any other and asks no list', async () => {
    await signUp(project, 'known@example.com');
    const before = service.asked.length;
    service.broken = true;
    const replies = await Promise.all(
      ['known@example.com', 'unknown@example.com'].flatMap((email) =>
        ['short', leaked].map((secret) =>
          project.post('/sign-in/email', { body: { email, password: secret } }),
        ),
      ),
    );
    const seen = replies.map(({ status, body }) => `${status} ${String(at(body, 'code'))}`);
    expect(new Set(seen)).toEqual(new Set(['401 INVALID_EMAIL_OR_PASSWORD']));
    expect(service.asked.length).toBe(before);
  });
});

describe('a list that cannot be asked', () => {
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject();
  });
  afterAll(() => project.close());

  test.each([
    { policy: 'refuse', status: 503, code: 'BREACH_CHECK_UNAVAILABLE' },
    { policy: 'allow', status: 200, code: undefined },
  ])('lets the policy $policy decide', async ({ policy, status, code }) => {
    const via = await project.rebuild({
      'auth.attackProtection': { breachedPasswords: true, breachedPasswordsOnFailure: policy },
    });
    const email = `${policy}@example.com`;
    const reply = await project.post('/sign-up/email', { via, body: { email, password } });
    expect([reply.status, at(reply.body, 'code')]).toEqual([status, code]);
    expect(project.log.some(({ level }) => level === 'warn')).toBe(true);
  });
});

describe('a hash of another system', () => {
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject();
  });
  afterAll(() => project.close());

  const hashOf = async (email: string): Promise<string> => {
    const rows = await project.sql(
      `select a.password from auth.account a join auth."user" u on u.id = a."userId"
       where u.email = $1`,
      [email],
    );
    return textAt(rows[0], 'password');
  };
  const importUser = async (email: string): Promise<string> => {
    await signUp(project, email);
    const old = await bcrypt(password, { cost: 4 });
    await project.sql(
      `update auth.account set password = $1
       where "userId" = (select id from auth."user" where email = $2)`,
      [old, email],
    );
    return old;
  };

  test('is replaced when its owner signs in', async () => {
    const email = 'imported@example.com';
    await importUser(email);
    for (let index = 0; index < 2; index += 1) {
      // The second sign-in meets the new hash.
      const reply = await project.post('/sign-in/email', { body: { email, password } });
      expect(reply.status).toBe(200);
      expect(await hashOf(email)).toMatch(/^\$argon2id\$/);
    }
  });

  test('stays after a wrong password', async () => {
    const email = 'guessed@example.com';
    const old = await importUser(email);
    const reply = await project.post('/sign-in/email', { body: { email, password: 'wrong one' } });
    expect([reply.status, await hashOf(email)]).toEqual([401, old]);
  });
});
