import { expect, test } from 'vitest';
import { UnsecuredJWT, type JWTPayload } from 'jose';
import type { Endpoints } from './endpoints.js';
import { readDirectIdToken } from './id-tokens.js';

const endpoints: Endpoints = {
  authorizationUrl: 'https://idp.example/authorize',
  tokenUrl: 'https://idp.example/token',
  issuer: 'https://idp.example',
  tokenAuthentication: ['post'],
  answersNameIssuer: false,
};
const now = Math.floor(Date.now() / 1000);
const good = {
  iss: 'https://idp.example',
  sub: 'ann',
  aud: 'rowhouse',
  nonce: 'n1',
  iat: now,
  exp: now + 300,
};

const read = (claims: JWTPayload, at: Partial<Endpoints> = {}) =>
  readDirectIdToken(new UnsecuredJWT(claims).encode(), {
    endpoints: { ...endpoints, ...at },
    clientId: 'rowhouse',
    nonce: 'n1',
  });

test('a token of the token endpoint itself is read without a signature', () => {
  expect(read(good)).toMatchObject({ sub: 'ann' });
});

test('its issuer counts only where the settings name one', () => {
  expect(read({ ...good, iss: 'https://other.example' }, { issuer: undefined }).sub).toBe('ann');
});

const { sub: _sub, ...withoutSubject } = good;

test.each<{ name: string; claims: JWTPayload; tokenUrl?: string }>([
  { name: 'of another issuer', claims: { ...good, iss: 'https://other.example' } },
  { name: 'for another client', claims: { ...good, aud: 'other' } },
  { name: 'for several, made for another', claims: { ...good, aud: ['rowhouse', 'x'], azp: 'x' } },
  { name: 'that has expired', claims: { ...good, exp: now - 60 } },
  { name: 'with another nonce', claims: { ...good, nonce: 'n2' } },
  { name: 'about nobody', claims: withoutSubject },
  { name: 'that came without TLS', claims: good, tokenUrl: 'http://idp.example/token' },
])('a token $name is refused', ({ claims, tokenUrl = endpoints.tokenUrl }) => {
  expect(() => read(claims, { tokenUrl })).toThrow();
});
