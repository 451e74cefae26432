// How rows are looked at and changed beyond a single cell: columns, a caller's eyes, times with zones, blocks of a
// spreadsheet, and the way back from the last save.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import { expectAccessible } from './accessible.js';
import { expectDone } from './colleagues.js';
import { openTables, TablesWorld } from './tables-world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const wait = { timeout: 20_000 };

describeWithBrowser('columns, callers and blocks of rows', () => {
  let shop: TablesWorld;
  beforeAll(async () => {
    shop = await openTables();
  });
  afterAll(() => shop.world.close());
  afterEach(() => shop.world.expectNoFindings());

  const header = (name: string) =>
    shop.page.getByRole('columnheader').filter({ has: shop.page.getByText(name, { exact: true }) });
  const headers = async () =>
    (await shop.page.getByRole('columnheader').allInnerTexts()).map((text) => text.split('\n')[0]);
  const widthOf = async (name: string) =>
    Math.round((await header(name).boundingBox())?.width ?? 0);

  test('columns are hidden and pinned in a dialog, and the address keeps both', async () => {
    const { page } = shop;
    await shop.open('table=people');
    await page.getByRole('button', { name: 'Columns' }).click();
    await shop.dialog().getByRole('checkbox', { name: /^id/ }).uncheck();
    await header('id').waitFor({ state: 'detached' });
    await shop.dialog().getByRole('button', { name: 'Show all' }).click();
    await shop.dialog().getByRole('button', { name: 'Pin name' }).click();
    await shop.dialog().getByRole('button', { name: 'Pin name', pressed: true }).waitFor();
    await expectAccessible(page, 'the columns');
    await shop.dialog().getByRole('button', { name: 'Done' }).click();
    await expect.poll(headers, wait).toEqual(['Marked', 'name', 'id']);
    expect(page.url()).toContain('pin=');
    await page.reload();
    await header('name').waitFor();
    expect(await headers()).toEqual(['Marked', 'name', 'id']);
  });

  test('a column is resized by the pointer, and has its width after the page is loaded again', async () => {
    const { page } = shop;
    await shop.open('table=people');
    const before = await widthOf('name');
    const box = await header('name').boundingBox();
    if (!box) throw new Error('the column is in sight');
    const edge = box.x + box.width - 3;
    const middle = box.y + box.height / 2;
    await page.mouse.move(edge, middle);
    await page.mouse.down();
    await page.mouse.move(edge + 40, middle, { steps: 4 });
    await page.mouse.move(edge + 90, middle, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => widthOf('name'), wait).toBe(before + 90);
    await page.reload();
    await header('name').waitFor();
    await expect.poll(() => widthOf('name'), wait).toBe(before + 90);
  });

  test('rows are seen as a user sees them, who is found by a part of the address', async () => {
    const { page, world, ref } = shop;
    const added = await expectDone(
      world.deployment.console({
        method: 'POST',
        path: `/platform/projects/${ref}/api/admin/users`,
        body: { email: 'ada@example.org', name: 'Ada' },
      }),
    );
    const id = String(asRecord(asRecord(added.body)['user'])['id']);
    await shop.sql(`
      create table letters (id int primary key, reader text, body text);
      create policy own on letters for select using (reader = (select auth.uid())::text);
      insert into letters values (1, '${id}', 'to Ada'), (2, 'other', 'to another')`);
    await shop.open('table=letters');
    await page.getByText('2 rows', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'View as' }).click();
    await shop.dialog().getByLabel('A user').fill('nobody');
    await shop.dialog().getByText('No user matches.').waitFor();
    await shop.dialog().getByLabel('A user').fill('ada@');
    await shop
      .dialog()
      .getByRole('button', { name: /ada@example\.org/ })
      .click();
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByRole('gridcell', { name: 'to Ada', exact: true }).waitFor();
    expect(await page.getByRole('gridcell', { name: 'to another' }).count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('as')).toBe(id);
    expect(await page.getByRole('button', { name: 'New row' }).count()).toBe(0);
    await page.getByText('You see what the user ada@example.org sees.').waitFor();
    await expectAccessible(page, 'the rows of a user');
    await page.reload();
    await page.getByText('You see what the user ada@example.org sees.').waitFor();
    await page.getByRole('button', { name: 'Back to all rows' }).click();
    await page.getByText('2 rows', { exact: true }).waitFor();
  });

  test('a time is shown in the zone of the browser, and taken in any zone', async () => {
    const page = await shop.world.openSignedIn(`/projects/${shop.ref}/tables`, {
      timezoneId: 'Asia/Kolkata',
      locale: 'en-GB',
      viewport: { width: 1440, height: 900 },
    });
    const there = new TablesWorld(shop.world, shop.ref, page);
    const cell = await there.openThings('id', 'at');
    const openValue = async (row: number): Promise<void> => {
      await cell(row, 'at').click();
      await cell(row, 'at').and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Shift+Enter');
    };
    await openValue(1);
    const editor = there.dialog();
    await editor.getByText(/^2 Jan 2026, 08:34:05 .* in the time zone of this browser/).waitFor();
    await expectAccessible(page, 'a time');
    await editor.getByRole('textbox', { name: 'Value' }).fill('2026-07-01 10:00 Europe/Berlin');
    await editor.getByRole('button', { name: 'Stage' }).click();
    await openValue(2);
    await editor.getByRole('button', { name: 'Give a value' }).click();
    await editor.getByRole('button', { name: 'Now' }).click();
    await editor.getByText('in the time zone of this browser').waitFor();
    await editor.getByRole('button', { name: 'Stage' }).click();
    await there.save();
    await there.said('2 changes of things saved.');
    expect(
      await there.sql(`select at = '2026-07-01 08:00:00+00' as kept from things where id = 1
        union all select now() - at < interval '1 hour' from things where id = 2`),
    ).toEqual([{ kept: true }, { kept: true }]);
    await page.close();
  });

  test('a block of a spreadsheet goes onto cells, and what has no place is said', async () => {
    const { page } = shop;
    const cell = await shop.openThings('id', 'amount', 'note', 'order');
    await cell(2, 'amount').click();
    await cell(2, 'amount').and(page.locator(':focus')).waitFor();
    const block = String.raw`'5.50\t"two\nlines"\t71\n\t"a ""quoted"" one"\t72\n9\tlost\t73\n'`;
    await page.evaluate(`navigator.clipboard.writeText(${block})`);
    await page.keyboard.press('Control+v');
    await page.getByText('3 pasted cells have no place here.').first().waitFor();
    await shop.staged().getByText('2 changes not saved').waitFor();
    await shop.save();
    await shop.said('2 changes of things saved.');
    const rows = () => shop.sql(`select amount::text, note, "order" from things order by id`);
    expect(await rows()).toEqual([
      { amount: '1.10', note: 'first', order: 7 },
      { amount: '5.50', note: 'two\nlines', order: 71 },
      { amount: null, note: 'a "quoted" one', order: 72 },
    ]);
    await page.getByRole('button', { name: 'Undo the last save' }).click();
    await shop.said('The changes of things are taken back.');
    expect(await rows()).toEqual([
      { amount: '1.10', note: 'first', order: 7 },
      { amount: '2.00', note: '', order: 8 },
      { amount: null, note: null, order: 9 },
    ]);
    await page.getByRole('button', { name: 'Undo the last save' }).waitFor({ state: 'detached' });
  });

  test('a new row, a changed row and a deleted row are taken back together', async () => {
    const { page } = shop;
    const { keyboard } = page;
    await shop.sql(`create table words (id int primary key, word text not null);
      insert into words values (1, 'one'), (2, 'two'), (3, 'three')`);
    const rows = () => shop.sql('select * from words order by id');
    const before = await rows();
    await shop.open('table=words');
    await page.getByRole('gridcell', { name: 'two', exact: true }).dblclick();
    await page.locator('input:focus').waitFor();
    await keyboard.type('zwei');
    await keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'three' }).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Delete 1 row' }).click();
    await page.getByRole('button', { name: 'New row' }).click();
    await page.locator('[role=row][aria-rowindex="2"] [role=gridcell]:focus').waitFor();
    await keyboard.type('4');
    await keyboard.press('Tab');
    await keyboard.type('four');
    await keyboard.press('Enter');
    await shop.staged().getByText('3 changes not saved').waitFor();
    await shop.staged().getByRole('button', { name: 'Review SQL' }).click();
    await keyboard.press('Escape');
    await shop.save();
    await shop.said('3 changes of words saved.');
    expect(await rows()).toEqual([
      { id: 1, word: 'one' },
      { id: 2, word: 'zwei' },
      { id: 4, word: 'four' },
    ]);
    await page.getByRole('button', { name: 'Undo the last save' }).click();
    await shop.said('The changes of words are taken back.');
    expect(await rows()).toEqual(before);
    await page.getByRole('gridcell', { name: 'three', exact: true }).waitFor();
  });

  test('a foreign key leads to its row, by the pointer and by keys, and back', async () => {
    const { page } = shop;
    const cell = await shop.openThings('id', 'owner');
    const focused = cell(1, 'owner').and(page.locator(':focus'));
    await cell(1, 'owner').click();
    await focused.waitFor();
    await page.keyboard.press('Enter');
    await shop.dialog().getByLabel('Choose a row of people').waitFor();
    await page.keyboard.press('Escape');
    await shop.dialog().waitFor({ state: 'detached' });
    await focused.waitFor();
    await page.keyboard.press('Alt+Enter');
    await shop.dialog().getByRole('heading', { name: 'people 2' }).waitFor();
    await shop.dialog().getByText('Grace').waitFor();
    await expectAccessible(page, 'the row of a foreign key');
    await page.keyboard.press('Escape');
    await shop.dialog().waitFor({ state: 'detached' });
    await focused.waitFor();
    await page.keyboard.press('Alt+Enter');
    await shop.dialog().getByRole('button', { name: 'Open in people' }).click();
    await page.getByRole('button', { name: 'id is 2', exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'things', level: 1 }).waitFor();
  });
});
