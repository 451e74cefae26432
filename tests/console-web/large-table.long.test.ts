// 100,000 rows scrolled from the first to the last: each row that is seen is the one of its number.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { openTables, type TablesWorld } from './tables-world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const many = 100_000;
const readMs = 20_000;

/** A row that is in the page: its number from 1 on, and its name; an empty text while it is read. */
interface SeenRow {
  readonly number: number;
  readonly name: string;
}

const readRows = `[...document.querySelectorAll('[role=grid] [role=row]')]
  .filter((row) => Number(row.getAttribute('aria-rowindex')) > 1)
  .map((row) => ({
    number: Number(row.getAttribute('aria-rowindex')) - 1,
    name: [...row.querySelectorAll('[role=gridcell]')].at(-1)?.textContent ?? '',
  }))`;

describeWithBrowser('100,000 rows', () => {
  let shop: TablesWorld;
  beforeAll(async () => {
    shop = await openTables();
  });
  afterAll(() => shop.world.close());
  afterEach(() => shop.world.expectNoFindings());

  const seen = () => shop.page.evaluate<readonly SeenRow[]>(readRows);

  /** Waits until all rows in the page are read. None of them may show the name of another row meanwhile. */
  async function expectRows(nameOf: (number: number) => string, last: number): Promise<void> {
    const isRight = ({ number, name }: SeenRow): boolean => name === '' || name === nameOf(number);
    const wrong: SeenRow[] = [];
    const read = async () => {
      const rows = await seen();
      wrong.push(...rows.filter((row) => !isRight(row)));
      return rows.length > 10 && rows.every(({ name }) => name !== '') ? rows.at(-1)?.number : 0;
    };
    await expect.poll(read, { timeout: readMs }).toBeGreaterThanOrEqual(last);
    expect(wrong).toEqual([]);
  }

  test('have the right values at each of 50 places down to the last one', async () => {
    const { page } = shop;
    await shop.open('table=events');
    await page.getByText('100,000 rows').waitFor();
    for (let place = 0; place <= 50; place += 1) {
      const share = place / 50;
      await page.evaluate(`{
        const grid = document.querySelector('[role=grid]');
        grid.scrollTop = ${share} * (grid.scrollHeight - grid.clientHeight);
      }`);
      // The last row in sight is beyond the share of the rows before it.
      await expectRows((number) => `event ${number}`, Math.floor(many * share));
    }
    expect((await seen()).at(-1)).toEqual({ number: many, name: `event ${many}` });
    expect((await seen()).length).toBeLessThan(100);
  });

  test('have the right values while a wheel turns', async () => {
    const { page } = shop;
    await shop.open('table=events');
    await page.getByRole('grid').hover();
    for (let turn = 1; turn <= 100; turn += 1) {
      await page.mouse.wheel(0, 990);
      const rows = await seen();
      const wrong = rows.filter(({ number, name }) => name !== '' && name !== `event ${number}`);
      expect(wrong).toEqual([]);
    }
    await expectRows((number) => `event ${number}`, 2_900);
  });

  test('are reached by keys, and from the other end by the order', async () => {
    const { page } = shop;
    await shop.open('table=events');
    await page.getByRole('gridcell', { name: 'event 1', exact: true }).click();
    await page.keyboard.press('Control+End');
    await expectRows((number) => `event ${number}`, many);
    await shop.open(`table=events&sort=${encodeURIComponent('["-id"]')}`);
    await expectRows((number) => `event ${many + 1 - number}`, 20);
    await page.getByRole('gridcell', { name: `event ${many}`, exact: true }).click();
    await page.keyboard.press('Control+End');
    await expectRows((number) => `event ${many + 1 - number}`, many);
  });
});
