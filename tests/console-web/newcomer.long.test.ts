// The first day of a newcomer who has a browser alone: from the lines that the first start prints to a row that a live
// subscription shows, in an empty folder.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { type BrowserUnderTest, describeWithBrowser, openBrowser } from '../support/browser.js';
import {
  freePorts,
  makeFolder,
  type RowhouseProcess,
  startRowhouse,
} from '../start/rowhouse-process.js';
import { signIn } from './world.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

describeWithBrowser('a newcomer', () => {
  let folder: string;
  let rowhouse: RowhouseProcess;
  let browser: BrowserUnderTest;
  let page: Page;
  beforeAll(async () => {
    folder = await makeFolder();
    rowhouse = startRowhouse({ ...(await freePorts()), DATA_DIR: join(folder, 'data') });
    browser = await openBrowser();
    page = await browser.newPage();
    await rowhouse.ready();
  });
  afterAll(async () => {
    await browser.close();
    rowhouse.child.kill('SIGTERM');
    await rowhouse.ended();
    await rm(folder, { recursive: true, force: true });
  });

  const dialog = () => page.getByRole('dialog');
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  const screen = (name: string) =>
    page
      .getByRole('navigation', { name: 'Screens of the project' })
      .getByRole('link', { name, exact: true })
      .click();
  /** What the first start printed behind a word. */
  const printed = (line: RegExp): string => {
    const [, found] = line.exec(rowhouse.stdout()) ?? [];
    if (found === undefined) throw new Error(`not printed: ${String(line)}`);
    return found;
  };

  test('comes from the printed address to a live row without a terminal', async () => {
    await page.goto(printed(/^ready .*\bconsole (\S+)/m));
    const given = printed(/^ {2}password +(\S+)$/m);
    await signIn(page, printed(/^ {2}email +(\S+)$/m), given);
    const own = 'a password of my own';
    await page.getByLabel('New password', { exact: true }).fill(own);
    await page.getByLabel('New password again').fill(own);
    await press('Save and continue');

    await press('New project');
    await dialog().getByLabel('Name').fill('Bookshop');
    await dialog().getByRole('button', { name: 'Create', exact: true }).click();
    await press('I have saved the keys');
    await page.getByRole('link', { name: 'Bookshop' }).click();

    await press('New table');
    await dialog().getByLabel('Name of the table').fill('notes');
    await press('Add a column');
    const column = dialog().getByRole('listitem').last();
    await column.getByLabel('Name', { exact: true }).fill('body');
    await press('Review the SQL');
    await press('Run');
    await page.getByRole('heading', { name: 'notes', level: 1 }).waitFor();

    await screen('Policies');
    const card = page.getByRole('region', { name: 'Table public.notes' });
    await card.getByRole('button', { name: 'New policy' }).click();
    await dialog().getByRole('button', { name: 'Signed-in users only' }).click();
    await press('Save policy');
    await card.getByText('1 policy').waitFor();

    await screen('Users');
    await press('New user');
    await dialog().getByLabel('Email address').fill('ada@example.org');
    await dialog().getByRole('button', { name: 'Create', exact: true }).click();
    await press('I have saved it');
    await page.getByRole('row').filter({ hasText: 'ada@example.org' }).waitFor();

    await screen('Files');
    await press('New bucket');
    await dialog().getByLabel('Slug').fill('pictures');
    await press('Make the bucket');
    await page.getByText('No file is in this bucket').waitFor();
    const file = { name: 'ada.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };
    await page.locator('input[type=file]').first().setInputFiles(file);
    await page.getByText('1 file uploaded', { exact: true }).waitFor();

    await screen('Realtime');
    await press('Join a channel');
    await dialog().getByLabel('As', { exact: true }).selectOption('user');
    await dialog().getByLabel('User', { exact: true }).selectOption({ label: 'ada@example.org' });
    await dialog().getByLabel('Topic').fill('desk');
    await dialog().getByLabel('notes', { exact: true }).check();
    await dialog().getByRole('button', { name: 'Join', exact: true }).click();
    const listener = page.getByRole('listitem', { name: 'desk as ada@example.org', exact: true });
    await listener.getByText('Joined', { exact: true }).waitFor();

    await screen('SQL');
    const text = page.locator('.cm-content');
    await text.fill(`insert into notes (body) values ('the first note')`);
    await text.press('Control+Enter');
    await page
      .getByRole('region', { name: 'Results' })
      .getByText(/1 statement in/)
      .waitFor();
    await screen('Realtime');
    const events = page.getByRole('listbox', { name: 'Events' });
    await events.getByRole('option').filter({ hasText: 'the first note' }).waitFor();
    expect(rowhouse.stderr()).toBe('');
  });
});
