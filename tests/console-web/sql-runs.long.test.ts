// Runs of the SQL editor: as whom, how one is cancelled, what warns before rows are lost, the plan of a join, and what is
// kept of queries for oneself and for others.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asSuperuser } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { expectAccessible } from './accessible.js';
import { addColleague, openAs } from './colleagues.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const wait = { timeout: 20_000 };

describeWithBrowser('runs of the SQL editor', () => {
  let world: World;
  let project: ProjectUnderTest;
  let page: Page;
  let ada: SignedIn;
  beforeAll(async () => {
    world = await openWorld();
    project = await world.deployment.createProject();
    ada = await project.signUp('ada@example.org');
    await project.signUp('bob@example.org');
    await project.sql(`
      create table authors (id int primary key, name text);
      create table books (id int primary key, author int references authors, owner text, title text);
      create policy own on books for select using (owner = (select auth.uid())::text);
      insert into authors select n, 'author ' || n from generate_series(1, 200) n;
      insert into books select n, 1 + n % 200, case when n % 4 = 0 then '${ada.id}' end, 'book ' || n
        from generate_series(1, 400) n;
      analyze authors, books`);
    page = await world.openSignedIn(`/projects/${project.ref}/sql`, {
      viewport: { width: 1440, height: 1000 },
    });
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const text = (on = page) => on.locator('.cm-content').first();
  const results = (on = page) => on.getByRole('region', { name: 'Results' });
  const dialog = (on = page) => on.locator('[role=dialog], [role=alertdialog]');
  /** Replaces the text as keys do: over colored text, Chromium writes style attributes for what is inserted. */
  async function write(sql: string, on = page): Promise<void> {
    await text(on).press('Control+a');
    await text(on).press('Delete');
    await text(on).fill(sql);
  }
  async function run(sql: string, on = page): Promise<void> {
    await write(sql, on);
    await text(on).press('Control+Enter');
  }
  async function count(sql: string, expected: string, as: RegExp): Promise<void> {
    await run(sql);
    await results().getByText(as).waitFor();
    await page.getByRole('grid').getByText(expected, { exact: true }).waitFor();
  }
  const rowsIn = async (table: string) =>
    Number((await project.sql(`select count(*)::int as n from ${table}`))[0]?.['n']);

  test('a script runs as a role, and as a user who is found by the address', async () => {
    const books = 'select count(*) as n from books';
    await count(books, '400', /as owner/);
    await page.getByLabel('Run as').selectOption('anon');
    await count(books, '0', /as anon/);
    await page.getByLabel('Run as').selectOption('user');
    await dialog().getByLabel('Email address, name or id').fill('nobody');
    await dialog().getByText('No user has it.').waitFor();
    await dialog().getByLabel('Email address, name or id').fill('ada@');
    await dialog()
      .getByRole('button', { name: /ada@example\.org/ })
      .waitFor();
    await expectAccessible(page, 'a user to run as');
    await dialog()
      .getByRole('button', { name: /ada@example\.org/ })
      .click();
    await count(books, '100', /as ada@example\.org/);
    await count('select auth.uid()::text as me', ada.id, /as ada@example\.org/);
    await run('create table mine (id int)');
    await page.getByText('as another role').first().waitFor();
    await page.getByLabel('Run as').selectOption('service_role');
    await count(books, '400', /as service_role/);
    await page.getByLabel('Run as').selectOption('self');
  });

  test('a run is cancelled by its button, also in the database, and another one begins', async () => {
    await run(`insert into books select 1000, 1, null, 'lost'; select pg_sleep(600)`);
    const sleeping = () =>
      asSuperuser(
        `select from pg_stat_activity
         where datname = current_database() and query like '%pg_sleep(600)%' and pid <> pg_backend_pid()`,
        { database: project.database },
      );
    await expect.poll(async () => (await sleeping()).length, wait).toBe(1);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('The script was cancelled. Nothing of it was kept.').waitFor();
    await expect.poll(async () => (await sleeping()).length, wait).toBe(0);
    expect(await rowsIn('books')).toBe(400);
    await count('select 7 as n', '7', /as owner/);
  });

  test('each statement that loses rows is named before it runs, and none runs after a no', async () => {
    await run(`update books set title = 'x'; truncate books; alter table books drop column title`);
    await dialog().getByText('changes every row, because it has no where').waitFor();
    await dialog().getByText('deletes every row').waitFor();
    await dialog().getByText('drops a part of what it alters').waitFor();
    await expectAccessible(page, 'a warning');
    const go = dialog().getByRole('button', { name: 'Run it' });
    expect(await go.isDisabled()).toBe(true);
    await dialog().getByLabel('Type update to run it').fill('yes');
    expect(await go.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(await rowsIn(`books where title <> 'x'`)).toBe(400);
    await run(`delete from books where id > 398`);
    await results()
      .getByText(/1 statement in/)
      .waitFor();
    await expect.poll(() => rowsIn('books'), wait).toBe(398);
  });

  test('the plan of a join is a tree with its costs, and runs nothing', async () => {
    await write(
      'select name, count(*) from authors join books on books.author = authors.id group by name order by 2 desc',
    );
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByRole('menuitem', { name: 'Plan without running' }).click();
    const plan = results().getByRole('list', { name: 'Plan' });
    await plan.getByText('Hash Join').waitFor();
    await plan.getByText('Seq Scan on authors').waitFor();
    await results().getByText('Planned, not run.').waitFor();
    const indent = async (step: string) => (await plan.getByText(step).boundingBox())?.x ?? 0;
    expect(await indent('Seq Scan on authors')).toBeGreaterThan(await indent('Hash Join'));
    await expectAccessible(page, 'a plan');
    await write('select nothing from nowhere');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByRole('menuitem', { name: 'Plan without running' }).click();
    await page.getByText('relation "nowhere" does not exist').first().waitFor();
    await page.getByRole('button', { name: /^Go to the error/ }).click();
    await expect.poll(() => page.locator('.cm-error-place').textContent(), wait).toBe('nowhere');
  });

  test('the history says how each run ended, and opens one again in a tab of its own', async () => {
    await page.getByRole('tab', { name: 'History' }).click();
    const list = page.getByRole('complementary', { name: 'Queries' });
    const entry = (sql: string) => list.getByRole('button').filter({ hasText: sql }).first();
    await entry('pg_sleep')
      .getByText(/^Cancelled, .* as owner/)
      .waitFor();
    await entry('create table mine')
      .getByText(/^Failed, .* as ada@example\.org/)
      .waitFor();
    await entry('select auth.uid()').click();
    await page.getByRole('tab', { name: 'Query 2', selected: true }).waitFor();
    await expect.poll(() => text().textContent(), wait).toBe('select auth.uid()::text as me');
    await page.getByRole('tab', { name: 'Saved', exact: true }).click();
  });

  test('a query is saved, shared with others who cannot change it, and comes back when it was deleted', async () => {
    await addColleague(world.deployment, {
      email: 'reader@rowhouse.test',
      role: 'custom',
      capabilities: ['content.read', 'content.write'],
    });
    await write('select title from books');
    await text().press('Control+s');
    await dialog().getByLabel('Name').fill('Titles');
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    const own = page.getByRole('region', { name: 'Yours' });
    await own.getByRole('button', { name: /^Titles/ }).waitFor();
    const other = await openAs(world, 'reader@rowhouse.test', `/projects/${project.ref}/sql`);
    await other.setViewportSize({ width: 1440, height: 900 });
    await text(other).waitFor();
    const theirs = other.getByRole('button', { name: /^Titles/ });
    expect(await theirs.count()).toBe(0);
    const act = async (action: string): Promise<void> => {
      await page.getByRole('button', { name: 'Actions on Titles' }).click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };
    await act('Share with everyone');
    await own.getByText('Shared').waitFor();
    await other.reload();
    await theirs.click();
    await other.getByRole('tab', { name: 'Titles', selected: true }).waitFor();
    await write('select id from books', other);
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog(other).getByLabel('Name').fill('Numbers');
    await dialog(other).getByRole('button', { name: 'Save', exact: true }).click();
    await other
      .getByRole('region', { name: 'Yours' })
      .getByRole('button', { name: /^Numbers/ })
      .waitFor();
    await act('Delete');
    await page.getByText('“Titles” is deleted.').first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await own.getByRole('button', { name: /^Titles/ }).waitFor();
    await act('Share it no longer');
    await other.reload();
    await other.getByRole('region', { name: 'Yours' }).waitFor();
    await expect.poll(() => theirs.count(), wait).toBe(0);
    await other.close();
  });

  test('works over plain HTTP, where browsers make no UUIDs', async () => {
    const plain = await world.openSignedIn('/projects');
    await plain.addInitScript('delete Crypto.prototype.randomUUID');
    await plain.goto(`${world.origin}/projects/${project.ref}/sql`);
    await run('select 42 as answer', plain);
    await plain.getByRole('grid').getByText('42', { exact: true }).waitFor();
    await plain.close();
  });
});
