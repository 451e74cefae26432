// Accounts are kept under the id of the provider that vouches for them: an id that an SSO provider and a custom
// one shared would let each of them sign in as the other's people.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openSamlIdentityProvider,
  type SamlIdentityProvider,
} from '../support/saml-identity-provider.js';
import type { AuthProject } from './auth-project.js';
import { manager, openSsoProject, register, samlBody, type Manager } from './sso-project.js';
import { at } from '../support/replies.js';

let project: AuthProject;
let idp: SamlIdentityProvider;
let admin: Manager;

const custom = (providerId: string, extra: object = {}) => ({
  providerId,
  clientId: 'a',
  clientSecret: 'b',
  authorizationUrl: 'https://idp.example/auth',
  tokenUrl: 'https://idp.example/token',
  ...extra,
});
const settingsWith = (...providers: readonly object[]) => ({
  'auth.sso': { enabled: true },
  'auth.oauth.custom': { providers },
});

async function store(...providers: readonly object[]): Promise<void> {
  await project.sql(
    `insert into platform.app_settings (name, value) values ('auth.oauth.custom', $1)
     on conflict (name) do update set value = excluded.value`,
    [JSON.stringify({ providers })],
  );
}

beforeAll(async () => {
  [project, idp] = await Promise.all([openSsoProject(), openSamlIdentityProvider()]);
  admin = await manager(project, 'admin@app.test', { role: 'ADMIN' });
  await register(admin, samlBody(idp, 'Corp', 'corp.test'));
});
afterAll(async () => {
  await Promise.all([project.close(), idp.close()]);
});

describe('new settings', () => {
  test.each([
    { name: 'the id of an SSO provider', providers: [custom('other'), custom('Corp')], index: 1 },
    { name: 'the same id in other letters', providers: [custom('corp')], index: 0 },
    { name: 'it, though it is off', providers: [custom('CORP', { enabled: false })], index: 0 },
  ])('are refused when a custom provider has $name', async ({ providers, index }) => {
    await expect(project.rebuild(settingsWith(...providers))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      status: 400,
      message: `providers[${index}].providerId: is the id of an SSO provider`,
    });
  });

  test('are refused also while SSO is off', async () => {
    const settings = { ...settingsWith(custom('corp')), 'auth.sso': { enabled: false } };
    await expect(project.rebuild(settings)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('may have ids that no SSO provider has', async () => {
    await expect(project.rebuild(settingsWith(custom('corp2')))).resolves.toBeDefined();
  });

  test('that are stored are served, so that a project keeps its other ways to sign in', async () => {
    await store(custom('corp'));
    try {
      await expect(project.rebuild(settingsWith(custom('corp')))).resolves.toBeDefined();
    } finally {
      await store();
    }
  });
});

describe('a new SSO provider', () => {
  const body = () => samlBody(idp, 'Acme', 'acme.test');
  const refused = async (via?: AuthProject['auth']) => {
    const ask = { headers: admin.headers, body: body(), ...(via && { via }) };
    const reply = await project.post('/sso/register', ask);
    const rows = await project.sql(`select from auth."ssoProvider" where "providerId" = 'Acme'`);
    expect(rows).toEqual([]);
    return [reply.status, at(reply.body, 'code'), at(reply.body, 'message')];
  };
  const answer = [
    400,
    'INVALID_INPUT',
    'providerId: is the id of a provider in the settings auth.oauth.custom',
  ];

  test('does not get the id of a custom one, in any letters', async () => {
    expect(await refused(await project.rebuild(settingsWith(custom('acme'))))).toEqual(answer);
    const off = custom('ACME', { enabled: false });
    expect(await refused(await project.rebuild(settingsWith(off)))).toEqual(answer);
  });

  test('does not get it either where the settings of now are not known yet', async () => {
    await store(custom('other'), custom('acme', { enabled: false }));
    expect(await refused()).toEqual(answer);
    await store();
    await register(admin, body());
  });
});
