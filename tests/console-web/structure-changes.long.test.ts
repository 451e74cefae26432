// Keys, indexes and enums of tables that have rows: changed in drawers that show their SQL, refused in the words of
// PostgreSQL, and left only after a warning.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import type { ProjectUnderTest } from '../support/project.js';
import { expectAccessible } from './accessible.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describeWithBrowser('changes of the structure', () => {
  let world: World;
  let project: ProjectUnderTest;
  let page: Page;
  beforeAll(async () => {
    world = await openWorld();
    project = await world.deployment.createProject();
    await project.sql(`
      create type size as enum ('small', 'large');
      create table makers (id int primary key, country text not null, unique (country, id));
      create table shirts (id int primary key, size size not null, maker int, country text, code text);
      insert into makers values (1, 'NO'), (2, 'PT');
      insert into shirts values (1, 'small', 1, 'NO', 'a'), (2, 'large', 2, 'PT', 'a'), (3, 'large', 9, 'PT', null)`);
    page = await world.openSignedIn(`/projects/${project.ref}/structure`);
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const dialog = () => page.getByRole('dialog');
  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  const list = (name: string) => page.getByRole('list', { name });
  const open = (table: string, part: string) =>
    page.goto(`${world.origin}/projects/${project.ref}/structure?table=${table}&part=${part}`);
  /** Goes on to the SQL of the open form; returns it. */
  const review = async (): Promise<string> => {
    await press('Review the SQL');
    return (await dialog().getByRole('region', { name: 'SQL' }).textContent()) ?? '';
  };
  const run = async (): Promise<void> => {
    await press('Run');
    await dialog().waitFor({ state: 'detached' });
  };
  const insert = (values: string) => project.sql(`insert into shirts values ${values}`);

  test('a foreign key of two columns is refused while a row has no match, and holds then', async () => {
    await open('shirts', 'keys');
    await press('New foreign key');
    await press('Review the SQL');
    await dialog().getByText('Choose the table that it refers to.').waitFor();
    await dialog().getByLabel('Refers to the table').selectOption('makers');
    await dialog().getByLabel('Column 1 of this table').selectOption('country');
    await dialog().getByLabel('Column 1 of makers').selectOption('country');
    await press('Another column');
    await dialog().getByLabel('Column 2 of this table').selectOption('maker');
    await dialog().getByLabel('Column 2 of makers').selectOption('id');
    await dialog()
      .getByLabel('When the row that is referred to is deleted')
      .selectOption('cascade');
    await dialog().getByLabel('Name', { exact: true }).fill('shirts_maker');
    await expectAccessible(page, 'a foreign key of two columns');
    expect(await review()).toBe(
      'alter table public.shirts add constraint shirts_maker foreign key (country, maker) references public.makers (country, id) on delete cascade;',
    );
    await press('Run');
    await dialog().getByRole('alert').getByText('violates foreign key constraint').waitFor();
    await project.sql('update shirts set maker = 2 where id = 3');
    await run();
    await list('Foreign keys').getByText('ON DELETE CASCADE').waitFor();
    await expect(insert(`(4, 'small', 7, 'NO', null)`)).rejects.toThrow('shirts_maker');
  });

  test('a unique index is refused by rows that are equal, and made with a condition', async () => {
    await open('shirts', 'indexes');
    await press('New index');
    await dialog().getByLabel('code', { exact: true }).check();
    await dialog().getByLabel('Unique').check();
    await dialog().getByLabel('Name', { exact: true }).fill('shirts_code');
    expect(await review()).toBe(
      'create unique index shirts_code on public.shirts using btree (code);',
    );
    await press('Run');
    await dialog().getByRole('alert').getByText('could not create unique index').waitFor();
    await press('Back');
    expect(await dialog().getByLabel('Unique').isChecked()).toBe(true);
    await dialog().getByLabel('Condition').fill('id > 1');
    expect(await review()).toContain('(code) where id > 1;');
    await run();
    await list('Indexes').getByText('unique').first().waitFor();
    await expect(insert(`(4, 'small', 1, 'NO', 'a')`)).rejects.toThrow('shirts_code');
    await press('Drop shirts_code');
    await dialog().getByLabel('Type the name to confirm').fill('shirts_code');
    await run();
    await list('Indexes').getByText('shirts_code').waitFor({ state: 'detached' });
  });

  test('an enum that columns use gets a value in its place, and another name for one', async () => {
    await page.getByRole('tab', { name: 'Enums', exact: true }).click();
    await page.getByText('Used by shirts.size.').waitFor();
    await press('Change size');
    await press('Review the SQL');
    await dialog().getByText('Nothing is changed yet.').waitFor();
    await press('Insert a value before value 2');
    await dialog().getByLabel('Value 2', { exact: true }).fill('medium');
    await dialog().getByLabel('Value 1', { exact: true }).fill(`it's tiny`);
    await expectAccessible(page, 'an enum');
    expect(await review()).toBe(
      `alter type public.size rename value 'small' to 'it''s tiny';\nalter type public.size add value 'medium' after 'it''s tiny';`,
    );
    await run();
    await page.getByText(`it's tiny | medium | large`).waitFor();
    expect(await project.sql('select size from shirts where id = 1')).toEqual([
      { size: `it's tiny` },
    ]);
  });

  test('a drawer with changes is left after a warning, and one without at once', async () => {
    await press('Change size');
    await dialog().getByLabel('Value 1', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await press('Change size');
    await dialog().getByLabel('Value 1', { exact: true }).fill('lost');
    await page.keyboard.press('Escape');
    await dialog().getByText('The changes are not run yet.').waitFor();
    await press('Keep editing');
    expect(await dialog().getByLabel('Value 1', { exact: true }).inputValue()).toBe('lost');
    await page.keyboard.press('Escape');
    await dialog().getByText('The changes are not run yet.').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await page.getByText(`it's tiny | medium | large`).waitFor();
  });
});
