// The page behind the link of an invitation.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord, operatorEmail, operatorPassword } from '../support/deployment.js';
import { keptBy, openWorld, signIn, type World } from './world.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

const password = 'a good long password';

describeWithBrowser('an invitation', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  /** The path of the link of a new invitation, with its fragment. */
  async function linkFor(email: string): Promise<string> {
    const { deployment } = world;
    const body = { name: `Org of ${email}` };
    const made = await deployment.console({
      method: 'POST',
      path: '/platform/organizations',
      body,
    });
    const invited = await deployment.console({
      method: 'POST',
      path: '/platform/operators/invitations',
      body: { email, organizationId: asRecord(made.body)['id'], role: 'viewer' },
    });
    const { pathname, hash } = new URL(String(asRecord(invited.body)['inviteUrl']));
    return pathname + hash;
  }
  const projects = (page: Page) => page.getByRole('heading', { name: 'Projects', level: 1 });
  const accept = (page: Page) => page.getByRole('button', { name: 'Accept the invitation' });

  test('is accepted with a name and a password, which sign in at once', async () => {
    const page = await world.open(await linkFor('new@rowhouse.test'));
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Password').fill(password);
    await accept(page).click();
    await projects(page).waitFor();
    await page.getByText('You cannot create projects.').waitFor();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByText('new@rowhouse.test').waitFor();
  });

  test('leaves the address and the history at once, and survives a reload', async () => {
    const page = await world.open(await linkFor('reload@rowhouse.test'));
    await page.getByLabel('Name').waitFor();
    expect(page.url()).toBe(`${world.origin}/invitation`);
    await page.reload();
    await page.getByLabel('Password').fill(password);
    await accept(page).click();
    await projects(page).waitFor();
    expect((await keptBy(page)).session).not.toContain('invitation');
  });

  test('of an operator is accepted after a sign-in, and a wrong password is said', async () => {
    const email = 'here@rowhouse.test';
    const token = (await linkFor(email)).split('#token=')[1];
    const call = { method: 'POST', path: '/platform/operators/invitations/accept' };
    const headers = { authorization: '' };
    await world.deployment.console({ ...call, headers, body: { token, password } });
    const page = await world.open(await linkFor(email));
    await page.getByLabel('Password').fill(password);
    await accept(page).click();
    await page.getByText('An account with this address already exists').waitFor();
    await page.getByRole('button', { name: 'I have an account here' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await signIn(page, email, 'wrong password');
    await page.getByRole('alert').waitFor();
    await signIn(page, email, password);
    await page.getByText(`You are signed in as ${email}`).waitFor();
    await accept(page).click();
    await projects(page).waitFor();
  });

  test('for another person is refused to the operator who is signed in', async () => {
    const path = await linkFor('other@rowhouse.test');
    const page = await world.openSignedIn();
    await page.goto(world.origin + path);
    await accept(page).click();
    await page.getByRole('alert').waitFor();
  });

  test('is kept for another account, and forgotten with a session', async () => {
    const path = await linkFor('second@rowhouse.test');
    const page = await world.openSignedIn();
    await page.goto(world.origin + path);
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    expect((await keptBy(page)).session).toContain('rowhouse.invitation');
    await signIn(page, operatorEmail, operatorPassword);
    await accept(page).waitFor();
    await page.goto(`${world.origin}/projects`);
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    expect((await keptBy(page)).session).not.toContain('rowhouse.invitation');
  });

  test('that is accepted without a sign-in leads to the sign-in', async () => {
    const page = await world.open(await linkFor('ready@rowhouse.test'));
    await page.route('**/platform/login', (route) => route.fulfill({ status: 503, json: {} }));
    await page.getByLabel('Password').fill(password);
    await accept(page).click();
    await page.getByText('Your account is ready. Sign in.').waitFor();
    await page.unrouteAll();
    await signIn(page, 'ready@rowhouse.test', password);
    await projects(page).waitFor();
  });

  test.each(['/invitation', '/invitation#token='])('%s is said to be incomplete', async (path) => {
    const page = await world.open(path);
    await page.getByRole('heading', { name: 'The link is not complete' }).waitFor();
  });

  test('that does not exist is said to be invalid', async () => {
    const page = await world.open('/invitation#token=unknown');
    await page.getByLabel('Password').fill(password);
    await accept(page).click();
    await page.getByRole('alert').getByText('Request').waitFor();
  });
});
