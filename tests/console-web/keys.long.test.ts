// The keys of a project: how operators make, rotate and revoke them, and what each of that does.
import pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord, operatorPassword } from '../support/deployment.js';
import { type Reply, send } from '../support/http.js';
import { expectAccessible } from './accessible.js';
import { openWorld, signIn, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

interface Key {
  readonly id: string;
  readonly kind: string;
  readonly hint: string;
  readonly expiresAt: string | null;
}

describeWithBrowser('the keys of a project', () => {
  let world: World;
  let page: Page;
  let ref: string;
  beforeAll(async () => {
    world = await openWorld();
    ref = await world.addProject('Bookshop');
    const permissions = ['clipboard-read', 'clipboard-write'];
    page = await world.openSignedIn(`/projects/${ref}/keys`, { permissions });
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const dialog = () => page.getByRole('dialog').or(page.getByRole('alertdialog'));
  const panel = (name: string) => page.getByRole('region', { name, exact: true });
  const go = () => page.goto(`${world.origin}/projects/${ref}/keys`);
  const listed = async (kind = 'secret'): Promise<readonly Key[]> => {
    const path = `/platform/projects/${ref}/keys`;
    const { keys } = asRecord((await world.deployment.console({ path })).body);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer of the route as it is described
    return (keys as Key[]).filter((key) => key.kind === kind);
  };
  const withKey = (key: string): Promise<Reply> =>
    send(world.deployment.apiOrigin, {
      path: '/api/admin/settings',
      headers: { host: `${ref}.localhost`, apikey: key },
    });
  /** Types the password and presses the button that makes the key; returns its text. */
  const make = async (action: string, label: string): Promise<string> => {
    await dialog().getByLabel('Your password').fill(operatorPassword);
    await dialog().getByRole('button', { name: action }).click();
    const field = dialog().getByRole('textbox', { name: label, exact: true });
    return (await field.textContent()) ?? '';
  };

  test('are shown by their last characters, and the only one without an end has no way to revoke it', async () => {
    const [secret] = await listed();
    const row = panel('Secret keys').getByRole('listitem');
    await row.getByText(`svc_secret_…${secret?.hint ?? ''}`).waitFor();
    await row.getByText('the only key without an end').waitFor();
    expect(await row.count()).toBe(1);
    expect(
      await panel('Secret keys')
        .getByRole('button', { name: /Revoke/ })
        .count(),
    ).toBe(0);
    await panel('Publishable keys').getByText('Requests without a key are answered').waitFor();
    await panel('Signing keys').getByText('There is no key yet').waitFor();
  });

  test('one more is made after the password alone, shown once, and works', async () => {
    const before = (await listed()).length;
    await page.getByRole('button', { name: 'New key, secret' }).click();
    const password = dialog().getByLabel('Your password');
    await password.fill('not the password');
    await dialog().getByRole('button', { name: 'Make the key' }).click();
    await dialog().getByRole('alert').getByText('That password is not right.').waitFor();
    expect(await listed()).toHaveLength(before);
    await expect
      .poll(() => password.evaluate((input) => input === input.ownerDocument.activeElement))
      .toBe(true);
    const buttons = dialog().locator('footer');
    expect(await buttons.getByRole('button').allTextContents()).toEqual(['Cancel', 'Make the key']);
    const key = await make('Make the key', 'New secret key');
    expect(key).toMatch(/^svc_secret_/);
    expect((await withKey(key)).status).toBe(200);
    await page.keyboard.press('Escape');
    await dialog().getByRole('button', { name: 'I have saved it' }).click();
    await panel('Secret keys')
      .getByText(`…${key.slice(-4)}`)
      .waitFor();
    expect(await page.content()).not.toContain(key);
    await page.reload();
    await panel('Secret keys')
      .getByText(`…${key.slice(-4)}`)
      .waitFor();
    expect(await page.content()).not.toContain(key);
  });

  test('a rotation says what ends and when, and the old keys end then', async () => {
    const old = await listed();
    await page.getByRole('button', { name: 'Rotate the secret keys' }).click();
    const effects = dialog().getByRole('list', { name: 'What happens' });
    await effects.getByText(/^The 2 current keys work until /).waitFor();
    await effects.getByText('401 INVALID_API_KEY').waitFor();
    await effects.getByText('No user is signed out').waitFor();
    await dialog().getByLabel('The current keys end').selectOption('At once');
    await effects.getByText('The 2 current keys end as soon as').waitFor();
    await dialog().getByLabel('The current keys end').selectOption('In 7 days');
    const key = await make('Rotate', 'New secret key');
    expect((await withKey(key)).status).toBe(200);
    await dialog().getByRole('button', { name: 'I have saved it' }).click();
    const rows = panel('Secret keys').getByRole('listitem');
    await rows.filter({ hasText: 'ends in 6 days' }).nth(1).waitFor();
    const now = await listed();
    expect(now).toHaveLength(3);
    const ends = now.filter(({ id }) => old.some((key) => key.id === id));
    const week = 7 * 24 * 3_600_000;
    for (const { expiresAt } of ends) {
      expect(Math.abs(Date.parse(String(expiresAt)) - Date.now() - week)).toBeLessThan(3_600_000);
    }
  });

  test('one is revoked after a question, and ends at once', async () => {
    const [first] = (await listed()).filter(({ expiresAt }) => expiresAt !== null);
    const hint = first?.hint ?? '';
    const revoke = page.getByRole('button', { name: `Revoke the key …${hint}` });
    await revoke.click();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect((await listed()).some(({ id }) => id === first?.id)).toBe(true);
    await revoke.click();
    await dialog().getByRole('button', { name: 'Revoke' }).click();
    await page.getByText(`The secret key …${hint} is revoked.`, { exact: true }).waitFor();
    await revoke.waitFor({ state: 'detached' });
    expect((await listed()).some(({ id }) => id === first?.id)).toBe(false);
  });

  test('what another operator makes appears', async () => {
    const path = `/platform/projects/${ref}/keys`;
    const body = { kind: 'publishable' };
    const made = asRecord((await world.deployment.console({ method: 'POST', path, body })).body);
    await panel('Publishable keys')
      .getByText(`…${String(made['hint'])}`)
      .waitFor({ timeout: 60_000 });
  });

  test('the signing key is rotated, and the page says until when the old one verifies', async () => {
    const rotate = async (days: string): Promise<void> => {
      await page.getByRole('button', { name: 'Rotate the signing key' }).click();
      await dialog().getByLabel('Publish the current key for').selectOption(days);
      await dialog().getByText('No user is signed out').waitFor();
      await dialog().getByRole('button', { name: 'Rotate' }).click();
      await dialog().waitFor({ state: 'detached' });
    };
    await go();
    await page.getByText('There is no key yet').waitFor();
    expect(await page.getByRole('button', { name: 'Rotate the signing key' }).count()).toBe(0);
    await world.deployment.console({
      method: 'POST',
      path: `/platform/projects/${ref}/api/admin/auth/keys/rotate`,
      body: { graceDays: 30 },
    });
    await go();
    const rows = page.getByRole('list', { name: 'Signing keys' }).getByRole('listitem');
    await rows.filter({ hasText: 'signs' }).waitFor();
    await rotate('7');
    await rows.filter({ hasText: 'verifies' }).getByText('until its end, in 6 days').waitFor();
    const { keys } = asRecord(
      (
        await send(world.deployment.apiOrigin, {
          path: '/api/auth/jwks',
          headers: { host: `${ref}.localhost` },
        })
      ).body,
    );
    const kids = Array.isArray(keys)
      ? keys.map((key: unknown) => String(asRecord(key)['kid']))
      : [];
    expect(kids).toHaveLength(2);
    for (const kid of kids) await rows.filter({ hasText: kid }).waitFor();
  });

  test('the database has another password after a question, shown once; connections with the old one end', async () => {
    const open = async (databaseUrl: string): Promise<pg.Client> => {
      const client = new pg.Client({ connectionString: databaseUrl });
      client.on('error', () => undefined);
      await client.connect();
      return client;
    };
    const path = `/platform/projects/${ref}/database`;
    const old = String(asRecord((await world.deployment.console({ path })).body)['databaseUrl']);
    const client = await open(old);
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    await go();
    await page.getByRole('button', { name: /^New password/ }).click();
    const effects = dialog().getByRole('list', { name: 'What happens' });
    await effects.getByText('Open connections of the owner end').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await client.query('select 1');
    await page.getByRole('button', { name: /^New password/ }).click();
    const made = await make('Replace the password', 'New connection string of the owner');
    await ended;
    await expect(open(old)).rejects.toThrow(/password authentication failed/);
    const again = await open(made);
    await again.end();
    await dialog()
      .getByRole('button', { name: /^Copy New connection string/ })
      .click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(made);
    await page.keyboard.press('Escape');
    await dialog().getByRole('button', { name: 'I have saved it' }).click();
    expect(await page.content()).not.toContain(made);
  });

  test('are accessible in both themes and on a phone, with their dialogs', async () => {
    for (const [theme, width] of [
      ['light', 1440],
      ['dark', 1440],
      ['light', 360],
      ['dark', 360],
    ] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 800 });
      await go();
      await page.getByRole('list', { name: 'Signing keys' }).waitFor();
      await panel('Publishable keys').getByText('Requests without a key').waitFor();
      await expectAccessible(page, `keys, ${theme} ${width}`);
      await page.getByRole('button', { name: 'Rotate the secret keys' }).click();
      await dialog().getByLabel('Your password').waitFor();
      await expectAccessible(page, `rotation, ${theme} ${width}`);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^New password/ }).click();
      await dialog().getByLabel('Your password').waitFor();
      await expectAccessible(page, `password of the database, ${theme} ${width}`);
      await page.keyboard.press('Escape');
    }
  });

  test('an operator without secrets.manage reads no key', async () => {
    const { email, password } = await addViewer(world, ref);
    const other = await world.open('/sign-in');
    await signIn(other, email, password);
    await other.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    const asked: string[] = [];
    other.on('request', (request) => asked.push(request.url()));
    await other.goto(`${world.origin}/projects/${ref}/keys`);
    await other.getByText('Keys are shown to operators who may manage secrets').waitFor();
    expect(await other.getByRole('link', { name: 'Keys', exact: true }).count()).toBe(0);
    expect(asked.filter((url) => url.endsWith('/keys') && url.includes('/platform/'))).toEqual([]);
  });
});

/** An operator who may see the content of the project alone. */
async function addViewer(
  world: World,
  projectRef: string,
): Promise<{ readonly email: string; readonly password: string }> {
  const call = (method: string, path: string, body?: object): Promise<Reply> =>
    world.deployment.console({ method, path, ...(body && { body }) });
  const project = asRecord((await call('GET', `/platform/projects/${projectRef}`)).body);
  const email = 'viewer@example.org';
  const password = 'correct horse battery';
  const invited = await call('POST', '/platform/operators/invitations', {
    organizationId: project['organizationId'],
    email,
    role: 'viewer',
  });
  const token = new URL(String(asRecord(invited.body)['inviteUrl'])).hash.slice('#token='.length);
  // Without a session: an operator who is signed in would accept for the own account.
  const accepted = await send(world.deployment.consoleOrigin, {
    method: 'POST',
    path: '/platform/operators/invitations/accept',
    body: { token, name: 'Viewer', password },
  });
  expect(accepted.status, accepted.text).toBe(200);
  return { email, password };
}
