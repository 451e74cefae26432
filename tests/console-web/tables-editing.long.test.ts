// Rows that are changed in the console: staged, reviewed, saved in one transaction, and taken back.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { openTables, script, type TablesWorld } from './tables-world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

/**
 * Selects the text of an editor and types over it before the editor has heard of the selection. Chromium would carry
 * the look of the marked brackets over to what is typed, against the policy of the page.
 */
const typeOverEverything = `(editor) => {
  editor.getRootNode().getSelection().selectAllChildren(editor);
  document.execCommand('insertText', false, '[]');
}`;

describeWithBrowser('rows of tables', () => {
  let shop: TablesWorld;
  beforeAll(async () => {
    shop = await openTables();
  });
  afterAll(() => shop.world.close());
  afterEach(() => shop.world.expectNoFindings());

  const value = (text: string) => shop.page.getByRole('gridcell', { name: text, exact: true });

  test('are edited in place, reviewed as SQL, saved at once and taken back', async () => {
    const { page } = shop;
    const { keyboard } = page;
    const cell = await shop.openThings('id', 'amount', 'note', 'feeling');
    await cell(2, 'amount').click();
    await keyboard.press('Enter');
    await keyboard.type('12345678901234567890.10');
    await keyboard.press('Enter');
    await cell(2, 'note').click();
    await keyboard.press('Delete');
    await cell(2, 'feeling').dblclick();
    await page.getByRole('combobox', { name: 'feeling' }).selectOption('wild');
    await cell(3, 'note').click();
    await keyboard.press('Enter');
    await keyboard.type('not kept');
    await keyboard.press('Escape');
    await shop.staged().getByText('1 change not saved').waitFor();
    await shop.staged().getByRole('button', { name: 'Review SQL' }).click();
    await shop.dialog().getByText('note = null').waitFor();
    await keyboard.press('Escape');
    await cell(2, 'note').click();
    await keyboard.press('Control+s');
    await shop.said('1 change of things saved.');
    const read = () =>
      shop.sql('select amount::text, note, feeling::text from things where id = 2');
    expect(await read()).toEqual([
      { amount: '12345678901234567890.10', note: null, feeling: 'wild' },
    ]);
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
    await shop.said('are taken back');
    expect(await read()).toEqual([{ amount: '2.00', note: '', feeling: null }]);
  });

  test('large values have editors: lists, ranges, bytes, JSON, and rows of another table', async () => {
    const cell = await shop.openThings('id', 'words', 'span', 'bytes', 'owner', 'raw');
    const stage = () => shop.dialog().getByRole('button', { name: 'Stage' });
    await cell(1, 'words').click();
    await shop.page.keyboard.press('Enter');
    await shop.dialog().getByLabel('Item 2', { exact: true }).fill('a "quoted" one');
    await stage().click();
    await cell(1, 'span').dblclick();
    await shop.dialog().getByLabel('To', { exact: true }).fill('9');
    await stage().click();
    await cell(1, 'bytes').dblclick();
    const file = { name: 'x.bin', mimeType: 'application/octet-stream' };
    const buffer = Buffer.from([1, 2, 255]);
    await shop
      .dialog()
      .locator('input[type=file]')
      .setInputFiles({ ...file, buffer });
    await stage().click();
    await cell(1, 'owner').dblclick();
    await shop.dialog().getByLabel('Choose a row of people').fill('Ada');
    await shop.dialog().getByRole('button', { name: 'Ada' }).click();
    await cell(1, 'raw').dblclick();
    const json = shop.dialog().getByRole('textbox', { name: 'JSON of raw' });
    await json.fill('{}');
    await shop.dialog().locator('.cm-matchingBracket').first().waitFor();
    await json.evaluate(typeOverEverything);
    await json.fill('{"z": 1, a}');
    await shop.dialog().getByRole('alert').waitFor();
    expect(await stage().isDisabled()).toBe(true);
    await json.fill('{"z": 1, "a": 12345678901234567890}');
    await stage().click();
    await shop.save();
    await shop.said('1 change of things saved.');
    const columns = 'raw::text, words::text, span::text, bytes::text, owner';
    expect(await shop.sql(`select ${columns} from things where id = 1`)).toEqual([
      {
        raw: '{"z": 1, "a": 12345678901234567890}',
        words: String.raw`{x,"a \"quoted\" one"}`,
        span: '[1,9)',
        bytes: String.raw`\x0102ff`,
        owner: 1,
      },
    ]);
  });

  test('are added from a spreadsheet and deleted; a refusal writes none of it', async () => {
    const { page } = shop;
    await shop.open('table=people');
    await value('Ada').waitFor();
    await page.getByRole('button', { name: 'New row' }).click();
    await page.getByRole('button', { name: 'New row' }).click();
    await page.getByRole('row').nth(1).getByRole('gridcell').nth(1).click();
    await page.evaluate(`navigator.clipboard.writeText('10\\tTen\\n11\\tEleven\\n')`);
    await page.keyboard.press('Control+v');
    await value('Eleven').waitFor();
    await page.getByRole('row').filter({ hasText: 'Ada' }).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Delete 1 row' }).click();
    await shop.save();
    await shop.staged().getByText('violates foreign key constraint').waitFor();
    expect(await shop.sql('select id from people')).toHaveLength(3);
    await shop.staged().getByRole('button', { name: 'Discard' }).click();
    await shop.staged().waitFor({ state: 'detached' });
  });

  test('that another operator has changed are shown with both values', async () => {
    await shop.open('table=people');
    await value('Grace').dblclick();
    await shop.page.keyboard.type('Mine');
    await shop.page.keyboard.press('Enter');
    await shop.sql(`update people set name = 'Theirs' where id = 2`);
    await shop.save();
    await shop.dialog().getByRole('cell', { name: 'Grace' }).waitFor();
    await shop.dialog().getByRole('cell', { name: 'Theirs' }).waitFor();
    const read = () => shop.sql('select name from people where id = 2');
    expect(await read()).toEqual([{ name: 'Theirs' }]);
    await shop.dialog().getByRole('button', { name: 'Keep my values' }).click();
    await shop.save();
    await shop.said('1 change of people saved.');
    expect(await read()).toEqual([{ name: 'Mine' }]);
  });

  test('of a file are tried before they are written: problems by line, then all rows', async () => {
    const { page } = shop;
    await shop.open('table=people');
    const submit = () => shop.dialog().getByRole('button', { name: 'Import' });
    const choose = async (text: string): Promise<void> => {
      await page.getByRole('button', { name: 'Import' }).click();
      const file = { name: 'p.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
      await shop.dialog().getByLabel('CSV file').setInputFiles(file);
    };
    await choose('ID,Name\nx,Bad\n21,Good\n');
    await shop.dialog().getByText('Line 2, id: Not a whole number').waitFor();
    expect(await submit().isDisabled()).toBe(true);
    await shop.dialog().getByRole('button', { name: 'Cancel' }).click();
    await choose('ID,Name\n20,Twenty\n1,Taken\n');
    await submit().click();
    await shop.dialog().getByText('The database refuses line 3').waitFor();
    expect(await shop.sql('select id from people where id = 20')).toEqual([]);
    await shop.dialog().getByRole('button', { name: 'Cancel' }).click();
    await choose(`ID,Name\n20,Twenty\n21,"${script}, quoted"\n`);
    await submit().click();
    await shop.said('2 rows imported into people.');
    expect(await shop.sql('select name from people where id >= 20 order by id')).toEqual([
      { name: 'Twenty' },
      { name: `${script}, quoted` },
    ]);
  });

  test('that are staged are not lost without a question', async () => {
    const { page } = shop;
    await shop.open('table=people');
    await value('Mine').dblclick();
    await page.keyboard.type('Lost');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'events' }).click();
    await shop.dialog().getByRole('button', { name: 'Stay' }).click();
    await shop.staged().waitFor();
    await page.getByRole('link', { name: 'events' }).click();
    await shop.dialog().getByRole('button', { name: 'Discard and leave' }).click();
    await page.getByRole('heading', { name: 'events', level: 1 }).waitFor();
  });
});
