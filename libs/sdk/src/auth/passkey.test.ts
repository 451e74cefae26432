// The ceremonies of passkeys, with an authenticator that shows what it was asked and gives what it is told.
import { afterEach, describe, expect, test } from 'vitest';

import { authClient, openPage, user, wireOf } from '../../tests/auth-client.js';
import type { Step } from '../../tests/recording-fetch.js';

const bytes = (...values: number[]) => new Uint8Array(values);
const buffer = (...values: number[]) => bytes(...values).buffer;
const withToken = { 'x-challenge-token': 'ceremony' };

let closePage = () => {};
afterEach(() => {
  closePage();
  closePage = () => {};
});

/** A page whose authenticator gives a credential, or refuses. */
function openAuthenticator(given: unknown) {
  const asked: unknown[] = [];
  const answer = async (options: unknown) => {
    asked.push(options);
    if (given instanceof Error) throw given;
    return given;
  };
  closePage = openPage({ navigator: { credentials: { create: answer, get: answer } } });
  return asked;
}

/** Browsers' credentials have their fields as accessors of a prototype. */
class Credential {
  readonly #response: object;
  constructor(response: object) {
    this.#response = response;
  }
  get id() {
    return '-_8';
  }
  get rawId() {
    return buffer(251, 255);
  }
  get type() {
    return 'public-key';
  }
  get authenticatorAttachment() {
    return 'platform';
  }
  get response() {
    return this.#response;
  }
  getClientExtensionResults() {
    return { credProps: { rk: true } };
  }
}

const sentCredential = {
  id: '-_8',
  rawId: '-_8',
  type: 'public-key',
  authenticatorAttachment: 'platform',
  clientExtensionResults: { credProps: { rk: true } },
};

describe('register', () => {
  const options: Step = {
    headers: withToken,
    body: {
      challenge: '-_8',
      rp: { name: 'Shop' },
      user: { id: 'AQI', name: 'ada' },
      excludeCredentials: [{ id: 'Aw', type: 'public-key' }],
    },
  };

  test('asks the authenticator in bytes, and sends what it gives as text', async () => {
    const response = {
      clientDataJSON: buffer(1),
      attestationObject: buffer(2),
      getTransports: () => ['internal'],
    };
    const asked = openAuthenticator(new Credential(response));
    const { auth, sent } = authClient([options, { body: { id: 'p1', name: 'Laptop' } }], {
      token: 'tok',
    });
    const { data } = await auth.passkey.register({
      name: 'Laptop',
      authenticatorAttachment: 'platform',
    });
    expect(data).toEqual({ id: 'p1', name: 'Laptop' });
    expect(asked).toEqual([
      {
        publicKey: {
          challenge: bytes(251, 255),
          rp: { name: 'Shop' },
          user: { id: bytes(1, 2), name: 'ada' },
          excludeCredentials: [{ id: bytes(3), type: 'public-key' }],
        },
      },
    ]);
    const authorization = 'Bearer tok';
    expect(sent.map(wireOf)).toEqual([
      {
        method: 'GET',
        target:
          '/api/auth/passkey/generate-register-options?name=Laptop&authenticatorAttachment=platform',
        headers: { authorization },
      },
      {
        method: 'POST',
        target: '/api/auth/passkey/verify-registration',
        headers: { authorization, ...withToken },
        body: {
          name: 'Laptop',
          response: {
            ...sentCredential,
            response: { clientDataJSON: 'AQ', attestationObject: 'Ag', transports: ['internal'] },
          },
        },
      },
    ]);
  });

  test.each([
    { name: 'the user declines', given: new Error('The operation was not allowed') },
    { name: 'there is no credential', given: null },
  ])('is an error of its own when $name, and nothing is verified', async ({ given }) => {
    openAuthenticator(given);
    const { auth, sent } = authClient([options], { token: 'tok' });
    const { error } = await auth.passkey.register();
    expect(error).toMatchObject({ status: 0, code: 'PASSKEY_NOT_GIVEN' });
    expect(sent).toHaveLength(1);
  });

  test('is an error of its own where there is no WebAuthn, and nothing is asked', async () => {
    const { auth, sent } = authClient([options], { token: 'tok' });
    const { error } = await auth.passkey.register();
    expect(error).toMatchObject({ status: 0, code: 'WEBAUTHN_UNAVAILABLE' });
    expect(sent).toEqual([]);
  });
});

test('signIn shows a passkey and begins a session', async () => {
  const response = {
    clientDataJSON: buffer(1),
    authenticatorData: buffer(2),
    signature: buffer(3),
    userHandle: null,
  };
  const asked = openAuthenticator(new Credential(response));
  const options: Step = {
    headers: withToken,
    body: { challenge: 'AQ', allowCredentials: [{ id: '-_8', type: 'public-key' }] },
  };
  const { auth, sent } = authClient([options, { body: { session: { token: 'tok' }, user } }]);
  const { data } = await auth.passkey.signIn();
  expect(data).toMatchObject({ user, session: { access_token: 'tok' } });
  expect(asked).toEqual([
    {
      publicKey: {
        challenge: bytes(1),
        allowCredentials: [{ id: bytes(251, 255), type: 'public-key' }],
      },
    },
  ]);
  expect(sent.map(wireOf)).toEqual([
    { method: 'GET', target: '/api/auth/passkey/generate-authenticate-options', headers: {} },
    {
      method: 'POST',
      target: '/api/auth/passkey/verify-authentication',
      headers: withToken,
      body: {
        response: {
          ...sentCredential,
          response: { clientDataJSON: 'AQ', authenticatorData: 'Ag', signature: 'Aw' },
        },
      },
    },
  ]);
});

describe('the passkeys of a user', () => {
  const passkey = { id: 'p1', name: 'Laptop' };

  test('are listed', async () => {
    const { auth, sent } = authClient([{ body: [passkey] }], { token: 'tok' });
    expect((await auth.passkey.list()).data).toEqual([passkey]);
    expect(sent[0]?.target).toBe('/api/auth/passkey/list-user-passkeys');
  });

  test('are renamed', async () => {
    const { auth, sent } = authClient([{ body: { passkey } }], { token: 'tok' });
    expect((await auth.passkey.update(passkey)).data).toEqual({ passkey });
    expect(sent[0]).toMatchObject({
      target: '/api/auth/passkey/update-passkey',
      body: { id: 'p1', name: 'Laptop' },
    });
  });

  test('are deleted', async () => {
    const { auth, sent } = authClient([{ body: { status: true } }], { token: 'tok' });
    expect((await auth.passkey.delete({ id: 'p1' })).data).toEqual({ status: true });
    expect(sent[0]).toMatchObject({
      target: '/api/auth/passkey/delete-passkey',
      body: { id: 'p1' },
    });
  });
});
