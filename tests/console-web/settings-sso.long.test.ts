// A connected SSO provider is changed: what is not typed stays, the secret above all.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import {
  openSamlIdentityProvider,
  type SamlIdentityProvider,
} from '../support/saml-identity-provider.js';
import { expectAccessible } from './accessible.js';
import { expectDone } from './colleagues.js';
import { openSettings, type SettingsWorld } from './settings-world.js';
import type { World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describeWithBrowser('a connected SSO provider', () => {
  let opened: SettingsWorld;
  let oidc: OidcIdentityProvider;
  let saml: SamlIdentityProvider;
  let otherSaml: SamlIdentityProvider;
  let world: World;
  let page: Page;
  beforeAll(async () => {
    [oidc, saml, otherSaml] = await Promise.all([
      openOidcIdentityProvider(),
      openSamlIdentityProvider(),
      openSamlIdentityProvider(),
    ]);
    opened = await openSettings({ OUTBOUND_ALLOWED_HOSTS: new URL(oidc.issuer).host });
    ({ world, page } = opened);
    await opened.settings('PUT', 'auth.sso', { enabled: true });
    await connect({
      providerId: 'acme',
      issuer: oidc.issuer,
      domain: 'acme.example',
      oidcConfig: { clientId: 'shop', clientSecret: 'the first secret' },
    });
    await connect({
      providerId: 'works',
      issuer: saml.entityId,
      domain: 'works.example',
      samlConfig: { idpMetadata: { metadata: saml.metadata } },
    });
  });
  afterAll(async () => {
    await world.close();
    await Promise.all([oidc.close(), saml.close(), otherSaml.close()]);
  });
  afterEach(() => world.expectNoFindings());

  const api = () => `/platform/projects/${opened.ref}/api/admin/sso/providers`;
  const connect = (body: object) =>
    expectDone(world.deployment.console({ method: 'POST', path: api(), body }));
  const read = async (providerId: string) =>
    asRecord((await world.deployment.console({ path: `${api()}/${providerId}` })).body);
  const dialog = () => opened.dialog();
  const field = (label: string | RegExp) => dialog().getByLabel(label);
  const saveButton = () => dialog().getByRole('button', { name: 'Save', exact: true });
  const change = async (providerId: string): Promise<void> => {
    await opened.button(`Change ${providerId}`).click();
    await dialog()
      .getByRole('heading', { name: `Change ${providerId}` })
      .waitFor();
  };
  /** Saves, and returns what was sent. */
  const save = async (providerId: string): Promise<unknown> => {
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await saveButton().click();
    await page.getByText(`${providerId} was changed.`).first().waitFor();
    await dialog().waitFor({ state: 'detached' });
    return (await sent).postDataJSON();
  };

  test('by OpenID Connect keeps its secret, and domains that are not proven stay so', async () => {
    await opened.sql(
      `update auth."ssoDomain" set "verifiedAt" = null where domain = 'acme.example'`,
    );
    await opened.open('/auth.sso?tab=Providers');
    await change('acme');
    expect(await field('Issuer').inputValue()).toBe(oidc.issuer);
    expect(await field('Email domains').inputValue()).toBe('acme.example');
    expect(await field('Client id').inputValue()).toBe('shop');
    expect(await field('Client secret').inputValue()).toBe('');
    await dialog().getByText('Leave it empty to keep the stored one').waitFor();
    expect(await saveButton().isDisabled()).toBe(true);
    await field('Client id').fill('store');
    expect(await save('acme')).toEqual({ oidcConfig: { clientId: 'store' } });
    expect(await read('acme')).toMatchObject({
      issuer: oidc.issuer,
      domainVerified: false,
      oidcConfig: { clientId: 'store' },
    });
    await page.getByRole('region', { name: 'acme' }).getByText('is not proven').waitFor();
  });

  test('takes another secret, which the page forgets', async () => {
    await change('acme');
    await field('Client secret').fill('the second secret');
    await dialog()
      .getByRole('button', { name: /^Copy as curl/ })
      .click();
    expect(await opened.copied()).toContain('<secret>');
    expect(await opened.copied()).not.toContain('the second secret');
    expect(await save('acme')).toEqual({ oidcConfig: { clientSecret: 'the second secret' } });
    await change('acme');
    expect(await field('Client secret').inputValue()).toBe('');
    await page.keyboard.press('Escape');
    expect(await page.content()).not.toContain('the second secret');
  });

  test('has other domains, which count as proven', async () => {
    await change('acme');
    await field('Email domains').fill('acme.example, acme.test');
    expect(await save('acme')).toEqual({ domain: 'acme.example, acme.test' });
    const panel = page.getByRole('region', { name: 'acme' });
    await panel.getByText('acme.test is proven').waitFor();
    await panel.getByText('acme.example is proven').waitFor();
  });

  test('stays as it is if its issuer cannot be reached, and the dialog says so', async () => {
    await change('acme');
    await field('Issuer').fill('http://127.0.0.1:9');
    await saveButton().click();
    await dialog().getByRole('alert').getByText('Nothing was changed.').waitFor();
    expect(await read('acme')).toMatchObject({ issuer: oidc.issuer });
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });

  test('by SAML takes new metadata with their issuer', async () => {
    await change('works');
    const metadata = field(/^Metadata of the identity provider/);
    expect(await metadata.inputValue()).toBe(saml.metadata);
    await metadata.fill(otherSaml.metadata);
    expect(await field('Issuer').inputValue()).toBe(otherSaml.entityId);
    await save('works');
    expect(await read('works')).toMatchObject({
      issuer: otherSaml.entityId,
      samlConfig: { idpMetadata: { metadata: otherSaml.metadata } },
    });
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
      await other.goto(`${world.origin}/projects/${opened.ref}/settings/auth.sso?tab=Providers`);
      await other.getByRole('button', { name: 'Change acme' }).click();
      await other.getByLabel('Client secret').waitFor();
      await expectAccessible(other, 'the change of a provider');
    },
  );
});
