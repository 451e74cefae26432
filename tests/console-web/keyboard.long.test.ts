// The console by keys alone, without a pointer: signing in, tables, users, settings and files. What a key opens is closed
// by a key, and the focus is then where it was.
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord, operatorEmail, operatorPassword } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const wait = { timeout: 20_000 };
const maxSteps = 80;

describeWithBrowser('the console by keys alone', () => {
  let world: World;
  let project: ProjectUnderTest;
  let page: Page;
  beforeAll(async () => {
    world = await openWorld();
    project = await world.deployment.createProject();
    await project.sql(`
      create table people (id int primary key, name text not null);
      create table pets (id int primary key, owner int references people);
      insert into people values (1, 'Ada'), (2, 'Grace');
      insert into pets values (1, 2)`);
    page = await world.open('/sign-in', { viewport: { width: 1440, height: 900 } });
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const press = (...keys: readonly string[]) =>
    keys.reduce<Promise<void>>(
      (before, key) => before.then(() => page.keyboard.press(key)),
      Promise.resolve(),
    );
  const type = (text: string) => page.keyboard.type(text);
  const focused = (target: Locator): Promise<void> =>
    target.and(page.locator(':focus')).waitFor(wait);
  /** Goes on by Tab until an element has the focus. */
  const tabTo = async (target: Locator, key = 'Tab'): Promise<void> => {
    await target.first().waitFor();
    const isThere = () => target.first().evaluate((element) => element.matches(':focus'));
    for (let step = 0; step < maxSteps; step += 1) {
      if (await isThere()) return;
      await page.keyboard.press(key);
    }
    throw new Error(`Tab does not lead to ${String(target)}`);
  };
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  const dialog = () => page.getByRole('dialog').or(page.getByRole('alertdialog'));
  const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });
  /** Goes to a screen by the palette of commands. */
  const goTo = async (screen: string): Promise<void> => {
    await press('Control+k');
    await focused(page.getByRole('combobox'));
    await type(screen);
    await page.getByRole('option', { selected: true }).filter({ hasText: screen }).waitFor();
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: screen }).waitFor();
  };

  test('an operator signs in, and comes to the tables of a project', async () => {
    await tabTo(page.getByLabel('Email address'));
    await type(operatorEmail);
    await tabTo(page.getByLabel('Password', { exact: true }));
    await type(operatorPassword);
    await press('Enter');
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await tabTo(page.getByRole('link', { name: `Test ${project.ref}` }));
    await press('Enter');
    const screens = page.getByRole('navigation', { name: 'Screens of the project' });
    await tabTo(screens.getByRole('link', { name: 'Tables', exact: true }));
    await press('Enter');
    await tabTo(
      page.getByRole('navigation', { name: 'Tables', exact: true }).getByRole('link', {
        name: 'people',
      }),
    );
    await press('Enter');
    await page.getByRole('heading', { name: 'people', level: 1 }).waitFor();
  });

  test('rows are filtered, added, changed and saved, and a foreign key is followed', async () => {
    await page.getByRole('gridcell', { name: 'Grace', exact: true }).waitFor();
    await tabTo(button('Filter'));
    await press('Enter');
    await tabTo(dialog().getByLabel('Column'));
    await press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await focused(button('Filter'));
    await tabTo(button('Columns'), 'Shift+Tab');
    await press('Enter');
    await tabTo(inDialog('Done'));
    await press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await focused(button('Columns'));
    await tabTo(button('New row'), 'Shift+Tab');
    await press('Enter');
    await page.locator('[role=gridcell]:focus').waitFor();
    await type('3');
    await press('Tab');
    await type('Mary');
    await press('Enter');
    await press('Control+s');
    await page.getByText('1 change of people saved.').first().waitFor();
    expect(await project.sql('select name from people where id = 3')).toEqual([{ name: 'Mary' }]);
    await focused(page.getByRole('gridcell', { name: 'Mary', exact: true }));
    await press('ArrowUp');
    await focused(page.getByRole('gridcell', { name: 'Grace', exact: true }));
    await press('Shift+Enter');
    await dialog().getByRole('textbox', { name: 'Value' }).waitFor();
    await press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await focused(page.getByRole('gridcell', { name: 'Grace', exact: true }));
  });

  test('a user is made, banned by the menu, looked into, and left', async () => {
    await goTo('Users');
    await tabTo(button('New user').first());
    await press('Enter');
    await tabTo(dialog().getByLabel('Email address'));
    await type('eve@example.org');
    await tabTo(dialog().getByLabel('Name'));
    await type('Eve');
    await press('Enter');
    await dialog().getByText('it is not shown again').waitFor();
    await tabTo(inDialog('I have saved it'));
    await press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await focused(button('New user'));
    const actions = button('Actions on Eve');
    await tabTo(actions);
    await press('Enter');
    await focused(page.getByRole('menuitem', { name: 'Open', exact: true }));
    await press('Escape');
    await focused(actions);
    await press('ArrowDown');
    await focused(page.getByRole('menuitem', { name: 'Open', exact: true }));
    // Twice: the second time everything is loaded.
    for (let time = 1; time <= 2; time += 1) {
      await press('b');
      await focused(page.getByRole('menuitem', { name: 'Ban', exact: true }));
      await press('Enter');
      await dialog().getByLabel('Reason').waitFor();
      await press('Escape');
      await dialog().waitFor({ state: 'detached' });
      await focused(actions);
      await press('ArrowDown');
      await focused(page.getByRole('menuitem', { name: 'Open', exact: true }));
    }
    await press('b');
    await focused(page.getByRole('menuitem', { name: 'Ban', exact: true }));
    await press('Enter');
    await tabTo(dialog().getByLabel('Reason'));
    await type('Spam');
    await tabTo(inDialog('Ban'));
    await press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await page
      .getByRole('row')
      .filter({ hasText: 'Eve' })
      .getByText('Banned')
      .filter({ visible: true })
      .first()
      .waitFor();
    await focused(actions);
    await tabTo(button('Eve'), 'Shift+Tab');
    await press('Enter');
    const tab = (name: string) => dialog().getByRole('tab', { name, exact: true });
    await tabTo(tab('Overview'));
    await press('ArrowRight');
    await focused(tab('Identities'));
    await press('ArrowRight');
    await focused(tab('Sessions'));
    await press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await focused(button('Eve'));
  });

  test('a setting is changed, reviewed and saved', async () => {
    await goTo('Settings');
    const list = page.getByRole('navigation', { name: 'Settings', exact: true });
    await tabTo(list.getByRole('link', { name: 'Sessions', exact: true }));
    await press('Enter');
    await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
    await tabTo(page.getByLabel('Lifetime', { exact: true }));
    await press('Control+a');
    await type('864000');
    await tabTo(button('Review and save'));
    await press('Enter');
    await dialog().getByRole('table', { name: 'What is saved' }).waitFor();
    await press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await focused(button('Review and save'));
    await press('Enter');
    await tabTo(inDialog('Save'));
    await press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await page.getByText('“Sessions” was saved.').first().waitFor();
    const path = '/api/admin/settings/auth.sessions';
    expect(asRecord((await project.asService({ path })).body)).toMatchObject({
      expiresIn: 864_000,
    });
    await expect
      .poll(() => page.evaluate('document.activeElement?.tagName'), wait)
      .not.toBe('BODY');
    await tabTo(page.getByRole('tab', { name: 'Settings', exact: true }), 'Shift+Tab');
    await press('ArrowRight');
    await page
      .getByText(/by first@/)
      .first()
      .waitFor();
  });

  test('a bucket is made and a file opened, moved and deleted', async () => {
    await goTo('Files');
    await tabTo(button('New bucket').first());
    await press('Enter');
    await tabTo(dialog().getByLabel('Slug'));
    await type('papers');
    await tabTo(inDialog('Make the bucket'));
    await press('Enter');
    await page.getByRole('heading', { name: 'papers', level: 1 }).waitFor();
    await project.asService({
      method: 'PUT',
      path: '/api/files/object/papers/plan.txt',
      body: 'north',
      headers: { 'content-type': 'text/plain' },
    });
    const file = button('plan.txt');
    await file.waitFor({ timeout: 60_000 });
    await tabTo(file);
    await press('Enter');
    await dialog().getByText('north').waitFor();
    await press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await focused(file);
    await tabTo(button('Actions on plan.txt'));
    await press('Enter');
    await focused(page.getByRole('menuitem').first());
    await press('m');
    await focused(page.getByRole('menuitem', { name: 'Move or rename', exact: true }));
    await press('Enter');
    await tabTo(dialog().getByLabel('New key'));
    await press('Control+a');
    await type('the plan.txt');
    await press('Enter');
    await dialog().waitFor({ state: 'detached' });
    const moved = button('the plan.txt');
    await moved.waitFor();
    await tabTo(button('Actions on the plan.txt'));
    await press('Enter');
    await focused(page.getByRole('menuitem').first());
    await press('End');
    await focused(page.getByRole('menuitem', { name: 'Delete…', exact: true }));
    await press('Enter');
    await tabTo(inDialog('Delete'));
    await press('Enter');
    await moved.waitFor({ state: 'detached' });
    await expect
      .poll(() => page.evaluate('document.activeElement?.tagName'), wait)
      .not.toBe('BODY');
  });
});
