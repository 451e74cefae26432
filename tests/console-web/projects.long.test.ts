// The list of projects: making, pausing, deleting and restoring one, and what the address keeps.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord, asSuperuser } from '../support/deployment.js';
import { send } from '../support/http.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

describeWithBrowser('the projects', () => {
  let world: World;
  let page: Page;
  beforeAll(async () => {
    world = await openWorld();
    page = await world.openSignedIn();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await page.goto(`${world.origin}/projects`);
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  });
  afterEach(() => world.expectNoFindings());

  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const dialog = () => page.getByRole('dialog');
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  const act = async (name: string, action: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions on ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  /** The state of a project; 404 if it is gone. */
  const statusOf = async (ref: string): Promise<unknown> => {
    const path = `/platform/projects/${ref}`;
    return asRecord((await world.deployment.console({ method: 'GET', path })).body)['status'];
  };

  test('an empty list teaches the next step; the new project shows its keys once', async () => {
    await page.getByText('No project yet').waitFor();
    await page.getByRole('button', { name: 'Create the first project' }).click();
    await dialog().getByLabel('Name').fill('Bookshop');
    await dialog().getByLabel('Ref (optional)').fill('bookshop');
    await dialog().getByRole('button', { name: 'Create', exact: true }).click();
    await dialog().getByText('Bookshop is ready').waitFor();
    const shown = (label: string) => dialog().getByRole('textbox', { name: label }).textContent();
    const url = await shown('URL');
    const secretKey = (await shown('Secret key, for servers')) ?? '';
    expect(url).toContain('bookshop.localhost');
    expect(await shown('Publishable key')).toMatch(/^svc_publishable_/);
    expect(secretKey).toMatch(/^svc_secret_/);
    expect(await shown('Connection string')).toMatch(/^postgres(?:ql)?:\/\//);
    const focused = page.evaluate<string>('document.activeElement.getAttribute("aria-label")');
    expect(await focused).toBe('Copy URL');
    // They are lost with the dialog: nothing but its button closes it.
    expect(await dialog().getByRole('button', { name: 'Close' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await page.keyboard.press('Control+k');
    await page.goBack();
    expect(await dialog().count()).toBe(1);
    expect(await shown('Secret key, for servers')).toBe(secretKey);
    await dialog().getByRole('button', { name: 'Copy Secret key, for servers' }).click();
    expect(await copied()).toBe(secretKey);
    // The key works at once.
    const reply = await send(world.deployment.apiOrigin, {
      method: 'GET',
      path: '/api/admin/settings',
      headers: {
        host: 'bookshop.localhost',
        apikey: secretKey,
        authorization: `Bearer ${secretKey}`,
      },
    });
    expect(reply.status).toBe(200);
    await dialog().getByRole('button', { name: 'I have saved the keys' }).click();
    await row('Bookshop').getByText('Active').waitFor();
    expect(await page.content()).not.toContain(secretKey);
  });

  test('a ref that is taken is said in the dialog, with the id of the request', async () => {
    await page.getByRole('button', { name: 'New project' }).click();
    await dialog().getByLabel('Name').fill('Again');
    await dialog().getByLabel('Ref (optional)').fill('bookshop');
    await dialog().getByRole('button', { name: 'Create', exact: true }).click();
    await dialog().getByRole('alert').getByText('Request').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  test('is paused and resumed, each with the way back', async () => {
    await act('Bookshop', 'Pause');
    await row('Bookshop').getByText('Paused').waitFor();
    expect(await statusOf('bookshop')).toBe('paused');
    await page.getByRole('button', { name: 'Resume' }).click();
    await row('Bookshop').getByText('Active').waitFor();
    expect(await statusOf('bookshop')).toBe('active');
  });

  test('is deleted with its name typed, after what is lost was shown, and comes back', async () => {
    await act('Bookshop', 'Delete…');
    await dialog()
      .getByText(/the database with all tables, \d/)
      .waitFor();
    await dialog().getByText('0 users with their sessions').waitFor();
    const button = dialog().getByRole('button', { name: 'Delete', exact: true });
    expect(await button.isDisabled()).toBe(true);
    await dialog().getByLabel('Type the name').fill('bookshop');
    expect(await button.isDisabled()).toBe(true);
    await dialog().getByLabel('Type the name').press('Enter');
    expect(await statusOf('bookshop')).toBe('active');
    await dialog().getByLabel('Type the name').fill('Bookshop');
    await button.click();
    await page.getByText('It can be restored until').first().waitFor();
    expect(await statusOf('bookshop')).toBe('deleted');
    expect(await row('Bookshop').count()).toBe(0);
    // It was the only one.
    await page.getByRole('heading', { name: 'No project', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Create the first project' }).waitFor();
    await page.getByRole('button', { name: 'Show deleted projects' }).click();
    await row('Bookshop').waitFor();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await row('Bookshop').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('Bookshop').getByText('Active').waitFor();
    expect(await statusOf('bookshop')).toBe('active');
  });

  test('a deleted one is listed apart, restored, and deleted for good', async () => {
    const ref = await world.addProject('Shed');
    const path = `/platform/projects/${ref}`;
    await world.deployment.console({ method: 'DELETE', path, body: { ref } });
    await page.goto(`${world.origin}/projects?status=deleted`);
    await act('Shed', 'Restore');
    await page.getByText('Shed is restored.').first().waitFor();
    expect(await statusOf(ref)).toBe('active');
    await world.deployment.console({ method: 'DELETE', path, body: { ref } });
    await page.reload();
    await act('Shed', 'Delete for good…');
    await dialog().getByLabel('Type the name').fill('Shed');
    await dialog().getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('Shed is deleted for good.').first().waitFor();
    expect(await statusOf(ref)).toBe(404);
    await page.getByText('No deleted project').waitFor();
  });

  test('what an operator changes elsewhere appears without a reload', async () => {
    await row('Bookshop').getByText('Active').waitFor();
    const path = '/platform/projects/bookshop/pause';
    await world.deployment.console({ method: 'POST', path });
    await row('Bookshop').getByText('Paused').waitFor();
    await world.deployment.console({ method: 'POST', path: '/platform/projects/bookshop/resume' });
  });

  describe('the address', () => {
    test('keeps search, state, order, view and details', async () => {
      await page.getByLabel('Search by name or ref').fill('book');
      await page.getByRole('button', { name: /^Active/ }).click();
      await page.getByRole('button', { name: 'Created' }).click();
      await page.getByRole('button', { name: 'Created' }).click();
      await page.getByRole('button', { name: 'Grid' }).click();
      await act('Bookshop', 'Show details');
      await dialog().getByRole('heading', { name: 'Bookshop' }).waitFor();
      const { search } = new URL(page.url());
      expect(Object.fromEntries(new URLSearchParams(search))).toEqual({
        q: 'book',
        status: 'active',
        sort: 'created',
        reversed: 'true',
        view: 'grid',
        open: 'bookshop',
      });
      await page.reload();
      await dialog().getByRole('heading', { name: 'Bookshop' }).waitFor();
      await page.goBack();
      await dialog().waitFor({ state: 'detached' });
      expect(await page.getByRole('listitem').count()).toBe(1);
      await page.goBack();
      await page.getByRole('table').waitFor();
      expect(await page.getByLabel('Search by name or ref').inputValue()).toBe('book');
    });

    test('with values that are not known shows the whole list', async () => {
      await page.goto(`${world.origin}/projects?status=x&sort=%22&view=7&open=nothing&reversed=2`);
      await row('Bookshop').waitFor();
      expect(await page.getByRole('button', { name: 'All', pressed: true }).count()).toBe(1);
    });

    test('of a search without a match offers all projects', async () => {
      await page.goto(`${world.origin}/projects?q=nothing`);
      await page.getByText('No project matches').waitFor();
      await page.getByRole('button', { name: 'Show all projects' }).click();
      await row('Bookshop').waitFor();
    });
  });

  test('a created project says its exact time on hover', async () => {
    const time = row('Bookshop').locator('time').first();
    expect(await time.getAttribute('title')).toMatch(/20\d\d.*\d{1,2}:\d\d/);
    expect(await time.getAttribute('datetime')).toMatch(/^20\d\d-.*Z$/);
  });

  test('copies its request as curl, without the token', async () => {
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    const command = await copied();
    expect(command).toContain(`'${world.origin}/platform/projects?limit=1000'`);
    expect(command).toContain('Bearer $OPERATOR');
  });

  test.each([
    {
      name: 'refuses the clipboard',
      script: `navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))`,
    },
    {
      name: 'without HTTPS refuses to copy a selection',
      script: `Object.defineProperty(window, 'isSecureContext', { value: false });
        document.execCommand = () => false`,
    },
  ])('says that copying failed in a browser that $name', async ({ script }) => {
    const failed = page.getByText('Copying failed. Select the text and press Ctrl-C.').first();
    await row('Bookshop').waitFor();
    await page.evaluate(script);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await failed.waitFor();
    expect(await page.getByText('Copied', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Close the message' }).click();
    await failed.waitFor({ state: 'detached' });
    await act('Bookshop', 'Copy the URL');
    await failed.waitFor();
    expect(await page.getByText('The URL is copied.').count()).toBe(0);
    expect(await page.locator('textarea').count()).toBe(0);
  });

  test('the palette goes to a project and acts on it, by the keyboard alone', async () => {
    await row('Bookshop').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').pressSequentially('books');
    await page.getByRole('option', { name: 'Bookshop' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Bookshop', level: 1 }).waitFor();
    await page.goBack();
    await row('Bookshop').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').pressSequentially('pause bookshop');
    await page.getByRole('option', { name: 'Pause Bookshop' }).waitFor();
    await page.keyboard.press('Enter');
    await row('Bookshop').getByText('Paused').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').pressSequentially('nothing at all');
    await page.getByText('Nothing has this name.').waitFor();
    await page.keyboard.press('Escape');
    await act('Bookshop', 'Resume');
    await row('Bookshop').getByText('Active').waitFor();
  });

  test('the palette offers the screens of the open project, and of no other page', async () => {
    const screen = (name: string) =>
      page.getByRole('group', { name: 'Screens' }).getByRole('option', { name, exact: true });
    const ref = await world.addProject('Chandlery');
    await page.goto(`${world.origin}/projects/${ref}`);
    const navigation = page.getByRole('navigation', { name: 'Screens of the project' });
    await navigation.getByRole('link', { name: 'Tables' }).waitFor();
    // A dialog hides the navigation from readers.
    const offered = await navigation.locator('a').allTextContents();
    await page.keyboard.press('Control+k');
    await screen('Tables').waitFor();
    const options = page.getByRole('group', { name: 'Screens' }).getByRole('option');
    expect(await options.allTextContents()).toEqual(offered);
    await page.getByRole('combobox').pressSequentially('polic');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Policies', level: 1 }).waitFor();
    expect(page.url()).toBe(`${world.origin}/projects/${ref}/policies`);
    await page.goto(`${world.origin}/account`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Chandlery' }).waitFor();
    expect(await screen('Tables').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.goto(`${world.origin}/projects`);
  });

  test('Escape closes a dialog that was open before a message came', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/pause', async (route) => {
      await released;
      await route.continue();
    });
    await act('Bookshop', 'Pause');
    await page.keyboard.press('Control+k');
    await dialog().getByRole('combobox').waitFor();
    release();
    await page.getByText('Bookshop is paused').first().waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await page.unroute('**/pause');
    await act('Bookshop', 'Resume');
    await row('Bookshop').getByText('Active').waitFor();
  });

  test('shows requests, errors, sizes and the last request, and sorts by them', async () => {
    const ref = await world.addProject('Atlas');
    const { databaseName: database } = world.deployment.ground;
    await asSuperuser(
      `insert into project_usage_minute
       select '${ref}', date_trunc('minute', now()) - n * interval '1 minute', 700, 0, 2, 0, 0, 0, 1, '{}'
       from generate_series(2, 3) n`,
      { database },
    );
    await asSuperuser(
      `update project set database_bytes = 12000000, storage_bytes = 3000000 where ref = '${ref}'`,
      { database },
    );
    await page.reload();
    await row('Atlas').getByText('1,400 requests in the last hour, 4 errors').last().waitFor();
    await row('Atlas').getByText('15 MB').waitFor();
    await row('Atlas').getByText('2 minutes ago').waitFor();
    const names = () => page.getByRole('table').getByRole('link').allTextContents();
    expect((await names())[0]).toBe('Atlas');
    await page.getByRole('button', { name: 'Requests' }).click();
    await page
      .getByRole('columnheader', { name: 'Requests' })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor();
    expect((await names())[0]).toBe('Atlas');
    await page.getByRole('button', { name: 'Requests' }).click();
    await page.locator('[aria-sort=ascending]').waitFor();
    expect((await names()).at(-1)).toBe('Atlas');
    await page.getByRole('button', { name: 'Grid' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Atlas' }).getByText('15 MB').waitFor();
  });
});
