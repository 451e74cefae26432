// The history of settings groups: what was changed by whom, and the way back.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Capability } from '#libs/wire';

import { asRecord, asSuperuser, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { operatorHeaders } from './administration.js';

const settingsPath = '/api/admin/settings';
const sentinel = '__SECRET_SET__';
let deployment: Deployment;
let project: ProjectUnderTest;
let neighbor: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  [project, neighbor] = [await deployment.createProject(), await deployment.createProject()];
});
afterAll(() => deployment.close());

const send = (method: string, path: string, body?: unknown) =>
  project.asService({ method, path: settingsPath + path, ...(body !== undefined && { body }) });
const save = async (group: string, body: unknown) =>
  expect((await send('PUT', `/${group}`, body)).status).toBe(200);
const restore = (group: string, id: unknown, body?: unknown) =>
  send('POST', `/${group}/history/${String(id)}/restore`, body);

async function history(group: string, query = '') {
  const reply = await send('GET', `/${group}/history${query}`);
  if (reply.status !== 200) throw new Error(reply.text);
  const { versions, total } = asRecord(reply.body);
  if (!Array.isArray(versions)) throw new Error(reply.text);
  return { versions: versions.map((version: unknown) => asRecord(version)), total };
}

test('each change is kept with its actor and with what was stored before and after', async () => {
  await save('auth.signup', { enabled: false });
  const headers = operatorHeaders(deployment, project, ['settings.manage']);
  const path = `${settingsPath}/auth.signup`;
  await project.send({ method: 'DELETE', path, headers });
  const reply = await send('GET', '/auth.signup/history');
  expect(reply.headers['cache-control']).toBe('no-store');
  const common = {
    id: expect.stringMatching(/^\d+$/),
    at: expect.stringMatching(/Z$/),
    restoredId: null,
    changedSecrets: [],
  };
  const operator = { kind: 'operator', id: 'operator-1', email: 'operator@example.org' };
  expect(reply.body).toEqual({
    total: 2,
    versions: [
      { ...common, actor: operator, action: 'revert', before: { enabled: false }, after: null },
      {
        ...common,
        actor: { kind: 'secret-key', id: null, email: null },
        action: 'save',
        before: null,
        after: { enabled: false },
      },
    ],
  });
});

describe('a group with a secret', () => {
  const smtp = { host: 'one.example.org', from: 'a@example.org', user: 'u' };

  test('says that a secret has changed, and never which value it had', async () => {
    await save('email.smtp', { ...smtp, password: 'hunter22' });
    await save('email.smtp', { ...smtp, host: 'two.example.org', password: sentinel });
    await save('email.smtp', { ...smtp, host: 'two.example.org', password: 'hunter33' });
    const { versions } = await history('email.smtp');
    expect(versions.map(({ changedSecrets }) => changedSecrets)).toEqual([
      ['password'],
      [],
      ['password'],
    ]);
    expect(versions[0]).toMatchObject({ after: { password: sentinel } });
    const rows = await asSuperuser('select * from platform.settings_history', {
      database: project.database,
    });
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(rows)).not.toMatch(/hunter|v1\./);
  });

  test('returns to a version with the current secret, and says that it is another one', async () => {
    const [, second, first] = (await history('email.smtp')).versions;
    const reply = await restore('email.smtp', first?.['id']);
    expect(reply).toMatchObject({
      status: 200,
      body: {
        settings: { host: 'one.example.org', password: sentinel },
        secretsAsNow: ['password'],
      },
    });
    expect((await send('GET', '/email.smtp')).body).toMatchObject({ host: 'one.example.org' });
    const [newest] = (await history('email.smtp')).versions;
    expect(newest).toMatchObject({
      action: 'restore',
      restoredId: first?.['id'],
      changedSecrets: [],
      before: { host: 'two.example.org' },
    });
    expect(second).toMatchObject({ after: { host: 'two.example.org' } });
    const audit = await project.asService({ path: '/api/admin/audit?action=settings.restore' });
    expect(audit.body).toMatchObject({ total: 1, entries: [{ target: 'email.smtp' }] });
  });

  test('a secret that is gone stays gone', async () => {
    await send('DELETE', '/email.smtp');
    const [, latest] = (await history('email.smtp')).versions;
    const reply = await restore('email.smtp', latest?.['id']);
    expect(reply.body).toMatchObject({
      settings: { host: 'one.example.org', password: null },
      secretsAsNow: ['password'],
    });
  });
});

test('the version before a change can be returned to, also if nothing was stored', async () => {
  await save('realtime', { maxChannels: 7 });
  const [version] = (await history('realtime')).versions;
  const reply = await restore('realtime', version?.['id'], { state: 'before' });
  expect(reply.body).toMatchObject({ settings: { maxChannels: 100 }, secretsAsNow: [] });
  const rows = await asSuperuser(`select 1 from platform.app_settings where name = 'realtime'`, {
    database: project.database,
  });
  expect(rows).toEqual([]);
});

test('a version that cannot be in force without its secret is refused, and nothing is changed', async () => {
  await save('auth.attackProtection', { captchaEnabled: true, captchaSecret: 'hidden' });
  await send('DELETE', '/auth.attackProtection');
  const { versions, total } = await history('auth.attackProtection');
  const reply = await restore('auth.attackProtection', versions[1]?.['id']);
  expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
  expect(asRecord(reply.body)['message']).toContain('captchaSecret');
  expect((await history('auth.attackProtection')).total).toBe(total);
});

describe('pages', () => {
  test('have the wanted number of versions, and begin after a given one', async () => {
    for (const maxRows of [1, 2, 3]) await save('api.rest', { maxRows });
    const { versions, total } = await history('api.rest', '?limit=2');
    expect(total).toBe(3);
    expect(versions.map(({ after }) => after)).toEqual([{ maxRows: 3 }, { maxRows: 2 }]);
    const older = await history('api.rest', `?before=${String(versions[1]?.['id'])}`);
    expect(older.versions.map(({ after }) => after)).toEqual([{ maxRows: 1 }]);
  });

  test('the newest hundred versions are kept', async () => {
    await asSuperuser(
      `insert into platform.settings_history (name, actor_kind, action, changed_secrets)
       select 'storage', 'secret-key', 'save', '{}' from generate_series(1, 150)`,
      { database: project.database },
    );
    await save('storage', { presignExpiresIn: 600 });
    const { versions, total } = await history('storage', '?limit=100');
    expect(total).toBe(100);
    expect(versions[0]).toMatchObject({ after: { presignExpiresIn: 600 } });
    expect((await history('api.rest')).total).toBe(3);
  });

  test('versions over the limit of bytes are deleted, the newest never', async () => {
    await asSuperuser(
      `insert into platform.settings_history (name, actor_kind, action, changed_secrets, after)
       select 'email.templates', 'secret-key', 'save', '{}',
         jsonb_build_object('x', (select string_agg(md5(random()::text), '') from generate_series(1, 100000)))
       from generate_series(1, 4)`,
      { database: project.database },
    );
    await save('email.templates', { resetPassword: { subject: 'A new password' } });
    const { versions } = await history('email.templates');
    expect(versions.length).toBe(3);
    expect(versions[0]).toMatchObject({ after: { resetPassword: { subject: 'A new password' } } });
  });

  test('the bytes of versions are those of their texts, however well they are compressed', async () => {
    await asSuperuser(
      `insert into platform.settings_history (name, actor_kind, action, changed_secrets, after)
       select 'api.rest', 'secret-key', 'save', '{}', jsonb_build_object('x', repeat('x', 3200000))
       from generate_series(1, 4)`,
      { database: project.database },
    );
    await save('api.rest', { maxRows: 7 });
    expect((await history('api.rest')).versions.length).toBe(3);
  });
});

describe('who may', () => {
  test.each([
    { group: 'auth.signup', enough: 'settings.manage', other: 'secrets.manage' },
    { group: 'email.smtp', enough: 'secrets.manage', other: 'settings.manage' },
  ] as const)('$group needs $enough', async ({ group, enough, other }) => {
    const ask = (method: string, path: string, capability: Capability) =>
      project.send({
        method,
        path: `${settingsPath}/${group}${path}`,
        headers: operatorHeaders(deployment, project, [capability]),
      });
    const [version] = (await history(group)).versions;
    const way = `/history/${String(version?.['id'])}/restore`;
    for (const [method, path] of [
      ['GET', '/history'],
      ['GET', '/sources'],
      ['POST', way],
    ] as const) {
      const refused = await ask(method, path, other);
      expect(refused).toMatchObject({ status: 403, body: { code: 'CAPABILITY_REQUIRED' } });
      expect((await ask(method, path, enough)).status).toBe(200);
    }
  });

  test('a version of another group or another project is not found', async () => {
    const [version] = (await history('api.rest')).versions;
    const notFound = { status: 404, body: { code: 'SETTINGS_VERSION_NOT_FOUND' } };
    expect(await restore('auth.signup', version?.['id'])).toMatchObject(notFound);
    const path = `${settingsPath}/api.rest/history`;
    const reply = await neighbor.asService({ path });
    expect(reply.body).toEqual({ versions: [], total: 0 });
    const theirs = await neighbor.asService({
      method: 'POST',
      path: `${path}/${String(version?.['id'])}/restore`,
    });
    expect(theirs).toMatchObject(notFound);
  });
});

test.each([
  { name: 'an unknown group', path: '/auth.nothing/history', status: 404 },
  { name: 'a version that is no number', path: '/api.rest/history?before=x', status: 400 },
  { name: 'too many versions', path: '/api.rest/history?limit=101', status: 400 },
])('$name is refused', async ({ path, status }) => {
  expect((await send('GET', path)).status).toBe(status);
});

test.each(['x', '-1', '99999999999999999999'])('there is no version %s', async (id) => {
  expect((await restore('api.rest', id)).status).toBe(404);
});

test('a state that does not exist is refused and names the field', async () => {
  const [version] = (await history('api.rest')).versions;
  const reply = await restore('api.rest', version?.['id'], { state: 'now' });
  expect(reply.status).toBe(400);
  expect(asRecord(reply.body)['message']).toContain('state');
});
