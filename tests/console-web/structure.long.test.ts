// The structure of a project: tables, keys, indexes, enums and functions are made, changed and dropped as SQL that is
// shown before it runs.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import { openWorld, signIn, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const script = `<img src=x onerror="window.hacked=1">`;
const password = 'a good long password';

describeWithBrowser('the structure of a project', () => {
  let world: World;
  let page: Page;
  let ref: string;
  beforeAll(async () => {
    world = await openWorld();
    ref = await world.addProject('Bookshop');
    page = await world.openSignedIn(`/projects/${ref}/structure`);
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const dialog = () => page.getByRole('dialog');
  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
  const sqlShown = () => dialog().getByRole('region', { name: 'SQL' }).textContent();
  const sql = async (query: string): Promise<unknown> => {
    const path = `/platform/projects/${ref}/api/admin/sql`;
    const reply = await world.deployment.console({ method: 'POST', path, body: { query } });
    if (reply.status !== 200) throw new Error(reply.text);
    return asRecord(reply.body)['rows'];
  };
  /** Reviews the SQL of the open form and runs it. */
  const run = async (): Promise<string> => {
    await press('Review the SQL');
    const text = (await sqlShown()) ?? '';
    await press('Run');
    await dialog().waitFor({ state: 'detached' });
    return text;
  };
  const expectAccessible = async (): Promise<void> => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.evaluate(axe.source);
    const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const found = await page.evaluate<readonly { id: string; nodes: { html: string }[] }[]>(
      `axe.run(document, { runOnly: ${JSON.stringify(rules)} }).then(({ violations }) => violations)`,
    );
    expect(found.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
  };

  test('a table, an enum and a table that refers to both are made', async () => {
    await press('Make the first table');
    await press('Review the SQL');
    await dialog().getByRole('alert').getByText('Give the table a name.').waitFor();
    await dialog().getByLabel('Name of the table').fill('authors');
    await expectAccessible();
    expect(await run()).toContain('create table public.authors');
    await page.getByRole('heading', { name: 'authors', level: 2 }).waitFor();
    expect(page.url()).toContain('table=authors');

    await tab('Enums');
    await press('New enum');
    await dialog().getByLabel('Name').fill('state');
    await dialog().getByLabel('Value 1', { exact: true }).fill('draft');
    await dialog().getByLabel('Value 2', { exact: true }).fill(`it's out`);
    expect(await run()).toBe(`create type public.state as enum ('draft', 'it''s out');`);
    await page.getByText(`draft | it's out`).waitFor();

    await tab('Tables');
    await press('New table');
    await dialog().getByLabel('Name of the table').fill('books');
    const column = (index: number) => dialog().getByRole('listitem').nth(index);
    for (const [index, name, type] of [
      [2, 'title', 'text'],
      [3, 'state', 'public.state'],
      [4, 'author', 'bigint'],
    ] as const) {
      await press('Add a column');
      await column(index).getByLabel('Name', { exact: true }).fill(name);
      await column(index).getByLabel('Type').fill(type);
    }
    await column(3).getByLabel('Default').fill(`'draft'`);
    await column(4).getByRole('button', { name: 'comment of author' }).click();
    await column(4).getByLabel('Foreign key to').selectOption('authors');
    const text = await run();
    expect(text).toContain(`state public.state default 'draft'`);
    expect(text).toContain('author bigint references public.authors (id)');
    expect(text).toContain('enable row level security');
    await page.getByRole('heading', { name: 'books', level: 2 }).waitFor();
    await tab('Keys');
    await page.getByText('(author) REFERENCES public.authors (id)').waitFor();
    await expectAccessible();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible();
  });

  test('an index and a check are made; what PostgreSQL refuses is said in its words', async () => {
    await tab('Indexes');
    await press('New index');
    await dialog().getByLabel('title', { exact: true }).check();
    await dialog().getByLabel('Name').fill('books_by_title');
    expect(await run()).toBe('create index books_by_title on public.books using btree (title);');
    await page.getByRole('list', { name: 'Indexes' }).getByText('books_by_title').first().waitFor();
    await tab('Keys');
    await press('New check');
    await dialog().getByLabel('Condition').fill('titel is not null');
    await press('Review the SQL');
    await press('Run');
    await dialog().getByRole('alert').getByText('column "titel" does not exist').waitFor();
    await press('Back');
    await dialog().getByLabel('Condition').fill(`title <> ''`);
    await run();
    await page.getByRole('list', { name: 'Checks' }).getByText('CHECK ((title').waitFor();
  });

  test('a column is renamed, and dropped after its name is typed', async () => {
    await page.goto(`${world.origin}/projects/${ref}/structure?table=books`);
    await press('Change');
    const column = (index: number) => dialog().getByRole('listitem').nth(index);
    await column(2).getByLabel('Name', { exact: true }).fill('headline');
    expect(await run()).toBe('alter table public.books rename column title to headline;');
    await page.getByRole('rowheader', { name: 'headline' }).waitFor();

    await press('Change');
    await press('Drop the column headline');
    await dialog().getByText('The column headline is dropped.').waitFor();
    await press('Review the SQL');
    await dialog().getByText('Also dropped: index public.books_by_title.').waitFor();
    expect(await page.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true);
    await dialog().getByLabel('Type the name to confirm').fill('books');
    expect(await page.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true);
    await dialog().getByLabel('Type the name to confirm').fill('headline');
    await press('Run');
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('rowheader', { name: 'headline' }).waitFor({ state: 'detached' });
  });

  test('a table that others refer to is dropped with its name, and says what holds it', async () => {
    await page.goto(`${world.origin}/projects/${ref}/structure?table=authors`);
    await press('Drop');
    await dialog()
      .getByText(/^Constraint books_author_fkey .*depends on the table, so it cannot be dropped/)
      .waitFor();
    await dialog().getByLabel('Type the name to confirm').fill('authors');
    await press('Run');
    await dialog().getByRole('alert').getByText('Nothing was changed.').waitFor();
    await dialog().getByLabel('Drop what depends on it too').check();
    await press('Run');
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'books', level: 2 }).waitFor();
  });

  test('a function is made, called, used by a trigger, and opened again', async () => {
    await tab('Functions');
    await press('New function');
    await dialog().getByRole('textbox', { name: 'Definition of the function' }).waitFor();
    await expectAccessible();
    expect(await run()).toContain('create or replace function public.add_numbers');
    expect(await sql('select add_numbers(1, 2) as sum')).toEqual([{ sum: 3 }]);
    await press('Change add_numbers');
    await dialog().getByText('CREATE OR REPLACE FUNCTION').waitFor();
    await page.keyboard.press('Escape');
    await sql(
      `create function touch() returns trigger language plpgsql as 'begin return new; end'`,
    );
    await page.goto(`${world.origin}/projects/${ref}/structure?table=books&part=triggers`);
    await press('New trigger');
    await dialog().getByLabel('Name').fill('touched');
    await dialog().getByLabel('Function').selectOption('touch');
    expect(await run()).toContain('create trigger touched before update on public.books');
    await press('Switch touched off');
    await press('Run');
    await page.getByRole('list', { name: 'Triggers' }).getByText('off', { exact: true }).waitFor();
  });

  test('a script in names, comments and defaults is text', async () => {
    const inQuotes = script.replaceAll('"', '""');
    const name = `"${inQuotes}"`;
    await sql(`
      create type "${inQuotes} type" as enum ('${script}');
      create table ${name} (${name} text default '${script}', mood "${inQuotes} type");
      comment on table ${name} is '${script}';
      comment on column ${name}.${name} is '${script}';
      create index on ${name} (${name});
      create policy ${name} on ${name} using (${name} = '${script}');
      create function ${name}(${name} text) returns text language sql as 'select ''x''';
      comment on function ${name} is '${script}'`);
    const table = encodeURIComponent(script);
    for (const part of ['columns', 'keys', 'indexes', 'policies', 'enums', 'functions']) {
      await page.goto(`${world.origin}/projects/${ref}/structure?table=${table}&part=${part}`);
      await page.getByText(script).first().waitFor();
    }
    await page.goto(`${world.origin}/projects/${ref}/structure?table=${table}`);
    await press('Change');
    await dialog().getByLabel('Comment on the table').fill('Odd');
    expect(await run()).toBe(`comment on table public.${name} is 'Odd';`);
    await press('Drop');
    await dialog().getByLabel('Type the name to confirm').fill(script);
    await press('Run');
    await dialog().waitFor({ state: 'detached' });
    expect(await page.evaluate<unknown>('window.hacked')).toBeUndefined();
  });

  test('nothing is wider than a phone', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    for (const part of ['columns', 'keys', 'indexes', 'triggers', 'policies', 'functions']) {
      await page.goto(`${world.origin}/projects/${ref}/structure?table=books&part=${part}`);
      await page.getByRole('tabpanel').last().getByText(/\w/).first().waitFor();
      const excess = 'document.documentElement.scrollWidth - innerWidth';
      expect([part, await page.evaluate<number>(excess)]).toEqual([part, 0]);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('what others change appears by itself', async () => {
    await page.goto(`${world.origin}/projects/${ref}/structure`);
    await page.getByRole('navigation', { name: 'Tables' }).getByText('books').waitFor();
    await sql('create table made_elsewhere (id int primary key)');
    await page
      .getByRole('navigation', { name: 'Tables' })
      .getByText('made_elsewhere')
      .waitFor({ timeout: 25_000 });
  });

  test('an operator with content.read alone sees the structure, why, and no button', async () => {
    const { deployment } = world;
    const list = await deployment.console({ method: 'GET', path: '/platform/organizations' });
    const [organization] = Object.values(asRecord(asRecord(list.body)['organizations']));
    const email = 'viewer@rowhouse.test';
    const body = {
      email,
      organizationId: asRecord(organization)['id'],
      role: 'viewer',
      projectRef: ref,
    };
    const path = '/platform/operators/invitations';
    const invited = await deployment.console({ method: 'POST', path, body });
    const token = String(asRecord(invited.body)['inviteUrl']).split('#token=')[1];
    const headers = { authorization: '' };
    const accepted = { method: 'POST', path: `${path}/accept`, headers, body: { token, password } };
    await deployment.console(accepted);
    page = await world.open('/sign-in');
    await signIn(page, email, password);
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    for (const part of ['columns', 'keys', 'indexes', 'triggers', 'policies', 'enums']) {
      await page.goto(`${world.origin}/projects/${ref}/structure?table=books&part=${part}`);
      await page.getByText('To change it you need the capability').waitFor();
      await page.getByRole('tabpanel').last().getByText(/\w/).first().waitFor();
      const offered = page.getByRole('button', { name: /^(?:New|Change|Drop|Switch)/ });
      expect(await offered.count()).toBe(0);
    }
    await page.goto(`${world.origin}/projects/${ref}/structure?part=functions`);
    await press('Show add_numbers');
    await dialog().getByText('CREATE OR REPLACE FUNCTION').waitFor();
    await dialog().getByText('May be called by').waitFor();
  });
});
