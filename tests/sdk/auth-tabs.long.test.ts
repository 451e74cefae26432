// Tabs of one origin in Chromium, each with a client of ours, are kept in step.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BrowserContext } from 'playwright-core';

import { describeWithBrowser } from '../support/browser.js';
import { openPages, type Pages, signUpOf, tokenOf } from './support/pages.js';

describeWithBrowser('tabs', () => {
  let pages: Pages;
  let person: BrowserContext;

  beforeAll(async () => {
    pages = await openPages();
  });
  beforeEach(async () => {
    person = await pages.newPerson();
  });
  afterEach(() => pages.forgetPeople());
  afterAll(() => pages.close());

  const openTab = (at: string) => pages.openTab(person, at);
  const newEmail = () => pages.accounts.newEmail();

  test.each([
    { name: 'the application', at: () => pages.app },
    { name: 'the project itself', at: () => pages.origin },
  ])('tabs at the origin of $name are signed in and out together', async ({ at }) => {
    const [one, other] = [await openTab(at()), await openTab(at())];
    expect(await one.run(signUpOf(newEmail()))).toBeNull();
    expect(await other.hear(2)).toEqual(['INITIAL_SESSION', 'SIGNED_IN']);
    const token = await one.run(tokenOf);
    expect([typeof token, await other.run(tokenOf)]).toEqual(['string', token]);
    expect(await other.run('client.auth.signOut()')).toEqual({ error: null });
    expect(await one.hear(3)).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'SIGNED_OUT']);
    expect(await one.run(tokenOf)).toBeNull();
    expect(await other.run('events')).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'SIGNED_OUT']);
  });

  test('a tab hears of a change of the user in another', async () => {
    const [one, other] = [await openTab(pages.app), await openTab(pages.app)];
    await one.run(signUpOf(newEmail()));
    await other.hear(2);
    await one.run(`client.auth.updateUser({ name: 'Ada' })`);
    expect(await other.hear(3)).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'USER_UPDATED']);
    const name = `client.auth.getSession().then(({ data }) => data.session.user.name)`;
    expect(await other.run(name)).toBe('Ada');
  });

  test('other origins and other people hear nothing', async () => {
    const stranger = await pages.openTab(await pages.newPerson(), pages.app);
    const elsewhere = await openTab(pages.origin);
    const [one, other] = [await openTab(pages.app), await openTab(pages.app)];
    await one.run(signUpOf(newEmail()));
    // Who is to hear has heard; so would have the others.
    await other.hear(2);
    for (const silent of [stranger, elsewhere]) {
      expect(await silent.run(tokenOf)).toBeNull();
      expect(await silent.run('events')).toEqual(['INITIAL_SESSION']);
    }
  });

  test('a session outlives the page, and a new tab begins with it', async () => {
    const one = await openTab(pages.app);
    await one.run(signUpOf(newEmail()));
    const token = await one.run(tokenOf);
    await one.page.reload();
    const other = await openTab(pages.app);
    for (const tab of [one, other]) {
      expect(await tab.run(tokenOf)).toBe(token);
      expect(await tab.hear(1)).toEqual(['INITIAL_SESSION']);
    }
  });

  test('requests that are refused at the same time share one question about the session', async () => {
    const [one, other] = [await openTab(pages.app), await openTab(pages.app)];
    const email = newEmail();
    await one.run(signUpOf(email));
    await other.hear(2);
    await pages.accounts.rows(
      'delete from auth.session where "userId" = (select id from auth."user" where email = $1)',
      [email],
    );
    const asked: string[] = [];
    one.page.on('request', (request) => {
      if (request.method() !== 'OPTIONS') asked.push(new URL(request.url()).pathname);
    });
    const refused = `Promise.all(Array.from({ length: 6 }, () => client.auth.getClaims()))
      .then((answers) => answers.map(({ error }) => error?.status))`;
    expect(await one.run(refused)).toEqual(Array(6).fill(401));
    expect(asked.filter((path) => path.endsWith('/get-session'))).toHaveLength(1);
    const heard = ['INITIAL_SESSION', 'SIGNED_IN', 'SIGNED_OUT'];
    expect([await one.hear(3), await other.hear(3)]).toEqual([heard, heard]);
    expect([await one.run(tokenOf), await other.run(tokenOf)]).toEqual([null, null]);
  });
});
