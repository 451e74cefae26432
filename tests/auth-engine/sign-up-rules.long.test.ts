import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAuthProject, password, signUp, type AuthProject } from './auth-project.js';
import { at, bearer, textAt } from '../support/replies.js';

const ascending = (a: number, b: number): number => a - b;

describe('sign-up', () => {
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject();
  });
  afterAll(() => project.close());

  const countOf = async (email: string): Promise<number> =>
    (await project.sql('select from auth."user" where email = $1', [email.toLowerCase()])).length;

  test.each([
    { field: 'role', value: 'ADMIN' },
    { field: 'status', value: 'active' },
    { field: 'aal', value: 'aal2' },
    { field: 'isAnonymous', value: true },
    { field: 'is_anonymous', value: true },
    { field: 'emailVerified', value: true },
    { field: 'phoneNumber', value: '+15550000' },
    { field: 'app_metadata', value: { plan: 'pro' } },
    { field: 'id', value: 'chosen' },
    { field: 'activeOrganizationId', value: 'other' },
    { field: 'role', value: null },
  ])('refuses the field $field ($value)', async ({ field, value }) => {
    const reply = await project.post('/sign-up/email', {
      body: { email: 'field@example.com', password, [field]: value },
    });
    expect([reply.status, at(reply.body, 'code')]).toEqual([400, 'FIELD_NOT_ALLOWED']);
    expect(textAt(reply.body, 'message')).toMatch(new RegExp(`^${field}:`));
    expect(await countOf('field@example.com')).toBe(0);
  });

  test.each([
    {
      name: 'a reserved phone address',
      body: { email: '15550000@phone.local' },
      status: 400,
      code: 'INVALID_INPUT',
    },
    {
      name: 'a reserved address in capitals',
      body: { email: 'a@Phone.LOCAL' },
      status: 400,
      code: 'INVALID_INPUT',
    },
    {
      name: 'a reserved guest address',
      body: { email: 'a@anonymous.local' },
      status: 400,
      code: 'INVALID_INPUT',
    },
    { name: 'a malformed address', body: { email: 'a' }, status: 400, code: 'INVALID_EMAIL' },
    {
      name: 'no password',
      body: { email: 'rule@example.com', password: undefined },
      status: 400,
      code: 'VALIDATION_ERROR',
    },
    {
      name: 'a short password',
      body: { email: 'rule@example.com', password: '1234567' },
      status: 400,
      code: 'PASSWORD_TOO_SHORT',
    },
    {
      name: 'a long password',
      body: { email: 'rule@example.com', password: 'x'.repeat(129) },
      status: 400,
      code: 'PASSWORD_TOO_LONG',
    },
    {
      name: 'an address that is too long',
      body: { email: `${'x'.repeat(3000)}@example.com` },
      status: 400,
      code: 'INVALID_EMAIL',
    },
    {
      name: 'a NUL in the name',
      body: { email: 'rule@example.com', name: 'a\u0000' },
      status: 400,
      code: 'INVALID_INPUT',
    },
    {
      name: 'a user name of blanks',
      body: { email: 'rule@example.com', username: ' ' },
      status: 400,
      code: 'INVALID_INPUT',
    },
    {
      name: 'a user name that is no text',
      body: { email: 'rule@example.com', username: 5 },
      status: 400,
      code: 'INVALID_INPUT',
    },
    {
      name: 'a user name with a hidden character',
      body: { email: 'rule@example.com', username: 'a\u202eb' },
      status: 400,
      code: 'INVALID_INPUT',
    },
  ])('refuses $name', async ({ body, status, code }) => {
    const reply = await project.post('/sign-up/email', { body: { password, ...body } });
    expect([reply.status, at(reply.body, 'code')]).toEqual([status, code]);
    expect(reply.body).toEqual({
      code,
      status,
      message: expect.any(String),
      requestId: 'request-1',
    });
    expect(await countOf(body.email)).toBe(0);
  });

  test('keeps a supplied user name as it is', async () => {
    const reply = await signUp(project, 'kept@example.com', {
      body: { username: 'Ada.Lovelace ü' },
    });
    expect(at(reply.body, 'user', 'username')).toBe('Ada.Lovelace ü');
  });

  test('a taken user name is refused, before and in a race', async () => {
    const first = await project.post('/sign-up/email', {
      body: { email: 'u1@example.com', password, username: 'Taken' },
    });
    const second = await project.post('/sign-up/email', {
      body: { email: 'u2@example.com', password, username: 'Taken' },
    });
    expect(first.status).toBe(200);
    expect([second.status, at(second.body, 'code')]).toEqual([409, 'USERNAME_TAKEN']);
    const race = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        project.post('/sign-up/email', {
          body: { email: `race${index}@example.com`, password, username: 'Raced' },
        }),
      ),
    );
    expect(race.map(({ status }) => status).sort(ascending)).toEqual([
      200, 409, 409, 409, 409, 409,
    ]);
    expect(race.filter(({ body }) => at(body, 'code') === 'USERNAME_TAKEN')).toHaveLength(5);
    expect(await countOf('u2@example.com')).toBe(0);
    expect(project.log).toEqual([]);
  });

  test('of one address at the same time makes one account', async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, () =>
        project.post('/sign-up/email', { body: { email: 'twin@example.com', password } }),
      ),
    );
    expect(replies.map(({ status }) => status).sort(ascending)).toEqual([
      200, 422, 422, 422, 422, 422,
    ]);
    const codes = replies.map(({ body }) => at(body, 'code'));
    expect(codes.filter((code) => code === 'USER_ALREADY_EXISTS')).toHaveLength(5);
    expect(await countOf('twin@example.com')).toBe(1);
    const later = await project.post('/sign-up/email', {
      body: { email: 'TWIN@example.com', password },
    });
    expect([later.status, at(later.body, 'code')]).toEqual([422, 'USER_ALREADY_EXISTS']);
  });

  test('the password is stored as Argon2id and in no other form', async () => {
    await signUp(project, 'hash@example.com');
    const [row] = await project.sql(
      `select a.password from auth.account a join auth."user" u on u.id = a."userId" where email = $1`,
      ['hash@example.com'],
    );
    expect(textAt(row, 'password')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

describe('update-user', () => {
  let project: AuthProject;
  let headers: Readonly<Record<string, string>>;
  beforeAll(async () => {
    project = await openAuthProject();
    headers = bearer(textAt((await signUp(project, 'me@example.com')).body, 'token'));
    await signUp(project, 'other@example.com', { body: { username: 'Other' } });
  });
  afterAll(() => project.close());

  test.each([
    {
      name: 'name and image',
      body: { name: 'Ada', image: 'https://a.de/a.png' },
      status: 200,
      code: undefined,
    },
    { name: 'the user name', body: { username: 'Ada' }, status: 200, code: undefined },
    { name: 'a taken user name', body: { username: 'Other' }, status: 409, code: 'USERNAME_TAKEN' },
    { name: 'a null user name', body: { username: null }, status: 400, code: 'INVALID_INPUT' },
    { name: 'a name that is no text', body: { name: 7 }, status: 400, code: 'INVALID_INPUT' },
    { name: 'a picture that is no text', body: { image: {} }, status: 400, code: 'INVALID_INPUT' },
    { name: 'nothing', body: {}, status: 400, code: 'INVALID_INPUT' },
    { name: 'metadata', body: { data: { theme: 'dark', size: 3 } }, status: 200, code: undefined },
    {
      name: 'metadata, and one field of them away',
      body: { data: { size: null, tags: ['a'] } },
      status: 200,
      code: undefined,
    },
    { name: 'metadata that are a list', body: { data: ['a'] }, status: 400, code: 'INVALID_INPUT' },
    { name: 'metadata that are null', body: { data: null }, status: 400, code: 'INVALID_INPUT' },
    {
      name: 'metadata with NUL',
      body: { data: { theme: 'a\0b' } },
      status: 400,
      code: 'INVALID_INPUT',
    },
    {
      name: 'metadata that would become too long',
      body: { name: 'Not written', data: { long: 'x'.repeat(16_380) } },
      status: 400,
      code: 'INVALID_INPUT',
    },
    { name: 'the role', body: { role: 'ADMIN' }, status: 400, code: 'FIELD_NOT_ALLOWED' },
    { name: 'the status', body: { status: 'active' }, status: 400, code: 'FIELD_NOT_ALLOWED' },
    {
      name: 'the address',
      body: { email: 'new@example.com' },
      status: 400,
      code: 'CHANGE_EMAIL_DISABLED',
    },
    {
      name: 'metadata of the application',
      body: { app_metadata: {} },
      status: 400,
      code: 'FIELD_NOT_ALLOWED',
    },
  ])('$name: $status', async ({ body, status, code }) => {
    const reply = await project.post('/update-user', { headers, body });
    expect([reply.status, at(reply.body, 'code')]).toEqual([status, code]);
  });

  test('leaves the rest as it was', async () => {
    const { body } = await project.get('/get-session', { headers });
    expect(at(body, 'user')).toMatchObject({
      name: 'Ada',
      username: 'Ada',
      role: 'USER',
      email: 'me@example.com',
      image: 'https://a.de/a.png',
      user_metadata: { theme: 'dark', tags: ['a'] },
      app_metadata: {},
    });
  });

  test('null takes the picture away', async () => {
    await project.post('/update-user', { headers, body: { image: null } });
    const { body } = await project.get('/get-session', { headers });
    expect(at(body, 'user')).toMatchObject({ name: 'Ada', image: null });
  });

  test('changes of the metadata at the same moment lose none', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `field${index}`);
    await Promise.all(
      names.map((name) => project.post('/update-user', { headers, body: { data: { [name]: 1 } } })),
    );
    const { body } = await project.get('/get-session', { headers });
    expect(Object.keys(Object(at(body, 'user', 'user_metadata')))).toEqual(
      expect.arrayContaining(names),
    );
  });

  test('a sign-up brings metadata, of the user alone', async () => {
    const data = { theme: 'light', gone: null };
    const { body } = await signUp(project, 'meta@example.com', { body: { data } });
    const session = await project.get('/get-session', { headers: bearer(textAt(body, 'token')) });
    expect(at(session.body, 'user')).toMatchObject({
      user_metadata: { theme: 'light' },
      app_metadata: {},
    });
    const refused = await project.post('/sign-up/email', {
      body: { email: 'meta2@example.com', password, data: 'text' },
    });
    expect([refused.status, at(refused.body, 'code')]).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('sign-up settings', () => {
  let project: AuthProject;
  beforeAll(async () => {
    project = await openAuthProject({
      generateUsername: () => {
        throw new Error('no names left');
      },
    });
  });
  afterAll(() => project.close());

  test('an account is made without a user name when none can be made', async () => {
    expect(at((await signUp(project, 'nameless@example.com')).body, 'user', 'username')).toBeNull();
  });

  test.each([
    {
      name: 'closed',
      settings: { 'auth.signup': { enabled: false } },
      email: 'new@a.de',
      status: 403,
      code: 'SIGNUP_DISABLED',
    },
    {
      name: 'closed, for an address that exists',
      settings: { 'auth.signup': { enabled: false } },
      email: 'nameless@example.com',
      status: 403,
      code: 'SIGNUP_DISABLED',
    },
    {
      name: 'a domain that is not listed',
      settings: { 'auth.signup': { allowedEmailDomains: ['a.de'] } },
      email: 'x@b.a.de',
      status: 403,
      code: 'EMAIL_DOMAIN_NOT_ALLOWED',
    },
    {
      name: 'a listed domain',
      settings: { 'auth.signup': { allowedEmailDomains: ['A.de'] } },
      email: 'x@a.DE',
      status: 200,
      code: undefined,
    },
    {
      name: 'a longer least password',
      settings: { 'auth.methods.emailPassword': { minPasswordLength: 20 } },
      email: 'long@a.de',
      status: 400,
      code: 'PASSWORD_TOO_SHORT',
    },
    {
      name: 'passwords off',
      settings: { 'auth.methods.emailPassword': { enabled: false } },
      email: 'off@a.de',
      status: 404,
      code: 'NOT_FOUND',
    },
  ])('$name: $status', async ({ settings, email, status, code }) => {
    const via = await project.rebuild(settings);
    const reply = await project.post('/sign-up/email', { via, body: { email, password } });
    expect([reply.status, at(reply.body, 'code')]).toEqual([status, code]);
  });

  test('accounts that exist sign in while sign-up is closed', async () => {
    const via = await project.rebuild({ 'auth.signup': { enabled: false } });
    const reply = await project.post('/sign-in/email', {
      via,
      body: { email: 'nameless@example.com', password },
    });
    expect(reply.status).toBe(200);
  });
});
