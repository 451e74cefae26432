// How administrators come into the studio of their project, and how it ends: second factor, refusals, lock-out, idle
// time, a session that ends elsewhere, a paused project.
import type { Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { rowsOf } from '../http/administration.js';
import { describeWithBrowser } from '../support/browser.js';
import { codeAfter, codeFor } from '../support/authenticator.js';
import { asRecord } from '../support/deployment.js';
import { adminEmail, adminPassword, Studio } from './studio-world.js';
import { keptBy, openWorld, signIn, tokenOf, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describeWithBrowser('the sign-in at a studio', () => {
  let world: World;
  let studio: Studio;
  let other: Studio;
  beforeAll(async () => {
    world = await openWorld();
    [studio, other] = [await Studio.open(world), await Studio.open(world)];
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const home = (page: Page) => page.getByRole('heading', { name: /^Test /, level: 1 });
  const atSignIn = (page: Page) => page.getByRole('heading', { name: 'Sign in', level: 1 });
  const signOut = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  const sessions = () => rowsOf(studio.project, 'select id from auth.session order by id');

  test('leads to the page that was asked for, and back to the sign-in', async () => {
    const page = await studio.visit('/users?q=ada');
    await atSignIn(page).waitFor();
    await page.getByText(`To the studio of ${new URL(studio.origin).host}.`).waitFor();
    expect(await page.getByText('operator reset').count()).toBe(0);
    await signIn(page, adminEmail, adminPassword);
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    expect(page.url()).toBe(`${studio.origin}/studio/users?q=ada`);
    await signOut(page);
    await page.getByText('You are signed out.').waitFor();
    expect(await page.content()).not.toContain('Ada');
  });

  test('keeps the token in the tab, and sends it to the host of the project alone', async () => {
    const page = await studio.visit();
    const sent: Request[] = [];
    page.context().on('request', (request) => sent.push(request));
    await signIn(page, adminEmail, adminPassword);
    await home(page).waitFor();
    const token = await tokenOf(page);
    const kept = await keptBy(page);
    expect(kept.cookies).toBe('');
    expect(kept.local).not.toContain(token);
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    expect(sent.length).toBeGreaterThan(5);
    expect(sent.filter((request) => new URL(request.url()).origin !== studio.origin)).toEqual([]);
    expect(sent.filter((request) => request.url().includes(token))).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
  });

  test.each([
    { name: 'a wrong password', email: adminEmail, password: 'wrong', text: /password/i },
    { name: 'an unknown address', email: 'no@example.org', password: 'wrong', text: /password/i },
  ])('refuses $name in words', async ({ email, password, text }) => {
    const page = await studio.visit();
    await signIn(page, email, password);
    await page.getByRole('alert').getByText(text).waitFor();
    await page.getByRole('alert').getByText('Request').waitFor();
  });

  test('refuses a user who is no administrator in plain words, and leaves no session', async () => {
    const email = 'user@example.org';
    const path = '/api/admin/users';
    await studio.ask({ method: 'POST', path, body: { email, password: adminPassword } });
    const before = await sessions();
    const page = await studio.visit();
    await signIn(page, email, adminPassword);
    await page
      .getByRole('alert')
      .getByText('This account is not an administrator of the project.')
      .waitFor();
    expect((await keptBy(page)).session).not.toContain('token');
    expect(await sessions()).toEqual(before);
  });

  test('does not let the administrator of another project in', async () => {
    const page = await studio.enter();
    await home(page).waitFor();
    const stored = await page.evaluate<string>(`sessionStorage.getItem('rowhouse.session')`);
    const foreign = await other.visit();
    // The same address and password are another account there; the token is none.
    await atSignIn(foreign).waitFor();
    await foreign.evaluate(`sessionStorage.setItem('rowhouse.session', '${stored}')`);
    await foreign.goto(`${other.origin}/studio/users`);
    await foreign.getByText('Your session has ended. Sign in again.').waitFor();
    expect(await foreign.content()).not.toContain(adminEmail);
  });

  test('asks for the second factor that was set up here', async () => {
    const path = '/api/admin/settings/auth.twoFactor';
    const page = await studio.enter('/account');
    await page.getByRole('button', { name: 'Set up the second factor' }).click();
    await page.getByLabel('Your password').fill(adminPassword);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').getByText('Turn it on in the settings').waitFor();
    await studio.ask({ method: 'PUT', path, body: { enabled: true } });
    await page.getByRole('button', { name: 'Continue' }).click();
    const dialog = page.getByRole('dialog');
    const key = dialog.getByRole('textbox', { name: 'Or type this key' });
    await key.waitFor();
    const uri = `otpauth://totp/studio?secret=${(await key.textContent()) ?? ''}`;
    const codes = await dialog
      .getByRole('list', { name: 'Backup codes' })
      .locator('li')
      .allTextContents();
    await dialog.getByLabel('Authenticator code').fill(codeFor(uri));
    await dialog.getByLabel('I have saved the backup codes').check();
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    // The sign-ins lead back here.
    const isOn = page.getByText('It is on.', { exact: true });
    await isOn.waitFor();
    await signOut(page);

    await signIn(page, adminEmail, adminPassword);
    await page.getByLabel('Authenticator code').fill('000000');
    expect(await page.getByLabel('Trust this device').count()).toBe(0);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Authenticator code').fill(codeAfter(uri, 1));
    await page.getByRole('button', { name: 'Continue' }).click();
    await isOn.waitFor();
    await signOut(page);

    await signIn(page, adminEmail, adminPassword);
    await page.getByRole('button', { name: 'Use a backup code' }).click();
    await page.getByLabel('Backup code').fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Continue' }).click();
    await isOn.waitFor();
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByLabel('Your password').fill(adminPassword);
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Set up the second factor' }).waitFor();
    await studio.ask({ method: 'DELETE', path });
  });

  test('says when a sign-in is locked, and for how long', async () => {
    await studio.limitSignIns(2);
    const page = await studio.visit();
    for (let tries = 0; tries < 3; tries += 1) {
      const answered = page.waitForResponse('**/auth/login');
      await signIn(page, 'locked@example.org', 'wrong');
      await answered;
    }
    await page.getByRole('alert').getByText('Try again in').waitFor();
    await studio.limitSignIns(1_000);
  });

  test('asks for the publishable key where the project takes no request without one', async () => {
    const path = '/api/admin/settings/security.keys';
    await studio.ask({ method: 'PUT', path, body: { enforced: true } });
    const page = await studio.enter('/users');
    await page.getByRole('alert').getByText('takes no request without a key').waitFor();
    const key = page.getByLabel('Publishable key');
    await key.fill(studio.project.secretKey);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    expect(await page.locator('input:invalid').getAttribute('name')).toBe('project-key');
    await key.fill(studio.project.publishableKey);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    await page.getByText(adminEmail).first().waitFor();
    await page.reload();
    await page.getByText(adminEmail).first().waitFor();
    const ended = page.waitForResponse('**/api/auth/sign-out');
    await signOut(page);
    expect((await ended).status()).toBe(200);
    await studio.ask({ method: 'DELETE', path });
  });

  test('is needed again after idle time, and leads back', async () => {
    const page = await studio.visit('/users');
    await page.clock.install();
    await signIn(page, adminEmail, adminPassword);
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    const token = await tokenOf(page);
    const ended = page.waitForResponse('**/api/auth/sign-out');
    await page.clock.fastForward('31:00');
    await page.getByText('You were signed out after 30 minutes').waitFor();
    expect((await ended).status()).toBe(200);
    const headers = { authorization: `Bearer ${token}` };
    expect((await studio.project.send({ path: '/admin/session', headers })).status).toBe(401);
    await signIn(page, adminEmail, adminPassword);
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
  });

  test('is needed again when the session ends elsewhere, and an administrator is demoted', async () => {
    const page = await studio.enter('/users');
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    const path = `/api/admin/users/${studio.adminId}`;
    await studio.ask({ method: 'DELETE', path: `${path}/sessions` });
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByText('Your session has ended. Sign in again.').waitFor();
    await signIn(page, adminEmail, adminPassword);
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();

    const second = { email: 'second@example.org', password: adminPassword, role: 'ADMIN' };
    const made = await studio.ask({ method: 'POST', path: '/api/admin/users', body: second });
    const id = String(asRecord(asRecord(made.body)['user'])['id']);
    const demoted = await studio.visit();
    await signIn(demoted, second.email, adminPassword);
    await home(demoted).waitFor();
    await studio.ask({ method: 'POST', path: `/api/admin/users/${id}/demote`, body: {} });
    await demoted.getByRole('link', { name: 'Users' }).click();
    await demoted.getByRole('alert').first().waitFor();
    expect(await demoted.content()).not.toContain('user@example.org');
  });

  test('says that a project is paused, at the sign-in and during work', async () => {
    const page = await other.enter('/users');
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    const { ref } = other.project;
    const turn = (action: 'pause' | 'resume') =>
      world.deployment.console({ method: 'POST', path: `/platform/projects/${ref}/${action}` });
    await turn('pause');
    await page.getByRole('link', { name: 'SQL' }).click();
    await page.goto(`${other.origin}/studio/users`);
    await page.getByText('This project is paused.').first().waitFor();
    const visitor = await other.enter();
    await visitor.getByRole('alert').getByText('This project is paused.').waitFor();
    await turn('resume');
    await signIn(visitor, adminEmail, adminPassword);
    await home(visitor).waitFor();
  });
});
