// The test of an SSO provider says what it has tried, what has failed, and what to do.
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

const unproven = (domains: string) =>
  `It is not proven that the organization owns ${domains}: users with addresses of these domains cannot sign in. Create the DNS record of each domain and look it up, or verify the domains as an administrator.`;

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
    expect(await findingsOf(providerId)).toEqual({
      settings:
        'failed: Single sign-on is off. Turn on “enabled” in the settings group auth.sso, and test again.',
    });
    await putSettings(sso.project, 'auth.sso', { enabled: true, maxProvidersPerOrganization: 50 });
    await putSettings(sso.project, 'auth.organization', { enabled: false });
    expect(await findingsOf(providerId)).toEqual({
      settings:
        'failed: The provider belongs to an organization, and organizations are off. Turn on “enabled” in the settings group auth.organization, and test again.',
    });
    await putSettings(sso.project, 'auth.organization', { enabled: true });
  });

  test('says that the identity provider does not answer', async () => {
    const { providerId } = await sso.create(sso.newOidc());
    sso.oidc.fail(503, 'keys');
    expect(await findingsOf(providerId)).toEqual({
      endpoints: expect.stringMatching(
        /^failed: The address of the signing keys \(http:\S+\) failed: .* answered 503 and no JSON object\. Correct the address of the provider, and test again\.$/,
      ),
    });
    sso.oidc.resume();
    expect(await findingsOf(providerId)).toEqual({});
  });

  const refusedUrl = 'http://127.0.0.1/refused';
  test.each([
    { purpose: 'the signing keys', field: 'jwksEndpoint' },
    { purpose: 'the tokens', field: 'tokenEndpoint' },
    { purpose: 'the user data', field: 'userInfoEndpoint' },
  ])('says that the address of $purpose is not allowed', async ({ purpose, field }) => {
    const { providerId } = await sso.create(sso.newOidc());
    await rowsOf(
      sso.project,
      `update auth."ssoProvider"
       set "oidcConfig" = ("oidcConfig"::jsonb || jsonb_build_object($2::text, $3::text))::text
       where "providerId" = $1`,
      [providerId, field, refusedUrl],
    );
    expect(await findingsOf(providerId)).toEqual({
      endpoints: `failed: The address of ${purpose} (${refusedUrl}) failed: The address 127.0.0.1 is not allowed: it is not a public address, and OUTBOUND_ALLOWED_HOSTS of the deployment does not list it. Correct the address of the provider, and test again.`,
    });
  });

  test('says that the id is used for another way to sign in', async () => {
    const { providerId } = await sso.create(sso.newSaml());
    await rowsOf(
      sso.project,
      `update auth."ssoProvider" set "providerId" = 'github' where "providerId" = $1`,
      [providerId],
    );
    expect(await findingsOf('github')).toEqual({
      id: 'failed: The id github is reserved for another way to sign in. Register the provider with another id.',
    });
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
      secrets:
        'failed: The stored secrets of the provider cannot be opened: they were stored with another key of the project. Enter them again, and save.',
    });
  });

  test('says which domains are not proven', async () => {
    const providerId = await claimed('claimed1.test,claimed2.test');
    expect(await findingsOf(providerId)).toEqual({
      domains: `failed: ${unproven('claimed1.test, claimed2.test')}`,
    });
    await sso.ask({
      method: 'POST',
      path: at(providerId, '/verify-domains'),
      body: { domain: 'claimed1.test' },
    });
    expect(await findingsOf(providerId)).toEqual({
      domains: `warning: ${unproven('claimed2.test')}`,
    });
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
