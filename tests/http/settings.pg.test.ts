import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord, asSuperuser, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { checkRequestsInFlight } from './requests-in-flight.js';

let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
});
afterAll(() => deployment.close());

const read = (group: string) => project.asService({ path: `/api/admin/settings/${group}` });
const write = (group: string, body: unknown) =>
  project.asService({ method: 'PUT', path: `/api/admin/settings/${group}`, body });
const revert = (group: string) =>
  project.asService({ method: 'DELETE', path: `/api/admin/settings/${group}` });
const stored = () =>
  asSuperuser('select name, value from platform.app_settings order by name', {
    database: project.database,
  });

test('a group is read with its defaults, written as a whole, and reverted', async () => {
  const defaults = {
    maxRows: 1000,
    maxBodyBytes: 10_485_760,
    statementTimeoutAnon: 8,
    statementTimeoutAuthenticated: 8,
    statementTimeoutService: 8,
    functionSchemas: [],
    definerFunctions: [],
  };
  expect((await read('api.rest')).body).toEqual(defaults);
  const saved = await write('api.rest', { maxRows: 2 });
  expect(saved.status).toBe(200);
  expect(saved.body).toEqual({ ...defaults, maxRows: 2 });
  await project.sql('create table many (id int); insert into many select generate_series(1, 5)');
  const rows = await project.asService({ path: '/rest/v1/many' });
  expect(rows.body).toEqual([{ id: 1 }, { id: 2 }]);
  expect((await revert('api.rest')).body).toEqual(defaults);
  expect(await stored()).toEqual([]);
  expect((await project.asService({ path: '/rest/v1/many' })).headers['content-range']).toBe(
    '0-4/*',
  );
});

test('a stored secret is sealed in the database and hidden behind the sentinel', async () => {
  const smtp = { host: 'mail.example.org', from: 'a@example.org', user: 'u', password: 'hunter22' };
  const saved = await write('email.smtp', smtp);
  expect(saved.body).toMatchObject({ user: 'u', password: '__SECRET_SET__' });
  const [row] = await stored();
  expect(JSON.stringify(row)).not.toContain('hunter22');
  const sealed = asRecord(row?.['value'])['password'];
  expect(sealed).toMatch(/^v1\./);

  const kept = await write('email.smtp', {
    ...smtp,
    host: 'other.example.org',
    password: '__SECRET_SET__',
  });
  expect(kept.body).toMatchObject({ host: 'other.example.org', password: '__SECRET_SET__' });
  const audit = await asSuperuser('select * from platform.audit_log', {
    database: project.database,
  });
  expect(audit.length).toBeGreaterThan(0);
  expect(JSON.stringify(audit)).not.toContain('hunter22');
  await revert('email.smtp');
});

test.each([
  {
    name: 'an unknown group',
    group: 'auth.nothing',
    body: {},
    status: 404,
    code: 'UNKNOWN_SETTINGS_GROUP',
  },
  {
    name: 'an unknown field',
    group: 'api.rest',
    body: { maxRow: 1 },
    status: 400,
    code: 'UNKNOWN_FIELD',
    field: 'maxRow',
  },
  {
    name: 'a value of the wrong kind',
    group: 'api.rest',
    body: { maxRows: 'many' },
    status: 400,
    code: 'INVALID_INPUT',
    field: 'maxRows',
  },
  {
    name: 'the sentinel where nothing is stored',
    group: 'email.smtp',
    body: { password: '__SECRET_SET__' },
    status: 400,
    code: 'INVALID_INPUT',
    field: 'password',
  },
  {
    name: 'a list',
    group: 'api.rest',
    body: [],
    status: 400,
    code: 'INVALID_INPUT',
    field: 'body',
  },
])('$name is refused and nothing is stored', async ({ group, body, status, code, field }) => {
  const before = await stored();
  const reply = await write(group, body);
  expect(reply.status).toBe(status);
  expect(reply.body).toMatchObject({ code, status });
  if (field !== undefined) expect(asRecord(reply.body)['message']).toContain(field);
  expect(await stored()).toEqual(before);
});

test('a method that is turned off is off with the next request, and on again after', async () => {
  const signUp = () =>
    project.send({
      method: 'POST',
      path: '/api/auth/sign-up/email',
      body: { email: `u${Math.random()}@example.org`, password: 'a good password' },
    });
  await write('auth.methods.emailPassword', { enabled: false });
  expect((await signUp()).status).toBeGreaterThanOrEqual(400);
  await revert('auth.methods.emailPassword');
  expect((await signUp()).status).toBe(200);
});

test('the readiness report names what is missing', async () => {
  const reply = await project.asService({ path: '/api/admin/auth/status' });
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({
    'auth.methods.emailPassword': {
      enabled: true,
      configured: true,
      missing: [],
      callbackUrl: null,
    },
    'email.smtp': { configured: false, missing: ['host', 'from'] },
    jwt: { enabled: true },
  });
});

test('saves of one group at the same time follow one another and lose nothing of the audit', async () => {
  const before = await asSuperuser('select count(*)::int as n from platform.audit_log', {
    database: project.database,
  });
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, index) => write('api.rest', { maxRows: index + 1 })),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
  const [after] = await asSuperuser('select count(*)::int as n from platform.audit_log', {
    database: project.database,
  });
  expect(Number(after?.['n']) - Number(before[0]?.['n'])).toBe(10);
  await revert('api.rest');
});

test('8 slow requests in flight over 4 saves: none fails, none sees half a configuration', async () => {
  await checkRequestsInFlight(project, { requests: 8, saves: 4 });
}, 60_000);
