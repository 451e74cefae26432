// Pages in Chromium that have a client of ours: its sources, a module each, and what it imports.
import { readFile } from 'node:fs/promises';

import { transform } from '@swc/core';
import type { BrowserContext, Page } from 'playwright-core';

import { openHttpRecorder } from '../../support/http-recorder.js';

const sources = new URL('../../../libs/sdk/src/', import.meta.url);
const folder = '/client-under-test';
/** The client of Socket.IO, as it is published for pages. */
const socketModule = 'socket.io.js';
const socketFile = 'node_modules/socket.io-client/dist/socket.io.esm.min.js';
/** The modules are the same for every page of this process. */
const compiled = new Map<string, Promise<string>>();
const patienceMs = 15_000;

/** Where the page is, below its origin; addresses below it show it too. */
export const pagePath = '/page-under-test';

export interface ProjectAddress {
  readonly url: string;
  readonly key: string;
}

export interface ClientPage {
  readonly page: Page;
  /**
   * Awaits an expression in the page and gives its value as JSON has it. It sees `client`, and `events`: what
   * the listener of the client has heard.
   */
  readonly run: (expression: string) => Promise<unknown>;
  /** Waits until the listener has heard as many events, and gives all that it has heard. */
  readonly hear: (count: number) => Promise<readonly string[]>;
}

export interface ClientSite {
  /** Another origin than that of any project. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Opens an application with the page, on a port of its own. Its project may be made later. */
export async function openClientSite(project: () => ProjectAddress): Promise<ClientSite> {
  const server = await openHttpRecorder(async ({ path }) => {
    if (!isOurs(path)) return { status: 404 };
    const { contentType, body } = await answerTo(path, project());
    return { headers: { 'content-type': contentType, 'cache-control': 'max-age=600' }, body };
  });
  return { origin: `http://app.localhost:${server.port}`, close: () => server.close() };
}

/** Has all tabs of a person find the page at the project's own origin. */
export async function showPageAtProject(
  person: BrowserContext,
  project: ProjectAddress,
): Promise<void> {
  await person.route(
    ({ origin, pathname }) => origin === project.url && isOurs(pathname),
    async (route) => {
      const { pathname } = new URL(route.request().url());
      await route.fulfill(await answerTo(pathname, project));
    },
  );
}

/** Opens a tab with the page at this origin. */
export async function openClientPage(person: BrowserContext, origin: string): Promise<ClientPage> {
  const page = await person.newPage();
  page.setDefaultTimeout(patienceMs);
  await page.goto(`${origin}${pagePath}`);
  return clientPage(page);
}

function clientPage(page: Page): ClientPage {
  const run = async (expression: string): Promise<unknown> => {
    await page.waitForFunction('globalThis.client !== undefined');
    const text: unknown = await page.evaluate(
      `(async () => JSON.stringify((await (${expression})) ?? null))()`,
    );
    return JSON.parse(String(text));
  };
  return {
    page,
    run,
    async hear(count) {
      await page.waitForFunction(`globalThis.events?.length >= ${count}`);
      const events = await run('events');
      return Array.isArray(events) ? events.map(String) : [];
    },
  };
}

const isOurs = (path: string) => path.startsWith(`${folder}/`) || path.startsWith(pagePath);

interface Served {
  readonly contentType: string;
  readonly body: string;
}

async function answerTo(path: string, project: ProjectAddress): Promise<Served> {
  if (path.startsWith(pagePath)) {
    return { contentType: 'text/html; charset=utf-8', body: pageFor(project) };
  }
  const name = path.slice(folder.length + 1);
  const code = compiled.get(name) ?? compile(name);
  compiled.set(name, code);
  return { contentType: 'text/javascript; charset=utf-8', body: await code };
}

function pageFor({ url, key }: ProjectAddress): string {
  return `<!doctype html><title>Client</title>
  <script type="importmap">{ "imports": { "socket.io-client": "${folder}/${socketModule}" } }</script>
  <script type="module">
    import { createClient } from '${folder}/index.js';
    globalThis.client = createClient(${JSON.stringify(url)}, ${JSON.stringify(key)});
    globalThis.events = [];
    client.auth.onAuthStateChange((event) => events.push(event));
  </script>`;
}

async function compile(name: string): Promise<string> {
  if (name === socketModule) return readFile(socketFile, 'utf8');
  const text = await readFile(new URL(name.replace(/\.js$/, '.ts'), sources), 'utf8');
  const { code } = await transform(text, {
    filename: name,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'es6' },
  });
  return code;
}
