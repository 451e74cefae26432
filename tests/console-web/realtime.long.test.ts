// The channels of a project: an operator joins them as other callers, and sees who receives what and why not.
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { waitFor } from '#libs/testing';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { openClient, type RealtimeClient } from '../realtime/realtime-client.js';
import { expectAccessible } from './accessible.js';
import { openWorld, signIn, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const password = 'a long password of an operator';

describeWithBrowser('the channels of a project', () => {
  let world: World;
  let project: ProjectUnderTest;
  let page: Page;
  let ada: SignedIn;
  const clients: RealtimeClient[] = [];
  beforeAll(async () => {
    world = await openWorld();
    project = await world.deployment.createProject();
    ada = await project.signUp('ada@example.org');
    await project.sql(`
      create table planets (name text primary key, owner text);
      create policy own on planets for select
        using (owner is null or owner = (select auth.uid()::text))`);
    page = await world.openSignedIn(`/projects/${project.ref}/realtime`);
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    await world.close();
  });
  afterEach(() => world.expectNoFindings());

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const listener = (name: string) => page.getByRole('listitem', { name, exact: true });
  const tab = (name: string) => page.getByRole('tab', { name });
  const log = () => page.getByRole('listbox', { name: 'Events' });
  const event = (...texts: readonly string[]) =>
    texts.reduce((found, hasText) => found.filter({ hasText }), log().getByRole('option'));
  const admin = (method: string, path: string, body?: object, token?: string): Promise<Reply> =>
    world.deployment.console({
      method,
      path: `/platform/projects/${project.ref}/api/admin/realtime${path}`,
      ...(body && { body }),
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    });
  const client = async (topic: string, key: string): Promise<RealtimeClient> => {
    const opened = await openClient(project);
    clients.push(opened);
    await opened.ask('rt:join', { topic, config: { presence: { key } } });
    return opened;
  };

  interface Join {
    readonly as?: string;
    readonly topic: string;
    readonly table?: string;
    readonly isPrivate?: boolean;
  }

  /** Joins through the dialog; `as` is the address of a user. */
  const join = async ({ as, topic, table, isPrivate = false }: Join): Promise<void> => {
    await button(/^Join (a|another) channel$/).click();
    if (as !== undefined) {
      await dialog().getByLabel('As', { exact: true }).selectOption('user');
      await dialog().getByLabel('User', { exact: true }).selectOption({ label: as });
    }
    await dialog().getByLabel('Topic').fill(topic);
    if (isPrivate) await dialog().getByLabel('Private').check();
    if (table !== undefined) await dialog().getByLabel(table, { exact: true }).check();
    await dialog().getByRole('button', { name: 'Join', exact: true }).click();
  };

  /** Waits until an element is within the window as a whole. */
  const expectInSight = (element: Locator): Promise<unknown> =>
    waitFor(async () => {
      const { height = 0 } = page.viewportSize() ?? {};
      const box = await element.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= height;
    });

  test('without a listener, the page says what the inspector does', async () => {
    await page.getByRole('heading', { name: 'Realtime', level: 1 }).waitFor();
    await page.getByText('No listener yet').waitFor();
    await expectAccessible(page, 'the empty inspector');
  });

  test('each listener sees the changes that its caller may see, with their latency', async () => {
    await join({ topic: 'space', table: 'planets' });
    await listener('space as a visitor').getByText('Joined', { exact: true }).waitFor();
    const silence = listener('space as a visitor').getByText('Nothing received yet');
    await silence.waitFor();
    await join({ topic: 'space', table: 'planets', as: 'ada@example.org' });
    await listener('space as ada@example.org').getByText('Joined', { exact: true }).waitFor();
    await project.sql(`insert into planets values ('Mars', '${ada.id}')`);
    await project.sql(`insert into planets values ('Earth', null)`);
    await event('as a visitor', 'Earth')
      .getByText(/\d ms$/)
      .waitFor();
    await event('as ada@example.org', 'Earth').waitFor();
    await event('as ada@example.org', 'Mars').waitFor();
    expect(await event('as a visitor', 'Mars').count()).toBe(0);
    await event('as ada@example.org', 'Mars').click();
    const details = page.getByRole('region', { name: 'Details of the event' });
    await details.getByText('INSERT planets').first().waitFor();
    await silence.waitFor({ state: 'detached' });
    await expectInSight(details);
    await details.getByText(/Written .*, sent after \d+ ms, arrived \d+ ms later/).waitFor();
    await expectAccessible(page, 'the inspector');
    await page.setViewportSize({ width: 360, height: 800 });
    await expectAccessible(page, 'the inspector on a phone');
    await log().focus();
    await page.keyboard.press('End');
    await expectInSight(details);
    await event('as ada@example.org', 'Mars').click();
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test('messages and presence are shown, and sent as a listener', async () => {
    const friend = await client('space', 'friend');
    await friend.ask('rt:track', { topic: 'space', payload: { name: 'Friend' } });
    await listener('space as a visitor').getByText('friend').waitFor();
    await friend.ask('rt:send', { topic: 'space', event: 'moved', payload: { x: 3 } });
    await event('as a visitor', 'moved', '{"x":3}').waitFor();
    await button('Send a message to space as a visitor').click();
    await dialog().getByLabel('Event').fill('greeting');
    await dialog().getByLabel('Payload').fill('{"text": "from the console"}');
    await dialog().getByRole('button', { name: 'Send', exact: true }).click();
    await waitFor(() => JSON.stringify(friend.frames('rt:msg')).includes('from the console'));
    await event('as ada@example.org', 'greeting', 'from the console').waitFor();
    await button('Be present in space as ada@example.org').click();
    await dialog().getByLabel('Payload').fill('{"name": "Ada of the console"}');
    await dialog().getByRole('button', { name: 'Be present' }).click();
    await waitFor(() => JSON.stringify(friend.frames('rt:presence')).includes('of the console'));
    await listener('space as a visitor').getByText('2 present').waitFor();
    await button('Be absent in space as ada@example.org').click();
    await listener('space as a visitor').getByText('1 present').waitFor();
    const last = () => JSON.stringify(friend.frames('rt:presence').at(-1));
    await waitFor(() => !last().includes('of the console'));
  });

  test('the log is filtered, held, saved and cleared', async () => {
    await page.getByLabel('Find in the log').fill('mars');
    await page.waitForURL('**q=mars**');
    await page.getByText(/^1 event of /).waitFor();
    const saved = page.waitForEvent('download');
    await button('Export as JSON').click();
    expect((await saved).suggestedFilename()).toBe(`realtime-of-${project.ref}.json`);
    await page.getByLabel('Find in the log').fill('');
    await page.getByLabel('Show', { exact: true }).selectOption('message');
    await page.waitForURL('**kind=message**');
    await event('INSERT').first().waitFor({ state: 'detached' });
    await page.getByLabel('Show', { exact: true }).selectOption('');
    await button('Pause').click();
    await project.sql(`insert into planets values ('Venus', null)`);
    await button(/^Resume \(\d+ new\)$/).click();
    await event('as a visitor', 'Venus').waitFor();
    await log().focus();
    await page.keyboard.press('Home');
    await page.getByRole('region', { name: 'Details of the event' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Details of the event' }).waitFor({ state: 'detached' });
    await button('Clear').click();
    await page.getByText('Nothing was received yet').waitFor();
  });

  test('a refusal is shown with its reason, to the operator and in the activity', async () => {
    await join({ topic: 'secret', isPrivate: true });
    const refused = listener('secret as a visitor');
    await refused.getByText('CHANNEL_REFUSED').waitFor();
    await refused.getByText('The policies of realtime.messages do not allow this').waitFor();
    await event('CHANNEL_REFUSED', 'secret').waitFor();
    await project.sql(`create policy receive on realtime.messages for select to anon
      using (realtime.topic() = 'secret')`);
    await button('Join again: secret as a visitor').click();
    await refused.getByText('Joined', { exact: true }).waitFor();
    await button('Send a message to secret as a visitor').click();
    await dialog().getByRole('button', { name: 'Send', exact: true }).click();
    await dialog().getByText('The policies of realtime.messages do not allow this').waitFor();
    await dialog().getByText('Request').waitFor();
    await page.keyboard.press('Escape');
    await project.sql('drop policy receive on realtime.messages');
    await refused.getByText('Ended').waitFor();
    await tab('Activity').click();
    const refusals = page.getByRole('list', { name: 'Refusals' });
    await refusals.getByText('Joining secret').waitFor();
    await refusals.getByText('Sending to secret').waitFor();
    await refusals.getByText('Channel secret ended').waitFor();
    await page.getByRole('list', { name: 'Topics' }).getByText('space').waitFor();
    await expectAccessible(page, 'the activity');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, 'the activity in the dark theme');
    await tab('Inspector').click();
    await listener('space as a visitor').getByText('Joined', { exact: true }).waitFor();
    await expectAccessible(page, 'the inspector in the dark theme');
    await button('Leave secret as a visitor').click();
    await refused.waitFor({ state: 'detached' });
  });

  test('a table is switched off and on again', async () => {
    await tab('Tables').click();
    const planets = page.getByRole('switch', { name: 'Announce changes of planets' });
    await planets.waitFor();
    await expectAccessible(page, 'the tables');
    await planets.uncheck();
    await page.getByText('planets announces nothing any more.').first().waitFor();
    const isOn = async () => (await admin('GET', '/tables')).body;
    expect(await isOn()).toContainEqual({ table: 'planets', enabled: false });
    await button('Undo').click();
    await page.getByText('planets announces its changes.').first().waitFor();
    expect(await isOn()).toContainEqual({ table: 'planets', enabled: true });
  });

  /** Makes an operator and signs it in on a page of its own. */
  const operator = async (email: string, grant: object, ref = project.ref): Promise<Page> => {
    const { deployment } = world;
    const list = await deployment.console({ method: 'GET', path: '/platform/organizations' });
    const [organization] = Object.values(asRecord(asRecord(list.body)['organizations']));
    const organizationId = asRecord(organization)['id'];
    const path = '/platform/operators/invitations';
    const body = { email, organizationId, projectRef: ref, ...grant };
    const invited = await deployment.console({ method: 'POST', path, body });
    const token = String(asRecord(invited.body)['inviteUrl']).split('#token=')[1];
    const accept = { method: 'POST', path: `${path}/accept`, headers: { authorization: '' } };
    await deployment.console({ ...accept, body: { token, password } });
    const opened = await world.open('/sign-in');
    await signIn(opened, email, password);
    await opened.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await opened.goto(`${world.origin}/projects/${project.ref}/realtime`);
    return opened;
  };
  const tokenOf = (of: Page): Promise<string> =>
    of.evaluate<string>(`JSON.parse(sessionStorage.getItem('rowhouse.session')).token`);
  const inspection = { listeners: [{ as: { role: 'anon' }, join: { topic: 'x' } }], seconds: 1 };
  const statuses = async (token: string): Promise<readonly number[]> => [
    (await admin('GET', '/stats', undefined, token)).status,
    (await admin('GET', '/refusals', undefined, token)).status,
    (await admin('PUT', '/tables/planets', { enabled: true }, token)).status,
    (await admin('POST', '/inspect', inspection, token)).status,
    (await admin('POST', '/send', { as: { role: 'anon' }, topic: 'x', event: 'e' }, token)).status,
  ];

  test('what an operator may not do is not offered, and refused', async () => {
    const support = await operator('support@rowhouse.test', { role: 'support' });
    await support.getByText('Realtime is shown to operators who may manage settings').waitFor();
    expect(await support.getByRole('link', { name: 'Realtime' }).count()).toBe(0);
    expect(await statuses(await tokenOf(support))).toEqual([403, 403, 403, 403, 403]);

    const capabilities = ['content.read', 'settings.manage'];
    const keeper = await operator('keeper@rowhouse.test', { role: 'custom', capabilities });
    await keeper.getByRole('tab', { name: 'Activity' }).waitFor();
    await keeper.getByRole('list', { name: 'Topics' }).waitFor();
    expect(await keeper.getByRole('tab', { name: 'Inspector' }).count()).toBe(0);
    expect(await statuses(await tokenOf(keeper))).toEqual([200, 200, 200, 403, 403]);
  });

  test('an operator of another project reaches nothing', async () => {
    const other = await world.addProject('Other');
    const neighbor = await operator('neighbor@rowhouse.test', { role: 'developer' }, other);
    await neighbor.getByRole('alert').waitFor();
    expect(await neighbor.getByRole('tab', { name: 'Inspector' }).count()).toBe(0);
    const found = await statuses(await tokenOf(neighbor));
    expect(
      found.every((status) => status === 403 || status === 404),
      found.join(),
    ).toBe(true);
  });
});
