// Whether an SSO provider works is told before anybody tries it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord } from '../support/deployment.js';
import { auditOf, rowsOf } from './administration.js';
import { at, field, openSsoDeployment, putSettings, refusalOf } from './sso-administration.js';
import type { SsoDeployment } from './sso-administration.js';

let sso: SsoDeployment;

beforeAll(async () => {
  sso = await openSsoDeployment();
  await putSettings(sso.project, 'auth.sso', { enabled: true, maxProvidersPerOrganization: 50 });
  await rowsOf(
    sso.project,
    `insert into auth.organization (id, name, slug) values ('org1', 'Corp', 'corp')`,
  );
});
afterAll(() => sso.close());

/** The checks that found something, with their reasons. */
async function findingsOf(providerId: string): Promise<Record<string, unknown>> {
  const reply = await sso.ask({ method: 'POST', path: at(providerId, '/test') });
  const { ready, checks } = asRecord(reply.body);
  const all = (Array.isArray(checks) ? checks : []).map(asRecord);
  const isReady = all.every(({ status }) => status !== 'failed');
  expect([reply.status, ready, all.length]).toEqual([200, isReady, 5]);
  const found = all.filter(({ status }) => status !== 'ok');
  return Object.fromEntries(
    found.map(({ name, status, reason }) => [String(name), `${String(status)}: ${String(reason)}`]),
  );
}

/** A provider whose domain its organization only claims. */
async function claimed(domain: string): Promise<string> {
  const { providerId } = await sso.create(sso.newSaml({ organizationId: 'org1', domain }));
  await rowsOf(
    sso.project,
    `update auth."ssoDomain" set "verifiedAt" = null where domain = any ($1)`,
    [domain.split(',')],
  );
  return providerId;
}

describe('the test of an SSO provider', () => {
  test('finds nothing wrong with one that works', async () => {
    const byOidc = await sso.create(sso.newOidc());
    const bySaml = await sso.create(sso.newSaml());
    expect(await findingsOf(byOidc.providerId)).toEqual({});
    expect(await findingsOf(bySaml.providerId)).toEqual({});
  });

  test('says that the settings are off, and works meanwhile', async () => {
    const { providerId } = await sso.create(sso.newSaml({ organizationId: 'org1' }));
    await putSettings(sso.project, 'auth.sso', { enabled: false });
    expect(await findingsOf(providerId)).toEqual({ settings: 'failed: auth.sso is off' });
    await putSettings(sso.project, 'auth.sso', { enabled: true, maxProvidersPerOrganization: 50 });
    await putSettings(sso.project, 'auth.organization', { enabled: false });
    expect(await findingsOf(providerId)).toEqual({ settings: 'failed: auth.organization is off' });
    await putSettings(sso.project, 'auth.organization', { enabled: true });
  });

  test('says that the identity provider does not answer', async () => {
    const { providerId } = await sso.create(sso.newOidc());
    sso.oidc.fail(503, 'keys');
    expect(await findingsOf(providerId)).toEqual({ endpoints: expect.stringContaining('503') });
    sso.oidc.resume();
    expect(await findingsOf(providerId)).toEqual({});
  });

  test('says that a secret cannot be opened any more', async () => {
    const { providerId } = await sso.create(sso.newOidc());
    await rowsOf(
      sso.project,
      `update auth."ssoProvider"
       set "oidcConfig" = regexp_replace("oidcConfig", 'sealed:1:.{8}', 'sealed:1:AAAAAAAA')
       where "providerId" = $1`,
      [providerId],
    );
    expect(await findingsOf(providerId)).toEqual({
      secrets: expect.stringContaining('set them again'),
    });
  });

  test('says which domains are not proven', async () => {
    const providerId = await claimed('claimed1.test,claimed2.test');
    expect(await findingsOf(providerId)).toEqual({
      domains: 'failed: not proven: claimed1.test, claimed2.test',
    });
    await sso.ask({
      method: 'POST',
      path: at(providerId, '/verify-domains'),
      body: { domain: 'claimed1.test' },
    });
    expect(await findingsOf(providerId)).toEqual({ domains: 'warning: not proven: claimed2.test' });
  });
});

describe('domains that an organization claims', () => {
  const verify = (providerId: string, body?: unknown) =>
    sso.ask({
      method: 'POST',
      path: at(providerId, '/verify-domains'),
      ...(body !== undefined && { body }),
    });

  test('are proven by an administrator, one or all', async () => {
    const providerId = await claimed('one.test,three.test,two.test');
    const one = await verify(providerId, { domain: 'two.test' });
    expect(field(one, 'domains')).toMatchObject([
      { domain: 'one.test', verified: false },
      { domain: 'three.test', verified: false },
      { domain: 'two.test', verified: true },
    ]);
    expect(field(await verify(providerId), 'domainVerified')).toBe(true);
    // Nothing was left to do, so nothing is in the log.
    await verify(providerId);
    const actions = (await auditOf(sso.project, providerId)).map(({ action }) => action);
    expect(actions).toEqual([
      'ssoProvider.create',
      'ssoProvider.verifyDomains',
      'ssoProvider.verifyDomains',
    ]);
  });

  test.each([
    {
      name: 'a domain of another provider',
      body: { domain: 'foreign.test' },
      code: 'INVALID_INPUT',
    },
    { name: 'a domain that is no text', body: { domain: 1 }, code: 'INVALID_INPUT' },
    { name: 'a list', body: ['mine.test'], code: 'INVALID_INPUT' },
    { name: 'another field', body: { domains: ['a'] }, code: 'FIELD_NOT_ALLOWED' },
  ])('are not proven by $name', async ({ body, code }) => {
    const providerId = await claimed(`c${Math.random().toString(36).slice(2)}.test`);
    const before = await sso.traces();
    expect(refusalOf(await verify(providerId, body)).slice(0, 2)).toEqual([400, code]);
    expect(await sso.traces()).toEqual(before);
  });

  test('are all left as they are when one of them is proven for another provider', async () => {
    const providerId = await claimed('free.test,wanted.test');
    await sso.create(sso.newSaml({ domain: 'wanted.test' }));
    const before = await sso.traces();
    const reply = await verify(providerId);
    expect(refusalOf(reply)).toEqual([
      409,
      'SSO_DOMAIN_TAKEN',
      expect.stringContaining('wanted.test'),
    ]);
    expect(await sso.traces()).toEqual(before);
  });
});
