// How a process takes over settings that another one has stored, and what it does with those that it cannot use.
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { asRecord, asSuperuser, Deployment } from '../support/deployment.js';
import { type ProjectUnderTest, userPassword } from '../support/project.js';

const email = 'ada@example.org';
const logged: string[] = [];

let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) });
  deployment = await Deployment.open({ log });
  project = await deployment.createProject();
  await project.sql('create table many (id int); insert into many select generate_series(1, 5)');
  await project.signUp(email);
});
afterAll(() => deployment.close());

/** Stores groups as another process would whose signal was lost. */
async function store(groups: Readonly<Record<string, unknown>>): Promise<void> {
  const { database } = project;
  for (const [name, value] of Object.entries(groups)) {
    await asSuperuser(
      `insert into platform.app_settings (name, value) values ($1, $2)
       on conflict (name) do update set value = excluded.value`,
      { database, values: [name, JSON.stringify(value)] },
    );
  }
  await asSuperuser('update platform.settings_version set version = version + 1', { database });
}

const save = (group: string, body: unknown) =>
  project.asService({ method: 'PUT', path: `/api/admin/settings/${group}`, body });

const rows = async () =>
  (await project.asService({ path: '/rest/v1/many' })).headers['content-range'];

async function signInStatus(): Promise<number> {
  const body = { email, password: userPassword };
  const reply = await project.send({ method: 'POST', path: '/api/auth/sign-in/email', body });
  return reply.status;
}

/** A provider as another release may have stored it: the engine of this one refuses its id. */
const refusedProvider = {
  providerId: 'google',
  clientId: 'app',
  authorizationUrl: 'https://a.example/a',
  tokenUrl: 'https://a.example/t',
};

test('rules and engine of other settings take effect together', async () => {
  await store({ 'api.rest': { maxRows: 4 }, 'auth.methods.emailPassword': { enabled: false } });
  await waitFor(async () => (await rows()) === '0-3/*');
  // The engine was in use, so it was built before the rules were swapped.
  expect(await signInStatus()).toBe(404);
  await store({ 'auth.methods.emailPassword': { enabled: true } });
  await waitFor(async () => (await signInStatus()) === 200);
});

test('settings from which nothing can be built leave all of the old state in force', async () => {
  const refusals = () => logged.filter((line) => line.includes('google')).length;
  await store({
    'api.rest': { maxRows: 3 },
    'auth.oauth.custom': { providers: [refusedProvider] },
  });
  // It is tried again and again, and each time the reason is logged.
  await waitFor(async () => (await rows()) !== undefined && refusals() >= 2);
  expect(await rows()).toBe('0-3/*');
  expect(await signInStatus()).toBe(200);

  // An unrelated group cannot be saved on top of them, and the old state serves on.
  const refused = await save('api.rest', { maxRows: 2 });
  expect(refused.body).toMatchObject({ code: 'SETTINGS_REFUSED', status: 400 });
  expect(asRecord(refused.body)['message']).toContain('google');
  expect(await rows()).toBe('0-3/*');

  // The group at fault can be saved, and brings the other stored groups with it.
  expect((await save('auth.oauth.custom', { providers: [] })).status).toBe(200);
  expect(await rows()).toBe('0-2/*');
  expect(await signInStatus()).toBe(200);
});

test('a save that was overtaken takes over all groups that the other process has stored', async () => {
  expect(await signInStatus()).toBe(200);
  await store({ 'auth.methods.emailPassword': { enabled: false } });
  // The group saved here needs no engine; the one stored there does.
  expect((await save('api.rest', { maxRows: 2 })).status).toBe(200);
  expect(await rows()).toBe('0-1/*');
  expect(await signInStatus()).toBe(404);
});
