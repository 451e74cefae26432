// Each screen for people who use the keyboard, a screen reader, a phone or the dark theme: axe finds nothing, nothing
// is wider than the page, and every action is reached by keys.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { operatorEmail, operatorPassword } from '../support/deployment.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds on the page as it is, by rule and element. */
async function findingsOn(page: Page): Promise<readonly string[]> {
  // Colors are compared when they have stopped changing.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(axe.source);
  const found = await page.evaluate<readonly Finding[]>(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)} }).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

/** By how much the content is wider than the page, and the elements that are; empty if it is not. */
const overflowOf = (page: Page): Promise<readonly (number | string)[]> =>
  page.evaluate<readonly (number | string)[]>(`{
    const excess = document.documentElement.scrollWidth - innerWidth;
    const wide = [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth)
      .map((element) => element.outerHTML.slice(0, 200));
    excess > 0 ? [excess, ...wide] : [];
  }`);

describeWithBrowser('the screens', () => {
  let world: World;
  let bookshop: string;
  beforeAll(async () => {
    world = await openWorld();
    bookshop = await world.addProject('Bookshop');
    await world.addProject(
      'A name that is much longer than a phone is wide, and has no end in sight',
    );
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const sights = [
    { theme: 'light', width: 1440 },
    { theme: 'dark', width: 1440 },
    { theme: 'light', width: 360 },
    { theme: 'dark', width: 360 },
  ] as const;

  describe.each(sights)('in the $theme theme, $width pixels wide', ({ theme, width }) => {
    const options = { colorScheme: theme, viewport: { width, height: 800 } };
    const expectGood = async (page: Page): Promise<void> => {
      expect(await findingsOn(page)).toEqual([]);
      expect(await overflowOf(page)).toEqual([]);
    };

    test('before the sign-in', async () => {
      const page = await world.open('/sign-in', options);
      await page.getByLabel('Email address').fill('ada@example.org');
      await page.getByLabel('Password', { exact: true }).fill('wrong');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('alert').waitFor();
      await expectGood(page);
      await page.goto(`${world.origin}/invitation#token=x`);
      await page.getByLabel('Name').waitFor();
      await expectGood(page);
      await page.goto(`${world.origin}/nowhere`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await expectGood(page);
    });

    test('projects and their dialogs', async () => {
      const page = await world.openSignedIn('/projects', options);
      await page.getByRole('table').waitFor();
      await expectGood(page);
      await page.goto(`${world.origin}/projects?view=grid`);
      await page.getByRole('listitem').first().waitFor();
      await expectGood(page);
      await page.getByRole('button', { name: 'Actions on Bookshop' }).click();
      await page.getByRole('menuitem', { name: 'Pause' }).waitFor();
      await expectGood(page);
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByText('0 users with their sessions').waitFor();
      await expectGood(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Actions on Bookshop' }).click();
      await page.getByRole('menuitem', { name: 'Show details' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).waitFor();
      await expectGood(page);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await page.getByRole('option').first().waitFor();
      await expectGood(page);
      await page.goto(`${world.origin}/projects?dialog=create`);
      await page.getByRole('dialog').getByLabel('Name').waitFor();
      await expectGood(page);
    });

    test('the home of a project and the ways to connect', async () => {
      const page = await world.openSignedIn(`/projects/${bookshop}`, options);
      await page.getByText('or work on the project has failed').waitFor();
      await page.getByText('The database answers').waitFor();
      await page.getByText('A domain of its own').waitFor();
      await expectGood(page);
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByRole('tab', { name: 'JavaScript', selected: true }).waitFor();
      await page.keyboard.press('Tab');
      await expectGood(page);
      await page.getByRole('tab', { name: 'psql' }).click();
      await page.getByRole('button', { name: 'Show the connection string' }).click();
      await page.getByLabel('Your password').waitFor();
      await expectGood(page);
    });

    test('the account with an enrolment', async () => {
      const page = await world.openSignedIn('/account', options);
      await page.getByText('This session').first().waitFor();
      await page.getByText('None. Tick').waitFor();
      await expectGood(page);
      await page.getByRole('button', { name: 'Set up the second factor' }).click();
      await page.getByLabel('Your password').fill(operatorPassword);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('list', { name: 'Backup codes' }).waitFor();
      await expectGood(page);
    });
  });

  test('a theme is chosen, and kept', async () => {
    const page = await world.openSignedIn('/projects', { colorScheme: 'light' });
    const background = () =>
      page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    const light = await background();
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).click();
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.reload();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    expect(await background()).toBe(dark);
  });

  test('a project is paused, opened and deleted by keys, and the focus comes back', async () => {
    await world.addProject('Keys');
    const page = await world.open('/sign-in');
    await page.getByLabel('Email address').waitFor();
    await page.keyboard.type(operatorEmail);
    await page.keyboard.press('Tab');
    await page.keyboard.type(operatorPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Keys' }).waitFor();
    const wait = { timeout: 20_000 };
    const focused = () =>
      page.evaluate<string>(
        'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
      );
    const moveTo = async (name: string, key: string): Promise<void> => {
      for (let count = 0; (await focused()) !== name && count < 40; count += 1) {
        const before = await focused();
        await page.keyboard.press(key);
        await expect.poll(focused, wait).not.toBe(before);
      }
      expect(await focused()).toBe(name);
    };
    await page.keyboard.press('Tab');
    await expect.poll(focused, wait).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await moveTo('Bookshop', 'Tab');
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused, wait).toBe('Keys');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Pause' }).waitFor();
    // A menu that is opened by a key gives its first entry the focus. The next one has it a while after the key.
    await expect.poll(focused, wait).toBe('Show details');
    await moveTo('Pause', 'ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'Keys' }).getByText('Paused').waitFor();
    await expect.poll(focused, wait).toBe('Actions on Keys');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    await page.keyboard.press('End');
    await expect.poll(focused, wait).toBe('Delete…');
    await page.keyboard.press('Enter');
    const tag = () => page.evaluate<string>('document.activeElement.tagName');
    await page.getByRole('dialog').getByLabel('Type the name').waitFor();
    await expect.poll(tag, wait).toBe('INPUT');
    await page.keyboard.type('Keys');
    await page.keyboard.press('Enter');
    await page.getByText('It can be restored until').first().waitFor();
  });
});
