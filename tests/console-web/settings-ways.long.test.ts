// Ways to sign in that are set up in the settings of a project with what is outside of it: a message service, a CAPTCHA,
// an identity provider, a server for hooks.
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { captchaVerifier } from '../support/captcha-verifier.js';
import { asRecord } from '../support/deployment.js';
import { type HttpRecorder, openHttpRecorder } from '../support/http-recorder.js';
import { type Reply, send } from '../support/http.js';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import { openSmsGateway, SMS_ACCOUNTS, type SmsGateway } from '../support/sms-gateway.js';
import { expectAccessible } from './accessible.js';
import { openSettings, type SettingsWorld } from './settings-world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const wait = { timeout: 20_000 };
const captchaSecret = 'secret-of-the-site';
const signingSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

describeWithBrowser('ways to sign in that need others', () => {
  let opened: SettingsWorld;
  let page: Page;
  let gateway: SmsGateway;
  let captcha: HttpRecorder;
  let hooks: HttpRecorder;
  let oidc: OidcIdentityProvider;
  beforeAll(async () => {
    [gateway, captcha, hooks, oidc] = await Promise.all([
      openSmsGateway((to) => (to.endsWith('999') ? 'no such subscriber' : undefined)),
      openHttpRecorder(captchaVerifier({ kind: 'turnstile', secret: captchaSecret })),
      openHttpRecorder(),
      openOidcIdentityProvider(),
    ]);
    opened = await openSettings({ OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' });
    ({ page } = opened);
  });
  afterAll(async () => {
    await opened.world.close();
    await Promise.all([gateway.close(), captcha.close(), hooks.close(), oidc.close()]);
  });
  afterEach(() => opened.world.expectNoFindings());

  const dialog = () => opened.dialog();
  const button = (name: string | RegExp) => opened.button(name);
  /** The fields of an object in a form. */
  const part = (name: string): Locator =>
    page
      .getByRole('group')
      .filter({ has: page.locator('summary').getByText(name, { exact: true }) });
  /** A request of an app to the project. */
  const toApi = (path: string, body: object): Promise<Reply> =>
    send(opened.world.deployment.apiOrigin, {
      method: 'POST',
      path,
      headers: { host: `${opened.ref}.localhost` },
      body,
    });

  test('a test SMS arrives, and says the words of a provider that refuses', async () => {
    await opened.open('/phone.sms?tab=Test');
    await page.getByLabel('Phone number').fill('+15551230001');
    await button('Send').click();
    await page.getByRole('alert').getByText('The message was not sent.').waitFor();
    await page.getByRole('tab', { name: 'Settings', exact: true }).click();
    await page.getByLabel('Provider', { exact: true }).selectOption('vonage');
    const vonage = part('Vonage');
    await vonage.getByLabel('API key', { exact: true }).fill(SMS_ACCOUNTS.vonage.apiKey);
    await vonage.getByLabel('API secret', { exact: true }).fill(SMS_ACCOUNTS.vonage.apiSecret);
    await vonage.getByLabel('Sender', { exact: true }).fill('Rowhouse');
    await vonage.getByLabel('Address', { exact: true }).fill(gateway.origin);
    await opened.save();
    await page.getByRole('tab', { name: 'Test', exact: true }).click();
    await page.getByLabel('Phone number').fill('+15551230001');
    await button('Send').click();
    await page.getByText('The provider has taken the SMS. It went to +15551230001.').waitFor();
    expect((await gateway.waitForSms('+15551230001')).text).toContain('123456');
    await page.getByLabel('Phone number').fill('+15551230999');
    await button('Send').click();
    await page.getByRole('alert').getByText('no such subscriber').waitFor();
    await expectAccessible(page, 'a refused SMS');
  });

  test('the CAPTCHA guards the requests and routes that are chosen, and no others', async () => {
    await opened.open('/auth.attackProtection');
    await page.getByLabel('CAPTCHA', { exact: true }).check();
    await page.getByLabel('Secret key of the provider').fill(captchaSecret);
    await page.getByLabel('Verification address').fill(`${captcha.origin}/siteverify`);
    const guarded = page.getByRole('group', { name: 'Guarded sign-in requests' });
    await guarded.getByLabel('sign-in-password').uncheck();
    const routes = page.getByLabel('Further guarded routes', { exact: true });
    await routes.fill('no route at all');
    await button('Review and save').click();
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: 'entry 1 must be a path such as /rest/v1/orders' })
      .waitFor();
    await routes.fill('POST /rest/v1/orders\n\n/api/edge/*\n');
    await opened.save();
    expect(await opened.valuesOf('auth.attackProtection')).toMatchObject({
      captchaAuthEndpoints: expect.not.arrayContaining(['sign-in-password']),
      captchaRoutes: ['POST /rest/v1/orders', '/api/edge/*'],
    });
    const person = { email: 'ada@example.org', password: 'a good long password', name: 'Ada' };
    const codeOf = async (path: string): Promise<unknown> =>
      asRecord((await toApi(path, person)).body)['code'];
    expect(await codeOf('/api/auth/sign-up/email')).toBe('CAPTCHA_MISSING');
    expect(await codeOf('/rest/v1/orders')).toBe('CAPTCHA_MISSING');
    expect(await codeOf('/rest/v1/others')).not.toBe('CAPTCHA_MISSING');
    expect(await codeOf('/api/auth/sign-in/email')).not.toBe('CAPTCHA_MISSING');
    await page.reload();
    expect(await guarded.getByLabel('sign-up').isChecked()).toBe(true);
    expect(await guarded.getByLabel('sign-in-password').isChecked()).toBe(false);
    await expectAccessible(page, 'attack protection');
  });

  test('the history has the lists with what was added and removed, and returns to an earlier one', async () => {
    await page.getByLabel('Further guarded routes', { exact: true }).fill('/api/edge/*');
    await opened.save();
    await page.getByRole('tab', { name: 'History', exact: true }).click();
    const versions = page.getByRole('tabpanel').getByRole('listitem');
    await versions
      .first()
      .getByRole('row', { name: /^Further guarded routes/ })
      .waitFor();
    await versions
      .first()
      .getByRole('button', { name: /^Undo the change of/ })
      .click();
    await dialog()
      .getByRole('row', { name: /^Further guarded routes/ })
      .waitFor();
    await dialog().getByRole('button', { name: 'Return', exact: true }).click();
    await versions.first().getByText('Returned to an earlier version').waitFor();
    expect(await opened.valuesOf('auth.attackProtection')).toMatchObject({
      captchaRoutes: ['POST /rest/v1/orders', '/api/edge/*'],
    });
    await opened.settings('DELETE', 'auth.attackProtection');
  });

  test('a provider by OpenID Connect is connected in steps, and its people sign in', async () => {
    await opened.settings('PUT', 'auth.sso', { enabled: true });
    await opened.open('/auth.sso?tab=Providers');
    await button('Connect a provider').click();
    await dialog().getByLabel('Id of the provider').fill('acme');
    await dialog().getByLabel('Email domains').fill('acme.example');
    await dialog().getByRole('button', { name: 'Next' }).click();
    await dialog().getByRole('button', { name: 'Copy Redirect URI (callback URL)' }).click();
    await expect.poll(() => opened.copied(), wait).toMatch(/\/sso\/callback(?:\/acme)?$/);
    const redirectUri = await opened.copied();
    oidc.addClient({ clientId: 'shop', redirectUris: [redirectUri] });
    await dialog().getByRole('button', { name: 'Next' }).click();
    await dialog().getByLabel('Issuer').fill('http://127.0.0.1:9');
    await dialog().getByLabel('Client id').fill('shop');
    await dialog().getByLabel('Client secret').fill('shop-secret');
    await dialog().getByRole('button', { name: 'Register and test' }).click();
    await dialog().getByRole('alert').getByText('Nothing was registered.').waitFor();
    await expectAccessible(page, 'an issuer that cannot be reached');
    await dialog().getByRole('button', { name: 'Back' }).click();
    await dialog().getByRole('button', { name: 'Next' }).click();
    await dialog().getByLabel('Issuer').fill(oidc.issuer);
    await dialog().getByRole('button', { name: 'Register and test' }).click();
    await dialog().getByText('People can sign in.').waitFor();
    await dialog().getByRole('button', { name: 'Done' }).click();
    const panel = page.getByRole('region', { name: 'acme' });
    await panel.getByText('acme.example is proven').waitFor();
    expect(await page.content()).not.toContain('shop-secret');
    const begun = await toApi('/api/auth/sign-in/sso', {
      email: 'eve@acme.example',
      callbackURL: '/',
    });
    const url = String(asRecord(begun.body)['url']);
    expect(new URL(url).searchParams.get('client_id')).toBe('shop');
    const person = {
      login: 'eve',
      claims: { email: 'eve@acme.example', email_verified: true, name: 'Eve' },
    };
    const back = await oidc.signInAt(url, person);
    expect(back.startsWith(redirectUri)).toBe(true);
  });

  test('a hook is called, its failed delivery is shown with the answer, and sent again', async () => {
    await opened.open('/auth.hooks');
    const events = part('Events');
    await events.getByLabel('Enabled', { exact: true }).check();
    await events.getByLabel('Address', { exact: true }).fill(`${hooks.origin}/events`);
    await events.getByLabel('Signing secret', { exact: true }).fill('too short');
    await button('Review and save').click();
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'whsec_' }).waitFor();
    await events.getByLabel('Signing secret', { exact: true }).fill(signingSecret);
    await opened.save();
    await page.getByRole('tab', { name: 'Deliveries', exact: true }).click();
    await page.getByText('No hook was called yet.').waitFor();
    // Gone: the event is not tried again by itself.
    hooks.answerWith(() => ({ status: 410 }));
    const person = { email: 'hooked@example.org', password: 'a good long password', name: 'H' };
    expect((await toApi('/api/auth/sign-up/email', person)).status).toBe(200);
    const isAbout = (type: string) => (request: { readonly text: string }) =>
      request.text.includes(`"${type}"`);
    const first = await hooks.waitForRequest(isAbout('user.created'));
    await page.reload();
    const delivery = page.getByRole('listitem').filter({ hasText: 'user.created' });
    await delivery.getByText('dead', { exact: true }).waitFor(wait);
    await delivery.getByText(/^1 try, answered 410/).waitFor();
    await delivery.locator('summary').click();
    await delivery.getByText('hooked@example.org').waitFor();
    await expectAccessible(page, 'a failed delivery');
    hooks.answerWith(() => ({ status: 200 }));
    await delivery.getByRole('button', { name: /^Try again: / }).click();
    const again = await hooks.waitForRequest(isAbout('user.created'));
    expect(again.headers['webhook-id']).toBe(first.headers['webhook-id']);
    await page.getByLabel('State', { exact: true }).selectOption('succeeded');
    await page.waitForURL('**state=succeeded**');
    await delivery.getByText('succeeded', { exact: true }).waitFor({ timeout: 40_000 });
  });

  test('each provider has its callback address to copy, on its card and in its form', async () => {
    await opened.settings('PUT', 'auth.social', {
      github: { enabled: true, clientId: 'shop', clientSecret: 'hidden' },
    });
    await opened.open();
    const card = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'GitHub', exact: true }) });
    await card.getByRole('button', { name: 'Copy Callback URL' }).click();
    await expect.poll(() => opened.copied(), wait).toMatch(/\/api\/auth\/callback\/github$/);
    await page.evaluate(`navigator.clipboard.writeText('')`);
    await card.getByRole('link', { name: 'GitHub' }).click();
    await part('GitHub').getByRole('button', { name: 'Copy Callback URL' }).click();
    await expect.poll(() => opened.copied(), wait).toMatch(/\/api\/auth\/callback\/github$/);
  });
});
