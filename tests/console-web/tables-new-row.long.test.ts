// Rows that are made in the grid: where they are begun, what the database fills, and where the keyboard is afterwards.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { openTables, type TablesWorld } from './tables-world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const visits = `
  create table visits (
    id bigint primary key generated always as identity,
    made_at timestamptz not null default '2026-01-02 03:04:05+00',
    place text not null,
    note text,
    state text default 'planned',
    guest text default auth.uid(),
    host text not null default auth.uid()
  );
  insert into visits (place, host) values ('Oslo', 'Ada'), ('Rome', 'Bob');
`;

describeWithBrowser('a new row', () => {
  let shop: TablesWorld;
  beforeAll(async () => {
    shop = await openTables();
    await shop.sql(visits);
    // All columns are in sight: the others are not in the page.
    await shop.page.setViewportSize({ width: 1920, height: 900 });
  });
  afterAll(() => shop.world.close());
  afterEach(() => shop.world.expectNoFindings());

  const columns = ['id', 'made_at', 'place', 'note', 'state', 'guest', 'host'];
  /** A cell by the number of its row, from 1 on. The first column has the marks of rows. */
  const cell = (row: number, column: string) =>
    shop.page.locator(
      `[role=row][aria-rowindex="${row + 1}"] [role=gridcell][aria-colindex="${columns.indexOf(column) + 2}"]`,
    );
  const newRow = () => shop.page.getByRole('button', { name: 'New row' }).click();
  const discard = async (): Promise<void> => {
    await shop.staged().getByRole('button', { name: 'Discard' }).click();
    await shop.staged().waitFor({ state: 'detached' });
  };

  test('has the focus in the first cell without a default, and typing begins there', async () => {
    const { keyboard } = shop.page;
    await shop.open('table=visits');
    await newRow();
    await cell(1, 'place').and(shop.page.locator(':focus')).waitFor();
    await keyboard.type('Lima');
    await keyboard.press('Tab');
    await keyboard.type('by train');
    await keyboard.press('Enter');
    expect(await cell(1, 'place').textContent()).toBe('Lima');
    expect(await cell(1, 'note').textContent()).toBe('by train');
    // A second one, although the cell of the same place was the active one.
    await cell(2, 'place').click();
    await newRow();
    await cell(2, 'place').and(shop.page.locator(':focus')).waitFor();
    await keyboard.type('Bonn');
    await keyboard.press('Enter');
    expect(await cell(2, 'place').textContent()).toBe('Bonn');
    await discard();
  });

  test('leaves out what was not touched, so that the database fills it', async () => {
    const { page } = shop;
    await shop.open('table=visits');
    await newRow();
    const words = columns.map(async (name) => [name, await cell(1, name).textContent()] as const);
    expect(Object.fromEntries(await Promise.all(words))).toEqual({
      id: 'default',
      made_at: 'default',
      place: 'needs a value',
      note: 'NULL',
      state: 'default',
      guest: 'default: NULL',
      host: 'needs a value',
    });
    // A value that is taken back.
    await cell(1, 'state').dblclick();
    await page.keyboard.type('done');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Enter');
    await shop.dialog().getByRole('button', { name: 'Use the default' }).click();
    await shop.dialog().getByText("Default: 'planned'").first().waitFor();
    await shop.dialog().getByRole('button', { name: 'Stage' }).click();
    // An untouched cell that is opened and staged stays untouched.
    await cell(1, 'made_at').click();
    await page.keyboard.press('Shift+Enter');
    await shop.dialog().getByRole('button', { name: 'Stage' }).click();
    await cell(1, 'guest').click();
    await page.keyboard.press('Shift+Enter');
    await shop.dialog().getByText('An operator has no user id').waitFor();
    await page.keyboard.press('Escape');
    for (const name of ['place', 'host']) {
      await cell(1, name).click();
      await page.keyboard.type('Kyiv');
      await page.keyboard.press('Enter');
    }
    await shop.staged().getByRole('button', { name: 'Review SQL' }).click();
    await shop.dialog().getByText('insert into public.visits (place, host)').waitFor();
    await page.keyboard.press('Escape');
    await shop.save();
    await shop.said('1 change of visits saved.');
    const filled = `select made_at = '2026-01-02 03:04:05+00' as made, note, state, guest, host`;
    expect(await shop.sql(`${filled} from visits where place = 'Kyiv'`)).toEqual([
      { made: true, note: null, state: 'planned', guest: null, host: 'Kyiv' },
    ]);
  });

  test('keeps the keyboard in its row and column when it is saved, and so do other cells', async () => {
    const { page } = shop;
    const { keyboard } = page;
    const focused = (hasText: string) => page.locator('[role=gridcell]:focus').filter({ hasText });
    const rowOf = (text: string) => page.getByRole('row').filter({ hasText: text });
    await shop.open('table=visits');
    await cell(1, 'place').click();
    await keyboard.type('Oslo by night');
    await keyboard.press('Enter');
    await shop.save();
    await shop.said('1 change of visits saved.');
    await focused('Oslo by night').waitFor();
    // The key that saves takes what is being typed with it.
    await keyboard.press('ArrowDown');
    await keyboard.type('Rome by day');
    await keyboard.press('Control+s');
    await shop.staged().waitFor({ state: 'detached' });
    await focused('Rome by day').waitFor();
    expect(await shop.sql(`select id from visits where place = 'Rome by day'`)).toHaveLength(1);
    // A saved row is below the others.
    await newRow();
    await keyboard.type('Zagreb');
    await keyboard.press('Tab');
    await keyboard.type('by tram');
    await keyboard.press('Enter');
    await cell(1, 'host').click();
    await keyboard.type('Eva');
    await keyboard.press('Enter');
    await shop.save();
    await shop.staged().waitFor({ state: 'detached' });
    await focused('Eva').waitFor();
    expect(await rowOf('Zagreb').locator(':focus').count()).toBe(1);
    expect(await rowOf('Zagreb').getAttribute('aria-rowindex')).not.toBe('2');
    // What was discarded leaves the keyboard in the grid.
    await keyboard.type('Nobody');
    await keyboard.press('Enter');
    await discard();
    await focused('Eva').waitFor();
  });

  test('what is typed while rows are saved or read again is kept', async () => {
    const { page } = shop;
    const { keyboard } = page;
    await shop.open('table=visits');
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/admin/rows/visits', async (route) => {
      await held;
      await route.continue();
    });
    await cell(1, 'note').click();
    await keyboard.type('saved');
    await keyboard.press('Control+s');
    await keyboard.press('ArrowDown');
    await keyboard.type('typed meanwhile');
    await keyboard.press('Enter');
    await cell(3, 'note').click();
    await keyboard.type('still typ');
    release();
    await shop.said('1 change of visits saved.');
    await page.unroute('**/api/admin/rows/visits');
    await keyboard.type('ing');
    // So it is when another row has changed and all are read again.
    await shop.sql(`update visits set place = 'Paris' where id = 1`);
    await cell(1, 'place').filter({ hasText: 'Paris' }).waitFor({ timeout: 30_000 });
    await keyboard.type(' on');
    await keyboard.press('Control+s');
    await shop.said('2 changes of visits saved.');
    const notes = await shop.sql(`select note from visits where note is not null order by id`);
    expect(notes.map(({ note }) => note)).toEqual(
      expect.arrayContaining(['saved', 'typed meanwhile', 'still typing on']),
    );
  });

  /** Holds requests that save back until the returned function is called. */
  const holdSaves = async (): Promise<() => Promise<void>> => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await shop.page.route('**/api/admin/rows/visits', async (route) => {
      await held;
      await route.continue();
    });
    return async () => {
      release();
      await shop.said('1 change of visits saved.');
      await shop.page.unroute('**/api/admin/rows/visits');
    };
  };

  test.each([
    { name: 'in a cell of another row', place: 'Quito', row: 3 },
    { name: 'in a cell of the new row itself', place: 'Lagos', row: 1 },
  ])('what is typed $name while a new row is saved is kept', async ({ place, row }) => {
    const { page } = shop;
    const { keyboard } = page;
    await shop.open('table=visits');
    await newRow();
    await keyboard.type(place);
    await keyboard.press('Enter');
    await cell(1, 'host').click();
    await keyboard.type('Eva');
    const release = await holdSaves();
    await keyboard.press('Control+s');
    const edited = (await cell(row, 'place').textContent()) ?? '';
    await cell(row, 'note').click();
    await keyboard.type(`typed in ${edited}, ha`);
    await release();
    // The saved row is below the others, and the edited one has another number.
    await keyboard.type('lf and half');
    await keyboard.press('Enter');
    const text = `typed in ${edited}, half and half`;
    const focused = page.locator('[role=gridcell]:focus').filter({ hasText: text });
    await focused.waitFor();
    await page.getByRole('row').filter({ hasText: edited }).locator(':focus').waitFor();
    await keyboard.press('Control+s');
    await shop.staged().waitFor({ state: 'detached' });
    expect(await shop.sql(`select place from visits where note = '${text}'`)).toEqual([
      { place: edited },
    ]);
  });
});
