// Sealed values that were damaged, or restored from elsewhere: each costs what needs it, and nothing besides.
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openControlPlane } from '#libs/control-plane';
import { parseEnv } from '../../bin/env.js';
import { codeFor } from '../support/authenticator.js';
import { asRecord, asSuperuser, Deployment, testDatabaseUrl } from '../support/deployment.js';
import type { Call } from '../support/http.js';
import { type ProjectUnderTest, userPassword } from '../support/project.js';

const logged: string[] = [];
let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) });
  deployment = await Deployment.open({ log });
  project = await deployment.createProject();
});
afterAll(() => deployment.close());

const call = async (method: string, path: string, body?: unknown) => {
  const reply = await project.asService({ method, path, ...(body !== undefined && { body }) });
  return { status: reply.status, body: asRecord(reply.body) };
};
const groupPath = (group: string) => `/api/admin/settings/${group}`;
const inProject = (sql: string, values: readonly unknown[] = []) =>
  asSuperuser(sql, { database: project.database, values: [...values] });
const openAgain = async ({ ref }: ProjectUnderTest = project) => {
  for (const verb of ['pause', 'resume']) {
    const path = `/platform/projects/${ref}/${verb}`;
    expect((await deployment.console({ method: 'POST', path })).status).toBeLessThan(300);
  }
};
const fieldAt = (value: unknown, path: string) =>
  path.split('.').reduce<unknown>((at, name) => asRecord(at)[name], value);

const signingSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const http = { enabled: true, target: 'http', url: 'https://hooks.example.org' };
const groups = [
  {
    group: 'email.smtp',
    field: 'password',
    value: { host: 'mail.example.org', from: 'a@example.org', user: 'u', password: 'hunter22' },
    change: { host: 'other.example.org' },
    repair: { password: 'hunter23' },
  },
  {
    group: 'auth.social',
    field: 'google.clientSecret',
    value: { google: { enabled: true, clientId: 'id', clientSecret: 'hunter22' } },
    change: { google: { enabled: true, clientId: 'other', clientSecret: '__SECRET_SET__' } },
    repair: { google: { enabled: true, clientId: 'id', clientSecret: 'hunter23' } },
  },
  {
    group: 'auth.attackProtection',
    field: 'captchaSecret',
    value: { captchaEnabled: true, captchaSecret: 'hunter22' },
    change: { captchaProvider: 'hcaptcha' },
    repair: { captchaSecret: 'hunter23' },
  },
  {
    group: 'auth.hooks',
    field: 'events.secret',
    value: { events: { ...http, secret: signingSecret } },
    change: { events: { ...http, timeoutMs: 700 } },
    repair: { events: { ...http, secret: signingSecret } },
  },
  {
    group: 'phone.sms',
    field: 'webhook.secret',
    value: { provider: 'webhook', webhook: { url: http.url, secret: signingSecret } },
    change: { text: 'Your code: {{ code }}' },
    repair: { webhook: { url: http.url, secret: signingSecret } },
  },
];

describe('a secret of the settings', () => {
  const damaged = 'v1.00000000.of-another-project';
  const storedAt = async (group: string, field: string) => {
    const [row] = await inProject('select value from platform.app_settings where name = $1', [
      group,
    ]);
    return fieldAt(row?.['value'], field);
  };

  test('that cannot be opened leaves the project up; log and readiness name it once', async () => {
    for (const { group, field, value } of groups) {
      expect(await call('PUT', groupPath(group), value)).toMatchObject({ status: 200 });
      await inProject(
        'update platform.app_settings set value = jsonb_set(value, $2, to_jsonb($3::text)) where name = $1',
        [group, field.split('.'), damaged],
      );
    }
    await openAgain();
    expect((await call('GET', '/api/admin/settings')).status).toBe(200);
    expect((await project.asService({ path: '/rest/v1/none' })).status).toBe(404);
    const session = await project.send({ path: '/api/auth/get-session' });
    expect(session.status).toBe(200);
    const { body: readiness } = await call('GET', '/api/admin/auth/status');
    for (const { group, field } of groups) {
      const { body } = await call('GET', groupPath(group));
      expect([group, fieldAt(body, field)]).toEqual([group, null]);
      expect(fieldAt({ readiness }, 'readiness')).toHaveProperty([group, 'missing']);
      expect(asRecord(asRecord(readiness)[group])['missing']).toContain(field);
      const named = logged.filter((line) =>
        line.includes(
          `stored secret ${field} of the settings group ${group} of the project ${project.ref}`,
        ),
      );
      expect(named).toHaveLength(1);
    }
    expect(logged.join('')).not.toMatch(/hunter22|of-another-project/);
  });

  test('that cannot be opened makes a CAPTCHA refuse, not let pass', async () => {
    const body = { email: 'a@example.org', password: userPassword };
    const signUp: Call = { method: 'POST', path: '/api/auth/sign-up/email', body };
    const reply = await project.send({ ...signUp, headers: { 'x-captcha-response': 'proof' } });
    expect([reply.status, asRecord(reply.body)['code']]).toEqual([503, 'CAPTCHA_UNAVAILABLE']);
  });

  test.each(groups)(
    '$group: other fields are saved and restored beside it, and a new one repairs it',
    async ({ group, field, value, change, repair }) => {
      const { body: read } = await call('GET', groupPath(group));
      const saved = await call('PUT', groupPath(group), { ...read, ...change });
      expect(saved).toMatchObject({ status: 200 });
      expect(await storedAt(group, field)).toBe(damaged);
      const history = await call('GET', `${groupPath(group)}/history`);
      const [, first] = history.body['versions'] as { readonly id: string }[];
      expect(JSON.stringify(history.body)).not.toContain(damaged);
      const restore = await call('POST', `${groupPath(group)}/history/${first?.id}/restore`, {});
      expect(restore).toMatchObject({ status: 200 });
      expect(await storedAt(group, field)).toBe(damaged);
      const repaired = await call('PUT', groupPath(group), { ...value, ...repair });
      expect(fieldAt(repaired.body, field)).toBe('__SECRET_SET__');
      const { body: readiness } = await call('GET', '/api/admin/auth/status');
      expect(asRecord(readiness[group] ?? { missing: [] })['missing']).not.toContain(field);
      await call('DELETE', groupPath(group));
    },
  );
});

test('the secret of a second factor costs its own sign-in, with a code', async () => {
  await call('DELETE', groupPath('auth.attackProtection'));
  await call('PUT', groupPath('auth.twoFactor'), { enabled: true });
  const ann = await project.signUp('ann@example.org');
  const ask = (path: string, body: object) =>
    project.as(ann, { method: 'POST', path: `/api/auth/two-factor/${path}`, body });
  const enrolment = asRecord((await ask('enable', { password: userPassword })).body);
  await inProject(`update auth."twoFactor" set secret = 'ffff'`);
  const code = codeFor(String(enrolment['totpURI']));
  const reply = await ask('verify-totp', { code });
  expect([reply.status, asRecord(reply.body)['code']]).toEqual([503, 'SECOND_FACTOR_UNREADABLE']);
  expect(logged.join('')).toMatch(/secret of the second factor \w+ .*cannot be opened/);
});

describe('a sealed value of the control plane', () => {
  const inControlPlane = (sql: string, values: readonly unknown[]) =>
    asSuperuser(sql, { database: deployment.ground.databaseName, values: [...values] });
  const stored = async (ref: string) => {
    const sql = 'select sealed_data_key, sealed_logins from project where ref = $1';
    const [row] = await inControlPlane(sql, [ref]);
    return row ?? {};
  };

  test.each(['sealed_data_key', 'sealed_logins'])(
    'project.%s refuses its project with a code, names itself in the log, and leaves others up',
    async (column) => {
      const other = await deployment.createProject();
      const rest: Call = { path: '/rest/v1/none' };
      const before = await stored(other.ref);
      await inControlPlane(`update project set ${column} = 'v1.damaged.x' where ref = $1`, [
        other.ref,
      ]);
      const refused = await other.asService(rest);
      expect([refused.status, asRecord(refused.body)['code']]).toEqual([
        503,
        'PROJECT_SECRETS_UNREADABLE',
      ]);
      expect(logged.join('')).toContain(`(project.${column}) of the project ${other.ref} cannot`);
      expect((await project.asService(rest)).status).toBe(404);
      const path = '/platform/projects';
      expect((await deployment.console({ path })).text).toContain(other.ref);
      const password = { method: 'POST', path: `${path}/${other.ref}/database/password` };
      if (column === 'sealed_logins') {
        expect((await deployment.console(password)).status).toBe(200);
      } else {
        expect((await deployment.console(password)).status).toBe(503);
        const value = before[column];
        await inControlPlane(`update project set ${column} = $2 where ref = $1`, [
          other.ref,
          value,
        ]);
      }
      await openAgain(other);
      expect((await other.asService(rest)).status).toBe(404);
    },
  );
});

test('data that were sealed under a master key with a line break stay readable with it', async () => {
  const databaseName = `${deployment.ground.databaseName}_key`;
  const { masterKey, formerMasterKey } = parseEnv({ MASTER_KEY: `${'ab'.repeat(32)}\n` });
  if (masterKey === undefined || formerMasterKey === undefined) throw new Error('no keys');
  const start = async (keys: { readonly masterKey: Buffer; readonly formerMasterKey?: Buffer }) => {
    const databaseUrl = testDatabaseUrl();
    const opened = await openControlPlane({ databaseUrl, databaseName, reservedRefs: [], ...keys });
    await opened.close();
    return opened.masterKey.bytes;
  };
  try {
    // As an earlier release has started it.
    await start({ masterKey: formerMasterKey });
    expect(await start({ masterKey, formerMasterKey })).toEqual(formerMasterKey);
    await expect(start({ masterKey })).rejects.toThrow('MASTER_KEY is not the key');
    await asSuperuser('delete from deployment', { database: databaseName });
    expect(await start({ masterKey, formerMasterKey })).toEqual(masterKey);
    expect(await start({ masterKey })).toEqual(masterKey);
  } finally {
    await asSuperuser(`drop database if exists ${databaseName} with (force)`);
  }
});
