// The operators of a deployment: who they are, how they are invited, and what becomes of their accounts.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { expectAccessible } from './accessible.js';
import { addColleague, colleaguePassword, expectDone, openAs } from './colleagues.js';
import { expectNothingRan } from './nothing-ran.js';
import { openWorld, signIn, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const script = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>';

describeWithBrowser('the operators', () => {
  let world: World;
  let page: Page;
  let ref: string;
  beforeAll(async () => {
    world = await openWorld();
    ref = await world.addProject('Bookshop');
    const permissions = ['clipboard-read', 'clipboard-write'];
    page = await world.openSignedIn('/projects', { permissions });
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const dialog = () => page.getByRole('dialog').or(page.getByRole('alertdialog'));
  const table = () => page.getByRole('table', { name: 'Operators' });
  const row = (name: string) => table().getByRole('row').filter({ hasText: name });
  const go = (query = '') => page.goto(`${world.origin}/operators${query}`);
  const api = (method: string, path: string, body?: object) =>
    world.deployment.console({ method, path, ...(body && { body }) });
  const act = async (name: string, action: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions on ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  const secret = async (label: string): Promise<string> =>
    (await dialog().getByRole('textbox', { name: label, exact: true }).textContent()) ?? '';

  test('are reached from each screen, and the first one is its only owner', async () => {
    await page.getByRole('link', { name: 'Operators', exact: true }).click();
    await page.getByRole('heading', { name: 'Operators', level: 1 }).waitFor();
    await page.getByText('1 operator', { exact: true }).waitFor();
    await row('first@rowhouse.test').getByText('you', { exact: true }).waitFor();
    await row('first@rowhouse.test').getByText('Owner in Default').waitFor();
    await row('first@rowhouse.test').getByText('Administrator').filter({ visible: true }).waitFor();
    await row('first@rowhouse.test')
      .getByText(/^(?:just now|\d+ minutes? ago)$/)
      .waitFor();
  });

  test('are invited with a link that is shown once, and listed until it is used', async () => {
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog().getByLabel('Email address').fill('ada@rowhouse.test');
    await dialog().getByLabel('Role').selectOption('support');
    await dialog().getByText('Helps users: sees and changes content').waitFor();
    expect(
      await dialog()
        .getByRole('checkbox', { name: /^audit\.read/ })
        .isChecked(),
    ).toBe(true);
    await dialog().getByLabel('Role').selectOption('custom');
    await dialog()
      .getByRole('checkbox', { name: /^content\.write/ })
      .uncheck();
    await dialog().getByRole('button', { name: 'Invite' }).click();
    const link = await secret('Link');
    await dialog().getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('tab', { name: 'Invitations' }).click();
    const invitations = page.getByRole('list', { name: 'Open invitations' });
    await invitations.getByText('ada@rowhouse.test').waitFor();
    await invitations.getByText('Custom on the organization Default').waitFor();
    expect(await page.content()).not.toContain(link);
    const { pathname, hash } = new URL(link);
    const other = await world.open(pathname + hash);
    await other.getByLabel('Name').fill(script);
    await other.getByLabel('Password').fill(colleaguePassword);
    await other.getByRole('button', { name: 'Accept the invitation' }).click();
    await other.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await page.getByText('No invitation is open').waitFor({ timeout: 60_000 });
  });

  test('have names that stay texts', async () => {
    await go('?q=ada');
    await row(script).getByText('ada@rowhouse.test').waitFor();
    await page.getByRole('button', { name: script, exact: true }).click();
    await dialog().getByRole('heading', { name: script }).waitFor();
    await dialog().getByText('content.read, audit.read').waitFor();
    await go('?tab=access');
    await page.getByRole('columnheader', { name: script }).waitFor();
    await expectNothingRan(page);
  });

  test('an invitation is replaced and revoked', async () => {
    await go('?dialog=invite');
    await dialog().getByLabel('Email address').fill('late@rowhouse.test');
    await dialog().getByLabel('Where').selectOption(ref);
    await dialog().getByRole('button', { name: 'Invite' }).click();
    const before = await secret('Link');
    await dialog().getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('tab', { name: 'Invitations' }).click();
    await page.getByText('Viewer on Bookshop in Default').waitFor();
    await page.getByRole('button', { name: 'New link to late@rowhouse.test' }).click();
    await dialog().getByRole('heading', { name: 'Invitation for late@rowhouse.test' }).waitFor();
    expect(await secret('Link')).not.toBe(before);
    await dialog().getByRole('button', { name: 'I have saved it' }).click();
    const late = 'the invitation of late@rowhouse.test';
    await page.getByRole('button', { name: `Revoke ${late}` }).click();
    await page.getByRole('button', { name: `Revoke ${late} for good` }).click();
    await page.getByText('No invitation is open').waitFor();
  });

  test('are found by a search and by their state, which the address keeps', async () => {
    await addColleague(world.deployment, { email: 'grace@rowhouse.test', name: 'Grace' });
    await go();
    await page.getByText('3 operators', { exact: true }).waitFor();
    await page.getByLabel('Search operators').fill('grace');
    await page.waitForURL('**?q=grace');
    await row('Grace').getByText('never').waitFor();
    await page.getByLabel('State').selectOption('admin');
    await page.getByText('No operator matches “grace”.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Remove the filters' }).click();
    await row('first@rowhouse.test').waitFor();
    await page.getByRole('button', { name: 'first@rowhouse.test', exact: true }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog().getByRole('heading', { name: 'Grace' }).waitFor();
    expect(page.url()).toContain('open=');
  });

  test('an administrator sees their sessions and ends them', async () => {
    const other = await openAs(world, 'grace@rowhouse.test');
    await go('?q=grace');
    await page.getByRole('button', { name: 'Grace', exact: true }).click();
    await dialog().getByRole('tab', { name: 'Sessions' }).click();
    await page.waitForURL('**part=sessions**');
    await dialog()
      .getByRole('button', { name: /^End the session on/ })
      .click();
    await dialog().getByText('The operator is not signed in anywhere.').waitFor();
    await other.goto(`${world.origin}/projects`);
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('are deactivated and activated', async () => {
    const state = (words: string) =>
      row('Grace').getByText(words, { exact: true }).filter({ visible: true });
    await go('?q=grace');
    await act('Grace', 'Deactivate');
    await page.getByRole('button', { name: 'Undo' }).click();
    // The row says “Active” before its first change is read, too.
    await page.getByText('Grace can sign in again.').first().waitFor();
    await state('Active').waitFor();
    await act('Grace', 'Deactivate');
    await state('Deactivated').waitFor();
    const other = await world.open('/sign-in');
    await signIn(other, 'grace@rowhouse.test', colleaguePassword);
    await other.getByText('not active').waitFor();
    await act('Grace', 'Activate');
    await state('Active').waitFor();
  });

  test('get a password that is shown once when their sign-in is reset', async () => {
    await go('?q=grace');
    await act('Grace', 'Reset the sign-in');
    await dialog().getByText('All sessions end').waitFor();
    await dialog().getByRole('button', { name: 'Reset', exact: true }).click();
    const password = await secret('Password');
    await dialog().getByRole('button', { name: 'I have saved it' }).click();
    const other = await world.open('/sign-in');
    await signIn(other, 'grace@rowhouse.test', password);
    await other.getByLabel('New password').first().waitFor();
  });

  test('the last administrator is told why nothing was changed', async () => {
    await go();
    const names = 'Actions on first@rowhouse.test';
    await page.getByRole('button', { name: names, exact: true }).click();
    await page.getByText('Your own account is changed by another administrator.').waitFor();
    expect(await page.getByRole('menuitem', { name: 'Deactivate' }).count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  test('are deleted after their address was typed', async () => {
    await go('?q=grace');
    await act('Grace', 'Delete');
    await dialog().getByLabel('Type this to confirm').fill('grace@rowhouse.test');
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No operator matches “grace”.').waitFor();
    await page.getByText('Grace is deleted.').first().waitFor();
  });

  test('the last owner of an organization is not deleted, and the dialog says why', async () => {
    const operatorId = await addColleague(world.deployment, {
      email: 'owner@rowhouse.test',
      name: 'Owner',
    });
    await go('?tab=organizations');
    await page.getByRole('button', { name: 'New organization' }).click();
    await dialog().getByLabel('Name').fill(script);
    await dialog().getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('button', { name: `Members of ${script}` }).click();
    await page.waitForURL('**organization=**');
    await row('first@rowhouse.test').waitFor();
    const id = new URL(page.url()).searchParams.get('organization') ?? '';
    const place = `/platform/organizations/${id}`;
    await expectDone(api('POST', `${place}/memberships`, { operatorId, role: 'owner' }));
    await go('?q=first');
    await page.getByRole('button', { name: 'first@rowhouse.test', exact: true }).click();
    await dialog()
      .getByRole('button', { name: `Remove Owner on the organization ${script}` })
      .click();
    await dialog()
      .getByRole('button', { name: `Remove Owner on the organization ${script} for good` })
      .click();
    await page.getByText('has no role on the organization').first().waitFor();
    await go('?q=owner@');
    await act('Owner', 'Delete');
    await dialog().getByLabel('Type this to confirm').fill('owner@rowhouse.test');
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await dialog().getByText('This is the last active owner of the organization').waitFor();
    await expectNothingRan(page);
  });

  describe.each([
    { theme: 'light', width: 1440 },
    { theme: 'dark', width: 360 },
  ] as const)('in the $theme theme, $width pixels wide', ({ theme, width }) => {
    test('axe finds nothing, and nothing is wider than the page', async () => {
      const sight = await world.openSignedIn('/operators', {
        colorScheme: theme,
        viewport: { width, height: 800 },
      });
      await sight.getByRole('table', { name: 'Operators' }).waitFor();
      await expectAccessible(sight, 'operators');
      await sight.getByRole('button', { name: 'Owner', exact: true }).click();
      await sight.getByRole('dialog').getByRole('tab', { name: 'Account' }).waitFor();
      await expectAccessible(sight, 'the access of an operator');
      await sight.getByRole('dialog').getByRole('tab', { name: 'Account' }).click();
      await sight.getByText('What the operator has changed').waitFor();
      await expectAccessible(sight, 'the account of an operator');
      for (const tab of ['access', 'invitations', 'organizations']) {
        await sight.goto(`${world.origin}/operators?tab=${tab}`);
        await sight
          .getByRole('tabpanel')
          .getByText(/Default|No invitation/)
          .filter({ visible: true })
          .first()
          .waitFor();
        await expectAccessible(sight, tab);
      }
      await sight.goto(`${world.origin}/operators?dialog=invite`);
      await sight.getByRole('dialog').getByLabel('Email address').waitFor();
      await expectAccessible(sight, 'an invitation');
    });
  });
});
