// Accounts are kept under the id of their provider, so no two providers of a project share one, however they
// are set up; other projects have nothing to do with it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import pg from 'pg';

import { waitFor } from '#libs/testing';
import { testDatabaseUrl } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { auditOf, rowsOf } from './administration.js';
import {
  at,
  field,
  openSsoDeployment,
  providersPath,
  putSettings,
  refusalOf,
  type SsoDeployment,
} from './sso-administration.js';

const group = 'auth.oauth.custom';
let sso: SsoDeployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  sso = await openSsoDeployment();
  ({ project } = sso);
  await putSettings(project, 'auth.sso', { enabled: true });
});
afterAll(() => sso.close());

const custom = (providerId: string, extra: object = {}) => ({
  providerId,
  clientId: 'a',
  clientSecret: 'b',
  authorizationUrl: 'https://idp.example/auth',
  tokenUrl: 'https://idp.example/token',
  ...extra,
});
const saveCustom = (...providers: readonly object[]) => putSettings(project, group, { providers });
const register = (providerId: string) =>
  sso.ask({ method: 'POST', body: sso.newSaml({ providerId }) });

describe('a custom provider', () => {
  test.each([
    { name: 'a social provider', providers: [custom('Google')], index: 0 },
    { name: 'passwords', providers: [custom('credential')], index: 0 },
    { name: 'another custom provider', providers: [custom('acme'), custom('ACME')], index: 1 },
    { name: 'an SSO provider', providers: [custom('fine'), custom('corp')], index: 1 },
    { name: 'an SSO provider in other letters', providers: [custom('CORP')], index: 0 },
    {
      name: 'an SSO provider while it is off',
      providers: [custom('Corp', { enabled: false })],
      index: 0,
    },
  ])('is not saved with the id of $name', async ({ providers, index }) => {
    if ((await sso.ask({ path: at('corp') })).status === 404) await register('corp');
    const before = await sso.traces();
    const reply = await saveCustom(...providers);
    const message = expect.stringContaining(`providers[${index}].providerId: is `);
    expect(refusalOf(reply)).toEqual([400, 'INVALID_INPUT', message]);
    expect(await sso.traces()).toEqual(before);
  });

  test('takes an id that an SSO provider has given up', async () => {
    await register('passing');
    expect((await saveCustom(custom('passing'))).status).toBe(400);
    await sso.ask({ method: 'DELETE', path: at('passing') });
    expect((await saveCustom(custom('passing'))).status).toBe(200);
  });
});

describe('an SSO provider', () => {
  test.each([
    { name: 'a custom provider', providerId: 'github-work' },
    { name: 'a custom provider in other letters', providerId: 'GitHub-Work' },
    { name: 'a custom provider that is off', providerId: 'resting' },
    { name: 'a social provider', providerId: 'GitHub' },
    { name: 'passwords', providerId: 'credential' },
  ])('is not created with the id of $name', async ({ providerId }) => {
    await saveCustom(custom('github-work'), custom('resting', { enabled: false }));
    const before = await sso.traces();
    const reply = await register(providerId);
    const message = expect.stringMatching(/^providerId: is /);
    expect(refusalOf(reply)).toEqual([400, 'INVALID_INPUT', message]);
    expect(await sso.traces()).toEqual(before);
  });

  test('does not take over the accounts that a custom provider has left', async () => {
    await saveCustom();
    await rowsOf(
      project,
      `with u as (insert into auth."user" (id, email) values ('left', 'left@example.org') returning id)
       insert into auth.account (id, "accountId", "providerId", "userId")
       select 'left', 'sub', 'old-custom', id from u`,
    );
    expect(refusalOf(await register('Old-Custom')).slice(0, 2)).toEqual([
      409,
      'SSO_PROVIDER_EXISTS',
    ]);
  });
});

describe('at the same time', () => {
  /** Holds both writes back in this order, at the point where each has decided already. */
  async function inOrder<A, B>(first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
    const url = new URL(testDatabaseUrl());
    url.pathname = `/${project.database}`;
    const client = new pg.Client(url.href);
    await client.connect();
    try {
      await client.query('begin');
      await client.query('select from platform.settings_version for update');
      const one = first();
      await waitFor(async () => (await waiting()) === 1);
      const two = second();
      await waitFor(async () => (await waiting()) === 2);
      await client.query('rollback');
      return await Promise.all([one, two]);
    } finally {
      await client.end();
    }
  }
  async function waiting(): Promise<unknown> {
    const [row] = await rowsOf(
      project,
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row?.['count'];
  }

  test('an id goes to the custom provider that was saved first', async () => {
    const [saved, registered] = await inOrder(
      () => saveCustom(custom('race1')),
      () => register('race1'),
    );
    expect([saved.status, registered.status]).toEqual([200, 400]);
    expect((await sso.ask({ path: at('race1') })).status).toBe(404);
    expect(await auditOf(project, 'race1')).toEqual([]);
  });

  test('an id goes to the SSO provider that was created first', async () => {
    await saveCustom();
    const [registered, saved] = await inOrder(
      () => register('race2'),
      () => saveCustom(custom('race2')),
    );
    expect([registered.status, saved.status]).toEqual([201, 400]);
    expect(field(saved, 'message')).toContain('providers[0].providerId');
    const settings = await project.asService({ path: `/api/admin/settings/${group}` });
    expect(settings.text).not.toContain('race2');
  });
});

describe('another project', () => {
  let other: ProjectUnderTest;
  const begin = (at: ProjectUnderTest, body: object) =>
    at.send({ method: 'POST', path: '/api/auth/sign-in/sso', body });
  beforeAll(async () => {
    other = await sso.deployment.createProject();
    await putSettings(other, 'auth.sso', { enabled: true });
    await sso.create(sso.newSaml({ providerId: 'mine', domain: 'mine.test' }));
  });

  test('does not know the providers and domains of this one', async () => {
    for (const body of [
      { providerId: 'mine' },
      { domain: 'mine.test' },
      { email: 'a@mine.test' },
    ]) {
      expect((await begin(project, body)).status).toBe(200);
      expect(refusalOf(await begin(other, body)).slice(0, 2)).toEqual([
        404,
        'SSO_PROVIDER_NOT_FOUND',
      ]);
    }
    expect((await other.asService({ path: providersPath })).body).toEqual({ providers: [] });
    const calls = [
      { path: at('mine') },
      { method: 'PATCH', path: at('mine'), body: { domain: 'evil.test' } },
      { method: 'DELETE', path: at('mine') },
      { method: 'POST', path: at('mine', '/verify-domains') },
      { method: 'POST', path: at('mine', '/test') },
      { path: '/api/auth/sso/saml2/sp/metadata?providerId=mine' },
    ];
    for (const call of calls) expect((await other.asService(call)).status).toBe(404);
    expect((await sso.ask({ path: at('mine') })).status).toBe(200);
  });

  test('has the same id and domain for providers of its own', async () => {
    const body = sso.newSaml({ providerId: 'mine', domain: 'mine.test' });
    const made = await other.asService({ method: 'POST', path: providersPath, body });
    expect(made.status).toBe(201);
    expect(field(made, 'redirectURI')).toContain(`//${other.host}:`);
    expect((await other.asService({ method: 'DELETE', path: at('mine') })).status).toBe(204);
    expect((await sso.ask({ path: at('mine') })).status).toBe(200);
  });

  test('takes the secret key of its own alone', async () => {
    const headers = { apikey: project.secretKey };
    const reply = await other.send({ path: providersPath, headers });
    expect(reply.status).toBe(401);
  });
});
