// The deployment: whether its parts work, the work on projects, and the environment without its secrets.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord, asSuperuser } from '../support/deployment.js';
import { send } from '../support/http.js';
import { expectAccessible } from './accessible.js';
import { openWorld, signIn, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const hush = 'hush-metrics-token';

describeWithBrowser('the deployment', () => {
  let world: World;
  let page: Page;
  let ref: string;
  beforeAll(async () => {
    world = await openWorld({ METRICS_TOKEN: hush, DELETED_PROJECT_DAYS: '9' });
    ref = await world.addProject('Bookshop');
    page = await world.openSignedIn();
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const panel = (name: string) => page.getByRole('region', { name, exact: true });
  const go = (query = '') => page.goto(`${world.origin}/deployment${query}`);
  const sql = (text: string) =>
    asSuperuser(text, { database: world.deployment.ground.databaseName });
  const failOperation = (kind: string, next: string) =>
    sql(
      `insert into operation (kind, ref, organization_id, state, deadline, attempts, last_error, next_try_at)
       select '${kind}', ref, organization_id, 'failed', now(), 3, 'no space left on the disk', ${next}
       from project where ref = '${ref}'`,
    );
  const variables = () => page.getByRole('list', { name: 'Environment variables' });
  const variable = (name: string) =>
    variables()
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name, exact: true }) });

  test('is opened from the menu of the account, and by Ctrl-K', async () => {
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Deployment' }).click();
    await page.getByRole('heading', { name: 'Deployment', level: 1 }).waitFor();
    await page.goto(`${world.origin}/projects`);
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('environment');
    await page.getByRole('option', { name: 'Deployment' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/deployment');
  });

  test('shows versions, parts, connections and disk', async () => {
    const health = panel('Health');
    for (const part of ['Console', 'API of the projects', 'Worker', 'Database server'])
      await health.getByText(`Done: ${part}`).waitFor();
    await health.getByText('Without SMTP_HOST').waitFor();
    await panel('Versions and process').getByText(process.version).waitFor();
    await panel('Versions and process').getByText('api, console, worker').waitFor();
    await panel('Database server')
      .getByText(/\d+ open, \d+ busy, of \d+/)
      .waitFor();
    await panel('Disk').getByText(world.deployment.ground.dataDir).waitFor();
    await panel('Projects and upgrades').getByText('Every project has all').waitFor();
  });

  test('names projects whose upgrade has failed, with the reason', async () => {
    await failOperation('upgrade', `'infinity'`);
    await page.reload();
    const failures = panel('Projects and upgrades').getByRole('list', { name: 'Failed upgrades' });
    await failures.getByText(ref).waitFor();
    await failures.getByText('no space left on the disk').waitFor();
    await panel('Projects and upgrades').getByText('rowhouse upgrade --resume').waitFor();
  });

  test('lists the work on projects by state, and tries it again', async () => {
    await failOperation('repair-logins', `now() + interval '1 day'`);
    await panel('Projects and upgrades')
      .getByRole('link', { name: /\d+ open, \d+ failed/ })
      .click();
    await page.waitForURL('**/deployment?tab=work');
    const work = page.getByRole('list', { name: 'Work on projects' }).getByRole('listitem');
    const repair = work.filter({ hasText: 'Repair of database logins' });
    await repair.getByText('no space left on the disk').waitFor();
    const upgrade = work.filter({ hasText: 'Upgrade by rowhouse upgrade' });
    await upgrade.getByText('rowhouse upgrade --resume').waitFor();
    expect(await upgrade.getByRole('button').count()).toBe(0);
    await repair.getByRole('button', { name: 'Try again now' }).click();
    await page
      .getByText(`Repair of database logins of ${ref}: the next try is due now.`, { exact: true })
      .waitFor();
    // A worker of the deployment takes it up, and it succeeds.
    await repair.waitFor({ state: 'detached', timeout: 60_000 });
    await page.getByLabel('State', { exact: true }).selectOption('done');
    await page.waitForURL('**state=done**');
    await work.filter({ hasText: 'Repair of database logins' }).first().waitFor();
    await page.getByLabel('State', { exact: true }).selectOption('undone');
    await page.getByText('No work is undone.').waitFor();
    await sql(`delete from operation where kind = 'upgrade'`);
  });

  test('shows each variable with value, default and meaning; of a secret only that it is set', async () => {
    await page.getByRole('tab', { name: 'Environment' }).click();
    await variable('DELETED_PROJECT_DAYS').getByText('9', { exact: true }).waitFor();
    await variable('DELETED_PROJECT_DAYS').getByText('7', { exact: true }).waitFor();
    await variable('METRICS_TOKEN').getByText('set, hidden').waitFor();
    await variable('MASTER_KEY').getByText('not set').waitFor();
    const { variables: sent } = asRecord(
      (await world.deployment.console({ path: '/platform/deployment/environment' })).body,
    );
    const count = Array.isArray(sent) ? sent.length : 0;
    expect(count).toBeGreaterThan(40);
    expect(await variables().getByRole('listitem').count()).toBe(count);
    expect(await page.content()).not.toContain(hush);
    await page.getByLabel('Find a variable').fill('metrics');
    await page.waitForURL('**q=metrics**');
    await page.getByText('1 variable', { exact: true }).waitFor();
    await page.reload();
    await variable('METRICS_TOKEN').waitFor();
    await page.getByLabel('Find a variable').fill('mail server');
    await variable('SMTP_HOST').waitFor();
    await page.getByLabel('Only those that are set').check();
    await page.getByText('No variable matches.').waitFor();
    await page.getByRole('button', { name: 'Show all variables' }).click();
    await variable('SMTP_HOST').waitFor();
  });

  test('is accessible in both themes and on a phone', async () => {
    await failOperation('sweep', `now() + interval '1 day'`);
    for (const [theme, width] of [
      ['light', 1440],
      ['dark', 1440],
      ['light', 360],
      ['dark', 360],
    ] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 800 });
      await go();
      await panel('Disk').waitFor();
      await expectAccessible(page, `overview, ${theme} ${width}`);
      await go('?tab=work');
      await page.getByText('no space left on the disk').first().waitFor();
      await expectAccessible(page, `work, ${theme} ${width}`);
      await go('?tab=environment');
      await variable('PORT').waitFor();
      await expectAccessible(page, `environment, ${theme} ${width}`);
    }
    await sql(`delete from operation where kind = 'sweep'`);
  });

  test('is neither offered nor sent to operators who do not administer the deployment', async () => {
    const call = async (path: string, body: object) =>
      asRecord((await world.deployment.console({ method: 'POST', path, body })).body);
    const project = asRecord(
      (await world.deployment.console({ path: `/platform/projects/${ref}` })).body,
    );
    const email = 'owner@example.org';
    const password = 'correct horse battery';
    const { inviteUrl } = await call('/platform/operators/invitations', {
      organizationId: project['organizationId'],
      email,
      role: 'owner',
    });
    const token = new URL(String(inviteUrl)).hash.slice('#token='.length);
    // Without a session: an operator who is signed in would accept for the own account.
    const accepted = await send(world.deployment.consoleOrigin, {
      method: 'POST',
      path: '/platform/operators/invitations/accept',
      body: { token, name: 'Owner', password },
    });
    expect(accepted.status, accepted.text).toBe(200);
    const other = await world.open('/sign-in');
    await signIn(other, email, password);
    await other.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await other.getByRole('button', { name: 'Your account' }).click();
    await other.getByText(email).waitFor();
    expect(await other.getByRole('menuitem', { name: 'Deployment' }).count()).toBe(0);
    const asked: string[] = [];
    other.on('request', (request) => asked.push(request.url()));
    await other.goto(`${world.origin}/deployment?tab=environment`);
    await other.getByText('The deployment is shown to its administrators').waitFor();
    expect(asked.filter((url) => url.includes('/platform/deployment'))).toEqual([]);
  });
});
