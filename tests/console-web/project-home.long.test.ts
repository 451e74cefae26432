// The home of a project: what it was used for, what failed, what it still needs, and how an app reaches it.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord, asSuperuser, operatorPassword } from '../support/deployment.js';
import { send } from '../support/http.js';
import { openWithCapabilities } from './limited-operator.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describeWithBrowser('the home of a project', () => {
  let world: World;
  let page: Page;
  let ref: string;
  beforeAll(async () => {
    world = await openWorld();
    ref = await world.addProject('Bookshop');
    const permissions = ['clipboard-read', 'clipboard-write'];
    page = await world.openSignedIn(`/projects/${ref}`, { permissions });
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const panel = (name: string) => page.getByRole('region', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  const sql = (text: string) =>
    asSuperuser(text, { database: world.deployment.ground.databaseName });
  const keys = async (): Promise<number> => {
    const path = `/platform/projects/${ref}/keys`;
    const { body } = await world.deployment.console({ method: 'GET', path });
    const { keys: listed } = asRecord(body);
    return Array.isArray(listed) ? listed.length : 0;
  };

  test('is reached by the name in the list, and says what is open', async () => {
    await page.goto(`${world.origin}/projects`);
    await page.getByRole('link', { name: 'Bookshop' }).click();
    await page.getByRole('heading', { name: 'Bookshop', level: 1 }).waitFor();
    expect(page.url()).toBe(`${world.origin}/projects/${ref}`);
    await panel('Health').getByText('The database answers').waitFor();
    await panel('Ready for people').getByText('Open: A domain of its own').waitFor();
    await panel('Usage').getByRole('button', { name: 'See how to connect' }).waitFor();
    await panel('Ready for people').getByText('Open: A user has signed up').waitFor();
    await panel('Last errors').getByText('No request, mail, SMS, hook or work').waitFor();
    await page.getByRole('navigation', { name: 'Way back' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  });

  test('a provider that lacks its keys is named once, with the way to its settings', async () => {
    const path = `/platform/projects/${ref}/api/admin/settings/auth.social`;
    const body = { google: { enabled: true } };
    const saved = await world.deployment.console({ method: 'PUT', path, body });
    expect(saved.status, saved.text).toBe(200);
    await page.goto(`${world.origin}/projects/${ref}`);
    await panel('Ready for people').getByText('Google is on, and not set up').waitFor();
    expect(await panel('Ready for people').getByText('and not set up').count()).toBe(1);
    await panel('Ready for people').getByRole('link', { name: 'See what is missing' }).click();
    await page.getByRole('heading', { name: 'Ways to sign in' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Bookshop', level: 1 }).waitFor();
  });

  test('has limits for administrators of the deployment, who give them and take them back', async () => {
    const path = `/platform/projects/${ref}/limits`;
    const limits = async () => (await world.deployment.console({ path })).body;
    const save = dialog().getByRole('button', { name: 'Save' });
    const change = async (files: string, database: string): Promise<void> => {
      await panel('Health').getByRole('button', { name: 'Limits' }).click();
      await dialog().getByLabel('Files (GB)').waitFor();
      expect(await save.isDisabled()).toBe(true);
      await dialog().getByLabel('Files (GB)').fill(files);
      await dialog().getByLabel('Database (GB)').fill(database);
      await save.click();
      await dialog().waitFor({ state: 'detached' });
    };
    await page.goto(`${world.origin}/projects/${ref}`);
    await change('10', '1.5');
    expect(await limits()).toEqual({
      storageBytes: 1e10,
      databaseBytes: 1.5e9,
      sharedMailServer: null,
    });
    await change('', '1.5');
    expect(await limits()).toEqual({
      storageBytes: null,
      databaseBytes: 1.5e9,
      sharedMailServer: null,
    });
    await change('', '');
    const colleague = await openWithCapabilities(world, ref, ['content.read', 'projects.manage']);
    await colleague.goto(`${world.origin}/projects/${ref}`);
    const health = colleague.getByRole('region', { name: 'Health', exact: true });
    await health.getByText('The database answers').waitFor();
    expect(await health.getByRole('button', { name: 'Limits' }).count()).toBe(0);
  });

  test('may use the mail server of the deployment as an administrator chooses', async () => {
    const path = `/platform/projects/${ref}/limits`;
    const limits = async () => (await world.deployment.console({ path })).body;
    const choice = dialog().getByLabel('Mail server of the deployment');
    await page.goto(`${world.origin}/projects/${ref}`);
    for (const [before, name, sharedMailServer] of [
      ['As the deployment decides', 'Off', false],
      ['Off', 'On', true],
      ['On', 'As the deployment decides', null],
    ] as const) {
      await panel('Health').getByRole('button', { name: 'Limits' }).click();
      await choice.locator('option:checked', { hasText: before }).waitFor({ state: 'attached' });
      await choice.selectOption({ label: name });
      await dialog().getByRole('button', { name: 'Save' }).click();
      await dialog().waitFor({ state: 'detached' });
      expect(await limits()).toEqual({ storageBytes: null, databaseBytes: null, sharedMailServer });
    }
  });

  test('saves only the limits that were changed in the dialog', async () => {
    const path = `/platform/projects/${ref}/limits`;
    await page.goto(`${world.origin}/projects/${ref}`);
    await panel('Health').getByRole('button', { name: 'Limits' }).click();
    await dialog().getByLabel('Files (GB)').fill('3');
    // Meanwhile, another operator decides about the mails.
    await world.deployment.console({ method: 'PUT', path, body: { sharedMailServer: false } });
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect((await world.deployment.console({ path })).body).toMatchObject({
      storageBytes: 3e9,
      sharedMailServer: false,
    });
  });

  test('shows the usage of an hour, a day and a month; the address keeps which', async () => {
    await sql(
      `insert into project_usage_minute
       select '${ref}', date_trunc('minute', now()) - n * interval '1 minute', 1000, 3, 2, 0, 5000, 7, 1,
         array[1000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
       from generate_series(2, 3) n`,
    );
    await page.goto(`${world.origin}/projects/${ref}?over=hour`);
    const figure = (name: string) =>
      panel('Usage').locator('dt', { hasText: name }).locator('xpath=following-sibling::dd');
    await panel('Usage').getByText('2,000', { exact: true }).waitFor();
    expect(await figure('Refused').textContent()).toBe('6');
    expect(await figure('Failed').textContent()).toBe('4');
    expect(await figure('Sign-ins').textContent()).toBe('14');
    expect(await panel('Usage').getByRole('table').getByRole('row').count()).toBe(3);
    await panel('Usage').getByRole('button', { name: '30 days' }).click();
    await page.waitForURL('**?over=month');
    await panel('Usage').getByRole('button', { name: '30 days', pressed: true }).waitFor();
    await panel('Usage').getByRole('button', { name: 'Day', exact: true }).click();
    await page.waitForURL(`**/projects/${ref}`);
  });

  test('shows work on the project that failed, with the reason', async () => {
    await sql(
      `insert into operation (kind, ref, organization_id, state, deadline, attempts, last_error, next_try_at)
       select 'sweep', ref, organization_id, 'failed', now(), 3, 'no space left on the disk', now() + interval '1 day'
       from project where ref = '${ref}'`,
    );
    await page.reload();
    await panel('Last errors').getByText('Work on the project: sweep').waitFor();
    await panel('Last errors').getByText('no space left on the disk').waitFor();
    await sql(`delete from operation where ref = '${ref}' and kind = 'sweep'`);
  });

  test('shows requests of apps that failed, and no request of the console', async () => {
    const path = '/rest/v1/nothing-of-this-name';
    const headers = { host: `${ref}.localhost` };
    const { status, body } = await send(world.deployment.apiOrigin, { path, headers });
    expect(status).toBe(404);
    const ofOperator = `/platform/projects/${ref}/api/admin/users/nobody`;
    expect((await world.deployment.console({ path: ofOperator })).status).toBe(404);
    await page.goto(`${world.origin}/projects/${ref}`);
    const errors = panel('Last errors');
    await errors.getByText('GET /rest/v1/').waitFor();
    await errors
      .getByText(`Answered with 404 ${String(asRecord(body)['code'])}. Request`)
      .waitFor();
    expect(await errors.getByRole('listitem').count()).toBe(1);
  });

  test('on a phone, the link of the open screen is in sight', async () => {
    const viewport = { width: 360, height: 740 };
    const phone = await world.openSignedIn(`/projects/${ref}/settings`, { viewport });
    const link = phone
      .getByRole('navigation', { name: 'Screens of the project' })
      .getByRole('link', { name: 'Settings' });
    const rightEnd = async () => {
      const box = await link.boundingBox();
      return (box?.x ?? 0) + (box?.width ?? Infinity);
    };
    await expect.poll(rightEnd, { timeout: 20_000 }).toBeLessThanOrEqual(viewport.width);
    await phone.close();
  });

  test('connects by code that has the address of the project', async () => {
    await page.goto(`${world.origin}/projects/${ref}`);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    for (const way of ['JavaScript', 'React', 'Next.js', 'curl']) {
      await dialog().getByRole('tab', { name: way, exact: true }).click();
      await dialog()
        .getByRole('tabpanel', { name: way })
        .getByText(`http://${ref}.localhost`)
        .first()
        .waitFor();
    }
    await dialog().getByRole('tab', { name: 'curl' }).press('ArrowRight');
    await dialog().getByRole('tab', { name: 'psql', selected: true }).waitFor();
  });

  test('that code reads the first table of the project, or says which one to make', async () => {
    const path = `/platform/projects/${ref}/api/admin/sql`;
    const runSql = async (query: string): Promise<void> => {
      const reply = await world.deployment.console({ method: 'POST', path, body: { query } });
      expect(reply.status).toBe(200);
    };
    const ways = ['JavaScript', 'React', 'Next.js', 'curl'];
    const shown = async (way: string): Promise<string> => {
      await dialog().getByRole('tab', { name: way, exact: true }).click();
      const code = dialog().getByRole('tabpanel', { name: way }).getByRole('region').last();
      return (await code.textContent()) ?? '';
    };
    await page.goto(`${world.origin}/projects/${ref}?dialog=connect`);
    await dialog().getByText('The project has no table yet').waitFor();
    for (const way of ways) expect(await shown(way)).toContain('notes');
    const making = dialog().getByRole('region', { name: 'Make the table' });
    await runSql((await making.textContent()) ?? '');
    const headers = { host: `${ref}.localhost` };
    const rows = await send(world.deployment.apiOrigin, { path: '/rest/v1/notes', headers });
    expect(rows).toMatchObject({ status: 200, body: [{ body: 'Hello' }] });
    await runSql(`create table "a 'first' one" (id int primary key)`);
    await page.reload();
    await dialog().getByRole('tabpanel').getByText(`from("a 'first' one")`).waitFor();
    expect(await shown('curl')).toContain(`/rest/v1/a%20'\\''first'\\''%20one?`);
    expect(await dialog().getByText('The project has no table yet').count()).toBe(0);
  });

  test('leads to the studio at its own address, in another tab', async () => {
    const path = `/platform/projects/${ref}`;
    const { body } = await world.deployment.console({ method: 'GET', path });
    await page.goto(`${world.origin}/projects/${ref}`);
    const link = page.getByRole('link', { name: 'Open studio' });
    expect(await link.getAttribute('href')).toBe(`${String(asRecord(body)['url'])}/studio`);
    expect(await link.getAttribute('target')).toBe('_blank');
    expect(await link.getAttribute('rel')).toBe('noopener');
  });

  test('a key is made after the password alone, shown once, and works', async () => {
    await page.goto(`${world.origin}/projects/${ref}?dialog=connect`);
    const before = await keys();
    await dialog().getByRole('button', { name: 'Make another secret key' }).click();
    await dialog().getByLabel('Your password').fill('not the password');
    await dialog().getByRole('button', { name: 'Make another secret key' }).click();
    await dialog().getByRole('alert').waitFor();
    expect(await keys()).toBe(before);
    await dialog().getByLabel('Your password').fill(operatorPassword);
    await dialog().getByRole('button', { name: 'Make another secret key' }).click();
    await dialog().getByRole('button', { name: 'Copy Secret key' }).waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await dialog().getByRole('button', { name: 'Copy Secret key' }).click();
    const key = await copied();
    expect(key).toMatch(/^svc_secret_/);
    expect(await keys()).toBe(before + 1);
    const headers = { host: `${ref}.localhost`, apikey: key, authorization: `Bearer ${key}` };
    const path = '/api/admin/settings';
    const reply = await send(world.deployment.apiOrigin, { method: 'GET', path, headers });
    expect(reply.status).toBe(200);
    // The session goes on, and a page that is opened again does not have the key.
    await page.reload();
    await dialog().getByText('Make another secret key').waitFor();
    expect(await page.content()).not.toContain(key);
  });

  test('the connection string is shown after the password alone, and that is in the audit log', async () => {
    await page.goto(`${world.origin}/projects/${ref}?dialog=connect`);
    await dialog().getByRole('tab', { name: 'psql' }).click();
    await dialog().getByRole('button', { name: 'Show the connection string' }).click();
    expect(await page.content()).not.toContain('postgres://');
    await dialog().getByLabel('Your password').fill(operatorPassword);
    await dialog().getByLabel('Your password').press('Enter');
    await dialog().getByText("psql 'postgres://").waitFor();
    const path = `/platform/projects/${ref}/audit`;
    const { text } = await world.deployment.console({ method: 'GET', path });
    expect(text).toContain('database');
  });

  test('is paused, and says so', async () => {
    await page.goto(`${world.origin}/projects/${ref}`);
    await page.getByRole('button', { name: 'Actions on Bookshop' }).click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page.getByText('It is paused: its requests answer 503').waitFor();
    await page.getByRole('button', { name: 'Resume' }).first().click();
    await page.getByText('It is paused').waitFor({ state: 'detached' });
  });

  test('of a ref that does not exist says so, with the id of the request', async () => {
    await page.goto(`${world.origin}/projects/nowhere`);
    await page.getByRole('alert').getByText('Request').waitFor();
  });
});
