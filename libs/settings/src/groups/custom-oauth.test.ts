import { describe, expect, test } from 'vitest';
import { applyWrite } from '../apply-write.js';
import { customOauth } from './custom-oauth.js';

const entry = (providerId: string) => ({
  providerId,
  clientId: 'a',
  discoveryUrl: 'https://idp.example/.well-known/openid-configuration',
});

function save(...ids: readonly string[]): unknown {
  const body = { providers: ids.map(entry) };
  return applyWrite(customOauth, { stored: undefined, env: {}, body });
}

describe('the id of a custom provider', () => {
  test.each([
    { name: 'that of a social provider', ids: ['google'], index: 0 },
    { name: 'that of a social provider in other letters', ids: ['GitHub'], index: 0 },
    { name: 'that of passwords', ids: ['acme', 'credential'], index: 1 },
    { name: 'that of another way to sign in', ids: ['Passkey'], index: 0 },
    { name: 'one like those of SSO', ids: ['SSO-acme'], index: 0 },
    { name: 'that of another entry', ids: ['acme', 'acme'], index: 1 },
    { name: 'that of another entry in other letters', ids: ['acme', 'other', 'ACME'], index: 2 },
  ])('is not $name', ({ ids, index }) => {
    const field = `providers[${index}].providerId`;
    expect(() => save(...ids)).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message: expect.stringContaining(`${field}: `),
      }),
    );
  });

  test('may look like one of them', () => {
    expect(() => save('google-work', 'my-passkey', 'sso')).not.toThrow();
  });
});
