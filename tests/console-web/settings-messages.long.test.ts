// Mails and hooks in the settings of a project: texts of others are shown and never run, and what failed is tried again.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { expectAccessible } from './accessible.js';
import { openSettings, type SettingsWorld } from './settings-world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const hostile = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;

describeWithBrowser('mails and hooks in the settings of a project', () => {
  let opened: SettingsWorld;
  let page: Page;
  beforeAll(async () => {
    opened = await openSettings();
    ({ page } = opened);
  });
  afterAll(() => opened.world.close());
  afterEach(() => opened.world.expectNoFindings());

  const open = (part?: string) => opened.open(part);
  const dialog = () => opened.dialog();
  const button = (name: string | RegExp) => opened.button(name);
  const sql = (text: string) => opened.sql(text);

  test('a test mail goes to the inbox, whose mails open their links and run nothing', async () => {
    await open('/email.smtp?tab=Test');
    await page.getByLabel('Email address').fill('ada@example.org');
    await button('Send').click();
    await page.getByText('the mail is in the development inbox').waitFor();
    await sql(
      `insert into platform.inbox (kind, recipient, subject, text, html) values
       ('magicLink', 'eve@example.org', '${hostile}', 'Open http://shop.example/in?token=1',
        '${hostile}<p style="position:fixed;top:0;color:red">Hello</p><a href="javascript:hacked=1">bad</a>
         <a style="color:#00f" href="https://shop.example/in?token=2">good</a>')`,
    );
    await open('/inbox');
    await button(/eve@example\.org/).click();
    const html = page.getByRole('region', { name: 'HTML of the mail' });
    await html.getByText('Hello').waitFor();
    expect(await html.getByRole('link').count()).toBe(1);
    expect(await html.getByRole('link').getAttribute('href')).toBe(
      'https://shop.example/in?token=2',
    );
    expect(await html.locator('img, script').count()).toBe(0);
    expect(await html.getByText('Hello').evaluate((text) => text.style.position)).toBe('');
    await page.getByRole('tab', { name: 'Text' }).click();
    const link = page.getByRole('region', { name: 'Text of the mail' }).getByRole('link');
    expect(await link.getAttribute('href')).toBe('http://shop.example/in?token=1');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await button('Delete all').click();
    await dialog().getByLabel('Type “delete” to confirm').fill('delete');
    await dialog().getByRole('button', { name: 'Delete all' }).click();
    await page.getByText('No mail was kept.').waitFor();
  });

  test('a template is tried as it is typed, saved, and runs nothing', async () => {
    const [subject, html] = ['Subject', 'HTML'].map((name) =>
      page.getByRole('textbox', { name, exact: true }),
    );
    if (!subject || !html) throw new Error('both are inputs');
    await open('/email.templates?mail=resetPasswordLink');
    await page
      .getByRole('region', { name: 'HTML of the mail' })
      .getByRole('link')
      .first()
      .waitFor();
    await subject.fill('{{ nothing }}');
    await page
      .getByRole('alert')
      .getByText(/template\.subject/)
      .waitFor();
    await subject.fill('A new password for {{ appName }}');
    await html.fill(`${hostile}<p>Open {{ url }}</p>`);
    await page.getByText('A new password for Bookshop').waitFor();
    await page
      .getByRole('region', { name: 'HTML of the mail' })
      .getByText(/^Open http/)
      .waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await opened.save();
    await page.reload();
    await page.getByText('A new password for Bookshop').waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    await page
      .getByRole('row', { name: /Subject/ })
      .getByText('A new password for')
      .waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  test('deliveries and messages that failed are shown and sent again', async () => {
    await sql(
      `insert into platform.outbox (kind, source, event_id, target, status, attempts, error, payload) values
       ('hook', 'events', 'evt_1', '${hostile}', 'dead', 8, 'no answer', '{"type":"user.created","id":"evt_1"}')`,
    );
    await open('/auth.hooks?tab=Deliveries&state=dead');
    await page.getByText('no answer').waitFor();
    await button(/^Try again: the event user\.created/).click();
    await page.getByText('The event is sent again.').first().waitFor();
    await sql(
      `insert into platform.messages (id, channel, kind, recipient, status, attempts, last_error) values
       (gen_random_uuid(), 'email', 'magicLink', 'ada@example.org', 'failed', 5, 'mailbox is full')`,
    );
    await open('/messages');
    await page.getByText('mailbox is full').waitFor();
    await button('Try again: the message to ada@example.org').click();
    await page.getByRole('alert').getByText('has expired').waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  test.each([
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 360 },
  ] as const)(
    'are for everyone, in $colorScheme at $width pixels',
    async ({ colorScheme, width }) => {
      await sql(
        `insert into platform.inbox (kind, recipient, subject, text, html)
         values ('test', 'ada@example.org', 'A mail', 'Text', '<h1>Mail</h1>')`,
      );
      const { world, ref } = opened;
      const other = await world.openSignedIn('/projects', {
        colorScheme,
        viewport: { width, height: 800 },
      });
      const sights = [
        ['/email.templates', 'Variables'],
        ['/email.smtp?tab=Test', 'Email address'],
        ['/auth.hooks?tab=Deliveries', 'no answer'],
        ['/inbox', 'Choose a mail'],
        ['/messages', 'mailbox is full'],
      ] as const;
      for (const [part, text] of sights) {
        await other.goto(`${world.origin}/projects/${ref}/settings${part}`);
        await other.getByText(text).first().waitFor();
        await expectAccessible(other, part);
      }
    },
  );
});
