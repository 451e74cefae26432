// The users of a project: how operators find them, look into them, and change them.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import { type Reply, send } from '../support/http.js';
import { expectAccessible } from './accessible.js';
import { openWorld, signIn, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const script = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>';

describeWithBrowser('the users of a project', () => {
  let world: World;
  let page: Page;
  let ref: string;
  beforeAll(async () => {
    world = await openWorld();
    ref = await world.addProject('Bookshop');
    const permissions = ['clipboard-read', 'clipboard-write'];
    page = await world.openSignedIn(`/projects/${ref}/users`, { permissions });
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const dialog = () => page.getByRole('dialog');
  const rows = () => page.getByRole('table', { name: 'Users' }).getByRole('row');
  const row = (name: string) => rows().filter({ hasText: name });
  const shownIn = (name: string, text: string): Promise<void> =>
    row(name).getByText(text).filter({ visible: true }).first().waitFor();
  const go = (query = '') => page.goto(`${world.origin}/projects/${ref}/users${query}`);
  const admin = (method: string, path: string, body?: object): Promise<Reply> =>
    world.deployment.console({
      method,
      path: `/platform/projects/${ref}/api/admin${path}`,
      ...(body && { body }),
    });
  const add = async (email: string, extra: object = {}): Promise<string> => {
    const reply = await admin('POST', '/users', { email, ...extra });
    if (reply.status !== 201) throw new Error(reply.text);
    return String(asRecord(asRecord(reply.body)['user'])['id']);
  };
  const toApi = (path: string, call: { body?: object; token?: string } = {}): Promise<Reply> =>
    send(world.deployment.apiOrigin, {
      method: call.body ? 'POST' : 'GET',
      path,
      headers: {
        host: `${ref}.localhost`,
        ...(call.token !== undefined && { authorization: `Bearer ${call.token}` }),
      },
      ...(call.body && { body: call.body }),
    });
  const secret = (label: string) =>
    dialog().getByRole('textbox', { name: label, exact: true }).textContent();
  const act = async (name: string, action: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions on ${name}` }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };

  test('without one, the page says how the first user signs up', async () => {
    await page.getByText('No user has signed up yet').waitFor();
    await page.getByText(`http://${ref}.localhost`).first().waitFor();
    await expectAccessible(page, 'no users');
  });

  test('a new user has a password that is shown once and works', async () => {
    await page.getByRole('button', { name: 'New user' }).first().click();
    await dialog().getByLabel('Email address').fill('ada@example.org');
    await dialog().getByLabel('Name').fill('Ada Lovelace');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await dialog().getByText('it is not shown again').waitFor();
    await page.keyboard.press('Escape');
    const password = (await secret('Password')) ?? '';
    expect(password).toHaveLength(20);
    await dialog().getByRole('button', { name: 'I have saved it' }).click();
    await row('Ada Lovelace').getByText('never').waitFor();
    expect(await page.content()).not.toContain(password);
    const body = { email: 'ada@example.org', password };
    expect((await toApi('/api/auth/sign-in/email', { body })).status).toBe(200);
  });

  test('are found by search, filters and pages, which the address keeps', async () => {
    for (let index = 10; index < 66; index += 1) {
      // One after the other: the newest comes first.
      await add(`reader${index}@example.org`, { name: `Reader ${index}` });
    }
    await go();
    await page.getByText('57 users').waitFor();
    await page.getByText('1–50 of 57').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.waitForURL('**?page=2');
    await row('Ada Lovelace').waitFor();
    expect(await rows().count()).toBe(8);
    await page.getByLabel('Search users').fill('reader6');
    await page.waitForURL('**?q=reader6');
    await page.getByText('6 users').waitFor();
    await page.getByLabel('Last sign-in', { exact: true }).selectOption('day');
    await page.getByText('No user matches “reader6”.').waitFor();
    await page.reload();
    await page.getByText('No user matches “reader6”.').waitFor();
    await page.getByLabel('Search users').fill('');
    await row('Ada Lovelace').waitFor();
    expect(await rows().count()).toBe(2);
    await page.getByRole('button', { name: 'Remove the filter' }).click();
    await page.getByRole('columnheader', { name: 'User' }).getByRole('button').click();
    await page.waitForURL('**?sort=name.asc');
    // Until the answer comes, the list is that of the filter.
    await rows().nth(2).getByText('Reader 10').waitFor();
    await page.getByRole('button', { name: 'Ada Lovelace', exact: true }).press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog().getByRole('heading', { name: 'Reader 10' }).waitFor();
    expect(page.url()).toContain('open=');
  });

  test('the account is edited, and what was stored in it stays text', async () => {
    const id = await add('script@example.org', {
      name: script,
      user_metadata: { bio: script },
      app_metadata: { plan: 'free' },
    });
    await go(`?open=${id}`);
    await dialog().getByRole('heading', { name: script }).waitFor();
    await dialog().getByLabel('user_metadata').getByText('onerror').first().waitFor();
    await dialog().getByRole('tab', { name: 'Audit' }).click();
    await dialog().getByText('user.create').waitFor();
    await dialog().getByText('Details').first().click();
    expect(await page.evaluate('window.broken')).toBeUndefined();
    await dialog().getByRole('tab', { name: 'Overview' }).click();
    await dialog().getByLabel('Name', { exact: true }).fill('Grace Hopper');
    const editor = dialog().getByLabel('app_metadata');
    await editor.click();
    // What is typed over a selection, Chromium gives a style attribute, which the policy refuses.
    const retype = async (text: string): Promise<void> => {
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page.keyboard.type(text);
    };
    await retype('{"plan":');
    await dialog().getByText('This is not JSON').waitFor();
    await retype('{"plan":"gold"}');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByRole('heading', { name: 'Grace Hopper' }).waitFor();
    const { user } = asRecord((await admin('GET', `/users/${id}`)).body);
    expect(user).toMatchObject({ name: 'Grace Hopper', app_metadata: { plan: 'gold' } });
  });

  test('what another operator changes appears', async () => {
    const id = await add('shared@example.org', { name: 'Before' });
    await go(`?open=${id}`);
    await dialog().getByRole('heading', { name: 'Before' }).waitFor();
    await admin('PATCH', `/users/${id}`, { name: 'After' });
    await dialog().getByRole('heading', { name: 'After' }).waitFor({ timeout: 20_000 });
  });

  test('is banned and promoted, and both are undone', async () => {
    await go('?q=ada');
    await act('Ada Lovelace', 'Ban');
    await dialog().getByLabel('Reason').fill('Spam');
    await dialog().getByLabel('How long').selectOption('24');
    await dialog().getByRole('button', { name: 'Ban', exact: true }).click();
    await shownIn('Ada Lovelace', 'Banned');
    await page.getByRole('button', { name: 'Undo' }).click();
    await shownIn('Ada Lovelace', 'Active');
    await act('Ada Lovelace', 'Promote to administrator');
    await row('Ada Lovelace').getByText('Admin', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('Ada Lovelace').getByText('Admin', { exact: true }).waitFor({ state: 'detached' });
  });

  test('is impersonated by a token that one press ends', async () => {
    await go('?q=ada');
    await act('Ada Lovelace', 'Impersonate');
    await dialog().getByRole('button', { name: 'Impersonate' }).click();
    const token = (await secret('Token of the session')) ?? '';
    const session = async () => (await toApi('/api/auth/get-session', { token })).text;
    expect(await session()).toContain('ada@example.org');
    await dialog().getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('button', { name: 'Ada Lovelace', exact: true }).click();
    await dialog().getByRole('tab', { name: 'Sessions' }).click();
    await page.waitForURL('**part=sessions**');
    await dialog()
      .getByRole('button', { name: /End the session of Impersonation by/ })
      .click();
    await dialog().getByText('Impersonation by').waitFor({ state: 'detached' });
    expect(await session()).not.toContain('ada@example.org');
    await dialog().getByRole('tab', { name: 'Audit' }).click();
    await dialog().getByText('user.impersonate').waitFor();
  });

  test('gets a link and a password, each shown once', async () => {
    await go('?q=ada');
    await act('Ada Lovelace', 'Generate a link');
    await dialog().getByRole('button', { name: 'Generate' }).click();
    expect(await secret('Link')).toContain(`http://${ref}.localhost`);
    await dialog().getByRole('button', { name: 'I have saved it' }).click();
    await act('Ada Lovelace', 'Reset the password');
    await dialog().getByRole('button', { name: 'Reset the password' }).click();
    const body = { email: 'ada@example.org', password: (await secret('Password')) ?? '' };
    expect((await toApi('/api/auth/sign-in/email', { body })).status).toBe(200);
    await dialog().getByRole('button', { name: 'I have saved it' }).click();
  });

  test('many at once are saved, banned and deleted', async () => {
    await go('?q=reader6');
    await page.getByLabel('Select all users of this page').check();
    await page.getByText('6 users selected').waitFor();
    const bar = page.getByRole('region', { name: 'Selected users' });
    const download = page.waitForEvent('download');
    await bar.getByRole('button', { name: 'Export as CSV' }).click();
    expect((await download).suggestedFilename()).toBe(`users-of-${ref}.csv`);
    await bar.getByRole('button', { name: 'Ban' }).click();
    await dialog().getByLabel('Reason').fill('Spam');
    await dialog().getByRole('button', { name: 'Ban', exact: true }).click();
    await page.getByText('6 users banned.', { exact: true }).first().waitFor();
    await shownIn('Reader 65', 'Banned');
    await page.getByLabel('Select Reader 65').check();
    await bar.getByRole('button', { name: 'Ban' }).click();
    await page.getByText('Every selected user is deactivated or banned already.').first().waitFor();
    await page.getByLabel('Select Reader 64').check();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await dialog().getByLabel('Type this to confirm: 2 users').fill('2 users');
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('4 users').first().waitFor();
    expect(await row('Reader 65').count()).toBe(0);
  });

  test.each([
    { theme: 'light', width: 1440 },
    { theme: 'dark', width: 1440 },
    { theme: 'light', width: 360 },
    { theme: 'dark', width: 360 },
  ] as const)(
    'are accessible in the $theme theme, $width pixels wide',
    async ({ theme, width }) => {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 800 });
      await go('?q=ada');
      await row('Ada Lovelace').waitFor();
      await expectAccessible(page, 'the list');
      await page.getByLabel('Select Ada Lovelace').check();
      await page.getByText('1 user selected').waitFor();
      await expectAccessible(page, 'a selection');
      await page.getByRole('button', { name: 'Actions on Ada Lovelace' }).click();
      await page.getByRole('menuitem', { name: 'Ban', exact: true }).click();
      await dialog().getByLabel('Reason').waitFor();
      await expectAccessible(page, 'a ban');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Ada Lovelace', exact: true }).click();
      await dialog().getByLabel('app_metadata').waitFor();
      await expectAccessible(page, 'an account');
      for (const tab of ['Sessions', 'Audit']) {
        await dialog().getByRole('tab', { name: tab }).click();
        await dialog().locator('.skeleton').first().waitFor({ state: 'detached' });
        await expectAccessible(page, tab);
      }
      await go('?q=nobody');
      await page.getByText('No user matches “nobody”.').waitFor();
      await expectAccessible(page, 'no match');
      await page.getByRole('button', { name: 'New user' }).click();
      await dialog().getByLabel('Email address').waitFor();
      await expectAccessible(page, 'a new user');
      await page.keyboard.press('Escape');
    },
  );

  test('an operator without the capability is offered no users', async () => {
    const { deployment } = world;
    const list = await deployment.console({ method: 'GET', path: '/platform/organizations' });
    const [organization] = Object.values(asRecord(asRecord(list.body)['organizations']));
    const email = 'support@rowhouse.test';
    const password = 'a long password of the support';
    const path = '/platform/operators/invitations';
    const organizationId = asRecord(organization)['id'];
    const invitation = { email, organizationId, role: 'support', projectRef: ref };
    const invited = await deployment.console({ method: 'POST', path, body: invitation });
    const token = String(asRecord(invited.body)['inviteUrl']).split('#token=')[1];
    const accept = { method: 'POST', path: `${path}/accept`, headers: { authorization: '' } };
    await deployment.console({ ...accept, body: { token, password } });
    const other = await world.open('/sign-in');
    await signIn(other, email, password);
    await other.getByRole('link', { name: 'Bookshop' }).click();
    await other.getByRole('heading', { name: 'Bookshop', level: 1 }).waitFor();
    expect(await other.getByRole('link', { name: 'Users' }).count()).toBe(0);
    await other.goto(`${world.origin}/projects/${ref}/users`);
    await other.getByText('Users are shown to operators who may manage secrets').waitFor();
  });
});
