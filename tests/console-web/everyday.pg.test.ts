// The main way through the console in one visit: sign-in, a project, a row that is changed, a setting that is saved.
// The other tests of this folder have each screen in full.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord, operatorEmail, operatorPassword } from '../support/deployment.js';
import { openWorld, signIn, type World } from './world.js';

// The pages may have to be built first.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

describeWithBrowser('the console', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const ask = (method: string, path: string, body?: object) =>
    world.deployment.console({
      method,
      path: `/platform/projects/bookshop/api/admin/${path}`,
      ...(body && { body }),
    });

  test('leads from the sign-in to a project, its rows and its settings', async () => {
    const page = await world.open('/sign-in');
    const dialog = () => page.getByRole('dialog').or(page.getByRole('alertdialog'));
    const save = () => dialog().getByRole('button', { name: 'Save', exact: true });

    await signIn(page, operatorEmail, 'wrong password');
    await page.getByRole('alert').getByText('password is wrong').waitFor();
    await signIn(page, operatorEmail, operatorPassword);

    await page.getByRole('button', { name: 'Create the first project' }).click();
    await dialog().getByLabel('Name').fill('Bookshop');
    await dialog().getByLabel('Ref (optional)').fill('bookshop');
    await dialog().getByRole('button', { name: 'Create', exact: true }).click();
    await dialog().getByText('Bookshop is ready').waitFor();
    await dialog().getByRole('button', { name: 'I have saved the keys' }).click();
    await page.getByRole('row').filter({ hasText: 'Bookshop' }).getByText('Active').waitFor();

    const sql = `create table books (id int primary key, title text);
      insert into books values (1, 'Emma')`;
    expect((await ask('POST', 'sql', { query: sql })).status).toBe(200);
    await page.goto(`${world.origin}/projects/bookshop/tables?table=books`);
    await page.getByRole('gridcell', { name: 'Emma', exact: true }).dblclick();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Persuasion');
    await page.keyboard.press('Enter');
    const staged = page.getByRole('region', { name: 'Staged changes' });
    await staged.getByText('1 change not saved').waitFor();
    await staged.getByRole('button', { name: 'Save' }).click();
    await page.getByText('1 change of books saved.').first().waitFor();
    const { rows } = asRecord((await ask('POST', 'sql', { query: 'table books' })).body);
    expect(rows).toEqual([{ id: 1, title: 'Persuasion' }]);

    await page.goto(`${world.origin}/projects/bookshop/settings/auth.sessions`);
    await page.getByLabel('Lifetime', { exact: true }).fill('864000');
    await page.getByRole('button', { name: 'Review and save', exact: true }).click();
    await save().click();
    await dialog().waitFor({ state: 'detached' });
    expect((await ask('GET', 'settings/auth.sessions')).body).toMatchObject({ expiresIn: 864_000 });
    world.expectNoFindings();
  });
});
