// A deployment with the pages of the console, and Chromium on them.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';

import type { ConsoleFiles } from '#libs/web';

import { readConsoleFiles } from '../../bin/console-files.js';
import { type BrowserUnderTest, openBrowser } from '../support/browser.js';
import { asRecord, Deployment, operatorEmail, operatorPassword } from '../support/deployment.js';
import type { Reply } from '../support/http.js';

const root = new URL('../../', import.meta.url);

/** The build of the pages as a start makes it; built once after each change of their sources. */
export async function builtPages(): Promise<ConsoleFiles> {
  const program = `import { buildPages } from './bin/build.js'; await buildPages(() => undefined);`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root.pathname,
  });
  const pages = await readConsoleFiles(new URL('dist/console/', root));
  if (!pages) throw new Error('the build has left no pages');
  return pages;
}

export interface World {
  readonly deployment: Deployment;
  readonly origin: string;
  readonly browser: BrowserUnderTest;
  /** A tab of a new person, at a path of the console. */
  open(path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** A tab of the first operator, signed in. */
  openSignedIn(path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** Makes a project through the API; deleted with the deployment. */
  addProject(name: string): Promise<string>;
  /** Stops the server, and starts it again after `meanwhile`, with the same data and addresses. */
  restart(meanwhile: () => Promise<void>): Promise<void>;
  /** Fails if a page broke its policy or threw an error since the last call. */
  expectNoFindings(): void;
  close(): Promise<void>;
}

/** Opens both. `env` has further variables of the deployment. */
export async function openWorld(env: Readonly<Record<string, string>> = {}): Promise<World> {
  const pages = await builtPages();
  const [opened, browser] = await Promise.all([Deployment.open({ pages, env }), openBrowser()]);
  let deployment = opened;
  const origin = deployment.consoleOrigin;
  const findings: string[] = [];
  const open = async (path = '/', options: BrowserContextOptions = {}): Promise<Page> => {
    const person = await browser.newPerson(options);
    const page = await watched(person, findings);
    await page.goto(origin + path);
    return page;
  };
  return {
    get deployment() {
      return deployment;
    },
    origin,
    browser,
    open,
    async openSignedIn(path = '/projects', options = {}) {
      const page = await open('/sign-in', options);
      await signIn(page, operatorEmail, operatorPassword);
      await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
      if (path !== '/projects') await page.goto(origin + path);
      return page;
    },
    async addProject(name) {
      const ref = `w${randomBytes(5).toString('hex')}`;
      const body = { name, ref };
      const reply = await deployment.console({ method: 'POST', path: '/platform/projects', body });
      if (reply.status !== 201) throw new Error(reply.text);
      return ref;
    },
    async restart(meanwhile) {
      await deployment.stop();
      await meanwhile();
      const ports = {
        PORT: new URL(deployment.apiOrigin).port,
        CONSOLE_PORT: new URL(deployment.consoleOrigin).port,
      };
      deployment = await Deployment.open({ pages, env: { ...env, ...ports } }, deployment);
    },
    expectNoFindings() {
      expect(findings.splice(0)).toEqual([]);
    },
    async close() {
      await browser.close();
      for (const ref of await refsOf(deployment)) await removeProject(deployment, ref);
      await deployment.close();
    },
  };
}

/** Signs in on the page of the sign-in, without a second factor. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** What a page keeps, as texts. */
interface Kept {
  readonly local: string;
  readonly session: string;
  readonly cookies: string;
}

export function keptBy(page: Page): Promise<Kept> {
  return page.evaluate<Kept>(`({
    local: JSON.stringify({ ...localStorage }),
    session: JSON.stringify({ ...sessionStorage }),
    cookies: document.cookie,
  })`);
}

/** The token of the session of a tab. */
export function tokenOf(page: Page): Promise<string> {
  return page.evaluate<string>(`JSON.parse(sessionStorage.getItem('rowhouse.session')).token`);
}

/** A new tab. Errors of its scripts, and what its policy has refused, are added to `findings`. */
async function watched(person: BrowserContext, findings: string[]): Promise<Page> {
  const page = await person.newPage();
  page.on('pageerror', (error) => findings.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (/Content.Security.Policy|React|Warning:/.test(message.text()))
      findings.push(message.text());
  });
  return page;
}

async function refsOf(deployment: Deployment): Promise<readonly string[]> {
  const path = '/platform/projects?limit=1000';
  const { projects } = asRecord((await deployment.console({ method: 'GET', path })).body);
  return Array.isArray(projects) ? projects.map((project) => String(asRecord(project)['ref'])) : [];
}

function removeProject(deployment: Deployment, ref: string): Promise<Reply> {
  const path = `/platform/projects/${ref}?now=true`;
  return deployment.console({ method: 'DELETE', path, body: { ref } });
}
