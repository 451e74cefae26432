// Operators with `settings.manage` alone meet the settings that hold secrets or decide where codes go.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { SETTINGS_GROUPS } from '#libs/settings';
import { CAPABILITIES } from '#libs/wire';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { operatorHeaders } from './administration.js';

const settingsPath = '/api/admin/settings';
let deployment: Deployment;
let project: ProjectUnderTest;
/** Its settings are written; those of the other one are not. */
let written: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  [project, written] = [await deployment.createProject(), await deployment.createProject()];
});
afterAll(() => deployment.close());

const without = (left: 'settings.manage' | 'secrets.manage') =>
  operatorHeaders(
    deployment,
    project,
    CAPABILITIES.filter((capability) => capability !== left),
  );
const ask = (method: string, path: string, left: 'settings.manage' | 'secrets.manage') =>
  project.send({
    method,
    path: `${settingsPath}${path}`,
    headers: without(left),
    ...(method !== 'GET' && { body: {} }),
  });
const groups = SETTINGS_GROUPS.map(({ name, capability }) => ({ name, capability }));

describe.each(groups)('$name', ({ name, capability }) => {
  test.each(['GET', 'PUT', 'DELETE'])(`%s needs ${capability}`, async (method) => {
    const other = capability === 'secrets.manage' ? 'settings.manage' : 'secrets.manage';
    const refused = await ask(method, `/${name}`, capability);
    expect(refused).toMatchObject({ status: 403, body: { code: 'CAPABILITY_REQUIRED' } });
    expect(asRecord(refused.body)['message']).toContain(capability);
    if (method === 'GET') expect((await ask(method, `/${name}`, other)).status).toBe(200);
  });

  test(`is read, written and reverted with ${capability} alone`, async () => {
    const path = `${settingsPath}/${name}`;
    const headers = operatorHeaders(deployment, written, [capability]);
    const values = await written.send({ path, headers });
    expect(values.status).toBe(200);
    const saved = await written.send({ method: 'PUT', path, headers, body: values.body });
    expect(saved).toMatchObject({ status: 200, body: values.body });
    const reverted = await written.send({ method: 'DELETE', path, headers });
    expect(reverted).toMatchObject({ status: 200, body: values.body });
  });
});

test.each([
  ['POST', '/email/test'],
  ['POST', '/sms/test'],
  ['GET', '/email/templates'],
  ['POST', '/email/preview'],
])('%s %s needs secrets.manage', async (method, path) => {
  const reply = await ask(method, path, 'secrets.manage');
  expect(reply).toMatchObject({ status: 403, body: { code: 'CAPABILITY_REQUIRED' } });
});

test('the forms without values are open to settings.manage and say what each group needs', async () => {
  const reply = await ask('GET', '', 'secrets.manage');
  expect(reply.status).toBe(200);
  const forms = Array.isArray(reply.body) ? reply.body.map((form: unknown) => asRecord(form)) : [];
  const shown = forms.map((form) => [form['name'], form['capability']]);
  expect(shown).toEqual(groups.map(({ name, capability }) => [name, capability]));
});

test('an unknown group is said to be unknown', async () => {
  expect(await ask('GET', '/auth.unknown', 'secrets.manage')).toMatchObject({ status: 404 });
});

test('nothing was written by all of this', async () => {
  const log = await project.asService({ path: '/api/admin/audit?action=settings.*' });
  expect(log.body).toMatchObject({ total: 0 });
});
