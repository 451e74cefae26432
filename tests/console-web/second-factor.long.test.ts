// The second factor on the pages of the console: enrolment with QR code and backup codes, sign-in, trusted device.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { totp } from '../console/totp.js';
import { describeWithBrowser } from '../support/browser.js';
import { operatorEmail, operatorPassword } from '../support/deployment.js';
import { openWorld, signIn, type World } from './world.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

describeWithBrowser('the second factor', () => {
  let world: World;
  let secret: string;
  let backupCodes: readonly string[];
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const projects = (page: Page) => page.getByRole('heading', { name: 'Projects', level: 1 });
  const code = (page: Page) => page.getByLabel('Authenticator code');
  const goOn = (page: Page) => page.getByRole('button', { name: 'Continue' }).click();

  test('is set up on the page of the account', async () => {
    const page = await world.openSignedIn('/account');
    await page.getByRole('button', { name: 'Set up the second factor' }).click();
    await page.getByLabel('Your password').fill('wrong password');
    await goOn(page);
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Your password').fill(operatorPassword);
    await goOn(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    secret = (await dialog.getByRole('textbox', { name: 'Or type this key' }).textContent()) ?? '';
    backupCodes = await dialog
      .getByRole('list', { name: 'Backup codes' })
      .locator('li')
      .allTextContents();
    expect(backupCodes.length).toBeGreaterThan(5);
    // The codes are lost with the dialog: nothing but its buttons closes it.
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await dialog.getByLabel('Authenticator code').fill('000000');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    expect(await dialog.getByRole('alert').count()).toBe(0);
    await dialog.getByLabel('I have saved the backup codes').check();
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Authenticator code').fill(totp(secret));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('It is on.', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('It is on.', { exact: true }).waitFor();
  });

  test('is asked for at the next sign-in, and a device can be trusted', async () => {
    const page = await world.open('/sign-in');
    await signIn(page, operatorEmail, operatorPassword);
    await code(page).fill('000000');
    await goOn(page);
    await page.getByRole('alert').waitFor();
    await code(page).fill(totp(secret, 1));
    await page.getByLabel('Trust this device for 30 days').check();
    await goOn(page);
    await projects(page).waitFor();

    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await signIn(page, operatorEmail, operatorPassword);
    await projects(page).waitFor();

    await page.goto(`${world.origin}/account`);
    await page.getByRole('button', { name: /^Stop trusting/ }).click();
    await page.getByText('None. Tick').waitFor();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await signIn(page, operatorEmail, operatorPassword);
    await code(page).waitFor();
  });

  test('a backup code replaces a code once', async () => {
    const [first = ''] = backupCodes;
    for (const [given, works] of [
      [first, true],
      [first, false],
    ] as const) {
      const page = await world.open('/sign-in');
      await signIn(page, operatorEmail, operatorPassword);
      await page.getByRole('button', { name: 'Use a backup code' }).click();
      await page.getByLabel('Backup code').fill(given);
      await goOn(page);
      await (works ? projects(page) : page.getByRole('alert')).waitFor();
    }
  });

  test('backup codes are replaced, and the factor is turned off with the password', async () => {
    const page = await world.open('/sign-in');
    await signIn(page, operatorEmail, operatorPassword);
    await page.getByRole('button', { name: 'Use a backup code' }).click();
    await page.getByLabel('Backup code').fill(backupCodes[1] ?? '');
    await goOn(page);
    await projects(page).waitFor();
    await page.goto(`${world.origin}/account`);
    await page.getByRole('button', { name: 'New backup codes' }).click();
    await page.getByLabel('Your password').fill(operatorPassword);
    await page.getByRole('button', { name: 'Make new codes' }).click();
    const codes = page.getByRole('list', { name: 'Backup codes' }).locator('li');
    await codes.first().waitFor();
    expect(await codes.allTextContents()).not.toContain(backupCodes[2]);
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    expect(await codes.count()).toBeGreaterThan(5);
    await page.getByRole('button', { name: 'I have saved the codes' }).click();
    await page.getByRole('button', { name: 'Turn off', exact: true }).click();
    await page.getByLabel('Your password').fill(operatorPassword);
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('It is off:').waitFor();
    const again = await world.open('/sign-in');
    await signIn(again, operatorEmail, operatorPassword);
    await projects(again).waitFor();
  });
});
