// The settings of a project: what is missing, forms that are drawn from declarations, their history, and who sees them.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import {
  openSamlIdentityProvider,
  type SamlIdentityProvider,
} from '../support/saml-identity-provider.js';
import { expectAccessible } from './accessible.js';
import { openSettings, type SettingsWorld } from './settings-world.js';
import { signIn, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describeWithBrowser('the settings of a project', () => {
  let opened: SettingsWorld;
  let saml: SamlIdentityProvider;
  let world: World;
  let page: Page;
  let ref: string;
  beforeAll(async () => {
    [opened, saml] = await Promise.all([openSettings(), openSamlIdentityProvider()]);
    ({ world, page, ref } = opened);
  });
  afterAll(async () => {
    await world.close();
    await saml.close();
  });
  afterEach(() => world.expectNoFindings());

  const open = (part?: string) => opened.open(part);
  const dialog = () => opened.dialog();
  const button = (name: string | RegExp) => opened.button(name);
  const problem = (hasText: RegExp) => page.getByRole('alert').filter({ hasText });
  const { settings, valuesOf, save, copied } = {
    settings: (...of: Parameters<SettingsWorld['settings']>) => opened.settings(...of),
    valuesOf: (group: string) => opened.valuesOf(group),
    save: () => opened.save(),
    copied: () => opened.copied(),
  };

  test('the first page begins with the ways to sign in, and says truly what is set up', async () => {
    await open();
    await page.getByText('New people can make an account themselves.').waitFor();
    const headings = page.getByRole('main').getByRole('heading', { level: 2 });
    const titles = ['Ways to sign in', 'Mail and SMS', 'For accounts'];
    expect((await headings.allTextContents()).filter((text) => titles.includes(text))).toEqual(
      titles,
    );
    const card = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
    await card('SMTP').getByText('Not set up').waitFor();
    await card('SMTP').getByRole('link', { name: 'Host' }).waitFor();
    await page
      .getByRole('region', { name: 'Ways to sign in' })
      .getByText('Off', { exact: true })
      .waitFor();
    await settings('PUT', 'auth.signup', { enabled: false });
    await page.getByText('New people cannot make an account').waitFor({ timeout: 30_000 });
    await settings('DELETE', 'auth.signup');
  });

  test('a way to sign in that is on names what it lacks, and leads there', async () => {
    await settings('PUT', 'auth.social', { google: { enabled: true } });
    await page.goto(`${world.origin}/projects/${ref}`);
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    const card = page.getByRole('listitem').filter({
      has: page.getByRole('heading', { name: 'Google', exact: true }),
    });
    await card.getByText('Not set up').waitFor();
    const callback = `http://${ref}.localhost`;
    await card.getByRole('button', { name: 'Copy Callback URL' }).click();
    expect(await copied()).toContain(callback);
    expect(await copied()).toMatch(/\/api\/auth\/callback\/google$/);
    await card.getByRole('link', { name: 'Google › Client id' }).click();
    const clientId = page.getByLabel('Client id').first();
    await expect
      .poll(() => clientId.evaluate((input) => input === input.ownerDocument.activeElement))
      .toBe(true);
  });

  test('what is not saved is shown, kept from being lost, and saved with its differences', async () => {
    await page.keyboard.type('client-of-google');
    const google = page
      .getByRole('group')
      .filter({ has: page.getByText('Google', { exact: true }) });
    await google.getByLabel('Client secret').fill('very hidden');
    await page.getByText('2 changes not saved').waitFor();
    await page.getByRole('link', { name: 'Sessions', exact: true }).click();
    await dialog().getByText('2 changes would be lost.').waitFor();
    await dialog().getByRole('button', { name: 'Stay' }).click();
    await button('Review and save').click();
    const table = dialog().getByRole('table', { name: 'What is saved' });
    await table.getByRole('row', { name: 'Google › Client id not set client-of-google' }).waitFor();
    await table.getByRole('row', { name: 'Google › Client secret not set set' }).waitFor();
    await dialog()
      .getByRole('button', { name: /^Copy as curl/ })
      .click();
    expect(await copied()).toContain('client-of-google');
    expect(await copied()).not.toContain('very hidden');
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('“Social providers” was saved.').first().waitFor();
    expect(asRecord((await valuesOf('auth.social'))['google'])).toMatchObject({
      enabled: true,
      clientId: 'client-of-google',
      clientSecret: '__SECRET_SET__',
    });
    expect(await page.content()).not.toContain('very hidden');
  });

  test('a field that the server refuses says why, and nothing is saved', async () => {
    await open('/auth.sessions');
    const lifetime = page.getByLabel('Lifetime', { exact: true });
    await lifetime.fill('10');
    await button('Review and save').click();
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await problem(/^must be between 300 and/).waitFor();
    await expect.poll(() => lifetime.getAttribute('aria-invalid')).toBe('true');
    await lifetime.fill('864000');
    await page.getByText('Now 10 days.').waitFor();
    await save();
    expect(await valuesOf('auth.sessions')).toMatchObject({ expiresIn: 864_000 });
  });

  test('the history shows who changed what, and returns to a version', async () => {
    await settings('PUT', 'auth.sessions', { expiresIn: 3600, updateAge: 60 });
    await open('/auth.sessions?tab=History');
    const items = page.getByRole('tabpanel').getByRole('listitem');
    await items
      .first()
      .getByRole('row', { name: /^Lifetime 864000 s \(10 days\) 3600 s \(1 hour\)/ })
      .waitFor();
    await items
      .first()
      .getByText(/by first@/)
      .waitFor();
    await items
      .nth(1)
      .getByRole('button', { name: /^Return to this version/ })
      .click();
    await dialog()
      .getByRole('row', { name: /^Renew after 60 s/ })
      .waitFor();
    await dialog().getByRole('button', { name: 'Return', exact: true }).click();
    await items.first().getByText('Returned to an earlier version').waitFor();
    expect(await valuesOf('auth.sessions')).toMatchObject({
      expiresIn: 864_000,
      updateAge: 86_400,
    });
    await button('Return to defaults').click();
    await dialog()
      .getByRole('row', { name: /^Lifetime 864000 s/ })
      .waitFor();
    await dialog().getByRole('button', { name: 'Return to defaults' }).click();
    await items.first().getByText('Returned to the defaults').waitFor();
    await button('Return to defaults').waitFor({ state: 'detached' });
    expect(await valuesOf('auth.sessions')).toMatchObject({ expiresIn: 604_800 });
  });

  test('a search finds fields, and entries are added with their problems beside them', async () => {
    await page.getByLabel('Search settings').fill('discovery document');
    await page.getByRole('link', { name: /^Custom OAuth 2/ }).click();
    await button('Add').click();
    await page.getByLabel('Id', { exact: true }).fill('acme');
    await page.getByLabel('Client secret').fill('hidden');
    await button('Review and save').click();
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await problem(/^is required/).waitFor();
    await page.getByLabel('Client id').fill('shop');
    await page.getByLabel('Discovery document').fill('https://login.acme.example/x');
    await save();
    await button('Copy Callback URL').click();
    expect(await copied()).toMatch(/\/api\/auth\/oauth2\/callback\/acme$/);
    expect(await valuesOf('auth.oauth.custom')).toMatchObject({
      providers: [{ providerId: 'acme', clientSecret: '__SECRET_SET__' }],
    });
  });

  test('a provider by SAML is connected in steps, tried and deleted', async () => {
    await settings('PUT', 'auth.sso', { enabled: true });
    await open('/auth.sso?tab=Providers');
    await button('Connect a provider').click();
    await dialog().getByLabel('Protocol').selectOption('SAML 2.0');
    await dialog().getByLabel('Id of the provider').fill('acme-saml');
    await dialog().getByLabel('Email domains').fill('acme.example');
    await dialog().getByRole('button', { name: 'Next' }).click();
    await dialog()
      .getByRole('button', { name: 'Copy Assertion consumer service (ACS URL)' })
      .click();
    expect(await copied()).toMatch(/\/sp\/acs\/acme-saml$/);
    await dialog().getByRole('button', { name: 'Next' }).click();
    await dialog()
      .getByLabel(/^Metadata of the identity provider/)
      .fill(saml.metadata);
    expect(await dialog().getByLabel('Issuer').inputValue()).toBe(saml.entityId);
    await dialog().getByRole('button', { name: 'Register and test' }).click();
    await dialog().getByText('People can sign in.').waitFor();
    await dialog().getByRole('button', { name: 'Done' }).click();
    const panel = page.getByRole('region', { name: 'acme-saml' });
    await panel.getByText('acme.example is proven').waitFor();
    await panel.getByRole('button', { name: 'Delete acme-saml' }).click();
    await dialog().getByLabel('Type “acme-saml” to confirm').fill('acme-saml');
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No company has connected').waitFor();
  });

  test('an operator with settings.manage alone sees no group of secrets', async () => {
    const operator = await world.open('/sign-in');
    const email = 'settings@rowhouse.test';
    const password = 'correct horse battery';
    await opened.addOperator(email, password, ['content.read', 'settings.manage']);
    await signIn(operator, email, password);
    await operator.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await operator.goto(`${world.origin}/projects/${ref}/settings`);
    const list = operator.getByRole('navigation', { name: 'Settings', exact: true });
    await list.getByRole('link', { name: 'Sign-up', exact: true }).waitFor();
    const names = await list.getByRole('link').allTextContents();
    expect(names.toSorted()).toEqual(
      [
        'API keys of users',
        'Channels',
        'Edge functions',
        'Guests',
        'Project keys',
        'Sign-up',
        'Ways to sign in',
      ].toSorted(),
    );
    expect(await operator.getByText('Google').count()).toBe(0);
    await operator.goto(`${world.origin}/projects/${ref}/settings/email.smtp`);
    await operator.getByText('no settings with this name that you may change').waitFor();
    await operator.goto(`${world.origin}/projects/${ref}/settings/inbox`);
    await operator.getByText('no settings with this name that you may change').waitFor();
    await operator.goto(
      `${world.origin}/projects/${ref}/settings/auth.methods.anonymous?tab=History`,
    );
    await operator.getByText('The group was not changed yet.').waitFor();
  });

  test.each([
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 360 },
  ] as const)(
    'is for everyone, in $colorScheme at $width pixels',
    async ({ colorScheme, width }) => {
      const other = await world.openSignedIn('/projects', {
        colorScheme,
        viewport: { width, height: 800 },
      });
      const sights = [
        ['', 'Mail and SMS'],
        ['/auth.social', 'Google'],
        ['/storage', 'Where new files are kept'],
        ['/auth.sessions?tab=History', 'Returned to the defaults'],
        ['/auth.sso?tab=Providers', 'No company has connected'],
      ] as const;
      for (const [part, text] of sights) {
        await other.goto(`${world.origin}/projects/${ref}/settings${part}`);
        await other.getByText(text).first().waitFor();
        await expectAccessible(other, part);
      }
    },
  );
});
