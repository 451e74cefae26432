// Screens and dialogs whose code is not loaded while the server is away: the page waits, and opens them when it is back.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const wait = { timeout: 40_000 };

describeWithBrowser('code that is wanted while the server is away', () => {
  let world: World;
  let ref: string;
  beforeAll(async () => {
    world = await openWorld();
    ref = await world.addProject('Bookshop');
    await world.deployment.console({
      method: 'POST',
      path: `/platform/projects/${ref}/api/admin/sql`,
      body: { query: 'create table books (id int primary key)' },
    });
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const notice = (page: Page) => page.getByText('The server cannot be reached. This page tries');
  const openedAt = (page: Page) => page.evaluate<number>('performance.timeOrigin');

  test('is loaded by itself when the server is back, and nothing else is lost', async () => {
    const screen = await world.openSignedIn(`/projects/${ref}`);
    await screen.getByText('The database answers').waitFor(wait);
    const dialog = await world.openSignedIn('/projects');
    // Within the page behind the dialog, which is hidden from roles then.
    const filter = dialog.locator('input[type=search]').first();
    await filter.fill('Book');
    await dialog.waitForURL('**q=Book**');
    const before = await Promise.all([screen, dialog].map(openedAt));

    await world.restart(async () => {
      const link = screen.getByRole('link', { name: 'Diagram', exact: true });
      await link.focus();
      await screen.keyboard.press('Enter');
      await dialog.getByRole('button', { name: 'New project' }).click();
      await notice(screen).waitFor(wait);
      await notice(dialog).waitFor(wait);
      expect(await screen.getByText('This page failed').count()).toBe(0);
      expect(await dialog.getByText('This page failed').count()).toBe(0);
    });

    await screen.getByRole('heading', { name: 'Diagram', level: 1 }).waitFor(wait);
    await notice(screen).waitFor({ state: 'detached', ...wait });
    await dialog.getByRole('dialog').getByLabel('Name').waitFor(wait);
    expect(await filter.inputValue()).toBe('Book');
    // The same documents: nothing was loaded again but the code.
    expect(await Promise.all([screen, dialog].map(openedAt))).toEqual(before);
    // The styles of the diagram came with its code.
    await screen.locator('.react-flow__viewport').waitFor({ state: 'attached', ...wait });
    const styles = `getComputedStyle(document.querySelector('.react-flow__viewport')).zIndex`;
    await expect.poll(() => screen.evaluate(styles), wait).toBe('2');
  });
});
