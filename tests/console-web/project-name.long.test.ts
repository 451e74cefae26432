// Another name for a project: where it is given, and where it is shown without a reload.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import { expectAccessible } from './accessible.js';
import { openWithCapabilities } from './limited-operator.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

describeWithBrowser('the name of a project', () => {
  let world: World;
  let page: Page;
  let ref: string;
  beforeAll(async () => {
    world = await openWorld();
    ref = await world.addProject('Bookshop');
    page = await world.openSignedIn();
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const dialog = () => page.getByRole('dialog');
  const button = (name: string) => dialog().getByRole('button', { name, exact: true });
  const listed = (name: string) => page.getByRole('table').getByRole('link', { name, exact: true });
  const nameOf = async (): Promise<unknown> => {
    const { body } = await world.deployment.console({ path: `/platform/projects/${ref}` });
    return asRecord(body)['name'];
  };
  const act = async (of: string, action: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions on ${of}`, exact: true }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const foundByPalette = async (name: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').pressSequentially(name);
    await page.getByRole('option', { name }).first().waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  };

  test('is changed where its details are, and shown at once in list, details and palette', async () => {
    await act('Bookshop', 'Show details');
    await button('Rename…').click();
    await dialog().getByRole('heading', { name: 'Rename Bookshop' }).waitFor();
    const field = dialog().getByLabel('Name', { exact: true });
    expect(await field.inputValue()).toBe('Bookshop');
    expect(await button('Rename').isDisabled()).toBe(true);
    await field.fill('   ');
    expect(await button('Rename').isDisabled()).toBe(true);
    await field.fill(' Library ');
    // Neither list nor details are read again before the name is looked for.
    await page.route(/\/platform\/projects(\?|$)/, () => undefined);
    await button('Rename').click();
    await dialog().getByRole('heading', { name: 'Library', exact: true }).waitFor();
    await page.getByText('Bookshop is now Library.').first().waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await listed('Library').waitFor();
    expect(await listed('Bookshop').count()).toBe(0);
    await foundByPalette('Library');
    await page.unrouteAll();
    expect(await nameOf()).toBe('Library');
  });

  test('is changed at the home of the project, in its heading and the way back', async () => {
    await page.goto(`${world.origin}/projects/${ref}`);
    const head = (name: string) => page.getByRole('heading', { name, level: 1, exact: true });
    await head('Library').waitFor();
    await act('Library', 'Rename…');
    await dialog().getByLabel('Name', { exact: true }).fill('Archive');
    await page.keyboard.press('Enter');
    await head('Archive').waitFor();
    await page.getByRole('navigation', { name: 'Way back' }).getByText('Archive').waitFor();
    await expect.poll(() => page.title()).toContain('Archive');
    await page.getByRole('button', { name: 'Undo' }).click();
    await head('Library').waitFor();
    expect(await nameOf()).toBe('Library');
  });

  test('stays after an error, which the dialog says', async () => {
    await page.goto(`${world.origin}/projects/${ref}`);
    await act('Library', 'Rename…');
    await dialog().getByLabel('Name', { exact: true }).fill('Cellar');
    await page.route(`**/platform/projects/${ref}`, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    await button('Rename').click();
    await dialog().getByRole('alert').getByText('The name stays.').waitFor();
    await expectAccessible(page, 'the dialog with an error');
    await page.unrouteAll();
    await button('Rename').click();
    await page.getByRole('heading', { name: 'Cellar', level: 1 }).waitFor();
  });

  test('is not offered to an operator without projects.manage', async () => {
    const reader = await openWithCapabilities(world, ref, ['content.read']);
    await reader.goto(`${world.origin}/projects/${ref}`);
    await reader.getByRole('heading', { name: 'Cellar', level: 1 }).waitFor();
    await reader.getByRole('button', { name: 'Actions on Cellar', exact: true }).click();
    await reader.getByRole('menuitem', { name: 'Copy the URL' }).waitFor();
    expect(await reader.getByRole('menuitem').allTextContents()).toEqual(['Copy the URL']);
  });
});
