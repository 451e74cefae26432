// The audit log: how entries are found, what they say, and how they leave as a file.
import { readFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import { expectAccessible } from './accessible.js';
import { addColleague, expectDone, firstOrganization, openAs } from './colleagues.js';
import { expectNothingRan } from './nothing-ran.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const script = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>';

describeWithBrowser('the audit log', () => {
  let world: World;
  let page: Page;
  let ref: string;
  let other: string;
  beforeAll(async () => {
    world = await openWorld();
    ref = await world.addProject('Bookshop');
    other = await world.addProject('Library');
    page = await world.openSignedIn();
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const dialog = () => page.getByRole('dialog');
  const lines = () => page.getByRole('table', { name: 'Audit log' }).getByRole('row');
  const line = (text: string) => lines().filter({ hasText: text });
  const go = (query = '', path = '/audit') => page.goto(world.origin + path + query);
  const rename = (of: string, name: string) =>
    expectDone(
      world.deployment.console({
        method: 'PATCH',
        path: `/platform/projects/${of}`,
        body: { name },
      }),
    );
  const admin = (method: string, path: string, body?: object) =>
    expectDone(
      world.deployment.console({
        method,
        path: `/platform/projects/${ref}/api/admin${path}`,
        ...(body && { body }),
      }),
    );
  const exported = async (format: string): Promise<string> => {
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: `Export as ${format}` }).click();
    return readFile(await (await download).path(), 'utf8');
  };

  test('shows what was changed as it happens, with before and after', async () => {
    await page.getByRole('link', { name: 'Audit log' }).click();
    await line('project.create').first().waitFor();
    await rename(ref, 'Bookshop 2');
    await line('name: Bookshop → Bookshop 2').waitFor({ timeout: 30_000 });
    await page.getByRole('button', { name: 'project.rename' }).click();
    await page.waitForURL('**open=**');
    const changes = dialog().getByRole('table', { name: 'Before and after' });
    await changes.getByText('Bookshop', { exact: true }).waitFor();
    await changes.getByText('Bookshop 2').waitFor();
    await dialog().getByText('first@rowhouse.test').waitFor();
    await dialog().getByText('127.0.0.1').waitFor();
  });

  test('an entry has a link, whatever the filters are', async () => {
    const { searchParams } = new URL(page.url());
    await go(`?open=${searchParams.get('open')}&action=operator`);
    await dialog().getByRole('heading', { name: 'project.rename' }).waitFor();
    await go('?open=99999999');
    await dialog().getByText('This log has no entry with the id 99999999.').waitFor();
    await page.keyboard.press('Escape');
  });

  test('what was stored stays text', async () => {
    await rename(other, script);
    await go(`?project=${other}`);
    await line('project.rename').getByText('onerror').waitFor();
    await page.getByRole('button', { name: 'project.rename' }).click();
    await dialog().getByText(script).waitFor();
    await dialog().getByText('As JSON').click();
    await expectNothingRan(page);
  });

  test('is filtered by action, target, operator and time, which the address keeps', async () => {
    const email = 'ada@rowhouse.test';
    await addColleague(world.deployment, { email, role: 'owner' });
    await go();
    await page.getByLabel('Action').fill('operator');
    await page.waitForURL('**action=operator**');
    await line('project.create').first().waitFor({ state: 'detached' });
    await line('operator.invitation.accept').waitFor();
    await page.getByLabel('Who').selectOption(email);
    await page.waitForURL('**operator=**');
    await line('operator.invite').waitFor({ state: 'detached' });
    await page.reload();
    await line('operator.invitation.accept').waitFor();
    expect(await lines().count()).toBe(2);
    await page.getByLabel('Time').selectOption('between');
    await page.getByLabel('From').fill('2030-01-01T00:00');
    await page.getByText('No entry matches the filters.').waitFor();
    await page.getByRole('button', { name: 'Show all entries' }).click();
    await line('project.create').first().waitFor();
    await page.getByLabel('Target').fill(ref);
    await page.waitForURL('**target=**');
    await line('operator.invite').waitFor({ state: 'detached' });
    await line('project.rename').waitFor();
    await page.getByRole('button', { name: /Remove the filter Target/ }).click();
    await line('operator.invite').waitFor();
  });

  test('comes page by page, and leaves as a file', async () => {
    for (let index = 0; index < 55; index += 1) {
      // One after the other: the newest comes first.
      await rename(ref, `=Name ${index}`);
    }
    await go(`?action=project.rename&project=${ref}`);
    await page.getByText('50 entries shown').waitFor();
    await page.getByRole('button', { name: 'Show older entries' }).click();
    await page.getByText('56 entries shown').waitFor();
    expect(await page.getByRole('button', { name: 'Show older entries' }).count()).toBe(0);
    const csv = await exported('CSV');
    expect(csv.trimEnd().split('\r\n')).toHaveLength(57);
    await page.getByText('56 entries exported.').first().waitFor();
    const found: unknown = JSON.parse(await exported('JSON'));
    const entries = Array.isArray(found) ? found.map(asRecord) : [];
    expect(entries).toHaveLength(56);
    expect(entries[0]).toMatchObject({
      action: 'project.rename',
      ref,
      before: { name: '=Name 53' },
      after: { name: '=Name 54' },
    });
  });

  test('a project has its own, without secrets', async () => {
    const password = 'a password of the mail server';
    const mail = { host: 'mail.example.org', user: 'shop', password, from: 'a@example.org' };
    await admin('PUT', '/settings/email.smtp', mail);
    await admin('POST', '/users', { email: 'reader@example.org' });
    await go('', `/projects/${ref}`);
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    await line('project.rename').first().waitFor();
    await page.getByLabel('Log', { exact: true }).selectOption('project');
    await page.waitForURL('**log=project**');
    await page.getByRole('button', { name: 'user.create' }).click();
    await dialog().getByText('reader@example.org').first().waitFor();
    await dialog()
      .getByRole('button', { name: /Show only these: entries with user.create/ })
      .click();
    await page.waitForURL('**action=user.create**');
    await line('settings.').first().waitFor({ state: 'detached' });
    await line('user.create').waitFor();
    expect(await lines().count()).toBe(2);
    await go('?log=project', `/projects/${ref}/audit`);
    await line('settings.').first().waitFor();
    expect(await exported('JSON')).not.toContain(password);
  });

  test('requests to a project are told apart by what they did, and are filtered by their target', async () => {
    await admin('POST', '/sql', { query: 'select 1' });
    await admin('PUT', '/settings/auth.sessions', { expiresIn: 3600, updateAge: 60 });
    await world.deployment.console({
      method: 'DELETE',
      path: `/platform/projects/${ref}/api/admin/users/nobody`,
    });
    await go('', `/projects/${ref}/audit`);
    await line('Ran SQL').getByText('POST /api/admin/sql').waitFor();
    await line('Saved the settings auth.sessions')
      .getByText('settings.expiresIn: 604800 → 3600')
      .waitFor();
    await line('Deleted the user nobody').getByText('refused with 404').waitFor();
    await page.getByLabel('Target').fill('POST /api/admin/sql');
    await page.waitForURL('**target=**');
    await line('Saved the settings').first().waitFor({ state: 'detached' });
    await line('Ran SQL').waitFor();
    expect(await lines().count()).toBe(2);
    await page.getByRole('button', { name: 'Ran SQL' }).click();
    await dialog().getByRole('heading', { name: 'Ran SQL' }).waitFor();
    await dialog().getByText('project.request').waitFor();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 360, height: 800 });
    await line('Ran SQL').getByText('POST /api/admin/sql').waitFor();
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test('of an organization is for those who may read it there alone', async () => {
    const made = await expectDone(
      world.deployment.console({
        method: 'POST',
        path: '/platform/organizations',
        body: { name: 'Elsewhere' },
      }),
    );
    const email = 'auditor@rowhouse.test';
    await addColleague(world.deployment, { email, role: 'custom', capabilities: ['audit.read'] });
    const auditor = await openAs(world, email);
    await auditor.getByRole('link', { name: 'Audit log' }).click();
    await auditor.getByText('project.rename').first().waitFor();
    expect(await auditor.getByRole('link', { name: 'Operators', exact: true }).count()).toBe(0);
    expect(await auditor.getByText('organization.create').count()).toBe(0);
    await auditor.goto(`${world.origin}/audit?organization=${String(asRecord(made.body)['id'])}`);
    await auditor.getByText('project.rename').first().waitFor();
    expect(await auditor.getByText('Elsewhere').count()).toBe(0);
  });

  test('of the deployment is offered to no member of a project, of the project it is', async () => {
    const email = 'support@rowhouse.test';
    await addColleague(world.deployment, { email, role: 'support', projectRef: ref });
    const support = await openAs(world, email);
    await support.getByRole('link', { name: '=Name 54' }).waitFor();
    expect(await support.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await support.goto(`${world.origin}/audit`);
    await support.getByText('You may read the audit log of no organization').waitFor();
    await support.goto(`${world.origin}/projects/${ref}/audit`);
    await support.getByText('project.rename').first().waitFor();
    await support.goto(`${world.origin}/projects/${other}/audit`);
    await support.getByText('There is no project at this address').waitFor();
  });

  test('a chosen organization narrows the log of an administrator', async () => {
    const id = await firstOrganization(world.deployment);
    await go('?action=organization');
    await line('organization.create').waitFor();
    await page.getByLabel('Log', { exact: true }).selectOption(id);
    await page.getByText('No entry matches the filters.').waitFor();
    expect(page.url()).toContain(`organization=${id}`);
  });

  describe.each([
    { theme: 'light', width: 1440 },
    { theme: 'dark', width: 360 },
  ] as const)('in the $theme theme, $width pixels wide', ({ theme, width }) => {
    test('axe finds nothing, and nothing is wider than the page', async () => {
      const sight = await world.openSignedIn('/audit?time=between', {
        colorScheme: theme,
        viewport: { width, height: 800 },
      });
      const first = sight.getByRole('table', { name: 'Audit log' }).getByRole('button').first();
      await first.waitFor();
      await expectAccessible(sight, 'the log');
      await first.press('ArrowDown');
      await sight.keyboard.press('Enter');
      await sight.getByRole('dialog').getByText('Address').waitFor();
      await expectAccessible(sight, 'an entry');
      await sight.goto(`${world.origin}/audit?action=nothing`);
      await sight.getByText('No entry matches the filters.').waitFor();
      await expectAccessible(sight, 'a log without entries');
    });
  });
});
