// A thousand projects: rows of the control plane, without databases of their own. The n-th has n requests in the last
// hour and n megabytes, and every tenth is paused.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asSuperuser } from '../support/deployment.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const many = 1000;
/** As many as a tall window shows, with those that are kept ready. */
const mostInPage = 60;

describeWithBrowser('a thousand projects', () => {
  let world: World;
  let page: Page;
  const sql = (text: string) =>
    asSuperuser(text, { database: world.deployment.ground.databaseName });

  beforeAll(async () => {
    world = await openWorld();
    await world.addProject('Bookshop');
    await sql(
      `insert into project select (jsonb_populate_record(null::project, to_jsonb(one) || jsonb_build_object(
         'ref', 'fleet' || n, 'name', 'Fleet ' || n, 'database_id', 'fleet' || n,
         'status', case when n % 10 = 0 then 'paused' else 'active' end,
         'database_bytes', n * 1000000::bigint, 'created_at', now() - n * interval '1 hour'))).*
       from (select * from project limit 1) one, generate_series(1, ${many}) n`,
    );
    await sql(
      `insert into project_usage_minute
       select 'fleet' || n, date_trunc('minute', now()) - interval '5 minutes', n, 0, 0, 0, 0, 0, 1, '{}'
       from generate_series(1, ${many}) n`,
    );
    page = await world.openSignedIn();
  });
  afterAll(async () => {
    await sql(`delete from project where ref like 'fleet%'`);
    await world.close();
  });
  afterEach(() => world.expectNoFindings());

  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const row = (name: string) => page.getByRole('row').filter({ has: link(name) });
  const go = async (query: string): Promise<void> => {
    await page.goto(`${world.origin}/projects?${query}`);
    await page.getByText('1,000 projects').waitFor();
  };

  test('are a list with the rows in sight alone, from the first to the last', async () => {
    await go('q=fleet');
    await link('Fleet 1').waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(mostInPage);
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(many + 1));
    await page.keyboard.press('End');
    await row('Fleet 1000').waitFor();
    await row('Fleet 1000').getByText('1 GB').waitFor();
    await row('Fleet 1000').getByText('1,000 requests in the last hour').last().waitFor();
    expect(await row('Fleet 1000').getAttribute('aria-rowindex')).toBe(String(many + 1));
    expect(await page.getByRole('row').count()).toBeLessThan(mostInPage);
  });

  test('are cards, the ones in sight alone', async () => {
    await go('q=fleet&view=grid');
    await link('Fleet 1').waitFor();
    expect(await page.getByRole('listitem').count()).toBeLessThan(mostInPage);
    await page.keyboard.press('End');
    await link('Fleet 1000').waitFor();
    expect(await page.getByRole('listitem').count()).toBeLessThan(mostInPage);
  });

  test('are found by name and ref, and by their state', async () => {
    await go('q=fleet');
    const search = page.getByLabel('Search by name or ref');
    await search.fill('Fleet 77');
    await page.getByText('11 projects').waitFor();
    await search.fill('fleet500');
    await page.getByText('1 project', { exact: true }).waitFor();
    await row('Fleet 500').waitFor();
    await search.fill('fleet');
    await page
      .getByRole('group', { name: 'Status' })
      .getByRole('button', { name: 'Paused' })
      .click();
    await page.getByText('100 projects').waitFor();
    await row('Fleet 10').getByText('Paused').waitFor();
  });

  test('are ordered by their use and their size', async () => {
    const first = (name: string) => page.locator('[aria-rowindex="2"]').filter({ has: link(name) });
    const order = async (head: string, direction: string): Promise<void> => {
      const header = page.getByRole('columnheader', { name: head });
      await header.getByRole('button').click();
      await header.and(page.locator(`[aria-sort=${direction}]`)).waitFor();
    };
    for (const [head, highest] of [
      ['Requests', 'Fleet 1000'],
      ['Size', 'Fleet 1000'],
      ['Created', 'Fleet 1'],
    ] as const) {
      await go('q=fleet');
      await first('Fleet 1').waitFor();
      await order(head, 'descending');
      await first(highest).waitFor();
      await order(head, 'ascending');
      await first(highest === 'Fleet 1' ? 'Fleet 1000' : 'Fleet 1').waitFor();
    }
  });

  test('are reached by the list of commands', async () => {
    await go('q=fleet');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('fleet 999');
    await page.getByRole('option', { name: 'Fleet 999' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/projects/fleet999');
  });
});
