import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildAuth } from '#libs/auth-engine';
import { createMemoryLimiter } from '#libs/rate-limit';
import { resolveAll } from '#libs/settings';
import { noMessages, openAuthProject, password, signUp, type AuthProject } from './auth-project.js';
import { at, bearer, textAt } from '../support/replies.js';

let project: AuthProject;
beforeAll(async () => {
  project = await openAuthProject();
});
afterAll(() => project.close());

test('requests in flight finish with the settings that they started with', async () => {
  const open = project.auth;
  const inFlight = Array.from({ length: 20 }, (_, index) =>
    project.post('/sign-up/email', { via: open, body: { email: `old${index}@a.de`, password } }),
  );
  const closed = await project.rebuild({ 'auth.signup': { enabled: false } });
  const later = Array.from({ length: 20 }, (_, index) =>
    project.post('/sign-up/email', { via: closed, body: { email: `new${index}@a.de`, password } }),
  );
  expect((await Promise.all(inFlight)).map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect((await Promise.all(later)).map(({ status }) => status)).toEqual(Array(20).fill(403));
});

test('sessions outlive a rebuild', async () => {
  const token = textAt((await signUp(project, 'lasting@a.de')).body, 'token');
  const via = await project.rebuild({ 'auth.sessions': { expiresIn: 3600, updateAge: 60 } });
  const reply = await project.get('/get-session', { via, headers: bearer(token) });
  expect(at(reply.body, 'user', 'email')).toBe('lasting@a.de');
});

test('a configuration that the engine does not take is refused when it is built', async () => {
  const building = buildAuth({
    settings: resolveAll({}, {}),
    ref: 'abc',
    messages: noMessages,
    hooks: {},
    call: () => Promise.reject(new Error('nobody is called')),
    secret: project.secret,
    baseUrl: 'no address',
    pool: project.pool,
    idType: 'text',
    rateLimiter: createMemoryLimiter(() => 0),
    deleteUser: () => Promise.resolve(false),
    log: () => undefined,
  });
  await expect(building).rejects.toMatchObject({ code: 'SETTINGS_REFUSED', status: 400 });
});

test('a failure of the database says nothing to the caller and leaves one line in the log', async () => {
  const broken = await openAuthProject();
  await broken.sql('alter table auth.session rename to gone');
  const before = broken.log.length;
  const reply = await broken.get('/get-session', { headers: bearer('x'.repeat(32)) });
  expect([reply.status, reply.body]).toEqual([
    500,
    { code: 'INTERNAL_ERROR', message: expect.any(String), status: 500, requestId: 'request-1' },
  ]);
  expect(JSON.stringify(reply.body)).not.toMatch(/session|relation/);
  expect(broken.log).toHaveLength(before + 1);
  const signIn = await broken.post('/sign-up/email', { body: { email: 'a@b.de', password } });
  expect([signIn.status, at(signIn.body, 'code')]).toEqual([500, 'INTERNAL_ERROR']);
  expect(await broken.sql('select from auth."user"')).toEqual([]);
  await broken.close();
});
