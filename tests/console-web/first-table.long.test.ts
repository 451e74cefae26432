// The first table of a project: the way to it, and the drawer that makes it on screens of any height.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { waitFor } from '#libs/testing';
import { describeWithBrowser } from '../support/browser.js';
import { expectAccessible } from './accessible.js';
import { Studio } from './studio-world.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describeWithBrowser('the first table of a project', () => {
  let world: World;
  let page: Page;
  beforeAll(async () => {
    world = await openWorld();
    page = await world.openSignedIn();
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const dialog = () => page.getByRole('dialog');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  /** Opens a screen of a new project. */
  const openNew = async (screen = ''): Promise<string> => {
    const ref = await world.addProject('Bookshop');
    await page.goto(`${world.origin}/projects/${ref}${screen}`);
    return ref;
  };

  test.each([
    { width: 1440, height: 900 },
    { width: 360, height: 640 },
  ])('the drawer shows its buttons at $width × $height', async (viewport) => {
    await page.setViewportSize(viewport);
    await openNew('/structure');
    await button('Make the first table').click();
    const expectInSight = async (name: string): Promise<void> => {
      // The drawer may still move.
      await waitFor(async () => {
        const box = await dialog().getByRole('button', { name, exact: true }).boundingBox();
        return box !== null && box.y >= 0 && box.y + box.height <= viewport.height;
      });
    };
    await expectInSight('Review the SQL');
    await expectInSight('Cancel');
    for (let columns = 0; columns < 3; columns += 1) await button('Add a column').click();
    await expectInSight('Review the SQL');
    // So is what is missing.
    await button('Review the SQL').click();
    const missing = dialog().getByRole('alert').getByText('Give the table a name.');
    const { y = Infinity } = (await missing.boundingBox()) ?? {};
    expect(y).toBeLessThan(viewport.height);
    await dialog().getByLabel('Name of the table').fill('books');
    for (const index of [2, 3, 4])
      await dialog()
        .getByRole('listitem')
        .nth(index)
        .getByLabel('Name', { exact: true })
        .fill(`column_${index}`);
    await button('Review the SQL').click();
    await dialog().getByRole('region', { name: 'SQL' }).waitFor();
    await expectInSight('Run');
    await button('Run').click();
    await dialog().waitFor({ state: 'detached' });
  });

  test('is one table, and its only column one column, in each text that counts', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const ref = await openNew();
    const path = `/platform/projects/${ref}/api/admin/sql`;
    const query = 'create table alone (id int primary key); insert into alone values (1); analyze';
    await world.deployment.console({ method: 'POST', path, body: { query } });
    await page.goto(`${world.origin}/projects/${ref}/diagram`);
    await page.getByRole('application', { name: 'Diagram of 1 table', exact: true }).waitFor();
    await page.getByRole('group', { name: 'alone, 1 column', exact: true }).waitFor();
    await page.goto(`${world.origin}/projects/${ref}/diagram?view=list`);
    await page.getByRole('link', { name: '1 column: structure of alone' }).waitFor();
    await page.goto(`${world.origin}/projects/${ref}/structure?table=alone`);
    await page.getByText('about 1 row ·').waitFor();
    await page.goto(`${world.origin}/projects/${ref}/tables?table=alone`);
    await page.getByText('1 row', { exact: true }).waitFor();
  });

  test.each([
    { from: 'the home of the project', screen: '' },
    { from: 'the empty list of tables', screen: '/tables' },
  ])('is made where $from offers it, and its rows are next', async ({ screen }) => {
    await openNew(screen);
    await page.getByText(/No table yet|This schema has no tables/).waitFor();
    await expectAccessible(page, `empty ${screen}`);
    await button('New table').click();
    await dialog().getByLabel('Name of the table').fill('books');
    await button('Review the SQL').click();
    await button('Run').click();
    await page.getByRole('heading', { name: 'books', level: 1 }).waitFor();
    await page.waitForURL(/\/tables\?table=books/);
    await button('New row').waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('region', { name: 'Health' }).waitFor();
    expect(await button('New table').count()).toBe(0);
  });

  test('is made on the home of the studio, too', async () => {
    const studio = await Studio.open(world);
    const tab = await studio.enter();
    const press = (name: string) => tab.getByRole('button', { name, exact: true }).click();
    await tab.getByRole('region', { name: 'No table yet' }).waitFor();
    await expectAccessible(tab, 'the empty studio');
    await press('New table');
    await tab.getByLabel('Name of the table').fill('books');
    await press('Review the SQL');
    await press('Run');
    await tab.waitForURL(/\/studio\/tables\?table=books/);
    await tab.getByRole('link', { name: 'Home', exact: true }).click();
    await tab.getByRole('region', { name: 'Ready for people' }).waitFor();
    expect(await tab.getByRole('button', { name: 'New table', exact: true }).count()).toBe(0);
  });
});
