// A project with accounts whose client runs on pages in Chromium: at the project's own origin and elsewhere.
import type { BrowserContext } from 'playwright-core';

import { type BrowserUnderTest, openBrowser } from '../../support/browser.js';
import { type Accounts, openAccounts, password } from './accounts.js';
import {
  type ClientPage,
  openClientPage,
  openClientSite,
  showPageAtProject,
} from './client-page.js';

export interface Pages {
  readonly accounts: Accounts;
  /** The project's own origin. */
  readonly origin: string;
  /** The application, at another site. */
  readonly app: string;
  /** The application once more, at an origin below the project's name. */
  readonly sameSite: string;
  /** A browser of somebody who was never here. */
  newPerson(): Promise<BrowserContext>;
  /** A tab of a person with our client, at one of the origins above. */
  openTab(person: BrowserContext, at: string): Promise<ClientPage>;
  /** Closes the browsers of all people. */
  forgetPeople(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a deployment with one project, the application and a browser. */
export async function openPages(): Promise<Pages> {
  let project = { url: '', key: '' };
  const [accounts, site, browser] = await Promise.all([
    openAccounts(),
    openClientSite(() => project),
    openBrowser(),
  ]);
  const { host, apiOrigin, publishableKey } = accounts.project;
  const origin = `http://${host}:${new URL(apiOrigin).port}`;
  project = { url: origin, key: publishableKey };
  const app = site.origin;
  const sameSite = `http://shop.${host}:${new URL(app).port}`;
  await accounts.save('auth.urls', { siteUrl: app, redirectUrls: [sameSite] });
  return {
    accounts,
    origin,
    app,
    sameSite,
    ...peopleOf(browser),
    async openTab(person, at) {
      if (at === origin) await showPageAtProject(person, project);
      return openClientPage(person, at);
    },
    async close() {
      await browser.close();
      await Promise.all([accounts.close(), site.close()]);
    },
  };
}

function peopleOf(browser: BrowserUnderTest): Pick<Pages, 'newPerson' | 'forgetPeople'> {
  const people: BrowserContext[] = [];
  return {
    async newPerson() {
      const person = await browser.newPerson();
      people.push(person);
      return person;
    },
    async forgetPeople() {
      await Promise.all(people.splice(0).map((person) => person.close()));
    },
  };
}

/** The expression by which a page signs somebody up: the error, or null. */
export const signUpOf = (email: string): string =>
  `client.auth.signUp(${JSON.stringify({ email, password })}).then(({ error }) => error)`;

/** The expression for the token of a page: null for a visitor. */
export const tokenOf = `client.auth.getSession().then(({ data }) => data.session?.access_token ?? null)`;
