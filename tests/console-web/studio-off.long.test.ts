// A deployment whose projects have no studio: nothing leads to it.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { openWithCapabilities } from './limited-operator.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describeWithBrowser('without a studio', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ STUDIO: 'false' });
  });
  afterAll(() => world.close());

  const expectNoLink = async (page: Page, ref: string): Promise<void> => {
    await page.goto(`${world.origin}/projects/${ref}`);
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
    await page.getByRole('region', { name: 'Health' }).getByText('The database answers').waitFor();
    expect(await page.getByRole('link', { name: 'Open studio' }).count()).toBe(0);
    world.expectNoFindings();
  };

  test('the home of a project does not offer it', async () => {
    await expectNoLink(await world.openSignedIn(), await world.addProject('Bookshop'));
  });

  test('nor to an operator who may not read the environment of the deployment', async () => {
    const ref = await world.addProject('Bookshop');
    await expectNoLink(await openWithCapabilities(world, ref, ['content.read']), ref);
  });
});
