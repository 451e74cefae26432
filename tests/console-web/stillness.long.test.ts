// While a screen loads, nothing on it moves, and no request waits for another one that it does not need.
import { readFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { leastShift, type Opening } from '../console-screens/figures-report.js';
import { describeWithBrowser } from '../support/browser.js';
import { holdAnswers } from './hold-answers.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describeWithBrowser('a screen that loads', () => {
  let world: World;
  let page: Page;
  let ref: string;
  beforeAll(async () => {
    world = await openWorld();
    ref = await world.addProject('Bookshop');
    const path = `/platform/projects/${ref}/api/admin/users`;
    const body = { email: 'ada@example.org', name: 'Ada' };
    expect((await world.deployment.console({ method: 'POST', path, body })).status).toBe(201);
    const probe = await readFile(new URL('../console-screens/page-probe.js', import.meta.url));
    const viewport = { width: 1440, height: 900 };
    page = await world.openSignedIn('/projects', { viewport });
    await page.addInitScript(String(probe));
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const evaluate = <Value>(call: string, ...given: readonly unknown[]) =>
    page.evaluate<Value>(
      `probe.${call}(${given.map((value) => JSON.stringify(value)).join(', ')})`,
    );
  const inProject = (name: string) => ({
    selector: 'nav[aria-label="Screens of the project"] a',
    name,
  });

  test.each([
    {
      name: 'the list of projects',
      from: '',
      fromReady: 'The database answers',
      target: { selector: 'nav[aria-label="Way back"] a', name: 'Projects' },
      ready: 'Last request',
    },
    {
      name: 'the home of a project',
      from: '/users',
      fromReady: 'ada@example.org',
      target: inProject('Home'),
      ready: 'The database answers',
    },
    {
      name: 'the settings',
      from: '',
      fromReady: 'The database answers',
      target: inProject('Settings'),
      ready: 'Change who may sign up',
    },
    {
      name: 'the keys',
      from: '',
      fromReady: 'The database answers',
      target: inProject('Keys'),
      ready: 'Signing keys',
    },
    {
      name: 'the domains',
      from: '',
      fromReady: 'The database answers',
      target: inProject('Domains'),
      ready: 'Origins (CORS)',
    },
    {
      name: 'the account',
      from: '',
      fromReady: 'The database answers',
      menu: 'Your account',
      target: { selector: '[role=menuitem]', name: 'Account and security' },
      ready: 'This session',
    },
    {
      name: 'the details of a user',
      from: '/users',
      fromReady: 'ada@example.org',
      target: { selector: '[role=table] button', name: 'Ada' },
      ready: 'Identities',
    },
  ])('no part of $name moves during loading', async ({ from, fromReady, menu, target, ready }) => {
    await page.goto(`${world.origin}/projects/${ref}${from}`);
    await evaluate('ready', fromReady);
    await evaluate('settled');
    if (menu !== undefined) {
      await page.getByRole('button', { name: menu }).click();
      await page.getByRole('menuitem', { name: target.name }).waitFor();
    }
    const { shift, shifted } = await evaluate<Opening>('click', target, ready);
    // Browsers do not name each element that has moved.
    expect(shift < leastShift ? [] : [shift, ...shifted]).toEqual([]);
  });

  test('the settings ask for all that they show at once', async () => {
    const { held, release } = holdAnswers();
    await page.route('**/api/admin/settings', async (route) => {
      await held;
      await route.continue();
    });
    await Promise.all([
      page.waitForRequest('**/api/admin/auth/status'),
      page.waitForRequest('**/api/admin/settings/auth.signup/sources'),
      page.goto(`${world.origin}/projects/${ref}/settings`),
    ]);
    release();
    await page.getByRole('link', { name: 'Change who may sign up' }).waitFor();
    await page.unrouteAll();
  });

  test('the list of users has the code of their details before one is opened', async () => {
    await page.goto(`${world.origin}/projects/${ref}/users`);
    await page.getByRole('button', { name: 'Ada', exact: true }).waitFor();
    const loaded = () =>
      page.evaluate<string>(
        `performance.getEntriesByType('resource').map(({ name }) => name).join(' ')`,
      );
    for (const file of [/user-drawer-/, /metadata-field-/, /code-editor-/])
      await expect.poll(loaded, { timeout: 20_000 }).toMatch(file);
  });

  test('the details of a user that an address opens', async () => {
    await page.goto(`${world.origin}/projects/${ref}/users`);
    await page.getByRole('button', { name: 'Ada', exact: true }).click();
    await page.waitForURL('**open=*');
    await evaluate('ready', 'Identities');
    // The list is not there yet: the drawer has the place of each field before it knows the user.
    const { held, release } = holdAnswers();
    await page.route(/\/api\/admin\/users[/?]/, async (route) => {
      await held;
      await route.continue();
    });
    await page.reload();
    const loading = page.getByRole('group', { name: 'Loading the user', exact: true });
    await loading.getByText('Email address').waitFor();
    const placeOf = async () => {
      const box = await page.getByRole('dialog').getByText('user_metadata').first().boundingBox();
      return Math.round(box?.y ?? Number.NaN);
    };
    const before = await placeOf();
    release();
    await page.getByRole('dialog').getByLabel('Email address').waitFor();
    await evaluate('settled');
    expect(Math.abs((await placeOf()) - before)).toBeLessThanOrEqual(4);
    await page.unrouteAll();
  });
});
