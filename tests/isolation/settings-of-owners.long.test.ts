// An owner may give its own login any setting. Three of them keep every session of the login from working: the SQL
// editor and the connection string fail. A new password and a resume take them back, and leave all others.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';

import { waitFor } from '#libs/testing';

import { asSuperuser, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let neighbor: ProjectUnderTest;
beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  neighbor = await deployment.createProject();
}, 60_000);
afterAll(() => deployment.close());

const path = (rest: string) => `/platform/projects/${project.ref}/${rest}`;
const owner = () => `"${project.login('owner')}"`;
const settings = async () =>
  (
    await asSuperuser(
      `select setting::text from pg_db_role_setting, unnest(setconfig) setting
       where setrole = $1::regrole order by setting`,
      { values: [owner()] },
    )
  ).map(({ setting }) => setting);
const readUrl = async (): Promise<string> => {
  const { body } = await deployment.console({ path: path('database') });
  return (body as { readonly databaseUrl: string }).databaseUrl;
};
/** Whether a session stays open for a moment without work, and then does some. */
const canWork = async (): Promise<boolean> => {
  const client = new pg.Client({ connectionString: await readUrl() });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await delay(50);
    await client.query('select pg_catalog.pg_sleep(0.01)');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined); // The server may have ended it.
  }
};

describe.each([
  { name: 'for all databases', place: () => '' },
  { name: 'for its database', place: () => ` in database ${project.database}` },
])('a setting $name', ({ place }) => {
  const breaking = [
    `local_preload_libraries = 'missing'`,
    `idle_session_timeout = '1ms'`,
    `transaction_timeout = '1ms'`,
  ];

  test.each(breaking)('%s is taken back by a new password', async (setting) => {
    await breakLogin(setting);
    const reply = await deployment.console({ method: 'POST', path: path('database/password') });
    expect(reply.status).toBe(200);
    await expectKept();
  });

  test.each(breaking)('%s is taken back by a resume', async (setting) => {
    await breakLogin(setting);
    const reply = await deployment.console({ method: 'POST', path: path('resume') });
    expect(reply.status).toBe(200);
    await expectKept();
  });

  async function breakLogin(setting: string): Promise<void> {
    const role = `alter role current_user${place()}`;
    await project.sql(`${role} set application_name = 'mine'; ${role} set ${setting}`);
    await waitFor(async () => !(await canWork()));
  }

  async function expectKept(): Promise<void> {
    expect(await canWork()).toBe(true);
    expect(await project.sql('select 1 as one')).toEqual([{ one: 1 }]);
    expect(await settings()).toEqual(['application_name=mine']);
    await project.sql(`alter role current_user${place()} reset all`);
  }
});

test('a login has no say in the settings of a neighbor', async () => {
  const change = `alter role "${neighbor.login('owner')}" set local_preload_libraries = 'missing'`;
  await expect(project.sql(change)).rejects.toThrow('42501');
  expect(await neighbor.sql('select 1 as one')).toEqual([{ one: 1 }]);
});
