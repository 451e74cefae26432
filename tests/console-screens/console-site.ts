// The console of a filled deployment in Chromium, with one session for all pages. What is opened is closed by the
// caller's cleanup.
import { readFile } from 'node:fs/promises';

import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

import type { Cleanup } from '../../bench/cleanup.js';
import { findChromium, openBrowser } from '../support/browser.js';
import { operator, TrialDeployment } from '../trial/deployment.js';
import type { Screen } from './screens.js';
import { fillShop, type Shop } from './shop.js';

export interface ConsoleSite {
  readonly shop: Shop;
  /** The address of a path; `:ref` is the ref of the shop. */
  url(path: string): string;
  /** Cookies, cache and storage of their own; signed in unless the screen is public. */
  newPerson(
    screen: Pick<Screen, 'isPublic'>,
    options?: BrowserContextOptions,
  ): Promise<BrowserContext>;
}

/** Opens the site. Throws an error of one line without Chromium, before anything is started. */
export async function openConsoleSite(
  cleanup: Cleanup,
  { visitCount, say }: { readonly visitCount: number; readonly say: (line: string) => void },
): Promise<ConsoleSite> {
  if (findChromium() === undefined) {
    throw new Error(
      'there is no Chromium; install it (Debian: apt install chromium), or set CHROMIUM_PATH to the program',
    );
  }
  say('starting the product in an empty folder');
  // Kept while it is being opened: a signal may come before that has ended. One that fails removes itself.
  const deployment = await cleanup.keep(TrialDeployment.open(), (opening) =>
    opening.then(
      (opened) => opened.remove(),
      () => undefined,
    ),
  );
  say('filling it with a shop');
  const shop = await fillShop(deployment, visitCount);
  const browser = cleanup.keep(await openBrowser(), (opened) => opened.close());
  const url = (path: string): string =>
    deployment.consoleOrigin + path.replace(':ref', shop.ref).replace(':query', shop.queryId);
  const session = await signIn(await (await browser.newPerson()).newPage(), url('/sign-in'));
  const probe = await readFile(new URL('page-probe.js', import.meta.url), 'utf8');
  return {
    shop,
    url,
    async newPerson({ isPublic = false }, options = {}) {
      const person = await browser.newPerson(options);
      await person.addInitScript(probe);
      if (!isPublic) {
        const kept = `sessionStorage.getItem('rowhouse.session') ??`;
        const keep = `sessionStorage.setItem('rowhouse.session', ${JSON.stringify(session)})`;
        await person.addInitScript(`${kept} ${keep};`);
      }
      return person;
    },
  };
}

/** Signs in as a person does. Returns the session as the page keeps it. */
async function signIn(page: Page, url: string): Promise<string> {
  await page.goto(url);
  await page.getByLabel('Email address').fill(operator.email);
  await page.getByLabel('Password', { exact: true }).fill(operator.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  return page.evaluate<string>(`sessionStorage.getItem('rowhouse.session')`);
}
