// 50,000 users: the list counts, pages, searches, filters and orders them. The n-th signed up n minutes ago.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asSuperuser } from '../support/deployment.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const makeUsers = `
  insert into auth."user" (id, name, email, role, claims, "createdAt")
  select 'reader' || n || 'id', 'Reader ' || n, 'reader' || n || '@example.org',
    case when n % 1000 = 0 then 'ADMIN' else 'USER' end, '', now() - n * interval '1 minute'
  from generate_series(1, 50000) n;
  analyze auth."user";`;

describeWithBrowser('50,000 users', () => {
  let world: World;
  let page: Page;
  let ref: string;
  beforeAll(async () => {
    world = await openWorld();
    const project = await world.deployment.createProject();
    ref = project.ref;
    await asSuperuser(makeUsers, { database: project.database });
    page = await world.openSignedIn('/projects', { viewport: { width: 1440, height: 900 } });
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const go = (query: string) => page.goto(`${world.origin}/projects/${ref}/users${query}`);
  const rows = () => page.getByRole('table', { name: 'Users' }).getByRole('row');
  const inRow = (index: number, name: string) =>
    rows().nth(index).getByRole('button', { name, exact: true });

  test('are counted, and read page by page to the last', async () => {
    await go('');
    await page.getByText('50,000 users').waitFor();
    await inRow(1, 'Reader 1').waitFor();
    await page.getByText('1–50 of 50,000').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await inRow(1, 'Reader 51').waitFor();
    await go('?page=1000');
    await inRow(50, 'Reader 50000').waitFor();
    await page.getByText('49,951–50,000 of 50,000').waitFor();
    expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
  });

  test('are found by a part of the address, the name and the id', async () => {
    await go('');
    const search = page.getByLabel('Search users');
    await search.fill('reader49999@');
    await page.getByText('1 user', { exact: true }).waitFor();
    await inRow(1, 'Reader 49999').waitFor();
    await search.fill('Reader 4999');
    await page.getByText('11 users', { exact: true }).waitFor();
    await search.fill('reader12345id');
    await page.getByText('1 user', { exact: true }).waitFor();
    await inRow(1, 'Reader 12345').click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Reader 12345' }).waitFor();
    await page.keyboard.press('Escape');
    await search.fill('no reader has this');
    await page.getByText('No user matches “no reader has this”.').waitFor();
  });

  test('are filtered and ordered', async () => {
    await go('');
    await page.getByLabel('Role', { exact: true }).selectOption('admin');
    await page.getByText('50 users', { exact: true }).waitFor();
    await inRow(1, 'Reader 1000').waitFor();
    await page.getByLabel('Created', { exact: true }).selectOption('day');
    await page.getByText('1 user', { exact: true }).waitFor();
    await go('?sort=createdAt.asc');
    await inRow(1, 'Reader 50000').waitFor();
    await go('?sort=name.desc');
    await inRow(1, 'Reader 9999').waitFor();
  });
});
