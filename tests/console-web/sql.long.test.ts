// The SQL editor as operators meet it: one who may do everything, and one who may read and write content alone.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import { keptBy, openWorld, signIn, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const password = 'a long enough password';
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

describeWithBrowser('the SQL editor', () => {
  let world: World;
  let page: Page;
  let ref: string;
  beforeAll(async () => {
    world = await openWorld();
    ref = await world.addProject('Bookshop');
    page = await world.openSignedIn(`/projects/${ref}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
      viewport: { width: 1440, height: 1000 },
    });
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const text = (on = page) => on.locator('.cm-content');
  const results = (on = page) => on.getByRole('region', { name: 'Results' });
  const rows = (on = page) => on.getByRole('grid');
  const tab = (name: string) => page.getByRole('tab', { name });
  const dialog = (on = page) => on.locator('[role=dialog], [role=alertdialog]');
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  /** Replaces the text as keys do: over colored text, Chromium writes style attributes for what is inserted. */
  async function write(sql: string, into = text()): Promise<void> {
    await into.press('Control+a');
    await into.press('Delete');
    await into.fill(sql);
  }
  async function run(sql: string, on = page): Promise<void> {
    await write(sql, text(on));
    await text(on).press('Control+Enter');
  }
  /** Runs a text, and waits for the line under it that counts its statements. */
  async function done(sql: string, line: RegExp, on = page): Promise<void> {
    await run(sql, on);
    await results(on).getByText(line).waitFor();
  }
  async function expectGood(): Promise<void> {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.evaluate(axe.source);
    // What axe would load in advance are copies of the editor's style sheets, which the policy of the page refuses.
    const found = await page.evaluate<readonly string[]>(
      `axe.run(document, { preload: false, runOnly: ${JSON.stringify(rules)} }).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`,
    );
    expect(found).toEqual([]);
  }

  test('runs everything, and shows the rows of each statement as they are', async () => {
    await page.getByRole('link', { name: 'SQL', exact: true }).click();
    await page.waitForURL(`**/projects/${ref}/sql?open=*`);
    await done(
      `create table sales (day date, books int, total numeric);
       insert into sales select date '2026-01-01' + n, n, 12345678901234567.10 from generate_series(1, 150) n;
       select day, books, total, null as gone from sales order by day`,
      /3 statements in .* as owner/,
    );
    await page.getByRole('tab', { name: '3 SELECT', selected: true }).waitFor();
    await rows().getByText('12345678901234567.10').first().waitFor();
    await rows().getByText('null').first().waitFor();
    await page.getByLabel('Rows at most').selectOption('100');
    await done('select * from sales', /1 statement in/);
    await results().getByText('Cut after 100 rows: there are more.').waitFor();
    await expectGood();
  });

  test('runs the selection alone', async () => {
    await write('select 1 as first;\nselect 2 as second');
    await text().press('Control+Home');
    await text().press('Shift+End');
    await text().press('Control+Enter');
    await rows().getByRole('columnheader', { name: /first/ }).waitFor();
    await results().getByText('1 statement in').waitFor();
  });

  test('marks the place of an error', async () => {
    await run('select 1;\nselect boks from sales');
    await page.getByText('column "boks" does not exist').waitFor();
    await page.getByText('Hint: Perhaps you meant to reference').waitFor();
    expect(await page.locator('.cm-error-place').textContent()).toBe('boks');
    await page.getByRole('button', { name: 'Go to the error: statement 2, line 2' }).click();
    await page.keyboard.insertText('books');
    await text().press('Control+Enter');
    await results().getByText('2 statements in').waitFor();
  });

  test('completes tables and columns of the project', async () => {
    await write('');
    await text().pressSequentially('select tot from sal');
    await page.getByRole('option', { name: /^sales/ }).click();
    expect(await text().textContent()).toContain('from sales');
  });

  test('asks for the word before rows are lost', async () => {
    await run('delete from sales');
    await dialog().getByText('deletes every row, because it has no where').waitFor();
    await dialog().getByRole('button', { name: 'Keep everything' }).click();
    await done('select count(*) as n from sales', /1 statement in/);
    await rows().getByText('150', { exact: true }).waitFor();
    await run('drop table if exists nothing_there');
    await dialog().getByLabel('Type drop to run it').fill('drop');
    await dialog().getByLabel('Type drop to run it').press('Enter');
    await results().getByText('table "nothing_there" does not exist, skipping').waitFor();
  });

  test('is cancelled with Escape', async () => {
    await run('select pg_sleep(60)');
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    await text().press('Escape');
    await page.getByText('The script was cancelled. Nothing of it was kept.').waitFor();
  });

  test('draws a chart, and the plan as a tree that changes nothing', async () => {
    await done('select day, books, total from sales', /1 statement in/);
    await results().getByRole('button', { name: 'Chart', exact: true }).click();
    await results().getByRole('img', { name: 'Lines of books, total by day' }).waitFor();
    await results().getByLabel('Drawn as').selectOption('bars');
    await results().getByRole('img', { name: 'Bars of books, total by day' }).waitFor();
    await write('delete from sales');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByRole('menuitem', { name: 'Run, measure and undo' }).click();
    const plan = results().getByRole('list', { name: 'Plan' });
    await plan.getByText('Delete on sales').waitFor();
    await plan.getByText('Seq Scan on sales').waitFor();
    await results().getByText('Run and undone in').waitFor();
    await expectGood();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectGood();
    await done('select count(*) as n from sales', /1 statement in/);
    await rows().getByText('150', { exact: true }).waitFor();
  });

  test('copies, exports and formats', async () => {
    await done(`select 'a,b' as x, '' as y, null as z`, /1 statement in/);
    const menu = results().getByRole('button', { name: /^Copy or export/ });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Copy as CSV' }).click();
    await page.getByText('Copied.', { exact: true }).first().waitFor();
    expect((await copied()).replaceAll('\r\n', '\n')).toBe('x,y,z\n"a,b","",\n');
    await menu.click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export as JSON' }).click();
    expect((await download).suggestedFilename()).toBe('Query 1.json');
    await write('SELECT a,b FROM sales WHERE a=1');
    await page.getByRole('button', { name: 'Format' }).click();
    await text().getByText('where').waitFor();
    await page.getByRole('button', { name: 'Copy as curl: this run' }).click();
    expect(await copied()).toContain(`/platform/projects/${ref}/api/admin/sql`);
  });

  test('runs as anon and with claims, under their policies', async () => {
    await done(
      `alter table sales enable row level security;
       create policy staff on sales for select using ((auth.jwt() ->> 'team') = 'staff')`,
      /2 statements in/,
    );
    const runAs = page.getByLabel('Run as');
    await runAs.selectOption('anon');
    await done('select count(*) as n from sales', /as anon/);
    await rows().getByText('0', { exact: true }).waitFor();
    await runAs.selectOption('claims');
    await write('{"team": "staff"}', dialog().locator('.cm-content'));
    await dialog().getByRole('button', { name: 'Use the claims' }).click();
    await done('select count(*) as n from sales', /as authenticated with claims/);
    await rows().getByText('150', { exact: true }).waitFor();
    await runAs.selectOption('self');
  });

  test('keeps tabs over a reload, closes them with a way back, and lists the last runs', async () => {
    await page.getByRole('button', { name: 'New tab' }).click();
    await write('select 42 as answer');
    await tab('Query 2').press('F2');
    await page.getByLabel('Name of the tab').fill('Answers');
    await page.getByLabel('Name of the tab').press('Enter');
    await page.reload();
    await page.getByRole('tab', { name: 'Answers', selected: true }).waitFor();
    expect(await text().textContent()).toBe('select 42 as answer');
    await page.getByRole('button', { name: 'Close this tab' }).click();
    await tab('Answers').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('tab', { name: 'Answers', selected: true }).waitFor();
    await tab('History').click();
    await page
      .getByRole('button', { name: /select count\(\*\) as n from sales/ })
      .first()
      .waitFor();
    await page.getByRole('tab', { name: 'Saved', exact: true }).click();
  });

  test('saves a query for others', async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog().getByLabel('Name').fill('Answers of the shop');
    await dialog().getByLabel('Share it').check();
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('region', { name: 'Yours' }).getByText('Shared').waitFor();
    await page.getByRole('button', { name: 'New tab' }).click();
    await write('select 1');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog().getByLabel('Name').fill('Mine alone');
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Mine alone' }).first().waitFor();
    await write('select 2');
    await text().press('Control+s');
    await page.getByText('“Mine alone” is saved.').first().waitFor();
    await page.getByLabel('Find a query').fill('shop');
    await page.getByRole('button', { name: /^Answers of the shop/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Mine alone', exact: true }).count()).toBe(0);
  });

  test('of an operator of content alone has the shared queries, and rows', async () => {
    const other = await openAsWriter();
    await other.getByRole('button', { name: /^Answers of the shop/ }).click();
    await other.getByRole('tab', { name: 'Answers of the shop', selected: true }).waitFor();
    expect(await other.getByText('Mine alone').count()).toBe(0);
    await done('select count(*) as n from sales', /as service_role/, other);
    expect(await other.getByRole('option', { name: 'As a user…' }).count()).toBe(0);
    await run('create table mine (id int)', other);
    await other.getByText('without the capability secrets.manage').waitFor();
    expect(
      await other.getByRole('button', { name: 'Actions on Answers of the shop' }).count(),
    ).toBe(0);
    await other.getByRole('button', { name: 'Your account' }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.getByLabel('Email address').waitFor();
    expect((await keptBy(other)).session).not.toContain('create table mine');
  });

  async function openAsWriter(): Promise<Page> {
    const { deployment } = world;
    const list = await deployment.console({ method: 'GET', path: '/platform/organizations' });
    const [organization] = Object.values(asRecord(asRecord(list.body)['organizations']));
    const email = 'writer@rowhouse.test';
    const body = {
      email,
      organizationId: asRecord(organization)['id'],
      role: 'custom',
      // A project is opened with content.read.
      capabilities: ['content.read', 'content.write'],
      projectRef: ref,
    };
    const path = '/platform/operators/invitations';
    const invited = await deployment.console({ method: 'POST', path, body });
    const token = String(asRecord(invited.body)['inviteUrl']).split('#token=')[1];
    await deployment.console({
      method: 'POST',
      path: `${path}/accept`,
      headers: { authorization: '' },
      body: { token, password },
    });
    const other = await world.open('/sign-in', { viewport: { width: 1440, height: 1000 } });
    await signIn(other, email, password);
    await other.getByRole('link', { name: 'Bookshop' }).click();
    await other.getByRole('link', { name: 'SQL', exact: true }).click();
    return other;
  }
});
