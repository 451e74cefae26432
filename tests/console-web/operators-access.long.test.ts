// The matrix of operators and projects, and the screen for operators who may do less.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import { send } from '../support/http.js';
import { expectAccessible } from './accessible.js';
import { addColleague, expectDone, firstOrganization, openAs } from './colleagues.js';
import { openWorld, tokenOf, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describeWithBrowser('the access of operators', () => {
  let world: World;
  let page: Page;
  let ref: string;
  let organizationId: string;
  let adaId: string;
  beforeAll(async () => {
    world = await openWorld();
    ref = await world.addProject('Bookshop');
    await world.addProject('Library');
    organizationId = await firstOrganization(world.deployment);
    adaId = await addColleague(world.deployment, { email: 'ada@rowhouse.test', name: 'Ada' });
    page = await world.openSignedIn('/operators?tab=access');
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const go = (query = '') => page.goto(`${world.origin}/operators${query}`);
  const members = `/platform/organizations`;
  const dialog = (of = page) => of.getByRole('dialog');
  /** The cell of a project or organization and an operator. */
  const cell = (place: string, operator: string, of = page) => ({
    async locate() {
      const head = of.getByRole('columnheader', { name: operator, exact: true });
      const column = await head.getAttribute('aria-colindex');
      return of
        .getByRole('row')
        .filter({ hasText: place })
        .locator(`[role=gridcell][aria-colindex="${column}"]`);
    },
    async says(text: string | RegExp) {
      await (await this.locate()).getByText(text).first().waitFor({ timeout: 60_000 });
    },
    async open() {
      await (await this.locate()).click();
    },
  });
  const membershipsOf = async (operatorId: string): Promise<readonly Record<string, unknown>[]> => {
    const { body } = await world.deployment.console({ path: '/platform/memberships?limit=1000' });
    const found = asRecord(body)['memberships'];
    const rows = Array.isArray(found) ? found.map(asRecord) : [];
    return rows.filter((row) => row['operatorId'] === operatorId);
  };

  test('is a matrix that says where each right comes from', async () => {
    await cell('Bookshop', 'Ada').says('Viewer');
    await cell('Bookshop', 'Ada').says(', from the organization');
    await cell('Bookshop', 'first@rowhouse.test').says(', as an administrator of the deployment');
    await cell('Bookshop', 'Ada').open();
    await dialog().getByRole('heading', { name: 'Ada on Bookshop' }).waitFor();
    const rights = dialog().getByRole('list', { name: 'Capabilities now' });
    await rights.getByText('Viewer in the organization Default').waitFor();
    expect(await rights.getByText('Viewer in the organization Default').count()).toBe(1);
  });

  test('a cell gives a role at once, which is changed and taken back', async () => {
    await go('?tab=access');
    await cell('Bookshop', 'Ada').open();
    await dialog().getByLabel('Role on the project').selectOption('support');
    await dialog().getByText('Changes rows and files').first().waitFor();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await cell('Bookshop', 'Ada').says('Support');
    expect(await membershipsOf(adaId)).toContainEqual(
      expect.objectContaining({ projectRef: ref, role: 'support' }),
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await cell('Bookshop', 'Ada').says('Viewer');
    expect(await membershipsOf(adaId)).toHaveLength(1);
  });

  test('is changed by the keyboard alone', async () => {
    await (await cell('Library', 'Ada').locate()).click();
    await dialog().getByLabel('Role on the project').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    // The cell has the focus again a moment after the dialog is gone.
    await page.waitForFunction(`document.activeElement.closest('[role=gridcell]') !== null`);
    await page.keyboard.press('Enter');
    await dialog().getByLabel('Role on the project').focus();
    await page.keyboard.press('d');
    await dialog().getByRole('button', { name: 'Save' }).press('Enter');
    await cell('Library', 'Ada').says('Developer');
  });

  test('is filtered by operator, project and capability, which the address keeps', async () => {
    await page.getByLabel('Search projects').fill('lib');
    await page.waitForURL('**project=lib**');
    await page.getByRole('row').filter({ hasText: 'Bookshop' }).waitFor({ state: 'detached' });
    await page.getByLabel('Capability').selectOption('secrets.manage');
    await page.waitForURL('**capability=secrets.manage**');
    await cell('Library', 'Ada').says('Yes');
    await cell('Default', 'Ada').says('nothing');
    await page.getByLabel('Search operators').fill('first');
    await page.getByRole('columnheader', { name: 'Ada' }).waitFor({ state: 'detached' });
    await page.reload();
    await cell('Library', 'first@rowhouse.test').says('Yes');
  });

  test('the last owner stays, and the dialog says so', async () => {
    await go('?tab=access');
    await cell('Default', 'first@rowhouse.test').open();
    await dialog().getByLabel('Role in the organization').selectOption('viewer');
    await dialog().getByText('These are your own rights').waitFor();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByText('This is the last active owner of the organization').waitFor();
    await page.keyboard.press('Escape');
  });

  test('a role that another operator ends between opening and saving is not given again', async () => {
    const reads = '**/platform/memberships?*';
    const { body } = await world.deployment.console({ path: '/platform/memberships?limit=1000' });
    // The page does not learn of the change before it saves.
    await page.route(reads, (route) => route.fulfill({ json: body }));
    await go('?tab=access');
    await cell('Library', 'Ada').open();
    await dialog().getByLabel('Role on the project').selectOption('viewer');
    const own = (await membershipsOf(adaId)).find(({ projectRef }) => projectRef !== null);
    const path = `${members}/${organizationId}/members/${String(own?.['id'])}`;
    await expectDone(world.deployment.console({ method: 'DELETE', path }));
    await dialog().getByRole('button', { name: /Save/ }).click();
    await dialog().getByText('Another operator has ended this role meanwhile.').waitFor();
    expect(await membershipsOf(adaId)).toHaveLength(1);
    await page.unroute(reads);
  });

  test('what another operator changes appears', async () => {
    await go('?tab=access');
    const body = { operatorId: adaId, projectRef: ref, role: 'developer' };
    const give = { method: 'POST', path: `${members}/${organizationId}/memberships`, body };
    await cell('Bookshop', 'Ada').says('Viewer');
    await expectDone(world.deployment.console(give));
    await cell('Bookshop', 'Ada').says('Developer');
  });

  test('a thousand projects and two hundred operators are a few cells in the page', async () => {
    const many = await world.openSignedIn('/projects');
    const projects = Array.from({ length: 1000 }, (_, index) => ({
      ref: `p${index}`,
      name: `Project ${index}`,
      status: 'active',
      idType: 'text',
      organizationId,
      organizationName: 'Default',
      createdAt: '2030-01-01T00:00:00.000Z',
      deleteAt: null,
      url: `http://p${index}.localhost`,
    }));
    const operators = Array.from({ length: 200 }, (_, index) => ({
      id: `o${index}`,
      email: `o${index}@rowhouse.test`,
      name: `Operator ${index}`,
      status: 'active',
      isDeploymentAdmin: false,
      mustChangePassword: false,
      twoFactorEnabled: false,
      createdAt: '2030-01-01T00:00:00.000Z',
      lastSignInAt: null,
    }));
    const memberships = operators.map(({ id, email, name }, index) => ({
      id: `m${index}`,
      operatorId: id,
      email,
      name,
      status: 'active',
      isDeploymentAdmin: false,
      twoFactorEnabled: false,
      organizationId,
      projectRef: `p${999 - index}`,
      role: 'support',
      capabilities: ['content.read', 'content.write', 'audit.read'],
      createdAt: '2030-01-01T00:00:00.000Z',
    }));
    await many.route('**/platform/projects?*', (route) =>
      route.fulfill({ json: { projects, next: null } }),
    );
    await many.route('**/platform/operators?*', (route) =>
      route.fulfill({ json: { operators, total: 200, next: null } }),
    );
    await many.route('**/platform/memberships?*', (route) =>
      route.fulfill({ json: { memberships, next: null } }),
    );
    await many.goto(`${world.origin}/operators?tab=access`);
    await many.getByRole('columnheader', { name: 'Operator 0', exact: true }).waitFor();
    const grid = many.getByRole('grid', { name: 'Access of operators to projects' });
    expect(await grid.getAttribute('aria-rowcount')).toBe('1002');
    expect(await grid.getAttribute('aria-colcount')).toBe('201');
    expect(await many.getByRole('gridcell').count()).toBeLessThan(1500);
    await many.getByLabel('Search operators').fill('operator 199');
    await many.getByLabel('Search projects').fill('p800');
    await cell('Project 800', 'Operator 199', many).says('Support');
  });

  test('an operator who manages members alone gives no more, and sees no accounts', async () => {
    const email = 'members@rowhouse.test';
    const capabilities = ['members.manage', 'content.read'];
    await addColleague(world.deployment, { email, name: 'Manager', role: 'custom', capabilities });
    const other = await openAs(world, email, '/operators');
    await other.getByRole('button', { name: 'Ada', exact: true }).waitFor();
    await other.getByRole('link', { name: 'Operators', exact: true }).waitFor();
    expect(await other.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    expect(await other.getByRole('columnheader', { name: 'Last sign-in' }).count()).toBe(0);
    await other.getByRole('button', { name: 'Ada', exact: true }).click();
    await dialog(other).getByRole('tab', { name: 'Access' }).waitFor();
    expect(await dialog(other).getByRole('tab').count()).toBe(1);
    await other.goto(`${world.origin}/operators?tab=access`);
    await cell('Library', 'Manager', other).open();
    const support = dialog(other).getByRole('option', { name: /^Support/ });
    expect(await support.isDisabled()).toBe(true);
    const refused = await send(world.origin, {
      method: 'POST',
      path: `${members}/${organizationId}/memberships`,
      headers: { authorization: `Bearer ${await tokenOf(other)}` },
      body: { operatorId: adaId, role: 'support' },
    });
    expect(refused.status).toBe(403);
    await dialog(other).getByLabel('Role on the project').selectOption('viewer');
    await dialog(other).getByRole('button', { name: 'Save' }).click();
    await other.getByText('Manager has the role Viewer on Library.').first().waitFor();
  });

  test('an operator without the capability is offered no operators', async () => {
    const email = 'viewer@rowhouse.test';
    await addColleague(world.deployment, { email });
    const other = await openAs(world, email);
    await other.getByRole('link', { name: 'Bookshop' }).waitFor();
    expect(await other.getByRole('navigation', { name: 'Deployment' }).count()).toBe(0);
    await other.goto(`${world.origin}/operators`);
    await other.getByText('You manage the members of no organization').waitFor();
  });

  test('the dialog of a cell is for everyone: axe finds nothing at 360 pixels', async () => {
    const sight = await world.openSignedIn('/operators?tab=access', {
      colorScheme: 'dark',
      viewport: { width: 360, height: 800 },
    });
    await cell('Bookshop', 'Ada', sight).open();
    await dialog(sight).getByLabel('Role on the project').waitFor();
    await expectAccessible(sight, 'a cell');
  });
});
