// A schema of 500 tables, each with a policy and a row that has its name.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import type { ProjectUnderTest } from '../support/project.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const makeTables = `
  do $$ begin
    for n in 1..500 loop
      execute format('create table part_%s (id int primary key, note text)', n);
      execute format('insert into part_%s values (%s, %L)', n, n, 'the row of part ' || n);
      execute format('create policy policy_%s on part_%s for select using (id > 0)', n, n);
    end loop;
  end $$;`;

describeWithBrowser('500 tables', () => {
  let world: World;
  let project: ProjectUnderTest;
  let page: Page;
  beforeAll(async () => {
    world = await openWorld();
    project = await world.deployment.createProject();
    await project.sql(makeTables);
    page = await world.openSignedIn('/projects', { viewport: { width: 1440, height: 900 } });
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const go = (path: string) => page.goto(`${world.origin}/projects/${project.ref}/${path}`);
  const list = () => page.getByRole('navigation', { name: 'Tables', exact: true });

  test('are listed with their rows', async () => {
    await go('tables');
    await list().getByRole('link', { name: 'part_500', exact: true }).waitFor();
    expect(await list().getByRole('link').count()).toBe(500);
    await list().getByLabel('Search tables').fill('part_37');
    await list()
      .getByRole('link', { name: 'part_300', exact: true })
      .waitFor({ state: 'detached' });
    expect(await list().getByRole('link').count()).toBe(11);
    await list().getByRole('link', { name: 'part_377', exact: true }).click();
    await page.getByRole('gridcell', { name: 'the row of part 377', exact: true }).waitFor();
    await page.getByText('RLS on · 1 policy').waitFor();
  });

  test('are found in the structure, where those in sight alone are in the page', async () => {
    await go('structure');
    await page.getByRole('region', { name: 'Columns' }).getByText('note').waitFor();
    expect(await list().getByRole('listitem').count()).toBeLessThan(60);
    await list().getByLabel('Find a table').fill('part_499');
    await list().getByRole('button', { name: 'part_499', exact: true }).click();
    await page.getByRole('heading', { name: 'part_499' }).waitFor();
    expect(page.url()).toContain('table=part_499');
  });

  test('are found with their policies', async () => {
    await go('policies');
    const card = (name: string) => page.getByRole('region', { name: `Table public.${name}` });
    await card('part_1').getByRole('heading', { name: 'policy_1', exact: true }).waitFor();
    await page.getByLabel('Find a table').fill('part_250');
    await card('part_1').waitFor({ state: 'detached' });
    await card('part_250').getByRole('heading', { name: 'policy_250', exact: true }).waitFor();
    await card('part_250').getByRole('button', { name: 'Edit policy_250' }).click();
    await page.getByRole('dialog').getByText('id > 0').first().waitFor();
  });

  test('are completed in the SQL editor', async () => {
    // The names come with the schema, here after the text: it is completed without a further key.
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/admin/schema?*', async (route) => {
      await held;
      await route.continue();
    });
    await go('sql');
    const text = page.locator('.cm-content');
    await text.click();
    await text.pressSequentially('select * from part_45');
    release();
    await page.getByRole('option', { name: 'part_450' }).waitFor();
    await page.unroute('**/api/admin/schema?*');
    await page.keyboard.press('Escape');
    await text.press('Control+Enter');
    await page.getByRole('gridcell', { name: 'the row of part 45', exact: true }).waitFor();
  });
});
