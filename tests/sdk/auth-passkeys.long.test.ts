// Passkeys with our own client: with an authenticator in software, and on pages of projects in Chromium.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createClient } from '#libs/sdk';

import {
  addVirtualAuthenticator,
  type BrowserUnderTest,
  describeWithBrowser,
  openBrowser,
} from '../support/browser.js';
import type { ProjectUnderTest } from '../support/project.js';
import {
  type Accounts,
  dataOf,
  eventsOf,
  openAccounts,
  opened,
  password,
  saveSettings,
} from './support/accounts.js';
import { openClientPage, showPageAtProject } from './support/client-page.js';
import { type Gateway, openGateway } from './support/gateway.js';
import {
  addSoftwareCredentials,
  type SoftwareCredentials,
} from './support/software-credentials.js';

const nobody = { user: null, session: null };
let accounts: Accounts;
let neighbor: ProjectUnderTest;

beforeAll(async () => {
  accounts = await openAccounts();
  neighbor = await accounts.deployment.createProject();
});
afterAll(() => accounts.close());

describe('with an authenticator in software', () => {
  /** Both projects belong to one domain: nothing in a passkey tells them apart. */
  const rpId = 'shop.test';
  const origin = `https://${rpId}`;
  let next: Gateway;
  let device: SoftwareCredentials;

  beforeAll(async () => {
    next = await openGateway(neighbor);
    for (const project of [accounts.project, neighbor]) {
      // One after the other: it is one deployment.
      await saveSettings(project, 'auth.passkey', { enabled: true, rpId, origin });
    }
    device = addSoftwareCredentials(origin, rpId);
  });
  afterAll(async () => {
    device.remove();
    await next.close();
  });

  const withPasskey = async () => {
    const person = await accounts.signedUp();
    const passkey = await dataOf(person.auth.passkey.register({ name: 'laptop' }));
    return { ...person, passkey };
  };

  test('a passkey is registered, and signs in by itself', async () => {
    const { id, passkey } = await withPasskey();
    expect(passkey).toMatchObject({ id: expect.any(String), name: 'laptop' });
    const visitor = accounts.open();
    const { user, session } = await dataOf(visitor.auth.passkey.signIn());
    expect([user?.id, session?.aal]).toEqual([id, 'aal2']);
    expect(await eventsOf(visitor)).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
    expect((await visitor.auth.getUser()).data.user?.id).toBe(id);
  });

  test('passkeys are listed, renamed and deleted, and one that is deleted signs nobody in', async () => {
    const { auth, passkey } = await withPasskey();
    expect(await dataOf(auth.passkey.list())).toMatchObject([{ id: passkey.id, name: 'laptop' }]);
    const renamed = await dataOf(auth.passkey.update({ id: passkey.id, name: 'phone' }));
    expect(renamed.passkey.name).toBe('phone');
    expect(JSON.stringify(await auth.passkey.list())).not.toMatch(/publicKey|private/);
    expect(await dataOf(auth.passkey.delete({ id: passkey.id }))).toEqual({ status: true });
    expect(await dataOf(auth.passkey.list())).toEqual([]);
    const visitor = accounts.open();
    const answer = await visitor.auth.passkey.signIn();
    expect(answer).toMatchObject({ data: nobody, error: { status: expect.any(Number) } });
    expect(answer.error?.status).toBeGreaterThanOrEqual(400);
    expect(await eventsOf(visitor)).toEqual(['INITIAL_SESSION']);
  });

  test('one of this project is refused by another of the same domain', async () => {
    const { id } = await withPasskey();
    const elsewhere = opened(createClient(next.url, neighbor.publishableKey));
    const answer = await elsewhere.auth.passkey.signIn();
    expect(answer).toMatchObject({ data: nobody, error: { status: expect.any(Number) } });
    expect(answer.error?.status).toBeGreaterThanOrEqual(400);
    expect(await eventsOf(elsewhere)).toEqual(['INITIAL_SESSION']);
    // The same one is right here.
    expect((await dataOf(accounts.open().auth.passkey.signIn())).user?.id).toBe(id);
  });

  test('those of somebody else are neither renamed nor deleted', async () => {
    const owner = await withPasskey();
    const { id } = owner.passkey;
    const { auth } = await accounts.signedUp();
    const answers = [
      await auth.passkey.update({ id, name: 'mine' }),
      await auth.passkey.delete({ id }),
    ];
    for (const { error } of answers) expect(error?.status).toBeGreaterThanOrEqual(401);
    expect((await auth.getUser()).error).toBeNull();
    expect(await dataOf(owner.auth.passkey.list())).toMatchObject([{ id, name: 'laptop' }]);
  });

  test.each([
    { name: 'register', call: async () => (await accounts.signedUp()).auth.passkey.register() },
    { name: 'signIn', call: async () => accounts.open().auth.passkey.signIn() },
  ])('$name tells when the person has declined', async ({ call }) => {
    device.decline(true);
    const { error } = await call();
    device.decline(false);
    expect(error).toMatchObject({ status: 0, code: 'PASSKEY_NOT_GIVEN' });
  });

  test('register is for who is signed in', async () => {
    const { error } = await accounts.open().auth.passkey.register();
    expect(error).toMatchObject({ status: 401 });
  });
});

test('without an authenticator the client says so, and asks nothing of the server', async () => {
  const before = accounts.gateway.received.length;
  const answer = await accounts.open().auth.passkey.signIn();
  expect(answer.error).toMatchObject({ status: 0, code: 'WEBAUTHN_UNAVAILABLE' });
  expect(accounts.gateway.received.length).toBe(before);
});

describeWithBrowser('on the page of a project in Chromium', () => {
  let browser: BrowserUnderTest;
  const addressOf = ({ host, apiOrigin, publishableKey: key }: ProjectUnderTest) => ({
    url: `http://${host}:${new URL(apiOrigin).port}`,
    key,
  });

  beforeAll(async () => {
    for (const project of [accounts.project, neighbor]) {
      // One after the other: it is one deployment.
      const rpId = `${project.ref}.localhost`;
      await saveSettings(project, 'auth.passkey', { enabled: true, rpId, origin: null });
    }
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test('a passkey is registered, signs in there, and is nothing to the project beside it', async () => {
    const person = await browser.newPerson();
    const [here, there] = [addressOf(accounts.project), addressOf(neighbor)];
    await showPageAtProject(person, here);
    await showPageAtProject(person, there);
    const { page, run } = await openClientPage(person, here.url);
    const authenticator = await addVirtualAuthenticator(page);
    const email = accounts.newEmail();
    await run(`client.auth.signUp(${JSON.stringify({ email, password })})`);
    const made = await run(`client.auth.passkey.register({ name: 'laptop' })`);
    expect(made).toMatchObject({ data: { name: 'laptop' }, error: null });
    expect(await authenticator.passkeys()).toMatchObject([{ rpId: accounts.project.host }]);
    await run('client.auth.signOut()');
    expect(await run('client.auth.passkey.signIn()')).toMatchObject({
      data: { user: { email }, session: { aal: 'aal2' } },
      error: null,
    });
    expect(await run('client.auth.passkey.list()')).toMatchObject({ data: [{ name: 'laptop' }] });
    await page.goto(`${there.url}${new URL(page.url()).pathname}`);
    expect(await run('client.auth.passkey.signIn()')).toMatchObject({
      data: nobody,
      error: { status: 0, code: 'PASSKEY_NOT_GIVEN' },
    });
    expect(await run('client.auth.getSession()')).toEqual({ data: { session: null }, error: null });
  });

  test('register tells when the person has declined, and keeps nothing', async () => {
    const person = await browser.newPerson();
    const here = addressOf(accounts.project);
    await showPageAtProject(person, here);
    const { page, run } = await openClientPage(person, here.url);
    const authenticator = await addVirtualAuthenticator(page);
    await authenticator.setUserVerified(false);
    await run(`client.auth.signUp(${JSON.stringify({ email: accounts.newEmail(), password })})`);
    const answer = await run('client.auth.passkey.register()');
    expect(answer).toMatchObject({ data: null, error: { message: expect.any(String) } });
    expect(await run('client.auth.passkey.list()')).toMatchObject({ data: [] });
  });
});
