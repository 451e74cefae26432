// The inspector as different callers: with claims, as a user, as a secret key; and what the activity says of those who
// were refused, apps among them.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { openClient, type RealtimeClient } from '../realtime/realtime-client.js';
import { describeWithBrowser } from '../support/browser.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { expectAccessible } from './accessible.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describeWithBrowser('callers of the inspector', () => {
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
      create table tasks (id int primary key, team text);
      create policy team on tasks for select using (team = (select auth.jwt() ->> 'team'));
      create policy reds on realtime.messages for select to authenticated
        using (realtime.topic() = 'reds' and (select auth.jwt() ->> 'team') = 'red')`);
    page = await world.openSignedIn(`/projects/${project.ref}/realtime`);
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    await world.close();
  });
  afterEach(() => world.expectNoFindings());

  const dialog = () => page.getByRole('dialog');
  const listener = (name: string) => page.getByRole('listitem', { name, exact: true });
  const event = (...texts: readonly string[]) =>
    texts.reduce(
      (found, hasText) => found.filter({ hasText }),
      page.getByRole('listbox', { name: 'Events' }).getByRole('option'),
    );
  const openJoin = () => page.getByRole('button', { name: /^Join (a|another) channel$/ }).click();
  const join = () => dialog().getByRole('button', { name: 'Join', exact: true }).click();
  const joined = (name: string) => listener(name).getByText('Joined', { exact: true }).waitFor();

  test('claims by hand decide which rows come, and text that is none is not sent', async () => {
    await openJoin();
    await dialog().getByLabel('As', { exact: true }).selectOption('claims');
    await dialog().getByLabel('Claims').fill('{"sub": ');
    await dialog().getByText('This is no JSON object.').waitFor();
    await expectAccessible(page, 'claims that are no JSON');
    await dialog().getByLabel('Claims').fill('{"sub": "robot", "team": "red"}');
    await dialog().getByLabel('Topic').fill('work');
    await dialog().getByLabel('tasks', { exact: true }).check();
    await join();
    await joined('work as claims of robot');
    await openJoin();
    await dialog().getByLabel('As', { exact: true }).selectOption('service');
    await dialog().getByLabel('Topic').fill('work');
    await dialog().getByLabel('tasks', { exact: true }).check();
    await join();
    await joined('work as a secret key');
    await project.sql(`insert into tasks values (1, 'blue'), (2, 'red')`);
    await event('as claims of robot', '"red"').waitFor();
    await event('as a secret key', '"blue"').waitFor();
    await event('as a secret key', '"red"').waitFor();
    expect(await event('as claims of robot', '"blue"').count()).toBe(0);
  });

  test('claims with the id of an account are refused, and say to choose the user', async () => {
    await openJoin();
    await dialog().getByLabel('As', { exact: true }).selectOption('claims');
    await dialog()
      .getByLabel('Claims')
      .fill(JSON.stringify({ sub: ada.id }));
    await dialog().getByLabel('Topic').fill('accounts');
    await join();
    const refused = listener(`accounts as claims of ${ada.id}`);
    await refused.getByText('FOREIGN_SUBJECT_REFUSED').first().waitFor();
  });

  test('a private channel lets the claims in that its policy asks for, and no user', async () => {
    const privately = async (as: string, claims?: string): Promise<void> => {
      await openJoin();
      await dialog().getByLabel('As', { exact: true }).selectOption(as);
      if (claims !== undefined) await dialog().getByLabel('Claims').fill(claims);
      if (as === 'user') {
        await dialog().getByLabel('Find a user').fill('ada@');
        await dialog().getByLabel('User', { exact: true }).selectOption({ label: ada.email });
      }
      await dialog().getByLabel('Topic').fill('reds');
      await dialog().getByLabel('Private').check();
      await join();
    };
    await privately('claims', '{"team": "red"}');
    await joined('reds as claims');
    await privately('user');
    const refused = listener(`reds as ${ada.email}`);
    await refused.getByText('CHANNEL_REFUSED').waitFor();
    await refused.getByText('The policies of realtime.messages do not allow this').waitFor();
    await expectAccessible(page, 'a refused user');
  });

  test('the activity names who was refused: an app of a user, and a listener of the console', async () => {
    const app = await openClient(project, { token: ada.token });
    clients.push(app);
    await app.ask('rt:join', { topic: 'reds', config: { private: true } }).catch(() => undefined);
    await page.getByRole('tab', { name: 'Activity' }).click();
    const refusals = page.getByRole('list', { name: 'Refusals' });
    const ofUser = refusals.getByRole('listitem').filter({ hasText: 'Joining reds' });
    await ofUser.filter({ hasText: ada.id }).filter({ hasNotText: '(console)' }).first().waitFor();
    await ofUser.filter({ hasText: '(console)' }).first().waitFor();
    await ofUser.getByText('CHANNEL_REFUSED').first().waitFor();
    await expectAccessible(page, 'refusals');
  });
});
