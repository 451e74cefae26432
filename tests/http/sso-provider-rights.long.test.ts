// Who may manage SSO providers, and what the audit log says of it.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord } from '../support/deployment.js';
import type { Call } from '../support/http.js';
import type { SignedIn } from '../support/project.js';
import { auditOf, makeSignedIn, operatorHeaders } from './administration.js';
import {
  at,
  field,
  openSsoDeployment,
  providersPath,
  type SsoDeployment,
} from './sso-administration.js';

let sso: SsoDeployment;
let admin: SignedIn;
let user: SignedIn;

beforeAll(async () => {
  sso = await openSsoDeployment();
  admin = await makeSignedIn(sso.project, 'admin@example.org', { role: 'ADMIN' });
  user = await makeSignedIn(sso.project, 'user@example.org');
  await sso.create(sso.newSaml({ providerId: 'taken' }));
});
afterAll(() => sso.close());

const calls = (): readonly Call[] => [
  { path: providersPath },
  { method: 'POST', path: providersPath, body: sso.newSaml() },
  { path: at('taken') },
  { method: 'PATCH', path: at('taken'), body: { domain: 'evil.test' } },
  { method: 'DELETE', path: at('taken') },
  { method: 'POST', path: at('taken', '/verify-domains') },
  { method: 'POST', path: at('taken', '/test') },
  { path: at('taken', '/urls') },
];
test.each([
  { name: 'nobody without a credential', code: 'UNAUTHORIZED', as: (call: Call) => call },
  {
    name: 'nobody with the publishable key',
    code: 'UNAUTHORIZED',
    as: (call: Call) => ({ ...call, headers: { apikey: sso.project.publishableKey } }),
  },
  {
    name: 'no user',
    code: 'ADMIN_REQUIRED',
    as: (call: Call) => ({ ...call, headers: { authorization: `Bearer ${user.token}` } }),
  },
  {
    name: 'no operator without secrets.manage',
    code: 'CAPABILITY_REQUIRED',
    as: (call: Call) => ({
      ...call,
      headers: operatorHeaders(sso.deployment, sso.project, ['content.write', 'settings.manage']),
    }),
  },
])('$name', async ({ as, code }) => {
  const before = await sso.traces();
  for (const call of calls()) {
    expect(field(await sso.project.send(as(call)), 'code')).toBe(code);
  }
  expect(await sso.traces()).toEqual(before);
});

test('administrators and operators with secrets.manage, and the log names them', async () => {
  const headers = operatorHeaders(sso.deployment, sso.project, ['secrets.manage']);
  const body = sso.newSaml();
  expect((await sso.project.as(admin, { method: 'POST', path: providersPath, body })).status).toBe(
    201,
  );
  const path1 = at(body.providerId);
  const change = { samlConfig: { audience: 'urn:us' } };
  await sso.project.send({ method: 'PATCH', path: path1, headers, body: change });
  await sso.ask({ method: 'DELETE', path: path1 });
  const entries = await auditOf(sso.project, body.providerId);
  expect(entries).toMatchObject([
    { action: 'ssoProvider.create', actor_kind: 'user', actor_id: admin.id, before: null },
    {
      action: 'ssoProvider.update',
      actor_kind: 'operator',
      actor_email: 'operator@example.org',
      before: { samlConfig: {} },
      after: { samlConfig: change.samlConfig },
    },
    { action: 'ssoProvider.delete', actor_kind: 'secret-key', after: null },
  ]);
});

test('the log has the names of secrets that changed, and nothing else of them', async () => {
  const { providerId } = await sso.create(sso.newOidc());
  const change = { oidcConfig: { clientSecret: 'another secret' } };
  await sso.ask({ method: 'PATCH', path: at(providerId), body: change });
  const entries = await auditOf(sso.project, providerId);
  expect(entries.map(({ after }) => asRecord(after)['secretsChanged'])).toEqual([
    ['clientSecret'],
    ['clientSecret'],
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/the client secret|another secret|sealed:/);
});
