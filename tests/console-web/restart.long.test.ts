// Pages that stay open while the server is restarted: they say that it cannot be reached, recover by themselves, and
// keep what was typed.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import { expectAccessible } from './accessible.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Pages ask again within 15 seconds; a request that fails is tried for some more. */
const wait = { timeout: 40_000 };

describeWithBrowser('a restart of the server under an open page', () => {
  let world: World;
  let ref: string;
  beforeAll(async () => {
    world = await openWorld();
    ref = await world.addProject('Bookshop');
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const notice = (page: Page) => page.getByText('The server cannot be reached. This page tries');

  test('is said in words and leaves forms as they are, which can be sent afterwards', async () => {
    const settings = await world.openSignedIn(`/projects/${ref}/settings/email.smtp`);
    const host = settings.getByLabel('Host', { exact: true });
    await host.fill('mail.bookshop.example');
    const projects = await world.openSignedIn('/projects?dialog=create');
    const dialog = projects.getByRole('dialog');
    const create = dialog.getByRole('button', { name: 'Create', exact: true });
    await dialog.getByLabel('Name').fill('Chandlery');
    await projects.emulateMedia({ colorScheme: 'dark' });
    await projects.setViewportSize({ width: 360, height: 800 });

    await world.restart(async () => {
      await create.click();
      await dialog.getByRole('alert').getByText('could not be reached').waitFor();
      await notice(projects).waitFor(wait);
      await expectAccessible(projects, 'a dialog without a server');
      await notice(settings).waitFor(wait);
      await expectAccessible(settings, 'a form without a server');
    });

    await notice(projects).waitFor({ state: 'detached', ...wait });
    await notice(settings).waitFor({ state: 'detached', ...wait });
    expect(await settings.getByRole('alert').count()).toBe(0);
    expect(await host.inputValue()).toBe('mail.bookshop.example');
    await settings.getByRole('button', { name: 'Review and save' }).click();
    await settings.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await settings.getByRole('dialog').waitFor({ state: 'detached' });
    const path = `/platform/projects/${ref}/api/admin/settings/email.smtp`;
    const stored = asRecord((await world.deployment.console({ path })).body);
    expect(JSON.stringify(stored)).toContain('mail.bookshop.example');

    expect(await dialog.getByLabel('Name').inputValue()).toBe('Chandlery');
    await create.click();
    await projects.getByText('Chandlery').first().waitFor();
  });
});
