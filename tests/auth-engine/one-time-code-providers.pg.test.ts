// Clients without cookies sign in over a real OpenID Connect server.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OidcIdentityProvider } from '../support/oidc-identity-provider.js';
import { signUp, type AuthProject, type Reply } from './auth-project.js';
import {
  begin,
  comeBack,
  locationOf,
  openProjectWith,
  openProvider,
  person,
  signIn,
} from './oauth-flow.js';
import { at, bearer, textAt } from '../support/replies.js';

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
const headers = { 'x-rowhouse-flow': 'rowhouse_code', 'x-code-challenge': challenge };

let idp: OidcIdentityProvider;
let project: AuthProject;
beforeAll(async () => {
  idp = await openProvider();
  project = await openProjectWith(idp);
});
afterAll(async () => {
  await project.close();
  await idp.close();
});

function codeOf(reply: Reply): string {
  const url = new URL(locationOf(reply));
  const code = url.searchParams.get('rowhouse_code');
  if (code === null) throw new Error(`no code in ${url.href}`);
  return code;
}

function exchange(code: string, codeVerifier?: string): Promise<Reply> {
  return project.post('/exchange-code', { body: { code, codeVerifier } });
}

describe('a sign-in at a provider by a client without cookies', () => {
  test('ends with a code in the address, and with no session in the browser', async () => {
    const { url } = await begin(project, { headers });
    const reply = await comeBack(project, await idp.signInAt(url, person('ann')), '');
    const code = codeOf(reply);
    expect([reply.status, locationOf(reply)]).toEqual([
      302,
      `https://app.example.com/done?rowhouse_code=${code}`,
    ]);
    expect(reply.headers.getSetCookie().join()).not.toContain('session_token=');
    expect(reply.headers.get('set-auth-token')).toBeNull();
    const session = await exchange(code, verifier);
    expect([session.status, at(session.body, 'user', 'email')]).toEqual([
      200,
      'ann@people.example',
    ]);
  });

  test('tells a new user to go where new users go', async () => {
    const body = { newUserCallbackURL: 'https://app.example.com/welcome' };
    const { url } = await begin(project, { headers, body });
    const reply = await comeBack(project, await idp.signInAt(url, person('new')), '');
    expect(locationOf(reply)).toMatch(
      /^https:\/\/app\.example\.com\/welcome\?rowhouse_code=[\w-]{43}$/,
    );
  });

  test('leaves the parameters of the application alone when the person refuses', async () => {
    const callbackURL = 'https://app.example.com/shop?code=SPRING26&error=none#top';
    const body = { callbackURL, errorCallbackURL: callbackURL };
    const { url } = await begin(project, { headers, body });
    const back = await idp.signInAt(url, person('eli'), { refuses: true });
    expect(locationOf(await comeBack(project, back, ''))).toMatch(
      /^https:\/\/app\.example\.com\/shop\?code=SPRING26&error=none&rowhouse_error=access_denied&rowhouse_error_description=[^&]+#top$/,
    );
  });

  test('gives nothing to whoever sees the address', async () => {
    const { url } = await begin(project, { headers });
    const reply = await comeBack(project, await idp.signInAt(url, person('bob')), '');
    expect((await exchange(codeOf(reply), 'stolen')).status).toBe(400);
  });

  test.each([
    {
      name: 'without a challenge',
      sent: { 'x-rowhouse-flow': 'rowhouse_code' },
      parameter: 'rowhouse_error',
    },
    { name: 'without a flow', sent: {}, parameter: 'error' },
    {
      name: 'with a challenge alone',
      sent: { 'x-code-challenge': challenge },
      parameter: 'error',
    },
  ])('needs the cookie that proves who began it $name', async ({ sent, parameter }) => {
    const { url } = await begin(project, { headers: sent });
    const reply = await comeBack(project, await idp.signInAt(url, person('eve')), '');
    expect(new URL(locationOf(reply)).searchParams.get(parameter)).toBe('state_mismatch');
    expect(reply.headers.getSetCookie().join()).not.toContain('session_token=');
  });

  test('works with the cookie, too, and a code without a challenge', async () => {
    const reply = await signIn(project, idp, person('cat'), {
      headers: { 'x-rowhouse-flow': 'rowhouse_code' },
    });
    const session = await exchange(codeOf(reply));
    expect([session.status, at(session.body, 'user', 'email')]).toEqual([
      200,
      'cat@people.example',
    ]);
  });

  test('does not happen twice with the same state', async () => {
    const { url } = await begin(project, { headers });
    const back = await idp.signInAt(url, person('dan'));
    await comeBack(project, back, '');
    const again = await comeBack(project, back, '');
    expect(new URL(locationOf(again)).searchParams.get('error')).not.toBeNull();
  });
});

test('linking another identity needs the cookie, whatever the client asks for', async () => {
  const email = 'victim@people.example';
  const token = textAt((await signUp(project, email)).body, 'token');
  const { url } = await begin(project, {
    path: '/link-social',
    headers: { ...headers, ...bearer(token) },
    body: { callbackURL: `https://app.example.com/done?rowhouse-flow=code.${challenge}` },
  });
  const reply = await comeBack(project, await idp.signInAt(url, person('victim')), '');
  expect(locationOf(reply)).toBe('https://app.example.com/done?rowhouse_error=state_mismatch');
});
