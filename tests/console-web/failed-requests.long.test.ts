// What the pages show when the server refuses a request: the problem in place of what is missing, and never a failure
// of something that was done.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

const lists = '**/platform/projects?*';

describeWithBrowser('a failed request', () => {
  let world: World;
  let page: Page;
  beforeAll(async () => {
    world = await openWorld();
    await world.addProject('Bookshop');
    page = await world.openSignedIn();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await page.goto(`${world.origin}/projects`);
    await row('Bookshop').waitFor();
  });
  afterEach(async () => {
    await page.unrouteAll();
    world.expectNoFindings();
  });

  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const alert = (text: string) => page.getByRole('alert').filter({ hasText: text });
  /** Answers requests that match `pattern` as a server that is not well. */
  const fail = (pattern: string, method = 'GET') =>
    page.route(pattern, (route) =>
      route.request().method() === method
        ? route.fulfill({ status: 403, json: { code: 'REFUSED', message: 'refused for a test' } })
        : route.fallback(),
    );
  const act = async (name: string, action: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions on ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };

  test('of a refresh is said above the list, which stays, and is tried again', async () => {
    await fail(lists);
    await act('Bookshop', 'Pause');
    await alert('The list could not be refreshed. It shows the state of').waitFor();
    await alert('refused for a test').first().waitFor();
    expect(await row('Bookshop').count()).toBe(1);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await row('Bookshop').getByText('Paused').waitFor();
    expect(await alert('could not be refreshed').count()).toBe(0);
    await act('Bookshop', 'Resume');
    await row('Bookshop').getByText('Active').waitFor();
  });

  test('of the refresh after a deletion does not say that the deletion failed', async () => {
    await world.addProject('Shed');
    await page.reload();
    await row('Shed').waitFor();
    await act('Shed', 'Delete');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The project can be restored for 7 days.').waitFor();
    await dialog.getByLabel('Type the name').fill('Shed');
    await fail(lists);
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Shed is deleted. It can be restored until').first().waitFor();
    expect(await dialog.count()).toBe(0);
  });

  test('for the actions of a project is said in its menu, which says that it waits before', async () => {
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/platform/projects/w*', async (route) => {
      await asked;
      await route.fulfill({
        status: 403,
        json: { code: 'REFUSED', message: 'refused for a test' },
      });
    });
    await page.getByRole('button', { name: 'Actions on Bookshop' }).click();
    const text = (name: string) => page.getByRole('menuitem', { name, disabled: true });
    await text('Loading actions…').waitFor();
    answer();
    await text('refused for a test.').waitFor();
    expect(await text('Loading actions…').count()).toBe(0);
  });

  test('of the account is said in place of each part that it was for', async () => {
    await fail('**/auth/get-session');
    await fail('**/auth/two-factor/trusted-devices');
    await fail('**/platform/sessions');
    await page.goto(`${world.origin}/account`);
    await page.getByRole('heading', { name: 'Account and security' }).waitFor();
    await alert('refused for a test').nth(2).waitFor();
    expect(await alert('refused for a test').count()).toBe(3);
    expect(await page.locator('.skeleton').count()).toBe(0);
  });

  test('for the organizations does not say that no project can be created', async () => {
    await page.route(lists, (route) => route.fulfill({ json: { projects: [], next: null } }));
    await fail('**/platform/organizations?*');
    await page.reload();
    await alert('refused for a test').waitFor();
    expect(await page.getByText('You cannot create projects.').count()).toBe(0);
  });
});
