// Sign-in on the pages of the console: wrong and locked, the forced change of the password, the way out, and where the
// token is kept.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord, operatorEmail, operatorPassword } from '../support/deployment.js';
import { keptBy, openWorld, signIn, tokenOf, type World } from './world.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

describeWithBrowser('the sign-in', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const projects = (page: Page) => page.getByRole('heading', { name: 'Projects', level: 1 });
  const signInPage = (page: Page) => page.getByRole('heading', { name: 'Sign in', level: 1 });

  /** An operator who was reset: with a password for one sign-in. */
  async function newOperator(name: string): Promise<{ email: string; password: string }> {
    const { deployment } = world;
    const email = `${name}@rowhouse.test`;
    const list = await deployment.console({ method: 'GET', path: '/platform/organizations' });
    const [organization] = Object.values(asRecord(asRecord(list.body)['organizations']));
    const invited = await deployment.console({
      method: 'POST',
      path: '/platform/operators/invitations',
      body: { email, organizationId: asRecord(organization)['id'], role: 'viewer' },
    });
    const token = String(asRecord(invited.body)['inviteUrl']).split('#token=')[1];
    const password = 'correct horse battery';
    const accepted = await deployment.console({
      method: 'POST',
      path: '/platform/operators/invitations/accept',
      headers: { authorization: '' },
      body: { token, password, name },
    });
    const id = String(asRecord(accepted.body)['operatorId']);
    const path = `/platform/operators/${id}/reset`;
    const reset = await deployment.console({ method: 'POST', path, body: {} });
    return { email, password: String(asRecord(reset.body)['generatedPassword']) };
  }

  test('leads to the page that was asked for, with the keyboard alone', async () => {
    await world.addProject('Shop');
    const page = await world.open('/projects?status=paused');
    await page.getByLabel('Email address').waitFor();
    await page.keyboard.type(operatorEmail);
    await page.keyboard.press('Tab');
    await page.keyboard.type(operatorPassword);
    await page.keyboard.press('Enter');
    await projects(page).waitFor();
    expect(new URL(page.url()).search).toBe('?status=paused');
    await page.getByRole('button', { name: 'Paused', pressed: true }).waitFor();
  });

  test.each([
    '//evil.example/x',
    '/\\evil.example',
    'https://evil.example/',
    'javascript:window.hacked=1',
  ])('does not lead to %s', async (to) => {
    const page = await world.open(`/sign-in?to=${encodeURIComponent(to)}`);
    await signIn(page, operatorEmail, operatorPassword);
    await projects(page).waitFor();
    expect(new URL(page.url()).origin).toBe(world.origin);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  test('says a wrong password in words, with the id of the request', async () => {
    const page = await world.open('/sign-in');
    const answered = page.waitForResponse('**/platform/login');
    await signIn(page, operatorEmail, 'wrong password');
    const alert = page.getByRole('alert');
    await alert.getByText('password is wrong').waitFor();
    const { requestId } = asRecord(await (await answered).json());
    expect(await alert.textContent()).toContain(requestId);
  });

  test('says that an account is locked, and for how long', async () => {
    const page = await world.open('/sign-in');
    for (let count = 0; count < 10; count += 1) {
      const body = { email: 'locked@rowhouse.test', password: 'x' };
      await world.deployment.console({ method: 'POST', path: '/platform/login', body });
    }
    await signIn(page, 'locked@rowhouse.test', 'x');
    const alert = page.getByRole('alert');
    await alert.getByText(/locked for this account\. Try again in 1[45] minutes, at \d/).waitFor();
  });

  test('says that the server cannot be reached', async () => {
    const page = await world.open('/sign-in');
    await page.getByLabel('Email address').waitFor();
    await page.context().setOffline(true);
    await signIn(page, operatorEmail, operatorPassword);
    await page.getByRole('alert').getByText('could not be reached').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await projects(page).waitFor();
  });

  test('has a password that was given out replaced before anything else', async () => {
    const { email, password } = await newOperator('forced');
    const page = await world.open('/sign-in');
    await signIn(page, email, password);
    await page.getByRole('heading', { name: 'Choose your password' }).waitFor();
    await page.goto(`${world.origin}/projects`);
    await page.getByRole('heading', { name: 'Choose your password' }).waitFor();
    await page.getByLabel('Current password').fill(password);
    await page.getByLabel('New password', { exact: true }).fill('my own long password');
    await page.getByLabel('New password again').fill('another one');
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await page.getByRole('alert').getByText('The passwords do not match.').waitFor();
    const focused = page.evaluate<string>('document.activeElement.name');
    expect(await focused).toBe('repeated');
    await page.getByLabel('New password again').fill('my own long password');
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await projects(page).waitFor();
    const again = await world.open('/sign-in');
    await signIn(again, email, 'my own long password');
    await projects(again).waitFor();
  });

  test('keeps the token in the tab alone', async () => {
    const page = await world.openSignedIn();
    const token = await tokenOf(page);
    expect(token.length).toBeGreaterThan(20);
    const kept = await keptBy(page);
    expect(kept).toMatchObject({ local: '{}', cookies: '' });
    expect(kept.session).toContain(token);
    expect(page.url()).toBe(`${world.origin}/projects`);
    expect(await page.context().cookies()).toEqual([]);
    await page.reload();
    await projects(page).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${world.origin}/projects`);
    await signInPage(other).waitFor();
  });

  test('a sign-out ends the session on the server, and the way back shows nothing', async () => {
    const page = await world.openSignedIn();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Account and security' }).click();
    await page.getByRole('heading', { name: 'Account and security' }).waitFor();
    const token = await tokenOf(page);
    await page.getByRole('button', { name: 'Your account' }).click();
    const ended = page.waitForResponse('**/auth/sign-out');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    expect((await ended).status()).toBe(204);
    expect((await keptBy(page)).session).not.toContain('rowhouse.session');
    const call = { method: 'GET', path: '/platform/projects' };
    const headers = { authorization: `Bearer ${token}` };
    expect(await world.deployment.console({ ...call, headers })).toMatchObject({ status: 401 });
    await page.goBack();
    await signInPage(page).waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
  });

  test('a session that was ended elsewhere leads to the sign-in', async () => {
    const page = await world.openSignedIn();
    const token = await tokenOf(page);
    const headers = { authorization: `Bearer ${token}` };
    await world.deployment.console({ method: 'POST', path: '/auth/sign-out', headers });
    await page.reload();
    await page.getByText('Your session has ended.').waitFor();
    await signIn(page, operatorEmail, operatorPassword);
    await projects(page).waitFor();
  });

  test('a session that is not used ends after half an hour', async () => {
    const page = await world.openSignedIn();
    await page.clock.install();
    await page.reload();
    await projects(page).waitFor();
    await page.clock.fastForward('20:00');
    await page.keyboard.press('Shift');
    await page.clock.fastForward('20:00');
    expect(await projects(page).isVisible()).toBe(true);
    await page.clock.fastForward('11:00');
    await page.getByText('after 30 minutes without activity').waitFor();
    expect((await keptBy(page)).session).not.toContain('rowhouse.session');
  });

  test('warns two minutes before, and a click keeps the session', async () => {
    const page = await world.openSignedIn();
    await page.clock.install();
    await page.reload();
    await projects(page).waitFor();
    const warning = page.getByRole('alertdialog', { name: 'You will be signed out in 2 minutes.' });
    await page.clock.fastForward('28:05');
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await warning.waitFor({ state: 'detached' });
    await page.clock.fastForward('27:00');
    expect(await projects(page).isVisible()).toBe(true);
    await page.clock.fastForward('01:05');
    await warning.waitFor();
    await page.clock.fastForward('02:00');
    await page.getByText('after 30 minutes without activity').waitFor();
  });

  test('a session that was idle before the page is loaded ends on the server too', async () => {
    const page = await world.openSignedIn();
    const token = await tokenOf(page);
    await page.evaluate(`sessionStorage.setItem('rowhouse.used', String(Date.now() - 31 * 60_000));
      sessionStorage.setItem('rowhouse.invitation', 'of the operator who has left')`);
    const ended = page.waitForResponse('**/auth/sign-out');
    await page.reload();
    await page.getByText('after 30 minutes without activity').waitFor();
    expect((await ended).status()).toBe(204);
    expect((await keptBy(page)).session).not.toContain('invitation');
    const headers = { authorization: `Bearer ${token}` };
    const path = '/platform/projects';
    const reply = await world.deployment.console({ method: 'GET', path, headers });
    expect(reply.status).toBe(401);
  });

  test('an answer that comes after a sign-out starts no session', async () => {
    const { email, password } = await newOperator('late');
    const page = await world.open('/sign-in');
    await signIn(page, email, password);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/platform/password', async (route) => {
      const response = await route.fetch();
      await released;
      await route.fulfill({ response });
    });
    await page.getByLabel('New password', { exact: true }).fill('my own long password');
    await page.getByLabel('New password again').fill('my own long password');
    const save = page.getByRole('button', { name: 'Save and continue' });
    await save.press('Enter');
    await page.locator('[aria-busy=true]').waitFor();
    // It is busy, and keeps the focus.
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe(
      'Save and continue',
    );
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    const answered = page.waitForResponse('**/platform/password');
    release();
    await answered;
    await page.getByText('You are signed out.').waitFor();
    expect((await keptBy(page)).session).not.toContain('rowhouse.session');
  });

  test('an answer that is not of the console is said in words', async () => {
    const page = await world.openSignedIn();
    await page.route('**/platform/projects?*', (route) =>
      route.fulfill({ status: 401, contentType: 'text/html', body: '<h1>A proxy</h1>' }),
    );
    await page.reload();
    await page.getByRole('alert').getByText('The server answered with status 401.').waitFor();
    await page.unrouteAll();
    await page.route('**/platform/projects?*', (route) =>
      route.fulfill({ contentType: 'application/json', body: '<h1>A proxy</h1>' }),
    );
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The console received an answer that it cannot read.').waitFor();
  });
});
