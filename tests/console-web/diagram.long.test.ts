// The diagram of a schema: found, filtered, chosen by keys, saved as pictures and as SQL.
import { readFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { expectAccessible } from './accessible.js';
import { openWithCapabilities } from './limited-operator.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const script = `<img src=x onerror="window.hacked=1">`;

describeWithBrowser('the diagram of a project', () => {
  let world: World;
  let page: Page;
  let ref: string;
  beforeAll(async () => {
    world = await openWorld();
    ref = await world.addProject('Bookshop');
    page = await world.openSignedIn(`/projects/${ref}/diagram`, {
      acceptDownloads: true,
      viewport: { width: 1440, height: 900 },
    });
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const sql = async (query: string, project = ref): Promise<void> => {
    const path = `/platform/projects/${project}/api/admin/sql`;
    const reply = await world.deployment.console({ method: 'POST', path, body: { query } });
    if (reply.status !== 200) throw new Error(reply.text);
  };
  const go = (search = '') => page.goto(`${world.origin}/projects/${ref}/diagram${search}`);
  const canvas = () => page.getByRole('application');
  const box = (name: string) => canvas().getByRole('group', { name: `${name}, ` });
  const drawn = (count: number) =>
    page.getByRole('application', { name: `Diagram of ${count} tables` }).waitFor();
  const save = async (name: string | RegExp): Promise<Buffer> => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the diagram' }).click();
    await page.getByRole('menuitem', { name }).click();
    return readFile(await (await download).path());
  };

  test('a project without tables is told what to do', async () => {
    await page.getByRole('heading', { name: 'No table yet' }).waitFor();
    await expectAccessible(page, 'the empty diagram');
    await page.getByRole('link', { name: 'Make a table' }).click();
    await page.waitForURL(/\/structure/);
  });

  test('tables are drawn with their columns, keys and state, and a line for each foreign key', async () => {
    await sql(`
      create table authors (id bigint primary key, name text not null);
      create table books (id bigint primary key, title text, author bigint references authors,
        owner text references auth."user" (id));
      create table reviews (id bigint primary key, book bigint not null references books);
      create policy all_of_them on books using (true);
      create table notes (note text);
      alter table notes disable row level security;
      create table "${script.replaceAll('"', '""')}" ("${script.replaceAll('"', '""')}" text);`);
    await go();
    await drawn(6);
    await page.getByText('6 tables · 3 relations').waitFor();
    expect(await canvas().locator('svg[data-lines] path').count()).toBe(3);
    for (const [name, state] of [
      ['authors', 'no policy'],
      ['books', 'RLS'],
      ['notes', 'RLS off'],
    ] as const)
      await box(name).getByText(state, { exact: true }).waitFor();
    await box('books').getByText('author', { exact: true }).waitFor();
    expect(await box('books').getByLabel('primary key').count()).toBe(1);
    expect(await box('books').getByLabel('foreign key').count()).toBe(2);
    expect(await page.evaluate<unknown>('window.hacked')).toBeUndefined();
    await expectAccessible(page, 'the diagram');
  });

  test('a click on a name leads to the rows, the sign beside it to the structure', async () => {
    await box('books').getByRole('link', { name: 'books', exact: true }).click();
    await page.waitForURL(/\/tables\?table=books/);
    await page.getByRole('grid').waitFor();
    await go();
    await box('books').getByRole('link', { name: 'Structure of books' }).click();
    await page.getByRole('heading', { name: 'books', level: 2 }).waitFor();
    expect(page.url()).toContain('/structure?table=books');
  });

  test('a chosen table shows its relations; the address keeps it and the part that is drawn', async () => {
    await go();
    await drawn(6);
    await box('books').getByText('title', { exact: true }).click();
    const panel = page.getByRole('region', { name: 'The table books' });
    await panel.getByText('author → id').waitFor();
    await panel.getByRole('button', { name: 'reviews' }).waitFor();
    expect(page.url()).toContain('table=books');
    await expectAccessible(page, 'a chosen table');
    await panel.getByRole('button', { name: 'Show its relations alone' }).click();
    await drawn(4);
    await page.reload();
    await drawn(4);
    await panel.getByRole('button', { name: 'Show all tables' }).click();
    await drawn(6);
    await page.getByLabel('Tables', { exact: true }).selectOption('Tables with relations');
    await drawn(4);
    await page.getByLabel('Columns', { exact: true }).selectOption('Keys alone');
    await box('books').getByText('title', { exact: true }).waitFor({ state: 'detached' });
    expect(page.url()).toContain('only=related');
    expect(page.url()).toContain('columns=keys');
  });

  test('a search names what it finds, and Enter goes from one to the next', async () => {
    await go();
    await drawn(6);
    const field = page.getByLabel('Find a table or column');
    await field.fill('book');
    await page.getByText('2 tables found').waitFor();
    await field.press('Enter');
    await page.getByRole('region', { name: 'The table books' }).waitFor();
    await field.press('Enter');
    await page.getByRole('region', { name: 'The table reviews' }).waitFor();
    await page.waitForURL('**q=book**');
  });

  test('keys alone choose, zoom and open', async () => {
    await go('?table=authors');
    await drawn(6);
    await canvas().focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('region', { name: 'The table books' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'The table books' }).waitFor({ state: 'detached' });
    const zoom = () =>
      canvas()
        .locator('.react-flow__viewport')
        .evaluate((element) => element.style.transform);
    const before = await zoom();
    await page.keyboard.press('+');
    await vi.waitFor(async () => expect(await zoom()).not.toBe(before), 10_000);
    await page.keyboard.press('0');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('region', { name: /^The table / }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/tables\?table=/);
  });

  test('the relations are a list, too', async () => {
    await go('?view=list');
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: 'books' }) });
    await row.getByText('author → id').waitFor();
    await row.getByText('reviews').waitFor();
    await page.getByRole('rowheader', { name: script }).waitFor();
    await expectAccessible(page, 'the list of relations');
    await row.getByRole('link', { name: 'books', exact: true }).click();
    await page.waitForURL(/\/tables\?table=books/);
  });

  test('it is saved as SVG, as PNG and as SQL that runs', async () => {
    await go();
    await drawn(6);
    const svg = String(await save('Picture (SVG)'));
    expect(svg).toMatch(/^<svg [^]*>books<[^]*<\/svg>\n$/);
    expect(svg).toContain('&lt;img src=x');
    expect(svg).not.toContain('<img');
    const wellFormed = `new DOMParser().parseFromString(${JSON.stringify(svg)}, 'image/svg+xml').querySelector('parsererror') === null`;
    expect(await page.evaluate<boolean>(wellFormed)).toBe(true);
    const png = await save('Picture (PNG)');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBeGreaterThan(600);
    const statements = String(await save(/SQL/));
    const other = await world.addProject('Copy');
    await sql(statements, other);
    await page.goto(`${world.origin}/projects/${other}/diagram`);
    await page.getByText('6 tables · 3 relations').waitFor();
  });

  test('what others change appears by itself', async () => {
    await go();
    await drawn(6);
    await sql('create table made_elsewhere (id int primary key, book bigint references books)');
    await page.getByText('7 tables · 4 relations').waitFor({ timeout: 60_000 });
    await drawn(7);
    await sql('drop table made_elsewhere');
  });

  test('five hundred tables are laid out beside the page, which stays usable', async () => {
    const other = await world.addProject('Large');
    const tables = Array.from({ length: 500 }, (_, index) => {
      const parent = index === 0 ? '' : `, parent int references t${Math.floor(index / 4)}`;
      return `create table t${index} (id int primary key, a text, b text, c text, d text${parent});`;
    });
    // In parts: a script has a limit of time.
    for (let at = 0; at < tables.length; at += 50)
      await sql(tables.slice(at, at + 50).join('\n'), other);
    await page.goto(`${world.origin}/projects/${other}/diagram`);
    await page.getByText('500 tables · 499 relations').waitFor();
    // The page answers while the worker is at work.
    await page.getByLabel('Find a table or column').fill('t499');
    await drawn(500);
    await page.getByText('1 table found').waitFor();
    await page.getByLabel('Find a table or column').press('Enter');
    await page.getByRole('region', { name: 'The table t499' }).waitFor();
    // Boxes out of sight are not in the document.
    await box('t499').waitFor();
    expect(await canvas().getByRole('group').count()).toBeLessThan(200);
  });

  test('it fits a phone, in dark too', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 360, height: 800 });
    await go('?table=books');
    await drawn(6);
    await expectAccessible(page, 'the diagram on a phone');
    await go('?view=list');
    await page.getByRole('rowheader', { name: 'books' }).waitFor();
    await expectAccessible(page, 'the list on a phone');
  });

  test('an operator without content.read is not offered the diagram', async () => {
    const other = await openWithCapabilities(world, ref, ['audit.read']);
    await other.goto(`${world.origin}/projects/${ref}/diagram`);
    await other.getByRole('alert').waitFor();
    expect(await other.getByRole('link', { name: 'Diagram' }).count()).toBe(0);
    expect(await other.getByRole('application').count()).toBe(0);
  });
});
