// Tokens of providers, which their user may read and nobody else, and which are not kept in plain.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { OidcIdentityProvider } from '../support/oidc-identity-provider.js';
import { type AuthProject, signUp } from './auth-project.js';
import { cookiesOf, openProjectWith, openProvider, person, signIn } from './oauth-flow.js';
import { at, bearer, textAt } from '../support/replies.js';

let idp: OidcIdentityProvider;
let project: AuthProject;

beforeAll(async () => {
  idp = await openProvider();
  project = await openProjectWith(idp, { scopes: ['openid', 'email', 'offline_access'] });
});
beforeEach(() => project.sql('delete from auth."user"'));
afterAll(async () => {
  await project.close();
  await idp.close();
});

describe('tokens of providers', () => {
  /** Signed in by the provider; answers the tokens as their user gets them. */
  async function withTokens() {
    const reply = await signIn(project, idp, person('ann'), {
      body: { additionalParams: { prompt: 'consent' } },
    });
    const headers = { cookie: cookiesOf(reply), origin: 'https://app.example.com' };
    const [row] = await project.sql('select id from auth.account');
    const accountId = textAt(row, 'id');
    const tokens = await project.post('/get-access-token', { headers, body: { accountId } });
    return { headers, accountId, tokens };
  }

  test('are for their user to read, and are not kept in plain', async () => {
    const { headers, accountId, tokens } = await withTokens();
    expect(tokens.status).toBe(200);
    const accessToken = textAt(tokens.body, 'accessToken');
    const refreshed = await project.post('/refresh-token', { headers, body: { accountId } });
    expect(refreshed.status).toBe(200);
    const [row] = await project.sql('select * from auth.account');
    expect(row).toMatchObject({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      idToken: null,
    });
    const kept = JSON.stringify(row);
    for (const token of [
      accessToken,
      textAt(refreshed.body, 'accessToken'),
      textAt(refreshed.body, 'refreshToken'),
    ]) {
      expect(token.length).toBeGreaterThan(20);
      expect(kept).not.toContain(token);
    }
  });

  test('are not given to another user', async () => {
    const { accountId } = await withTokens();
    const other = await signUp(project, 'mallory@example.com');
    const headers = bearer(textAt(other.body, 'token'));
    for (const path of ['/get-access-token', '/refresh-token']) {
      const reply = await project.post(path, { headers, body: { accountId } });
      expect(reply).toMatchObject({ status: 400, body: { code: 'ACCOUNT_NOT_FOUND' } });
    }
  });

  test('tell about the person at the provider', async () => {
    const { headers, accountId } = await withTokens();
    const reply = await project.get(`/account-info?accountId=${accountId}`, { headers });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        account: { id: accountId, providerId: 'acme', accountId: 'ann' },
        data: { sub: 'ann' },
      },
    });
    expect(at(reply.body, 'user')).toEqual({
      email: 'ann@people.example',
      emailVerified: true,
      image: null,
      name: null,
    });
  });
});
