// Saved tests of policies: changed and deleted where they are listed, with a way back.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { expectAccessible } from './accessible.js';
import { openWithCapabilities } from './limited-operator.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const wait = { timeout: 20_000 };

describeWithBrowser('the saved tests of policies', () => {
  let world: World;
  let project: ProjectUnderTest;
  let page: Page;
  let ada: SignedIn;
  beforeAll(async () => {
    world = await openWorld();
    project = await world.deployment.createProject();
    ada = await project.signUp('ada@example.org');
    await project.sql(`
      create table notes (id int primary key, owner text);
      insert into notes values (1, '${ada.id}'), (2, 'someone');
      create policy own on notes for select using (owner = (select auth.uid()::text))`);
    await save({
      name: 'Visitors see a note',
      as: { kind: 'anon' },
      request: { kind: 'select', table: 'notes', query: 'order=id' },
      expect: { kind: 'rows', count: 1 },
    });
    page = await world.openSignedIn();
    await page.goto(address());
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const address = () => `${world.origin}/projects/${project.ref}/policies?tab=tests`;
  const path = '/api/admin/policies/tests';
  const save = (body: object) => project.asService({ method: 'POST', path, body });
  const saved = async (name: string) => {
    const { tests } = asRecord((await project.asService({ path })).body);
    const found = Array.isArray(tests) ? tests.map(asRecord) : [];
    return found.find((each) => each['name'] === name);
  };
  const button = (name: string, on = page) => on.getByRole('button', { name, exact: true });
  const drawer = () => page.getByRole('dialog');
  const run = () => button('Run all tests').click();

  test('a test gets another name, caller and expectation, and passes', async () => {
    await run();
    await page.getByText('1 of 1 test failed.').waitFor(wait);
    await button('Change Visitors see a note').click();
    await drawer().getByRole('heading', { name: 'Change Visitors see a note' }).waitFor(wait);
    await expectAccessible(page, 'a test is changed');
    await drawer().getByLabel('Name', { exact: true }).fill('Ada sees her note');
    await drawer().getByLabel('Caller', { exact: true }).selectOption('user');
    await drawer().getByText('Choose a user.').waitFor(wait);
    expect(await button('Save').isDisabled()).toBe(true);
    await drawer().getByLabel('User', { exact: true }).selectOption(ada.id);
    await drawer().getByLabel('It passes if the caller gets').selectOption('keys');
    const keys = drawer().getByRole('textbox', { name: 'Primary keys' });
    await keys.fill('[{"id": 1}]');
    await button('Save').click(wait);
    await drawer().waitFor({ state: 'detached', ...wait });
    await page.getByRole('heading', { name: 'Ada sees her note' }).waitFor(wait);
    // The outcome was that of the test before.
    expect(await page.getByText('1 of 1 test failed.').count()).toBe(0);
    await run();
    await page.getByText('The test passed.').waitFor(wait);
    expect(await saved('Ada sees her note')).toMatchObject({
      as: { kind: 'user', userId: ada.id },
      request: { kind: 'select', table: 'notes', query: 'order=id' },
      expect: { kind: 'keys', keys: [{ id: 1 }] },
    });
  });

  test('a change is taken back', async () => {
    await page.getByRole('button', { name: 'Undo' }).click(wait);
    await page.getByRole('heading', { name: 'Visitors see a note' }).waitFor(wait);
    expect(await saved('Visitors see a note')).toMatchObject({
      as: { kind: 'anon' },
      expect: { kind: 'rows', count: 1 },
    });
  });

  test('a refused change stays in the form', async () => {
    await save({
      name: 'Taken',
      as: { kind: 'anon' },
      request: { kind: 'select', table: 'notes', query: '' },
      expect: { kind: 'rows', count: 0 },
    });
    await page.reload();
    await button('Change Visitors see a note').click(wait);
    await drawer().getByLabel('Name', { exact: true }).fill('Taken');
    await button('Save').click(wait);
    await drawer().getByText('Nothing was changed.').waitFor(wait);
    expect(await drawer().getByLabel('Name', { exact: true }).inputValue()).toBe('Taken');
    await page.keyboard.press('Escape');
    await drawer().waitFor({ state: 'detached', ...wait });
  });

  test('a deleted test comes back', async () => {
    await button('Delete Taken').click(wait);
    await page.getByText('The test Taken is deleted.').first().waitFor(wait);
    await expect.poll(() => saved('Taken'), wait).toBeUndefined();
    await page.getByRole('button', { name: 'Undo' }).click();
    await button('Delete Taken').waitFor(wait);
    expect(await saved('Taken')).toMatchObject({ expect: { kind: 'rows', count: 0 } });
  });

  test('a phone shows the form, too', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await button('Change Visitors see a note').click(wait);
    await drawer().getByLabel('Rows', { exact: true }).waitFor(wait);
    await expectAccessible(page, 'a test is changed on a phone');
    await page.keyboard.press('Escape');
  });

  test('without secrets.manage, tests as a user are not offered to be changed', async () => {
    await save({
      name: 'As Ada',
      as: { kind: 'user', userId: ada.id },
      request: { kind: 'select', table: 'notes', query: '' },
      expect: { kind: 'rows', count: 1 },
    });
    const writer = await openWithCapabilities(world, project.ref, [
      'content.read',
      'content.write',
    ]);
    await writer.goto(address());
    await button('Change Taken', writer).waitFor(wait);
    await button('Delete As Ada', writer).waitFor(wait);
    expect(await button('Change As Ada', writer).count()).toBe(0);
    await writer.close();
  });
});
