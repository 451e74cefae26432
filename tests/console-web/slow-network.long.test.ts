// The pages over a slow network: what is not there yet has skeletons, the bars above it do not move when it comes, and a
// form that is sent twice is one request.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const bytesPerSecond = 50_000;
const slow = {
  offline: false,
  latency: 400,
  downloadThroughput: bytesPerSecond,
  uploadThroughput: bytesPerSecond,
};

/** What operators aim at while a page loads. */
const bars =
  'body :is(header, nav, [role=group], [role=tablist]) :is(a, button, input, select, h1)';

describeWithBrowser('over a slow network', () => {
  let world: World;
  let ref: string;
  let page: Page;
  beforeAll(async () => {
    world = await openWorld();
    ref = await world.addProject('Bookshop');
    const query = `create table books (id int primary key, title text);
      insert into books values (1, 'Emma')`;
    const admin = `/platform/projects/${ref}/api/admin`;
    const send = (path: string, body: object) =>
      world.deployment.console({ method: 'POST', path: admin + path, body });
    await send('/sql', { query });
    await send('/users', { email: 'ada@example.org' });
    await send('/storage/buckets', { slug: 'pictures' });
    page = await world.openSignedIn();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', slow);
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const dialog = () => page.getByRole('dialog');

  test.each([
    { screen: 'Projects', path: '/projects', content: 'Bookshop' },
    { screen: 'Tables', path: '/tables?table=books', content: 'Emma' },
    { screen: 'Structure', path: '/structure?table=books', content: 'title' },
    { screen: 'Policies', path: '/policies', content: 'books' },
    { screen: 'Users', path: '/users', content: 'ada@example.org' },
    { screen: 'Files', path: '/files', content: 'pictures' },
    { screen: 'Audit', path: '/audit', content: 'project.create' },
  ])('the bars of the screen $screen stay where they are', async ({ screen, path, content }) => {
    const below = screen === 'Projects' ? '' : `/projects/${ref}`;
    await page.goto(world.origin + below + path, { waitUntil: 'commit' });
    const main = page.getByRole('main');
    await main.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(`window.bars = [...document.querySelectorAll('${bars}')].map((bar) =>
      ({ bar, name: bar.textContent || bar.ariaLabel, before: bar.getBoundingClientRect() }))`);
    await main.getByText(content).first().waitFor();
    await main.locator('.skeleton').first().waitFor({ state: 'detached' });
    const moved = await page.evaluate<readonly string[]>(`window.bars.flatMap((one) => {
      const { x, y } = one.bar.getBoundingClientRect();
      const [right, down] = [x - one.before.x, y - one.before.y];
      return right === 0 && down === 0 ? [] : one.name + ' by ' + right + ', ' + down;
    })`);
    expect(moved).toEqual([]);
  });

  /** The requests of a method that the page sends while `act` runs and until `end` is there. */
  const sent = async (act: () => Promise<void>): Promise<readonly string[]> => {
    const paths: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') paths.push(new URL(request.url()).pathname);
    });
    await act();
    page.removeAllListeners('request');
    return paths;
  };

  test('a project is made once, however often Enter is pressed', async () => {
    await page.goto(`${world.origin}/projects?dialog=create`);
    await dialog().getByLabel('Name').fill('Twice');
    const paths = await sent(async () => {
      await dialog().getByLabel('Name').press('Enter');
      await dialog().getByLabel('Name').press('Enter');
      await page.getByText('Twice is ready').waitFor();
    });
    expect(paths).toEqual(['/platform/projects']);
  });

  test('a user is made once', async () => {
    await page.goto(`${world.origin}/projects/${ref}/users?dialog=create`);
    await dialog().getByLabel('Email address').fill('bob@example.org');
    const paths = await sent(async () => {
      await dialog().getByRole('button', { name: 'Create', exact: true }).dblclick();
      await dialog().getByText('it is not shown again').waitFor();
    });
    expect(paths).toEqual([`/platform/projects/${ref}/api/admin/users`]);
    const path = `/platform/projects/${ref}/api/admin/users`;
    expect(asRecord((await world.deployment.console({ path })).body)['total']).toBe(2);
  });

  test('a table is made once', async () => {
    await page.goto(`${world.origin}/projects/${ref}/structure`);
    await page.getByRole('button', { name: 'New table', exact: true }).click();
    await dialog().getByLabel('Name of the table').fill('authors');
    await dialog().getByRole('button', { name: 'Review the SQL' }).click();
    const paths = await sent(async () => {
      await dialog().getByRole('button', { name: 'Run', exact: true }).dblclick();
      await dialog().waitFor({ state: 'detached' });
    });
    expect(paths.filter((path) => path.endsWith('/sql'))).toHaveLength(1);
  });
});
