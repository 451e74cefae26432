// Listeners of the inspector: how long they stay, and why one of them receives nothing.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import type { ProjectUnderTest } from '../support/project.js';
import { expectAccessible } from './accessible.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describeWithBrowser('listeners of the inspector', () => {
  let world: World;
  let project: ProjectUnderTest;
  let page: Page;
  beforeAll(async () => {
    world = await openWorld();
    project = await world.deployment.createProject();
    await project.sql(`
      create table planets (name text primary key, moons int);
      create policy everyone on planets for select using (true);
      create table secrets (name text primary key);
      alter table secrets enable row level security`);
    page = await world.openSignedIn(`/projects/${project.ref}/realtime`);
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const listener = (name: string) => page.getByRole('listitem', { name, exact: true });
  const event = (hasText: string) =>
    page.getByRole('listbox', { name: 'Events' }).getByRole('option').filter({ hasText });
  const screen = (name: string) =>
    page
      .getByRole('navigation', { name: 'Screens of the project' })
      .getByRole('link', { name, exact: true })
      .click();
  const join = async (topic: string, table?: string, filter?: string): Promise<void> => {
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: /^Join (a|another) channel$/ }).click();
    await dialog.getByLabel('Topic').fill(topic);
    if (table !== undefined) await dialog.getByLabel(table, { exact: true }).check();
    if (filter !== undefined) await dialog.getByLabel('Filter').fill(filter);
    await dialog.getByRole('button', { name: 'Join', exact: true }).click();
    await listener(`${topic} as a visitor`).getByText('Joined', { exact: true }).waitFor();
  };

  test('say why they may receive nothing', async () => {
    await join('chat');
    await listener('chat as a visitor').getByText('no change of a row comes').waitFor();
    await join('hidden', 'secrets');
    await listener('hidden as a visitor')
      .getByText('No policy lets the role anon read secrets.')
      .waitFor();
    await join('large', 'planets', 'moons=gt.2');
    const large = listener('large as a visitor');
    await large.getByText('The filter lets only rows with moons=gt.2 pass.').waitFor();
    await large.getByText('Nothing was written to planets since it joined.').waitFor();
    await expectAccessible(page, 'listeners that receive nothing');
    await page.getByRole('tab', { name: 'Tables' }).click();
    await page.getByRole('switch', { name: 'Announce changes of planets' }).uncheck();
    await page.getByText('planets announces nothing any more.').first().waitFor();
    await page.getByRole('tab', { name: 'Inspector' }).click();
    await large.getByText('Ended: TABLE_NOT_EXPOSED').waitFor();
    await page.getByRole('tab', { name: 'Tables' }).click();
    await page.getByRole('switch', { name: 'Announce changes of planets' }).check();
    await page.getByText('planets announces its changes.').first().waitFor();
    await page.getByRole('tab', { name: 'Inspector' }).click();
    await join('again', 'planets', 'moons=gt.2');
    await project.sql(`insert into planets values ('Jupiter', 95)`);
    await event('Jupiter').waitFor();
    await listener('again as a visitor')
      .getByText('Nothing received yet')
      .waitFor({ state: 'detached' });
  });

  test('stay joined on other screens of the project', async () => {
    await screen('Tables');
    await page.getByText('Choose a table from the list').waitFor();
    await project.sql(`insert into planets values ('Saturn', 146)`);
    await screen('Home');
    await page.getByRole('region', { name: 'Health' }).waitFor();
    await screen('Realtime');
    await event('Jupiter').waitFor();
    await event('Saturn').waitFor();
    await listener('again as a visitor').getByText('2 events received').waitFor();
  });

  test('leave with the project, and that is said', async () => {
    await page.getByRole('navigation', { name: 'Way back' }).getByRole('link').click();
    await page
      .getByText(/^\d listeners of Realtime ended with the project\.$/)
      .first()
      .waitFor();
    await page.goBack();
    await page.getByText('No listener yet').waitFor();
  });
});
