// SSO providers as operators and administrators of a project manage them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord } from '../support/deployment.js';
import type { Call } from '../support/http.js';
import { makeUser, rowsOf } from './administration.js';
import {
  at,
  field,
  openSsoDeployment,
  refusalOf,
  type SsoDeployment,
} from './sso-administration.js';

let sso: SsoDeployment;
let origin: string;

beforeAll(async () => {
  sso = await openSsoDeployment();
  origin = `http://${sso.project.host}:${new URL(sso.project.apiOrigin).port}`;
});
afterAll(() => sso.close());

describe('creating an SSO provider', () => {
  test('by OpenID Connect reads its discovery document and answers what to register there', async () => {
    const body = sso.newOidc();
    const reply = await sso.ask({ method: 'POST', body });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      providerId: body.providerId,
      type: 'oidc',
      organizationId: null,
      domainVerified: true,
      redirectURI: `${origin}/api/auth/sso/callback/${body.providerId}`,
      oidcConfig: { clientId: body.providerId, tokenEndpoint: `${sso.oidc.issuer}/token` },
    });
    expect(reply.text).not.toMatch(/the client secret|sealed:/);
  });

  test('by SAML answers the addresses of this side and the certificates of the other', async () => {
    const body = sso.newSaml();
    const reply = await sso.ask({ method: 'POST', path: '/admin/sso/providers', body });
    expect(reply.status).toBe(201);
    const spMetadataUrl = `${origin}/api/auth/sso/saml2/sp/metadata?providerId=${body.providerId}`;
    expect(reply.body).toMatchObject({
      type: 'saml',
      redirectURI: `${origin}/api/auth/sso/saml2/sp/acs/${body.providerId}`,
      spMetadataUrl,
    });
  });

  test('for an organization makes it one that the organization manages', async () => {
    const [row] = await rowsOf(
      sso.project,
      `insert into auth.organization (id, name, slug) values ('org1', 'Corp', 'corp') returning id`,
    );
    const body = await sso.create(sso.newSaml({ organizationId: row?.['id'] }));
    expect(field(await sso.ask({ path: at(body.providerId) }), 'organizationId')).toBe('org1');
  });

  const oidcOf = (change: object) => {
    const body = sso.newOidc();
    return { ...body, oidcConfig: { ...body.oidcConfig, ...change } };
  };
  test.each([
    ['no body', () => undefined, 'INVALID_INPUT', 'body: must be an object'],
    [
      'no id',
      () => sso.newOidc({ providerId: undefined }),
      'INVALID_INPUT',
      'providerId: is required',
    ],
    [
      'an id that is no id',
      () => sso.newOidc({ providerId: 'a/b' }),
      'INVALID_INPUT',
      'providerId: ',
    ],
    ['a foreign issuer', () => sso.newOidc({ issuer: 'file:///etc' }), 'INVALID_INPUT', 'issuer: '],
    ['no domain', () => sso.newOidc({ domain: undefined }), 'INVALID_INPUT', 'domain: is required'],
    ['a public domain', () => sso.newOidc({ domain: 'gmail.com' }), 'INVALID_INPUT', 'domain: '],
    [
      'no configuration',
      () => sso.newOidc({ oidcConfig: undefined }),
      'INVALID_INPUT',
      'oidcConfig: or samlConfig is required',
    ],
    [
      'no client secret',
      () => oidcOf({ clientSecret: undefined }),
      'INVALID_INPUT',
      'oidcConfig.clientSecret: is required',
    ],
    [
      'an unknown field inside',
      () => oidcOf({ colour: 'red' }),
      'FIELD_NOT_ALLOWED',
      'oidcConfig.colour: ',
    ],
    ['an unknown field', () => sso.newOidc({ userId: 'me' }), 'FIELD_NOT_ALLOWED', 'userId: '],
    [
      'metadata that are none',
      () => sso.newSaml({ samlConfig: { idpMetadata: { metadata: '<a/>' } } }),
      'INVALID_INPUT',
      'samlConfig.idpMetadata.metadata: ',
    ],
    [
      'a discovery document of another issuer',
      () => sso.newOidc({ issuer: `${sso.oidc.issuer}/other` }),
      'SSO_PROVIDER_INVALID',
      '',
    ],
  ])('with %s is refused by name and writes nothing', async (_name, body, code, message) => {
    const before = await sso.traces();
    const reply = await sso.ask({ method: 'POST', body: body() });
    expect(refusalOf(reply)).toEqual([400, code, expect.stringContaining(message)]);
    expect(reply.text).not.toContain('the client secret');
    expect(await sso.traces()).toEqual(before);
  });

  test.each([
    { name: 'id in other letters', extra: { providerId: 'TAKEN' }, code: 'SSO_PROVIDER_EXISTS' },
    { name: 'domain', extra: { domain: 'a.test, taken.test' }, code: 'SSO_DOMAIN_TAKEN' },
  ])('with a taken $name is a conflict and writes nothing', async ({ extra, code }) => {
    if ((await sso.ask({ path: at('taken') })).status === 404) {
      await sso.create(sso.newSaml({ providerId: 'taken', domain: 'taken.test' }));
    }
    const before = await sso.traces();
    const reply = await sso.ask({ method: 'POST', body: sso.newSaml(extra) });
    expect(refusalOf(reply).slice(0, 2)).toEqual([409, code]);
    expect(await sso.traces()).toEqual(before);
  });
});

describe('changing an SSO provider', () => {
  test('keeps what is left out, its secret too', async () => {
    const { providerId } = await sso.create(sso.newOidc());
    const sealed = async () => {
      const text = 'select "oidcConfig" from auth."ssoProvider" where "providerId" = $1';
      const [row] = await rowsOf(sso.project, text, [providerId]);
      return asRecord(JSON.parse(String(row?.['oidcConfig'])))['clientSecret'];
    };
    expect(await sealed()).toMatch(/^sealed:1:/);
    const body = { domain: 'new.test,other.test', oidcConfig: { scopes: ['email'] } };
    const reply = await sso.ask({ method: 'PATCH', path: at(providerId), body });
    expect(reply.body).toMatchObject({
      domain: 'new.test,other.test',
      oidcConfig: { clientId: providerId, scopes: ['openid', 'email'] },
    });
    expect(await sealed()).toMatch(/^sealed:1:/);
  });

  test('cannot give it another id or owner', async () => {
    const { providerId } = await sso.create(sso.newSaml());
    const before = await sso.traces();
    for (const name of ['providerId', 'organizationId']) {
      const reply = await sso.ask({ method: 'PATCH', path: at(providerId), body: { [name]: 'x' } });
      expect(refusalOf(reply)).toEqual([400, 'FIELD_NOT_ALLOWED', expect.stringContaining(name)]);
    }
    expect(await sso.traces()).toEqual(before);
  });

  test('by several at once loses none of what they wrote', async () => {
    const { providerId } = await sso.create(sso.newSaml());
    const fields = ['audience', 'identifierFormat', 'signatureAlgorithm'] as const;
    const values = {
      audience: 'urn:a',
      identifierFormat: 'urn:b',
      signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    };
    const replies = await Promise.all(
      fields.map((name) =>
        sso.ask({
          method: 'PATCH',
          path: at(providerId),
          body: { samlConfig: { [name]: values[name] } },
        }),
      ),
    );
    const config = asRecord(field(await sso.ask({ path: at(providerId) }), 'samlConfig'));
    for (const [index, reply] of replies.entries()) {
      const name = fields[index] ?? 'audience';
      if (reply.status === 200) expect(config[name]).toBe(values[name]);
      else expect(refusalOf(reply).slice(0, 2)).toEqual([409, 'SSO_PROVIDER_CHANGED']);
    }
    expect(replies.some(({ status }) => status === 200)).toBe(true);
  });
});

describe('reading SSO providers', () => {
  test('lists all of them, those of organizations too, and none with a secret', async () => {
    const { providerId } = await sso.create(sso.newOidc());
    const reply = await sso.ask();
    const providers = field(reply, 'providers');
    const [count] = await rowsOf(sso.project, 'select count(*) from auth."ssoProvider"');
    expect(providers).toHaveLength(Number(count?.['count']));
    expect(reply.text).not.toMatch(/the client secret|clientSecret|sealed:/);
    const one = await sso.ask({ path: at(providerId) });
    expect(providers).toContainEqual(one.body);
    expect(one.headers['cache-control']).toBe('no-store');
  });

  test('what to register is told before there is a provider', async () => {
    const reply = await sso.ask({ path: at('planned', '/urls') });
    const spMetadataUrl = `${origin}/api/auth/sso/saml2/sp/metadata?providerId=planned`;
    expect(reply.body).toEqual({
      providerId: 'planned',
      oidc: { redirectURI: `${origin}/api/auth/sso/callback/planned` },
      saml: {
        redirectURI: `${origin}/api/auth/sso/saml2/sp/acs/planned`,
        spMetadataUrl,
        entityID: spMetadataUrl,
      },
    });
    expect(refusalOf(await sso.ask({ path: at('google', '/urls') }))).toEqual([
      400,
      'INVALID_INPUT',
      expect.stringContaining('providerId: '),
    ]);
  });

  test.each(['nobody', '%00', 'a%2Fb'])('there is no provider %s', async (id) => {
    const calls: Partial<Call>[] = [
      { path: at(id) },
      { method: 'PATCH', path: at(id), body: {} },
      { method: 'DELETE', path: at(id) },
      { method: 'POST', path: at(id, '/test') },
      { method: 'POST', path: at(id, '/verify-domains') },
    ];
    for (const call of calls) {
      const reply = await sso.ask(call);
      expect([reply.status, field(reply, 'code')]).toEqual([404, 'SSO_PROVIDER_NOT_FOUND']);
    }
  });
});

test('deleting an SSO provider takes its domains and identities along', async () => {
  const { providerId } = await sso.create(sso.newSaml());
  await rowsOf(
    sso.project,
    `insert into auth.account (id, "accountId", "providerId", "userId") values ('sso', 'sub', $1, $2)`,
    [providerId, await makeUser(sso.project, { email: 'user@example.org' })],
  );
  expect((await sso.ask({ method: 'DELETE', path: at(providerId) })).status).toBe(204);
  expect((await sso.ask({ path: at(providerId) })).status).toBe(404);
  expect(await rowsOf(sso.project, `select from auth.account where id = 'sso'`)).toEqual([]);
});
