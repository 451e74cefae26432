// Channels of pages in Chromium: two tabs of a person, a page without a channel, and a page that is offline for a while.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { BrowserContext } from 'playwright-core';

import { describeWithBrowser } from '../support/browser.js';
import type { ClientPage } from './support/client-page.js';
import { liveSql } from './support/live.js';
import { openPages, type Pages, signUpOf } from './support/pages.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describeWithBrowser('pages', () => {
  let pages: Pages;
  let person: BrowserContext;

  beforeAll(async () => {
    pages = await openPages();
    await pages.accounts.project.sql(liveSql);
  });
  beforeEach(async () => {
    person = await pages.newPerson();
  });
  afterEach(() => pages.forgetPeople());
  afterAll(() => pages.close());

  const openTab = () => pages.openTab(person, pages.app);
  /** Follows the table of notes, and waits until the server has joined the channel. */
  const followNotes = (tab: ClientPage) =>
    tab.run(`new Promise((resolve) => {
      globalThis.seen = [];
      globalThis.statuses = [];
      client
        .channel('notes', { presence: { key: 'tab' }, broadcast: { self: true } })
        .on('postgres_changes', { event: '*', table: 'notes' }, ({ new: note }) => seen.push(note.text))
        .on('broadcast', { event: 'said' }, ({ payload }) => seen.push(payload))
        .subscribe((status) => {
          statuses.push(status);
          if (status === 'SUBSCRIBED') resolve(status);
        });
    })`);
  const seenBy = async ({ page, run }: ClientPage, count: number) => {
    await page.waitForFunction(`seen.length >= ${count}`);
    return run('seen');
  };

  test('two tabs of a user receive what is written and said in one of them', async () => {
    const [one, two] = [await openTab(), await openTab()];
    expect(await one.run(signUpOf(pages.accounts.newEmail()))).toBeNull();
    await two.hear(2);
    expect([await followNotes(one), await followNotes(two)]).toEqual(['SUBSCRIBED', 'SUBSCRIBED']);
    await one.run(`client.from('notes').insert({ id: 1, text: 'written' })`);
    for (const tab of [one, two]) expect(await seenBy(tab, 1)).toEqual(['written']);
    await two.run(
      `client.channel('notes').send({ type: 'broadcast', event: 'said', payload: 'said' })`,
    );
    for (const tab of [one, two]) expect(await seenBy(tab, 2)).toEqual(['written', 'said']);
    await two.run(`client.channel('notes').track({ at: 'two' })`);
    await one.page.waitForFunction(`client.channel('notes').presenceState().tab?.length === 1`);
    // A tab that is closed is not present any more.
    await two.page.close();
    await one.page.waitForFunction(`client.channel('notes').presenceState().tab === undefined`);
  });

  test('a sign-out in one tab takes the rights of the channels of both', async () => {
    const [one, two] = [await openTab(), await openTab()];
    await one.run(signUpOf(pages.accounts.newEmail()));
    await two.hear(2);
    await followNotes(one);
    await followNotes(two);
    const owner = await one.run(
      `client.auth.getSession().then(({ data }) => data.session.user.id)`,
    );
    await one.run('client.auth.signOut()');
    const again = `statuses.filter((status) => status === 'SUBSCRIBED').length >= 2`;
    for (const { page } of [one, two]) await page.waitForFunction(again);
    await pages.accounts.project.sql(
      `insert into notes (id, text, owner) values (2, 'after', '${String(owner)}')`,
    );
    await one.run(
      `client.channel('notes').send({ type: 'broadcast', event: 'said', payload: 'last' })`,
    );
    for (const tab of [one, two]) expect(await seenBy(tab, 1)).toEqual(['last']);
  });

  test('a page without a channel loads nothing for channels, and the first channel does', async () => {
    const page = await person.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${pages.app}/page-under-test`);
    await page.waitForFunction('globalThis.client !== undefined');
    await page.evaluate(`client.from('planets').select().then(() => 0)`);
    const later = () => asked.filter((path) => /socket\.io|\/connection\.js/.test(path));
    expect(later()).toEqual([]);
    await page.evaluate(`new Promise((resolve) => {
      client.channel('room').subscribe((status) => resolve(status));
    })`);
    expect(later()).toEqual(
      expect.arrayContaining([
        '/client-under-test/realtime/connection.js',
        '/client-under-test/socket.io.js',
      ]),
    );
  });

  test('a page that was offline receives what it has missed', async () => {
    const tab = await openTab();
    await tab.run(signUpOf(pages.accounts.newEmail()));
    await followNotes(tab);
    const owner = await tab.run(
      `client.auth.getSession().then(({ data }) => data.session.user.id)`,
    );
    await person.setOffline(true);
    await tab.page.waitForFunction(`statuses.includes('CHANNEL_ERROR')`);
    await pages.accounts.project.sql(
      `insert into notes (id, text, owner) values (3, 'missed', '${String(owner)}')`,
    );
    await person.setOffline(false);
    expect(await seenBy(tab, 1)).toEqual(['missed']);
  });
});
