// The policies of a project: written from a template, tried before they are saved, and tested with one click.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { openWorld, signIn, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** What axe finds on the page as it is, and by how much its content is wider than the page. */
async function expectUsable(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(axe.source);
  const found = await page.evaluate<readonly string[]>(
    `axe.run(document).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`,
  );
  expect(found).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
}

describeWithBrowser('the policies of a project', () => {
  let world: World;
  let project: ProjectUnderTest;
  let page: Page;
  let ada: SignedIn;
  let bob: SignedIn;
  beforeAll(async () => {
    world = await openWorld();
    project = await world.deployment.createProject();
    ada = await project.signUp('ada@example.org');
    bob = await project.signUp('bob@example.org');
    await project.sql(`
      create table notes (id int primary key, owner text references auth."user" (id) default auth.uid(), body text);
      create table leaky (id int);
      alter table leaky disable row level security;
      insert into notes values (1, '${ada.id}', 'of Ada'), (2, '${bob.id}', 'of Bob')`);
    page = await world.openSignedIn(`/projects/${project.ref}/policies`);
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const card = (name: string) => page.getByRole('region', { name: `Table public.${name}` });
  const drawer = () => page.getByRole('dialog');

  test('a table shows its state, and one without row level security warns', async () => {
    await page.getByRole('heading', { name: 'Policies', level: 1 }).waitFor();
    await card('notes').getByText('No policy: service_role alone sees rows.').waitFor();
    await card('leaky').getByText('callers reach every row').waitFor();
    await page.getByRole('alert').getByText('public.leaky').waitFor();
    await page.getByText('only with both: a right on the table (a grant), and a policy').waitFor();
    await card('notes')
      .getByText('reaches no rows; it lacks a policy to read, add, change and delete')
      .first()
      .waitFor();
    await card('leaky').getByText('no policy is looked at').first().waitFor();
    await expectUsable(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectUsable(page);
    await card('leaky').getByRole('button', { name: 'Turn on row level security' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Turn on' }).click();
    await card('leaky').getByText('No policy').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('a policy begins with a template, is tried as a user, and saved', async () => {
    await card('notes').getByRole('button', { name: 'New policy' }).click();
    await drawer().getByText('For example user_id = (select auth.uid())').first().waitFor();
    const label = await drawer().getByText('For', { exact: true }).boundingBox();
    const choice = await drawer().getByLabel('For', { exact: true }).boundingBox();
    // The choice is under its label, however many roles there are beside it.
    expect(Number(choice?.y) - Number(label?.y) - Number(label?.height)).toBeLessThan(12);
    await drawer().getByRole('button', { name: 'Own rows' }).click();
    await drawer()
      .getByText('Signed-in users may read, add, change and delete rows whose owner is the caller.')
      .last()
      .waitFor();
    await drawer()
      .getByText('authenticated may read, add, change and delete the rows that policies allow')
      .waitFor();
    await drawer()
      .getByRole('region', { name: 'SQL' })
      .getByText('create policy own_rows')
      .waitFor();
    await drawer().getByRole('button', { name: 'Try before saving' }).click();
    await drawer().getByLabel('Caller').selectOption('user');
    await drawer().getByLabel('User', { exact: true }).selectOption(ada.id);
    await drawer().getByRole('button', { name: 'Run', exact: true }).click();
    await drawer().getByText('1 row reached, 1 row hidden.').waitFor();
    await drawer()
      .getByText('“own_rows” is not true for it, and no other policy lets this caller read it.')
      .waitFor();
    expect(
      await project.sql('select count(*)::int as n from pg_policies where tablename = $1', [
        'notes',
      ]),
    ).toEqual([{ n: 0 }]);
    await expectUsable(page);
    await drawer().getByRole('button', { name: 'Save policy' }).click();
    await card('notes').getByText('rows whose owner is the caller').waitFor();
    await card('notes').getByText('1 policy').waitFor();
  });

  test('the lab shows seen and hidden rows, and saves the run as a test', async () => {
    await card('notes').getByRole('button', { name: 'Try public.notes in the lab' }).click();
    await page.getByLabel('Caller').selectOption('user');
    await page.getByLabel('User', { exact: true }).selectOption(ada.id);
    await page.getByLabel('Which rows').fill('order=id');
    await page.getByLabel('Which rows').press('Enter');
    await page.getByRole('region', { name: 'Result' }).getByText('1 row reached').waitFor();
    expect(new URL(page.url()).searchParams.get('user')).toBe(ada.id);
    await expectUsable(page);
    await page.getByLabel('Name').fill('Ada reads her own notes');
    await page.getByRole('button', { name: 'Save as test' }).click();
    await page.getByText('The test is saved.', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Tests' }).click();
    await page.getByRole('button', { name: 'Run all tests', exact: true }).click();
    await page.getByText('The test passed.').waitFor();
    await expectUsable(page);
  });

  test('a claim written by hand, and an address that is opened again, try the same', async () => {
    const search = new URLSearchParams({
      tab: 'lab',
      as: 'claims',
      claims: JSON.stringify({ sub: ada.id }),
      do: 'insert',
      table: 'notes',
      values: JSON.stringify({ id: 3, owner: bob.id }),
    });
    await page.goto(`${world.origin}/projects/${project.ref}/policies?${String(search)}`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('alert').getByText('42501').waitFor();
    await page
      .getByText(
        'not true for it, and no other policy lets this caller add this version of the row',
      )
      .waitFor();
  });

  test('a changed policy that breaks a test is seen before it is saved', async () => {
    await page.goto(`${world.origin}/projects/${project.ref}/policies`);
    await card('notes').getByRole('button', { name: 'Edit own_rows' }).click();
    await drawer().getByRole('textbox', { name: 'Rows that exist (using)' }).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.type('true');
    await drawer().getByText('delete every row').waitFor();
    await drawer().getByRole('button', { name: 'Run all tests' }).click();
    await drawer().getByText('1 of 1 test fails with this policy.').waitFor();
    await drawer().getByText('got the rows 1, 2').waitFor();
    await page.keyboard.press('Escape');
    await drawer().waitFor({ state: 'detached' });
    await card('notes').getByText('rows whose owner is the caller').waitFor();
  });

  test('a deleted policy comes back', async () => {
    await card('notes').getByRole('button', { name: 'Delete own_rows' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await card('notes').getByText('service_role alone').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await card('notes').getByText('rows whose owner is the caller').waitFor();
  });

  test('on a phone nothing is wider than the page', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const tab of ['', '?tab=lab', '?tab=tests', '?edit=public.notes']) {
      await page.goto(`${world.origin}/projects/${project.ref}/policies${tab}`);
      const isEditor = tab.startsWith('?edit');
      await page
        .getByRole(isEditor ? 'dialog' : 'tabpanel')
        .getByRole('button')
        .first()
        .waitFor();
      await expectUsable(page);
    }
  });

  test('an operator who may only read sees the policies and no way to change them', async () => {
    const { deployment } = world;
    const list = await deployment.console({ method: 'GET', path: '/platform/organizations' });
    const [organization] = Object.values(asRecord(asRecord(list.body)['organizations']));
    const email = 'reader@rowhouse.test';
    const invited = await deployment.console({
      method: 'POST',
      path: '/platform/operators/invitations',
      body: { email, organizationId: asRecord(organization)['id'], role: 'viewer' },
    });
    const token = String(asRecord(invited.body)['inviteUrl']).split('#token=')[1];
    const accept = '/platform/operators/invitations/accept';
    const password = 'a long enough password of a reader';
    const headers = { authorization: '' };
    await deployment.console({ method: 'POST', path: accept, headers, body: { token, password } });
    page = await world.open('/sign-in');
    await signIn(page, email, password);
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await page.goto(`${world.origin}/projects/${project.ref}/policies`);
    await card('notes').getByText('rows whose owner is the caller').waitFor();
    expect(await page.getByRole('tab', { name: /Lab|Tests/ }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /New policy|Edit|Delete|Turn/ }).count()).toBe(0);
  });
});
