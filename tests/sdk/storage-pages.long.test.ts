// Files on pages in Chromium: an application at another origin uploads, goes on after faults and reloads, and shows
// what is public. What somebody uploads runs nowhere, least of all at the project's own origin.
import { afterAll, afterEach, beforeAll, expect, vi, test } from 'vitest';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';

import { createClient } from '#libs/sdk';

import { describeWithBrowser } from '../support/browser.js';
import type { ClientPage } from './support/client-page.js';
import { openPages, type Pages, signUpOf } from './support/pages.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const MEGABYTE = 1024 * 1024;
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** What runs leaves this behind at its origin. */
const script = `localStorage.setItem('ran', location.href)`;

describeWithBrowser('files on pages', () => {
  let pages: Pages;
  let folder: string;

  beforeAll(async () => {
    pages = await openPages();
    folder = await mkdtemp(join(tmpdir(), 'rowhouse-files-'));
    const { gateway, project } = pages.accounts;
    const { storage } = createClient(gateway.url, project.secretKey);
    const { error } = await storage.createBucket('shown', { public: true });
    expect(error).toBeNull();
  }, 120_000);
  afterEach(() => pages.forgetPeople());
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await pages.close();
  }, 60_000);

  /** A tab of somebody who has just signed up, with `files`: the public bucket. */
  async function openSignedIn(person: BrowserContext, at = pages.app): Promise<ClientPage> {
    const tab = await pages.openTab(person, at);
    expect(await tab.run(signUpOf(pages.accounts.newEmail()))).toBeNull();
    return tab;
  }

  /** Has the person choose a file; the page has it as `chosen`. */
  async function choose(page: Page, name: string): Promise<void> {
    await page.evaluate(`document.body.innerHTML = '<input type="file">'`);
    await page.setInputFiles('input', join(folder, name));
    await page.evaluate(`globalThis.chosen = document.querySelector('input').files[0]`);
  }

  test('a file that a person chooses is uploaded, told of, read and shown', async () => {
    await writeFile(join(folder, 'pixel.png'), pixel);
    const { page, run } = await openSignedIn(await pages.newPerson());
    await choose(page, 'pixel.png');
    const seen = await run(`(async () => {
      const seen = [];
      const { data, error } = await client.storage.from('shown')
        .upload('own/pixel ü.png', chosen, { onProgress: (progress) => seen.push(progress) });
      return [data.fullPath, error, seen];
    })()`);
    const size = pixel.length;
    expect(seen).toEqual(['shown/own/pixel ü.png', null, [{ loaded: size, total: size }]]);
    expect(
      await run(`client.storage.from('shown').download('own/pixel ü.png')
        .then(({ data }) => [data.size, data.type])`),
    ).toEqual([size, 'image/png']);
    expect(
      await run(`(async () => {
        const image = new Image();
        image.src = client.storage.from('shown').getPublicUrl('own/pixel ü.png').data.publicUrl;
        await image.decode();
        return image.naturalWidth;
      })()`),
    ).toBe(1);
  });

  test('a stream is uploaded, though browsers cannot send one', async () => {
    const { run } = await openSignedIn(await pages.newPerson());
    const content = await run(`(async () => {
      const files = client.storage.from('shown');
      const { error } = await files.upload('stream.txt', new Blob(['hello']).stream());
      if (error) return error;
      return (await files.download('stream.txt')).data.text();
    })()`);
    expect(content).toBe('hello');
  });

  test('an upload in parts goes on after a fault, and after a reload', async () => {
    await writeFile(join(folder, 'large.bin'), Buffer.alloc(3 * MEGABYTE, 'rowhouse'));
    const person = await pages.newPerson();
    const { page, run } = await openSignedIn(person);
    const asked: string[] = [];
    let faults = 1;
    await person.route('**/api/files/resumable/*', (route) => {
      asked.push(route.request().method());
      const isCut = route.request().method() === 'PATCH' && (faults -= 1) >= 0;
      return isCut ? route.abort('connectionreset') : route.continue();
    });
    await choose(page, 'large.bin');
    const uploadPausingAt = (bytes: number) => `(async () => {
      const [seen, pause] = [[], new AbortController()];
      const { data, error } = await client.storage.from('shown').uploadResumable('large.bin', chosen, {
        chunkSize: ${MEGABYTE},
        signal: pause.signal,
        onProgress: ({ loaded }) => seen.push(loaded) && loaded === ${bytes} && pause.abort(),
      });
      return [seen, data?.path ?? error.cause.name];
    })()`;
    expect(await run(uploadPausingAt(MEGABYTE))).toEqual([[0, MEGABYTE], 'AbortError']);
    expect(asked.filter((method) => method !== 'OPTIONS').slice(0, 3)).toEqual([
      'PATCH',
      'HEAD',
      'PATCH',
    ]);
    await page.reload();
    await choose(page, 'large.bin');
    asked.splice(0);
    expect(await run(uploadPausingAt(-1))).toEqual([
      [1, 2, 3].map((count) => count * MEGABYTE),
      'large.bin',
    ]);
    expect(asked.find((method) => method !== 'OPTIONS')).toBe('HEAD');
    expect(
      await run(`client.storage.from('shown').download('large.bin')
        .then(async ({ data }) => [data.size, await data.slice(-8).text()])`),
    ).toEqual([3 * MEGABYTE, 'rowhouse']);
  });

  const markup = `<!doctype html><title>x</title><script>${script}</script>`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" onload="${script}"><script>${script}</script></svg>`;
  const xhtml = `<html xmlns="http://www.w3.org/1999/xhtml"><script>${script}</script></html>`;
  const uploads = [
    { name: 'page.html', type: 'text/html', content: markup },
    { name: 'drawing.svg', type: 'image/svg+xml', content: drawing },
    { name: 'page.xhtml', type: 'application/xhtml+xml', content: xhtml },
    { name: 'drawing.xml', type: 'text/xml', content: drawing },
    { name: 'page.txt', type: 'text/plain', content: markup },
    { name: 'page', type: 'application/octet-stream', content: markup },
  ];

  /** What has run at the project's origin as long as the person opened this address in every way there is. */
  async function opened(person: BrowserContext, address: string): Promise<unknown> {
    const tab = await pages.openTab(person, pages.origin);
    const other = await person.newPage();
    // What is saved instead of shown ends the way there with an error.
    await other.goto(address).catch(() => undefined);
    await tab.run(`Promise.all(['iframe', 'object', 'embed', 'img'].map((name) =>
      new Promise((resolve) => {
        const element = document.createElement(name);
        element.onload = element.onerror = resolve;
        setTimeout(resolve, 500);
        element[name === 'object' ? 'data' : 'src'] = ${JSON.stringify(address)};
        document.body.append(element);
      })))`);
    return tab.run(`localStorage.getItem('ran')`);
  }

  test.each(uploads)('$name runs no script, however it is opened', async (upload) => {
    const person = await pages.newPerson();
    const { run } = await openSignedIn(person, pages.origin);
    const address = await run(`(async () => {
      const files = client.storage.from('shown');
      const blob = new Blob([${JSON.stringify(upload.content)}], { type: '${upload.type}' });
      const { error } = await files.upload('${upload.name}', blob, { upsert: true });
      return error ?? files.getPublicUrl('${upload.name}').data.publicUrl;
    })()`);
    expect(address).toBe(`${pages.origin}/api/storage/shown/files/${upload.name}`);
    expect(await opened(person, String(address))).toBeNull();
  });

  test('the same page does run where it is served as one, so that the tests above can fail', async () => {
    const person = await pages.newPerson();
    const address = `${pages.origin}/shown-as-a-page`;
    await person.route(address, (route) =>
      route.fulfill({ contentType: 'text/html', body: markup }),
    );
    expect(await opened(person, address)).toBe(address);
  });
});
