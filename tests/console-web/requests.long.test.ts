// The last requests of a project: followed as they happen, held while they are read, filtered by the address.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import type { Call } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { bearer } from '../support/replies.js';
import { expectAccessible } from './accessible.js';
import { holdAnswers } from './hold-answers.js';
import { openWithCapabilities } from './limited-operator.js';
import { expectNothingRan } from './nothing-ran.js';
import { Studio } from './studio-world.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const wait = { timeout: 20_000 };
const script = '<img src=x onerror="window.broken=1">';

describeWithBrowser('the requests of a project', () => {
  let world: World;
  let project: ProjectUnderTest;
  let ada: SignedIn;
  let page: Page;
  beforeAll(async () => {
    world = await openWorld();
    project = await world.deployment.createProject();
    const permissions = ['clipboard-read', 'clipboard-write'];
    page = await world.openSignedIn('/projects', { permissions });
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const address = (query = '') => `${world.origin}/projects/${project.ref}/requests${query}`;
  const go = (query = '') => page.goto(address(query));
  const list = (on = page) => on.getByRole('listbox', { name: 'Requests' });
  const lines = (text: string, on = page) => list(on).getByRole('option').filter({ hasText: text });
  const dialog = () => page.getByRole('dialog');
  const search = () => page.getByLabel('Search requests');
  const choose = (label: string, option: string) =>
    page.getByLabel(label, { exact: true }).selectOption({ label: option });
  /** Makes a request with an id by which it is found. */
  const make = async (id: string, call: Call = { path: '/rest/v1/notes' }): Promise<void> => {
    await project.send({ ...call, headers: { ...call.headers, 'x-request-id': id } });
  };
  const count = (text: RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor(wait);
  /** Only what has this id, so that requests of other tests are out of sight. */
  const find = (id: string) => go(`?q=${id}`);

  test('an empty list has a command, whose request appears', async () => {
    await page.goto(`${world.origin}/projects/${project.ref}`);
    const screens = page.getByRole('navigation', { name: 'Screens of the project' });
    await screens.getByRole('link', { name: 'Requests', exact: true }).click();
    await page.getByRole('heading', { name: 'No request yet' }).waitFor(wait);
    await expectAccessible(page, 'the empty list');
    const command = await page.getByRole('region', { name: 'A request with curl' }).innerText();
    const path = new URL(/'(.*)'/.exec(command)?.[1] ?? '').pathname;
    await make('taught', { path });
    await lines('/api/auth/').waitFor(wait);
    await expectAccessible(page, 'a list');
  });

  describe('with requests', () => {
    beforeAll(async () => {
      await project.sql(`create table notes (id int primary key, text text);
        grant select on notes to anon, authenticated;
        create policy everybody on notes for select using (true);
        create function wait_long() returns int language sql as $$select 1 from pg_sleep(1.1)$$;
        grant execute on function wait_long() to anon`);
      ada = await project.signUp('ada@example.org');
    });
    beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

    test('appear as they happen, and each has its details', async () => {
      await find('live-');
      await page.getByText('No request matches the filters.').waitFor(wait);
      await make('live-1', { path: '/rest/v1/notes?text=eq.hidden', headers: bearer(ada.token) });
      await lines('/rest/v1/:table').filter({ hasText: 'User' }).click(wait);
      await page.waitForURL('**open=live-1*');
      await dialog().getByRole('heading', { name: 'GET /rest/v1/:table' }).waitFor();
      await dialog().getByText('live-1', { exact: true }).waitFor();
      for (const name of ['Took', 'Database']) {
        const fact = dialog().getByText(name, { exact: true }).locator('+ dd');
        expect(await fact.innerText()).toMatch(/^(< )?[\d.]+ (ms|s)$/);
      }
      const command = dialog().getByRole('region', { name: 'As curl' });
      expect(await command.innerText()).toContain('/rest/v1/:table');
      await dialog().getByRole('button', { name: 'Copy As curl' }).click();
      await dialog().getByText('Copied', { exact: true }).first().waitFor();
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(copied).toMatch(
        /^curl -s 'http:[^']+\/rest\/v1\/:table' \\\n {2}-H "authorization: Bearer \$TOKEN"$/,
      );
      expect(await dialog().innerText()).not.toContain('hidden');
      await expectAccessible(page, 'the details of a request');
      await page.reload();
      await dialog().getByText('live-1', { exact: true }).waitFor(wait);
      await page.keyboard.press('Escape');
      // Requests to accounts look the user up.
      const body = { username: 4 };
      const call = { method: 'PUT', path: '/api/users/username', headers: bearer(ada.token), body };
      await make('live-2', call);
      await lines('/api/users/username').click(wait);
      await dialog().getByRole('link', { name: ada.id }).click();
      await page.waitForURL(`**/users?open=${ada.id}`);
    });

    test('are found by keys alone', async () => {
      for (const id of ['keys-1', 'keys-2', 'keys-3']) await make(id);
      await find('keys-');
      await count(/^3 requests/);
      await list().focus();
      for (const [key, place] of [
        ['End', 2],
        ['ArrowUp', 1],
        ['Home', 0],
        ['ArrowDown', 1],
      ] as const) {
        await page.keyboard.press(key);
        const option = list().getByRole('option').nth(place);
        await expect.poll(() => option.getAttribute('aria-selected'), wait).toBe('true');
      }
      await page.keyboard.press('Enter');
      await dialog().getByText('keys-2', { exact: true }).waitFor(wait);
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      const focused = () => page.evaluate('document.activeElement.ariaLabel');
      await expect.poll(focused, wait).toBe('Requests');
    });

    test('are filtered by list, status, method, caller and text, which the address keeps', async () => {
      await make('mixed-read');
      await make('mixed-refused', { path: '/rest/v1/no-such-table' });
      await make('mixed-user', { path: '/rest/v1/notes', headers: bearer(ada.token) });
      await make('mixed-slow', { method: 'POST', path: '/rest/v1/rpc/wait_long', body: {} });
      await find('mixed-');
      await count(/^4 requests/);
      await choose('Status', '4xx refused');
      await count(/^1 request /);
      await lines('404').waitFor();
      await choose('Status', 'Any status');
      await choose('Method', 'POST');
      await lines('/rest/v1/rpc/:function').waitFor(wait);
      await count(/^1 request /);
      await choose('Method', 'Any method');
      await choose('Caller', 'User');
      await count(/^1 request /);
      await page.reload();
      await count(/^1 request /);
      expect(new URL(page.url()).search).toBe('?q=mixed-&caller=session');
      await choose('Caller', 'Any caller');
      await choose('List', 'Slow (1 s and more)');
      await count(/^1 request/);
      await lines('/rest/v1/rpc/:function').waitFor();
      await choose('List', 'Failed');
      await lines('404').waitFor(wait);
      await search().fill('mixed-nothing');
      await page.getByText('No request matches the filters.').waitFor(wait);
      await page.getByRole('button', { name: 'Show all requests' }).click();
      await lines('404').first().waitFor(wait);
      expect(new URL(page.url()).search).toBe('?list=failed');
    });

    test('that end between a slow list and its feed are added to the list', async () => {
      let isRead = (): void => undefined;
      const read = new Promise<void>((resolve) => (isRead = resolve));
      const { held, release } = holdAnswers();
      const tab = await world.openSignedIn('/projects');
      await tab.clock.install();
      await tab.route('**/api/admin/requests?*limit=1000', async (route) => {
        const list = await route.fetch();
        isRead();
        await held;
        await route.fulfill({ response: list });
      });
      const caughtUp: string[] = [];
      tab.on('request', (request) => {
        if (/requests\?.*limit=100$/.test(request.url())) caughtUp.push(request.url());
      });
      const opened = tab.waitForResponse('**/requests/feed');
      await tab.goto(address('?q=between-'));
      await opened;
      await read;
      await make('between-1');
      // Later requests are read only when there is a list to which they can be added, however long it takes.
      for (let second = 0; second < 10; second += 1) await tab.clock.runFor(1_000);
      expect(caughtUp).toEqual([]);
      release();
      await lines('/rest/v1/:table', tab).waitFor(wait);
      await tab.context().close();
    });

    test('stand still under the pointer, and say how many are new', async () => {
      await make('held-1');
      await find('held-');
      await lines('/rest/v1/:table').hover(wait);
      await make('held-2');
      await page.getByRole('button', { name: 'Show 1 new' }).waitFor(wait);
      expect(await list().getByRole('option').count()).toBe(1);
      await make('held-3');
      await page.getByRole('button', { name: 'Show 2 new' }).waitFor(wait);
      await page.getByRole('heading', { name: 'Requests', level: 1 }).hover();
      await count(/^3 requests/);
      await make('held-4');
      await count(/^4 requests/);
    });

    test('stand still while they are scrolled', async () => {
      for (let n = 0; n < 60; n += 1) await make(`scrolled-${n}`);
      await find('scrolled-');
      await count(/^60 requests/);
      await list().hover();
      await page.mouse.wheel(0, 600);
      const scrolled = () =>
        page.evaluate<number>(`document.querySelector('[role=listbox]').scrollTop`);
      await expect.poll(scrolled, wait).toBeGreaterThan(300);
      await page.getByRole('heading', { name: 'Requests', level: 1 }).hover();
      await make('scrolled-60');
      await page.getByRole('button', { name: 'Show 1 new' }).click(wait);
      await count(/^61 requests/);
      await expect.poll(scrolled, wait).toBe(0);
    });

    test('are not followed when Live is off', async () => {
      await find('off-');
      const live = page.getByRole('button', { name: 'Live', exact: true });
      await page.getByText('No request matches the filters.').waitFor(wait);
      const ended = page.waitForEvent('requestfailed', {
        predicate: (request) => request.url().endsWith('/requests/feed'),
      });
      await live.click();
      await page.waitForURL('**live=off**');
      await ended;
      expect(await live.getAttribute('aria-pressed')).toBe('false');
      await make('off-1');
      await page.getByText('No request matches the filters.').waitFor(wait);
      await live.click();
      await lines('/rest/v1/:table').waitFor(wait);
    });

    test('are read again while the feed has no room', async () => {
      const body = { code: 'LIVE_FEED_BUSY', message: 'The live feed has 10 readers already' };
      await page.route('**/requests/feed', (route) => route.fulfill({ status: 429, json: body }));
      await find('busy-');
      await page.getByText('The list does not follow the requests.').waitFor(wait);
      await expectAccessible(page, 'a list without its feed');
      await make('busy-1');
      await lines('/rest/v1/:table').waitFor({ timeout: 40_000 });
      await page.unrouteAll();
      const end = { state: 'detached', timeout: 40_000 } as const;
      await page.getByText('The list does not follow').waitFor(end);
    });

    test('with a script in what clients choose stay text', async () => {
      await make('chosen', { path: `/rest/v1/${encodeURIComponent(script)}` });
      await page.route('**/api/admin/requests?*', async (route) => {
        const reply = await route.fetch();
        const { requests } = asRecord(await reply.json());
        const [first] = Array.isArray(requests) ? requests : [];
        const request = { ...asRecord(first), requestId: script, code: script, userId: script };
        await route.fulfill({ json: { requests: [request], next: null } });
      });
      await go('?live=off');
      await lines(script).click(wait);
      await dialog().getByText(script).nth(2).waitFor();
      await expectNothingRan(page);
      await page.unrouteAll();
    });

    test.each([
      { colorScheme: 'light', width: 360 },
      { colorScheme: 'dark', width: 360 },
      { colorScheme: 'dark', width: 3840 },
    ] as const)('are shown in the $colorScheme theme, $width wide', async (sight) => {
      await page.emulateMedia({ colorScheme: sight.colorScheme });
      await page.setViewportSize({ width: sight.width, height: 900 });
      await go();
      await lines('/rest/v1/:table').first().waitFor(wait);
      await expectAccessible(page, `the list, ${sight.width} wide`);
      await lines('/rest/v1/:table').first().click();
      await dialog().getByRole('region', { name: 'As curl' }).waitFor(wait);
      await expectAccessible(page, `the details, ${sight.width} wide`);
      await page.keyboard.press('Escape');
    });

    test('are offered to operators with audit.read, and to no others', async () => {
      const auditor = await openWithCapabilities(world, project.ref, [
        'content.read',
        'audit.read',
      ]);
      await auditor.goto(address());
      await lines('/rest/v1/:table', auditor).first().click(wait);
      await auditor.getByRole('dialog').getByText('Took', { exact: true }).waitFor(wait);
      await auditor.close();
      const reader = await openWithCapabilities(world, project.ref, ['content.read']);
      await reader.goto(address());
      await reader.getByText('with the capability audit.read').waitFor(wait);
      expect(await reader.getByRole('link', { name: 'Requests', exact: true }).count()).toBe(0);
      await reader.close();
    });
  });

  test('the studio has them, too', async () => {
    const studio = await Studio.open(world);
    const own = await studio.enter('/requests');
    await own
      .getByRole('listbox', { name: 'Requests' })
      .or(own.getByText('No request yet'))
      .waitFor(wait);
    await studio.project.send({ path: '/rest/v1/x', headers: { 'x-request-id': 'studio-1' } });
    await own.goto(`${studio.origin}/studio/requests?q=studio-1`);
    await lines('/rest/v1/:table', own).click(wait);
    await own.getByRole('dialog').getByText('studio-1', { exact: true }).waitFor(wait);
    await own.close();
  });
});
