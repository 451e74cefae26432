import { describe, expect, test } from 'vitest';

import { changesOf, entityIdIn, fieldsOf, readProvider, registrationOf } from './sso-provider.js';

const typed = {
  providerId: 'acme',
  domain: 'acme.example',
  issuer: 'https://login.acme.example',
  clientId: 'shop',
  clientSecret: 'hidden',
  metadata: '<x/>',
  organizationId: '',
};

test('a provider by OpenID Connect is registered with its client', () => {
  expect(registrationOf({ ...typed, protocol: 'oidc' })).toEqual({
    providerId: 'acme',
    domain: 'acme.example',
    issuer: 'https://login.acme.example',
    oidcConfig: { clientId: 'shop', clientSecret: 'hidden' },
  });
});

test('a provider by SAML is registered with its metadata, for an organization if it is named', () => {
  expect(registrationOf({ ...typed, protocol: 'saml', organizationId: 'o1' })).toEqual({
    providerId: 'acme',
    domain: 'acme.example',
    issuer: 'https://login.acme.example',
    organizationId: 'o1',
    samlConfig: { idpMetadata: { metadata: '<x/>' } },
  });
});

test.each([
  [`<md:EntityDescriptor xmlns:md="x" entityID="https://idp.example/1">`, 'https://idp.example/1'],
  [`<EntityDescriptor\n  entityID='urn:idp'/>`, 'urn:idp'],
  ['<EntityDescriptor>', undefined],
  ['nothing', undefined],
])('the name of the provider in %j', (metadata, name) => {
  expect(entityIdIn(metadata)).toBe(name);
});

test('a provider of the API has its domains with what proves them', () => {
  const record = { name: '_rowhouse-sso.works.example', type: 'TXT', value: 'rowhouse-sso=1' };
  const domains = [
    { domain: 'works.example', verified: false, record },
    { domain: 'acme.example', verified: true },
  ];
  expect(
    readProvider({
      providerId: 'acme',
      type: 'saml',
      issuer: 'urn:idp',
      organizationId: null,
      domains,
      samlConfig: { idpMetadata: { metadata: '<x/>' } },
    }),
  ).toEqual({
    providerId: 'acme',
    type: 'saml',
    issuer: 'urn:idp',
    organizationId: undefined,
    clientId: '',
    metadata: '<x/>',
    domains: [
      { domain: 'works.example', isVerified: false, record },
      { domain: 'acme.example', isVerified: true, record: undefined },
    ],
  });
});

describe('the change of a provider', () => {
  const oidc = fieldsOf(
    readProvider({
      providerId: 'acme',
      type: 'oidc',
      issuer: 'https://login.acme.example',
      organizationId: 'o1',
      domains: [
        { domain: 'acme.example', verified: true },
        { domain: 'works.example', verified: false },
      ],
      oidcConfig: { clientId: 'shop' },
    }),
  );
  const saml = { ...oidc, protocol: 'saml' as const, clientId: '', metadata: '<old/>' };

  test('begins with what the API answers, and with no secret', () => {
    expect(oidc).toEqual({
      protocol: 'oidc',
      providerId: 'acme',
      issuer: 'https://login.acme.example',
      organizationId: 'o1',
      domain: 'acme.example, works.example',
      clientId: 'shop',
      clientSecret: '',
      metadata: '',
    });
  });

  test.each([
    { name: 'is empty without one', of: oidc, typed: {}, body: {} },
    {
      name: 'has the issuer alone: an unproven domain that is sent would count as proven',
      of: oidc,
      typed: { issuer: 'https://id.acme.example' },
      body: { issuer: 'https://id.acme.example' },
    },
    {
      name: 'has all domains',
      of: oidc,
      typed: { domain: 'acme.example' },
      body: { domain: 'acme.example' },
    },
    {
      name: 'has the id of the client without its secret',
      of: oidc,
      typed: { clientId: 'store' },
      body: { oidcConfig: { clientId: 'store' } },
    },
    {
      name: 'has a secret that was typed',
      of: oidc,
      typed: { clientSecret: 'hidden' },
      body: { oidcConfig: { clientSecret: 'hidden' } },
    },
    {
      name: 'has new metadata with their issuer',
      of: saml,
      typed: { metadata: '<new/>', issuer: 'urn:new' },
      body: { issuer: 'urn:new', samlConfig: { idpMetadata: { metadata: '<new/>' } } },
    },
    { name: 'keeps metadata that were removed', of: saml, typed: { metadata: '' }, body: {} },
  ])('$name', ({ of, typed, body }) => {
    expect(changesOf(of, { ...of, ...typed })).toEqual(body);
  });
});
