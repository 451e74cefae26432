// The rows of tables in the console: they scroll, keep their exact texts, and are seen as policies show them.
import { readFile } from 'node:fs/promises';

import axe from 'axe-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import { openTables, script, type TablesWorld } from './tables-world.js';
import { signIn } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

describeWithBrowser('the tables of a project', () => {
  let shop: TablesWorld;
  beforeAll(async () => {
    shop = await openTables();
  });
  afterAll(() => shop.world.close());
  afterEach(() => shop.world.expectNoFindings());

  const value = (text: string) => shop.page.getByRole('gridcell', { name: text, exact: true });

  test('are listed with their state; a view says where its rows are read', async () => {
    const { page } = shop;
    const list = page.getByRole('navigation', { name: 'Tables', exact: true });
    await list.getByRole('link', { name: 'things' }).click();
    await page.getByRole('heading', { name: 'things', level: 1 }).waitFor();
    await page.getByText('RLS on · 1 policy').waitFor();
    await list.getByRole('link', { name: 'loose' }).click();
    await page.getByText('RLS off · exposed').waitFor();
    await page.getByText('has no primary key').waitFor();
    await value(script).waitFor();
    expect(await page.getByRole('button', { name: 'New row' }).count()).toBe(0);
    await list.getByRole('link', { name: 'a view' }).click();
    await page.getByText('Rows of a view are read in the SQL editor').waitFor();
  });

  test('100,000 rows scroll to the last one, which is read then; the address keeps the place', async () => {
    const { page } = shop;
    await shop.open('table=events');
    await page.getByText('100,000 rows').waitFor();
    await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, grid.scrollHeight));
    await value('event 100000').waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(100);
    await page.waitForURL(/at=99\d{3}/);
    await page.reload();
    await value('event 100000').waitFor();
  });

  test('show the exact text of every value', async () => {
    await shop.openThings('id', 'big', 'amount', 'at', 'raw');
    for (const text of [
      '9007199254740993',
      '1.10',
      '2026-01-02 03:04:05.123456+00',
      '{"b": 1, "a": 2}',
    ])
      await value(text).waitFor();
    const cell = await shop.openThings('id', 'words', 'span', 'bytes', 'note');
    for (const text of ['{x,"y,z"}', '[1,5)', String.raw`\x00ff`]) await value(text).waitFor();
    expect(await cell(2, 'note').textContent()).toBe('empty text');
    expect(await cell(3, 'note').textContent()).toBe('NULL');
  });

  test('keep it in a copy and in exports', async () => {
    const { page } = shop;
    const cell = await shop.openThings('id', 'big', 'amount', 'note');
    await cell(1, 'big').click();
    await page.keyboard.press('Control+c');
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    await vi.waitFor(async () => expect(await copied()).toBe('9007199254740993'));
    for (const { name, part } of [
      { name: 'CSV', part: '1,9007199254740993,1.10,first' },
      { name: 'JSON', part: '"big":9007199254740993,"amount":1.10' },
    ]) {
      await page.getByRole('button', { name: 'Export' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        shop.dialog().getByRole('button', { name, exact: true }).click(),
      ]);
      const text = await readFile(await file.path(), 'utf8');
      expect(text.replace(/": /g, '":').replace(/, "/g, ',"')).toContain(part);
      await shop.dialog().getByRole('button', { name: 'Done' }).click();
    }
  });

  test('filters and order are chips in the address', async () => {
    const { page } = shop;
    await shop.openThings('id', 'order');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await shop.dialog().getByLabel('Column').selectOption('order');
    await shop.dialog().getByLabel('Condition').selectOption('gte');
    await shop.dialog().getByLabel('Value').fill('8');
    await shop.dialog().getByRole('button', { name: 'Apply' }).click();
    await page.getByText('2 rows', { exact: true }).waitFor();
    await page.getByRole('columnheader', { name: 'order' }).click();
    await page.getByRole('button', { name: '↑ order', exact: true }).click();
    await page.getByRole('button', { name: '↓ order', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'order is at least 8', exact: true }).waitFor();
    await page.getByRole('row').nth(1).getByText('9', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove order is at least 8' }).click();
    await page.getByText('3 rows', { exact: true }).waitFor();
  });

  test('a foreign key opens the row that it means', async () => {
    const { page } = shop;
    const cell = await shop.openThings('id', 'owner');
    await cell(2, 'owner').getByRole('button', { name: 'Open the row of people' }).click();
    await shop.dialog().getByText(script).waitFor();
    await shop.dialog().getByRole('button', { name: 'Open in people' }).click();
    await page.getByRole('heading', { name: 'people', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'id is 3', exact: true }).waitFor();
    await page.getByText('1 row', { exact: true }).waitFor();
  });

  test('as a visitor, only rows that policies show are there, and none can be changed', async () => {
    const { page } = shop;
    await shop.openThings('id', 'note');
    await page.getByRole('button', { name: 'View as' }).click();
    await shop.dialog().getByRole('button', { name: 'A visitor (anon)' }).click();
    await page.getByText('1 row', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'New row' }).count()).toBe(0);
    expect(page.url()).toContain('as=anon');
    await page.getByRole('button', { name: 'Back to all rows' }).click();
    await page.getByText('3 rows', { exact: true }).waitFor();
  });

  test.each([
    { theme: 'light', width: 1440 },
    { theme: 'dark', width: 360 },
  ] as const)('axe finds nothing: $theme, $width', async ({ theme, width }) => {
    const path = `/projects/${shop.ref}/tables?table=things`;
    const page = await shop.world.openSignedIn(path, {
      viewport: { width, height: 800 },
      colorScheme: theme,
      reducedMotion: 'reduce',
    });
    await page.getByText('3 rows', { exact: true }).waitFor();
    await page.evaluate(axe.source);
    const found = await page.evaluate<readonly { id: string; nodes: { html: string }[] }[]>(
      `axe.run(document).then(({ violations }) => violations)`,
    );
    expect(found.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ''}`)).toEqual([]);
    const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(excess).toBeLessThanOrEqual(0);
    await page.close();
  });

  test('an operator with content.read alone reads, and is offered no change', async () => {
    const email = 'reader@rowhouse.test';
    const password = 'a password of a reader';
    const { deployment } = shop.world;
    const path = `/platform/projects/${shop.ref}`;
    const { organizationId } = asRecord((await deployment.console({ method: 'GET', path })).body);
    const invitations = '/platform/operators/invitations';
    const invited = await deployment.console({
      method: 'POST',
      path: invitations,
      body: { email, organizationId, role: 'custom', capabilities: ['content.read'] },
    });
    const token = String(asRecord(invited.body)['inviteUrl']).split('#token=')[1];
    await deployment.console({
      method: 'POST',
      path: `${invitations}/accept`,
      headers: { authorization: '' },
      body: { token, password },
    });
    const page = await shop.world.open('/sign-in', { viewport: { width: 1440, height: 900 } });
    await signIn(page, email, password);
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await shop.open('table=people', page);
    await page.getByRole('gridcell', { name: 'Ada', exact: true }).dblclick();
    await shop.dialog(page).getByRole('textbox', { name: 'Value' }).waitFor();
    expect(await shop.dialog(page).getByRole('button', { name: 'Stage' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Delete');
    expect(await shop.staged(page).count()).toBe(0);
    for (const name of ['New row', 'Import', 'View as'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.close();
  });
});
