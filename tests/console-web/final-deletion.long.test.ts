// A deployment that keeps no deleted projects (DELETED_PROJECT_DAYS=0): the pages do not promise a way back.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

describeWithBrowser('a final deletion', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ DELETED_PROJECT_DAYS: '0' });
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  test('is called one before and after it', async () => {
    const ref = await world.addProject('Shed');
    const page = await world.openSignedIn();
    await page.getByRole('button', { name: 'Actions on Shed' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Delete Shed for good?' }).waitFor();
    await dialog.getByText('nothing brings them back').waitFor();
    await dialog.getByText(/the database with all tables, \d/).waitFor();
    expect(await dialog.getByText('restored').count()).toBe(0);
    await dialog.getByLabel('Type the name').fill('Shed');
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('Shed is deleted for good.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await page.getByText('No project yet').waitFor();
    const path = `/platform/projects/${ref}`;
    expect(await world.deployment.console({ method: 'GET', path })).toMatchObject({ status: 404 });
  });
});
