// What belongs to an account: invitations, identities, organizations, API keys, second factors, and what the audit log
// keeps of a session in the name of a user.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { rowsOf } from '../http/administration.js';
import { mailedLink } from '../http/complete-project.js';
import { codeFor } from '../support/authenticator.js';
import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import type { Reply } from '../support/http.js';
import { type ProjectUnderTest, type SignedIn, userPassword } from '../support/project.js';
import { expectAccessible } from './accessible.js';
import { expectDone } from './colleagues.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describeWithBrowser('what belongs to an account', () => {
  let world: World;
  let project: ProjectUnderTest;
  let page: Page;
  let ada: SignedIn;
  beforeAll(async () => {
    world = await openWorld();
    project = await world.deployment.createProject();
    await save('auth.apiKey', { enabled: true });
    await save('auth.twoFactor', { enabled: true });
    ada = await project.signUp('ada@example.org');
    page = await world.openSignedIn(`/projects/${project.ref}/users`);
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const save = (group: string, body: object): Promise<Reply> =>
    expectDone(project.asService({ method: 'PUT', path: `/api/admin/settings/${group}`, body }));
  const asAda = (path: string, body: object): Promise<Reply> =>
    expectDone(project.as(ada, { method: 'POST', path: `/api/auth${path}`, body }));
  const signIn = async (): Promise<Record<string, unknown>> => {
    const body = { email: ada.email, password: userPassword };
    const path = '/api/auth/sign-in/email';
    return asRecord((await expectDone(project.send({ method: 'POST', path, body }))).body);
  };
  const dialog = () => page.getByRole('dialog');
  const row = (name: string) =>
    page.getByRole('table', { name: 'Users' }).getByRole('row').filter({ hasText: name });
  const go = (query: string) => page.goto(`${world.origin}/projects/${project.ref}/users${query}`);
  /** Opens a part of the details of Ada. */
  const open = async (part: string): Promise<void> => {
    await go(`?open=${ada.id}`);
    await dialog().getByRole('tab', { name: part, exact: true }).click();
    await page.waitForURL(`**part=${part.toLowerCase()}**`);
  };
  const item = (list: string, hasText: string) =>
    dialog().getByRole('list', { name: list }).getByRole('listitem').filter({ hasText });

  test('an invitation leaves as a mail, or is a link that signs the user in', async () => {
    await page.getByRole('button', { name: 'Invite' }).click();
    await dialog().getByLabel('Email address').fill('ada@example.org');
    await dialog().getByRole('button', { name: 'Send the invitation' }).click();
    await dialog().getByRole('alert').waitFor();
    await dialog().getByLabel('Email address').fill('guest@example.org');
    await dialog().getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByText('The invitation to guest@example.org is on its way.').first().waitFor();
    await row('guest@example.org').waitFor();
    await mailedLink(project, 'guest@example.org');
    await page.getByRole('button', { name: 'Invite' }).click();
    await dialog().getByLabel('Email address').fill('linked@example.org');
    await dialog().getByLabel('The invitation').selectOption('link');
    await expectAccessible(page, 'an invitation');
    await dialog().getByRole('button', { name: 'Make the link' }).click();
    const shown = dialog().getByRole('textbox', { name: 'Link', exact: true });
    const link = new URL((await shown.textContent()) ?? '');
    await dialog().getByRole('button', { name: 'I have saved it' }).click();
    await row('linked@example.org').waitFor();
    const guest = await world.browser.newPage(link.href);
    await Promise.all([
      guest.waitForResponse((response) => response.status() === 302),
      guest.getByRole('button').click(),
    ]);
    await guest.goto(`${link.origin}/api/auth/get-session`);
    await guest.getByText('linked@example.org').waitFor();
    await guest.close();
  });

  test('the identities say how a user signs in', async () => {
    await open('Identities');
    await item('Identities', 'Password').getByText('since').waitFor();
    await expectAccessible(page, 'identities');
  });

  test('a user is added to an organization, gets another role, and leaves', async () => {
    await expectDone(
      project.as(await project.signUp('owner@example.org'), {
        method: 'POST',
        path: '/api/auth/organization/create',
        body: { name: 'Readers', slug: 'readers' },
      }),
    );
    const roles = () =>
      rowsOf(
        project,
        `select role from auth.member m join auth.organization o on o.id = m."organizationId"
         where "userId" = $1 and slug = 'readers'`,
        [ada.id],
      );
    await open('Organizations');
    await dialog().getByText('The user belongs to no organization.').waitFor();
    await dialog().getByLabel('Find', { exact: true }).fill('read');
    await dialog().getByLabel('Organization', { exact: true }).selectOption('Readers');
    await dialog().getByLabel('Role', { exact: true }).selectOption('admin');
    await dialog().getByRole('button', { name: 'Add', exact: true }).click();
    await item('Organizations', 'Readers').waitFor();
    expect(await roles()).toEqual([{ role: 'admin' }]);
    await dialog().getByLabel('Role in Readers').selectOption('member');
    await expect.poll(roles, { timeout: 20_000 }).toEqual([{ role: 'member' }]);
    await expectAccessible(page, 'organizations');
    await dialog()
      .getByRole('button', { name: 'Remove the user from Readers', exact: true })
      .click();
    await dialog().getByRole('button', { name: 'Remove the user from Readers for good' }).click();
    await dialog().getByText('The user belongs to no organization.').waitFor();
    expect(await roles()).toEqual([]);
  });

  test('an API key is revoked, after a question, and opens nothing any more', async () => {
    const { key } = asRecord((await asAda('/api-key/create', { name: 'robot' })).body);
    const headers = { authorization: `Bearer ${String(key)}` };
    const session = async () =>
      (await project.send({ path: '/api/auth/get-session', headers })).text;
    expect(await session()).toContain(ada.id);
    await open('Keys');
    await item('API keys', 'robot').waitFor();
    await expectAccessible(page, 'API keys');
    expect(await page.content()).not.toContain(String(key));
    await dialog().getByRole('button', { name: 'Revoke the key robot', exact: true }).click();
    const kept = dialog().getByRole('button', { name: 'Keep', exact: true });
    await kept.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await dialog()
      .getByRole('button', { name: 'Revoke the key robot', exact: true })
      .and(page.locator(':focus'))
      .waitFor();
    expect(await session()).toContain(ada.id);
    await dialog().getByRole('button', { name: 'Revoke the key robot', exact: true }).click();
    await dialog().getByRole('button', { name: 'Revoke the key robot for good' }).click();
    await dialog().getByText('The user has no API keys.').waitFor();
    expect(await session()).not.toContain(ada.id);
  });

  test('a lost authenticator is removed, and the next sign-in needs no code', async () => {
    const enabled = await asAda('/two-factor/enable', { password: userPassword });
    const code = codeFor(String(asRecord(enabled.body)['totpURI']));
    await asAda('/two-factor/verify-totp', { code });
    expect(await signIn()).toMatchObject({ twoFactorRedirect: true });
    await open('Factors');
    await item('Second factors', 'sign-ins ask for a code').waitFor();
    await expectAccessible(page, 'second factors');
    await dialog()
      .getByRole('button', { name: 'Remove the authenticator app', exact: true })
      .click();
    await dialog().getByRole('button', { name: 'Remove the authenticator app for good' }).click();
    await dialog().getByText('The user has no second factor and no passkey.').waitFor();
    expect(await signIn()).toHaveProperty('token');
  });

  test('the audit log of the project says who acted as the user, and nothing of the token', async () => {
    await go(`?open=${ada.id}`);
    const menu = dialog().getByRole('button', { name: /^Actions on .*, here$/ });
    await menu.focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('menuitem', { name: 'Impersonate', exact: true })
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.press('Escape');
    await menu.and(page.locator(':focus')).waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Impersonate', exact: true }).click();
    await dialog().getByLabel('Ends after').selectOption('30');
    await dialog().getByRole('button', { name: 'Impersonate' }).click();
    const shown = dialog().getByRole('textbox', { name: 'Token of the session', exact: true });
    const token = (await shown.textContent()) ?? '';
    const session = async () =>
      (
        await project.send({
          path: '/api/auth/get-session',
          headers: { authorization: `Bearer ${token}` },
        })
      ).text;
    expect(await session()).toContain(ada.id);
    await dialog().getByRole('button', { name: 'End it now' }).click();
    await page
      .getByText(/^The impersonation of .* has ended\.$/)
      .first()
      .waitFor();
    expect(await session()).not.toContain(ada.id);
    await page.goto(`${world.origin}/projects/${project.ref}/audit`);
    await page.getByText('Began a session as the user').first().waitFor();
    expect(await page.content()).not.toContain(token);
  });

  test('a code for a forgotten password is handed over, and good for one new password', async () => {
    await go('?q=ada');
    await page.getByRole('button', { name: /^Actions on / }).click();
    await page.getByRole('menuitem', { name: 'Generate a link', exact: true }).click();
    await dialog().getByLabel('Kind').selectOption('recovery');
    await dialog().getByRole('button', { name: 'Generate' }).click();
    const code = await dialog().getByRole('textbox', { name: 'Code', exact: true }).textContent();
    await dialog().getByRole('button', { name: 'I have saved it' }).click();
    const body = { email: ada.email, otp: code, password: 'another good password' };
    const path = '/api/auth/email-otp/reset-password';
    await expectDone(project.send({ method: 'POST', path, body }));
    const again = { email: ada.email, password: 'another good password' };
    const signedIn = project.send({ method: 'POST', path: '/api/auth/sign-in/email', body: again });
    expect((await signedIn).status).toBe(200);
    expect((await project.send({ method: 'POST', path, body })).status).toBe(400);
  });
});
