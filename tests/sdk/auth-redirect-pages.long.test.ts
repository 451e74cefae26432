// Pages in Chromium that lead people to a provider: they come back signed in, or with one more identity.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BrowserContext } from 'playwright-core';

import { describeWithBrowser } from '../support/browser.js';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import { pagePath } from './support/client-page.js';
import { openPages, type Pages, signUpOf, tokenOf } from './support/pages.js';

describeWithBrowser('a page that leads to a provider', () => {
  let pages: Pages;
  let idp: OidcIdentityProvider;
  let person: BrowserContext;

  beforeAll(async () => {
    [pages, idp] = await Promise.all([openPages(), openOidcIdentityProvider()]);
    const redirectUris = [`${pages.origin}/api/auth/oauth2/callback/acme`];
    idp.addClient({ clientId: 'rowhouse', redirectUris });
    const provider = { clientId: 'rowhouse', clientSecret: 'rowhouse-secret' };
    await pages.accounts.save('auth.oauth.custom', {
      providers: [{ ...provider, providerId: 'acme', discoveryUrl: idp.discoveryUrl }],
    });
  });
  beforeEach(async () => {
    person = await pages.newPerson();
  });
  afterEach(() => pages.forgetPeople());
  afterAll(async () => {
    await pages.close();
    await idp.close();
  });

  const openTab = (at: string) => pages.openTab(person, at);
  const newEmail = () => pages.accounts.newEmail();

  test('a sign-in at a provider comes back signed in, with a clean address, in every tab', async () => {
    const waiting = await openTab(pages.app);
    const back = await openTab(pages.app);
    const { page } = back;
    idp.addPerson({
      login: 'pat',
      claims: { email: 'pat@people.example', email_verified: true, name: 'Pat' },
    });
    await page.evaluate(`void client.auth.signInWithOAuth({ provider: 'acme' })`);
    await page.fill('input[name=login]', 'pat');
    await page.click('button');
    await page.waitForURL(`${pages.app}${pagePath}`);
    expect((await back.hear(1))[0]).toBe('INITIAL_SESSION');
    const email = `client.auth.getUser().then(({ data }) => data.user?.email)`;
    expect(await back.run(email)).toBe('pat@people.example');
    expect(await waiting.hear(2)).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
    expect(await waiting.run(tokenOf)).toBe(await back.run(tokenOf));
    await page.reload();
    expect(await back.run(email)).toBe('pat@people.example');
  });

  // Browsers keep no cookie of a site that the page is not of: an application elsewhere cannot link accounts.
  test.each([
    { name: 'an application of the same site', at: () => pages.sameSite },
    { name: 'the project itself', at: () => pages.origin },
  ])('an account at a provider is linked by a page of $name', async ({ name, at }) => {
    const tab = await openTab(at());
    const login = `linked at ${name}`.replaceAll(' ', '-');
    const claims = { email: `${login}@people.example`, email_verified: true };
    idp.addPerson({ login, claims });
    await tab.run(signUpOf(newEmail()));
    const redirectTo = `${at()}${pagePath}/linked`;
    const asked = JSON.stringify({ provider: 'acme', options: { redirectTo } });
    await tab.page.evaluate(`void client.auth.linkIdentity(${asked})`);
    await tab.page.fill('input[name=login]', login);
    await tab.page.click('button');
    await tab.page.waitForURL(`${redirectTo}*`);
    expect(tab.page.url()).toBe(redirectTo);
    // The browser asks the network for pages that it is sent to, also at the project.
    await tab.page.goto(redirectTo);
    const providers = `client.auth.getUserIdentities()
      .then(({ data }) => data.identities.map(({ provider }) => provider).sort())`;
    expect(await tab.run(providers)).toEqual(['acme', 'credential']);
  });
});
