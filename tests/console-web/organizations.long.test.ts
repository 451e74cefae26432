// The organizations of a project's users: their members, with roles, removal and a way back, and those without an owner.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import { type ProjectUnderTest, userPassword } from '../support/project.js';
import { bearer } from '../support/replies.js';
import { expectAccessible } from './accessible.js';
import { openWithCapabilities } from './limited-operator.js';
import { expectNothingRan } from './nothing-ran.js';
import { Studio } from './studio-world.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const wait = { timeout: 20_000 };
const script = '<img src=x onerror="window.broken=1">';

interface User {
  readonly id: string;
  readonly token: string;
}

describeWithBrowser('the organizations of users', () => {
  let world: World;
  let project: ProjectUnderTest;
  let page: Page;
  let ada: User;
  let grace: User;
  let works: string;
  beforeAll(async () => {
    world = await openWorld();
    project = await world.deployment.createProject();
    ada = await signUp('ada');
    grace = await signUp('grace');
    page = await world.openSignedIn();
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const address = (query = '') => `${world.origin}/projects/${project.ref}/organizations${query}`;
  const go = (query = '') => page.goto(address(query));
  const signUp = async (name: string): Promise<User> => {
    const path = '/api/auth/sign-up/email';
    const body = { email: `${name}@example.org`, password: userPassword, name };
    const { user, token } = asRecord((await project.send({ method: 'POST', path, body })).body);
    return { id: String(asRecord(user)['id']), token: String(token) };
  };
  const create = async (name: string, slug: string, by = ada): Promise<string> => {
    const path = '/api/auth/organization/create';
    const reply = await project.send({
      method: 'POST',
      path,
      headers: bearer(by.token),
      body: { name, slug },
    });
    if (reply.status >= 300) throw new Error(reply.text);
    return String(asRecord(reply.body)['id']);
  };
  const membersOf = async (id: string) => {
    const path = `/api/admin/organizations/${id}/members`;
    const { members } = asRecord((await project.asService({ path })).body);
    const listed = Array.isArray(members) ? members.map(asRecord) : [];
    return listed.map(({ email, role }) => `${String(email)} ${String(role)}`).sort();
  };
  const row = (name: string) =>
    page.getByRole('table', { name: 'Organizations' }).getByRole('row').filter({ hasText: name });
  const dialog = () => page.getByRole('dialog');
  const button = (name: string) => dialog().getByRole('button', { name, exact: true });

  test('an empty list says how the first one is made, which appears', async () => {
    await page.goto(`${world.origin}/projects/${project.ref}`);
    const screens = page.getByRole('navigation', { name: 'Screens of the project' });
    await screens.getByRole('link', { name: 'Organizations', exact: true }).click();
    await page.getByRole('heading', { name: 'No organization yet' }).waitFor(wait);
    await expectAccessible(page, 'no organizations');
    works = await create('Works', 'works');
    await row('Works').getByText('1 owner').waitFor({ timeout: 40_000 });
    await expectAccessible(page, 'the organizations');
  });

  test('a user is added, gets another role, is removed and comes back', async () => {
    await go();
    await row('Works').getByRole('button').click(wait);
    await page.waitForURL(`**open=${works}`);
    await dialog().getByLabel('Find a user').fill('grace');
    const users = dialog().getByLabel('User', { exact: true });
    await expect.poll(() => users.innerText(), wait).toBe('grace@example.org');
    await button('Add').click();
    const role = dialog().getByLabel('Role of grace');
    await role.waitFor(wait);
    await expectAccessible(page, 'the members');
    await role.selectOption('admin');
    await expect
      .poll(() => membersOf(works), wait)
      .toEqual(['ada@example.org owner', 'grace@example.org admin']);
    await expect.poll(() => role.inputValue(), wait).toBe('admin');
    await button('Remove grace').click();
    await button('Remove grace for good').click();
    await role.waitFor({ state: 'detached', ...wait });
    expect(await membersOf(works)).toEqual(['ada@example.org owner']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await role.waitFor(wait);
    expect(await membersOf(works)).toEqual(['ada@example.org owner', 'grace@example.org admin']);
    await dialog().getByRole('link', { name: 'grace' }).click();
    await page.waitForURL(`**/users?open=${grace.id}`);
  });

  test('the last owner stays, and the page says why', async () => {
    await go(`?open=${works}`);
    await button('Remove ada').click(wait);
    await button('Remove ada for good').click();
    await dialog().getByText('Nothing was changed.').waitFor(wait);
    await dialog().getByRole('alert').getByText('owner').first().waitFor();
    expect(await membersOf(works)).toContain('ada@example.org owner');
  });

  test('those without an owner are found, and get one', async () => {
    const gone = await signUp('gone');
    const lonely = await create('Lonely', 'lonely', gone);
    await project.asService({ method: 'DELETE', path: `/api/admin/users/${gone.id}` });
    await go();
    await row('Works').waitFor(wait);
    await page.getByLabel('Owners', { exact: true }).selectOption('none');
    await row('Works').waitFor({ state: 'detached', ...wait });
    expect(new URL(page.url()).search).toBe('?owner=none');
    await row('Lonely').getByText('No owner').waitFor(wait);
    await row('Lonely').getByRole('button').click();
    await dialog().getByText('This organization has no owner').waitFor(wait);
    await expectAccessible(page, 'an organization without an owner');
    await dialog().getByLabel('Find a user').fill('ada');
    const users = dialog().getByLabel('User', { exact: true });
    await expect.poll(() => users.innerText(), wait).toBe('ada@example.org');
    await dialog().getByLabel('Role', { exact: true }).selectOption('owner');
    await button('Add').click();
    await dialog().getByLabel('Role of ada').waitFor(wait);
    await dialog()
      .getByText('This organization has no owner')
      .waitFor({ state: 'detached', ...wait });
    expect(await membersOf(lonely)).toEqual(['ada@example.org owner']);
  });

  test('are searched, and a name with a script stays text', async () => {
    await create(script, 'script');
    await go();
    await page.getByLabel('Search organizations').fill('onerror');
    await row(script).waitFor(wait);
    await row('Works').waitFor({ state: 'detached', ...wait });
    await row(script).getByRole('button').click();
    await dialog().getByRole('heading', { name: script }).waitFor(wait);
    await expectNothingRan(page);
    await page.keyboard.press('Escape');
    await page.getByLabel('Search organizations').fill('nothing like it');
    await page.getByText('No organization matches.').waitFor(wait);
    await page.getByRole('button', { name: 'Show all organizations' }).click();
    await row('Works').waitFor(wait);
  });

  test('the arrow keys go from line to line', async () => {
    const first = page.getByRole('table').getByRole('button').first();
    await first.focus();
    await page.keyboard.press('ArrowDown');
    const lines = `[...document.querySelectorAll('[role=table] button')]`;
    const focused = () => page.evaluate(`${lines}.indexOf(document.activeElement)`);
    await expect.poll(focused, wait).toBe(1);
    await page.keyboard.press('Enter');
    await dialog().getByRole('form', { name: 'Add a member' }).waitFor(wait);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached', ...wait });
  });

  test('a phone in the dark theme shows both', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 360, height: 800 });
    await expectAccessible(page, 'the organizations on a phone');
    await row('Works').getByRole('button').click();
    await dialog().getByLabel('Role of ada').waitFor(wait);
    await expectAccessible(page, 'the members on a phone');
    await page.keyboard.press('Escape');
  });

  test('an operator without secrets.manage is not offered them', async () => {
    const reader = await openWithCapabilities(world, project.ref, ['content.read']);
    await reader.goto(address());
    await reader.getByText('with the capability secrets.manage').waitFor(wait);
    expect(await reader.getByRole('link', { name: 'Organizations', exact: true }).count()).toBe(0);
    await reader.close();
  });

  test('the studio has them, too', async () => {
    const studio = await Studio.open(world);
    const own = await studio.enter('/organizations');
    await own.getByRole('heading', { name: 'No organization yet' }).waitFor(wait);
    await own.close();
  });
});
