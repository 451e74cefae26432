// The domains of a project: what DNS says of them, how they are proven, and which pages may use cookies. A name server
// of the test answers.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import { DnsServer } from '../support/dns-server.js';
import { expectAccessible } from './accessible.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const domain = 'api.bookshop.example.org';

describeWithBrowser('the domains of a project', () => {
  let dns: DnsServer;
  let world: World;
  let page: Page;
  let ref: string;
  beforeAll(async () => {
    dns = await DnsServer.open();
    world = await openWorld({ ROOT_DOMAIN: 'rows.test', DNS_SERVERS: dns.address });
    ref = await world.addProject('Bookshop');
    page = await world.openSignedIn(`/projects/${ref}/domains`);
  });
  afterAll(async () => {
    await world.close();
    await dns.close();
  });
  afterEach(() => world.expectNoFindings());

  const dialog = () => page.getByRole('dialog').or(page.getByRole('alertdialog'));
  const region = (name: string | RegExp) => page.getByRole('region', { name });
  const card = (name = domain) => page.getByRole('region', { name: `Domain ${name}`, exact: true });
  const record = (title: string, name: string) =>
    page.getByRole('region', { name: `${title}: ${name}`, exact: true });
  const go = (query = '') => page.goto(`${world.origin}/projects/${ref}/domains${query}`);
  const call = (method: string, path: string, body?: object) =>
    world.deployment.console({
      method,
      path: `/platform/projects/${ref}${path}`,
      ...(body && { body }),
    });

  test('without one, the page says how to add one, and whether the host name of the project leads here', async () => {
    const own = `${ref}.rows.test`;
    await page.getByText('The project has no domain of its own').waitFor();
    await record('Address', own).getByText(`There is no A or AAAA record at ${own}`).waitFor();
    dns.addresses.set(own, ['203.0.113.7']);
    await page.getByRole('button', { name: `Check again: DNS of ${own}` }).click();
    await record('Address', own).getByText('A 203.0.113.7').waitFor();
  });

  test('a name that is no host name is refused in words', async () => {
    await page.getByRole('button', { name: 'Add a domain' }).click();
    await dialog().getByLabel('Host name').fill('https://x.example.org/path');
    await dialog().getByRole('button', { name: 'Add' }).click();
    await dialog().getByText('without scheme, port or path').waitFor();
    await page.keyboard.press('Escape');
  });

  test('one is added, and shows both records that it needs', async () => {
    await page.getByRole('button', { name: 'Add a domain' }).click();
    await dialog().getByLabel('Host name').fill(domain);
    await page.keyboard.press('Enter');
    await card().getByText('pending', { exact: true }).waitFor();
    const proof = record('Proof', `_rowhouse-challenge.${domain}`);
    await proof.getByText('missing', { exact: true }).waitFor();
    const address = record('Address', domain);
    await address.getByText(`CNAME ${ref}.rows.test`).waitFor();
    await address.getByText('missing', { exact: true }).waitFor();
  });

  test('a record with another value does not verify it, and the page shows what was found', async () => {
    const name = `_rowhouse-challenge.${domain}`;
    dns.records.set(name, ['v=spf1 -all']);
    await card()
      .getByRole('button', { name: `Verify now: ${domain}` })
      .click();
    await card().getByText(`No TXT record at ${name} has the value.`).first().waitFor();
    await record('Proof', name).getByText('records that are no proof').waitFor();
    expect(await card().getByText('verified', { exact: true }).count()).toBe(0);
    await card().getByText('pending', { exact: true }).waitFor();
  });

  test('with its record it is verified, and leads elsewhere until its address is right', async () => {
    const name = `_rowhouse-challenge.${domain}`;
    const { domains } = asRecord((await call('GET', '/domains')).body);
    const claim = asRecord(Array.isArray(domains) ? domains[0] : undefined);
    dns.records.set(name, [String(asRecord(claim['record'])['value'])]);
    dns.addresses.set(domain, ['198.51.100.9']);
    await card()
      .getByRole('button', { name: `Verify now: ${domain}` })
      .click();
    await card().getByText('verified', { exact: true }).waitFor();
    await page
      .getByText(`${domain} is verified: the project is served there.`, { exact: true })
      .waitFor();
    await record('Proof', name).getByText('right', { exact: true }).waitFor();
    await record('Address', domain).getByText('elsewhere', { exact: true }).waitFor();
    dns.aliases.set(domain, `${ref}.rows.test`);
    await card()
      .getByRole('button', { name: `Check again: DNS of ${domain}` })
      .click();
    await record('Address', domain).getByText('right', { exact: true }).waitFor();
    await region('Origins (CORS)').getByText('a domain of the project').waitFor();
  });

  test('name servers that are silent are reported, and nothing hangs', async () => {
    dns.isSilent = true;
    await card()
      .getByRole('button', { name: `Check again: DNS of ${domain}` })
      .click();
    await record('Address', domain).getByText('no answer', { exact: true }).waitFor();
    dns.isSilent = false;
    await card()
      .getByRole('button', { name: `Check again: DNS of ${domain}` })
      .click();
    await record('Address', domain).getByText('right', { exact: true }).waitFor();
  });

  test('an administrator vouches for a name without records', async () => {
    const name = 'shop.intranet.example';
    await page.getByRole('button', { name: 'Add a domain' }).click();
    await dialog().getByLabel('Host name').fill(name);
    await page.keyboard.press('Enter');
    await card(name)
      .getByRole('button', { name: `Vouch for ${name}` })
      .click();
    await dialog().getByRole('button', { name: 'Vouch' }).click();
    await card(name).getByText('on the word of an administrator').waitFor();
    expect(await record('Proof', `_rowhouse-challenge.${name}`).count()).toBe(0);
  });

  test('one that is served is removed after its name is typed', async () => {
    await card()
      .getByRole('button', { name: `Remove ${domain}` })
      .click();
    const remove = dialog().getByRole('button', { name: 'Remove' });
    expect(await remove.isDisabled()).toBe(true);
    await dialog().getByLabel('Type this to confirm').fill(domain);
    await remove.click();
    await dialog().waitFor({ state: 'detached' });
    await card().waitFor({ state: 'detached' });
    expect((await call('GET', '/domains')).text).not.toContain(domain);
  });

  test('the field says whether pages of an address are allowed; the address of the screen keeps it', async () => {
    const body = { siteUrl: 'https://app.example.org', redirectUrls: ['https://*.example.net'] };
    expect((await call('PUT', '/api/admin/settings/auth.urls', body)).status).toBe(200);
    await go();
    const origins = region('Origins (CORS)');
    await origins.getByText('https://app.example.org').waitFor();
    const check = async (text: string): Promise<void> => {
      await origins.getByLabel('Would pages of this address be allowed?').fill(text);
      await page.keyboard.press('Enter');
    };
    await check('https://a.example.net/some/page');
    await origins.getByText('Allowed, also with cookies').waitFor();
    await origins.getByText('Browsers send https://a.example.net').waitFor();
    await check('https://other.example.com');
    await origins.getByText('Allowed without cookies').waitFor();
    await page.waitForURL(/origin=https/);
    await page.reload();
    await origins.getByText('Allowed without cookies').waitFor();
    await check('nonsense');
    await origins.getByText('This is not the address of a web page').waitFor();
    await page.goBack();
    await origins.getByText('Allowed without cookies').waitFor();
    const field = origins.getByLabel('Would pages of this address be allowed?');
    expect(await field.inputValue()).toBe('https://other.example.com');
  });

  test('are accessible in both themes and on a phone', async () => {
    const added = await call('POST', '/domains', { domain: 'bücher.example' });
    expect(added.status).toBe(201);
    for (const [theme, width] of [
      ['light', 1440],
      ['dark', 1440],
      ['light', 360],
      ['dark', 360],
    ] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 800 });
      await go('?origin=https%3A%2F%2Fapp.example.org');
      await card('bücher.example').getByText('xn--bcher-kva.example').first().waitFor();
      await page.getByText('Allowed, also with cookies').waitFor();
      await card('shop.intranet.example').getByText('missing', { exact: true }).waitFor();
      await card('bücher.example').getByText('missing', { exact: true }).nth(1).waitFor();
      await expectAccessible(page, `domains, ${theme} ${width}`);
    }
  });
});
