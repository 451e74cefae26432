// Passkeys in Chromium, on the subdomain of a project of the whole application.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addVirtualAuthenticator,
  type BrowserUnderTest,
  describeWithBrowser,
  openBrowser,
} from '../support/browser.js';
import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

/** What a page does for a ceremony, with cookies; `token` signs the registration. */
const script = `
  const bytes = (text) => Uint8Array.from(
    atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  async function ceremony({ kind, begin, end, token }) {
    const authorization = token === undefined ? {} : { authorization: 'Bearer ' + token };
    const options = await (await fetch('/api/auth/passkey/' + begin, { headers: authorization })).json();
    const publicKey = {
      ...options,
      challenge: bytes(options.challenge),
      allowCredentials: (options.allowCredentials ?? []).map((one) => ({ ...one, id: bytes(one.id) })),
      ...(options.user && { user: { ...options.user, id: bytes(options.user.id) } }),
    };
    const made = await navigator.credentials[kind]({ publicKey });
    const response = {};
    for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']) {
      if (made.response[name]) response[name] = text(made.response[name]);
    }
    const reply = await fetch('/api/auth/passkey/' + end, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization },
      body: JSON.stringify({ response: {
        id: made.id, rawId: made.id, type: made.type, clientExtensionResults: {}, response,
      } }),
    });
    return { status: reply.status, body: await reply.json() };
  }`;

const register = (token: string): string =>
  `(async () => { ${script}
    return ceremony({ kind: 'create', begin: 'generate-register-options',
      end: 'verify-registration', token: ${JSON.stringify(token)} });
  })()`;
const signIn = `(async () => { ${script}
    return ceremony({ kind: 'get', begin: 'generate-authenticate-options',
      end: 'verify-authentication' });
  })()`;

describeWithBrowser('passkeys in Chromium', () => {
  let deployment: Deployment;
  let project: ProjectUnderTest;
  let browser: BrowserUnderTest;
  let origin: string;

  beforeAll(async () => {
    deployment = await Deployment.shared();
    project = await deployment.createProject();
    const rpId = `${project.ref}.localhost`;
    origin = `http://${rpId}:${new URL(deployment.apiOrigin).port}`;
    const saved = await project.asService({
      method: 'PUT',
      path: '/api/admin/settings/auth.passkey',
      body: { enabled: true, rpId },
    });
    expect(saved.status).toBe(200);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await deployment.close();
  });

  test('are made on the page of a project and sign in there', async () => {
    const user = await project.signUp('ada@example.com');
    const page = await browser.newPage(`${origin}/api/health-check`);
    const authenticator = await addVirtualAuthenticator(page);
    expect(await page.evaluate(register(user.token))).toMatchObject({ status: 200 });
    expect(await authenticator.passkeys()).toMatchObject([{ rpId: `${project.ref}.localhost` }]);
    const signedIn = { user: { email: 'ada@example.com' } };
    expect(await page.evaluate(signIn)).toMatchObject({
      status: 200,
      body: { ...signedIn, session: { aal: 'aal2' } },
    });
    const who = `fetch('/api/auth/get-session').then((reply) => reply.json())`;
    expect(await page.evaluate(who)).toMatchObject(signedIn);
    const [kept] = await authenticator.passkeys();
    await authenticator.setSignCount(kept?.credentialId ?? '', 1);
    expect(await page.evaluate(signIn)).toMatchObject({ status: 400 });
  });
});
