// Files that are programs for a browser, on the origin that has the sessions of the API: by their headers nothing may
// run, and in Chromium nothing does, also when the header that makes a download of them is missing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserContext, Page } from 'playwright-core';

import { type BrowserUnderTest, describeWithBrowser, openBrowser } from '../support/browser.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';
import { makeBucket } from '../storage/bucket-rows.js';
import { pathOf } from '../storage/stored-files.js';
import { saveSettings } from '../isolation/neighbors.js';
import { exchange, jsonOf } from './exchange.js';
import { fileForm } from './file-form.js';
import { loadAsScript, showEverywhere } from './page-scripts.js';

const attack = `document.title = 'ran'; try { alert(document.cookie) } catch {} fetch('/beacon')`;
const html = `<!doctype html><body><script>${attack}</script><img src=x onerror="${attack}">`;
const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
/** A GIF whose first bytes are an assignment, and whose comment is HTML. */
const polyglot = Buffer.concat([
  Buffer.from(`GIF89a/*\0\0\0*/=1;${attack}//<script>${attack}</script>`),
  gif,
]);
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="${attack}"><script>${attack}</script></svg>`;

const files: readonly {
  readonly mime: string;
  readonly content: string | Buffer;
  readonly isShown?: true;
}[] = [
  { mime: 'text/html', content: html },
  { mime: 'text/html; charset=utf-7', content: '+ADw-script+AD4-alert(1)+ADw-/script+AD4-' },
  { mime: 'TEXT/HTML', content: html },
  { mime: 'image/svg+xml', content: svg },
  {
    mime: 'application/xml',
    content: `<x xmlns:h="http://www.w3.org/1999/xhtml"><h:script>${attack}</h:script></x>`,
  },
  {
    mime: 'application/xhtml+xml',
    content: `<html xmlns="http://www.w3.org/1999/xhtml"><script>${attack}</script></html>`,
  },
  { mime: 'text/javascript', content: attack },
  { mime: 'multipart/related', content: `content-type: text/html\r\n\r\n${html}` },
  {
    mime: 'application/x-mimearchive',
    content: `mime-version: 1.0\r\ncontent-type: text/html\r\n\r\n${html}`,
  },
  {
    mime: 'application/pdf',
    content: '%PDF-1.4 /OpenAction << /S /JavaScript /JS (app.alert(1)) >>',
  },
  { mime: 'application/octet-stream', content: html },
  { mime: 'made/up', content: html },
  { mime: 'text/plain', content: html, isShown: true },
  { mime: 'image/gif', content: polyglot, isShown: true },
  { mime: 'video/mp4', content: html, isShown: true },
];

let deployment: Deployment;
let project: ProjectUnderTest;
let ada: SignedIn;
let origin: string;
/** By the type, the paths at which the file can be read. */
const pathsOf = new Map<string, Readonly<Record<'raw' | 'object' | 'public' | 'link', string>>>();

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  origin = `http://${project.host}:${new URL(deployment.apiOrigin).port}`;
  await saveSettings(project, 'storage', { signedLinks: true });
  await makeBucket(project, 'docs', { public: true });
  ada = await project.signUp('ada@example.org');
  for (const [index, { mime, content }] of files.entries()) {
    const ids: string[] = [];
    for (const visibility of ['public', 'private']) {
      const fields = { path: `${visibility}/${index}`, contentType: mime, visibility };
      ids.push(await upload(fields, content));
    }
    const [, id] = ids;
    const link = await project.as(ada, { path: `/api/files/${id}/url` });
    pathsOf.set(mime, {
      raw: `/api/files/${id}/raw`,
      object: `/api/files/object/docs/private/${index}`,
      public: `/api/storage/docs/files/public/${index}`,
      link: pathOf(asRecord(asRecord(link.body)['data'])['url']),
    });
  }
}, 60_000);
afterAll(() => deployment.close());

async function upload(fields: Readonly<Record<string, string>>, content: string | Buffer) {
  const form = fileForm(fields, { fileName: 'a', content });
  const headers = { ...form.headers, authorization: `Bearer ${ada.token}` };
  const path = '/api/files/?bucket=docs';
  const answer = await exchange(project, { method: 'POST', path, ...form, headers });
  if (answer.status !== 201) throw new Error(`${fields['contentType']}: ${String(answer.bytes)}`);
  return String(asRecord(asRecord(jsonOf(answer))['data'])['id']);
}

function pathsFor(mime: string) {
  const paths = pathsOf.get(mime);
  if (!paths) throw new Error(`no file of the type ${mime}`);
  return paths;
}

describe('headers', () => {
  test.each(files)('$mime is $mime alone, in a sandbox', async ({ mime, isShown = false }) => {
    for (const path of Object.values(pathsFor(mime))) {
      for (const method of ['GET', 'HEAD']) {
        for (const more of [{}, { range: 'bytes=0-3' }]) {
          const headers = { authorization: `Bearer ${ada.token}`, ...more };
          const answer = await exchange(project, { method, path, headers });
          expect([200, 206]).toContain(answer.status);
          expect(answer.headers).toMatchObject({
            'x-content-type-options': 'nosniff',
            'content-security-policy': expect.stringMatching(/^default-src 'none'; .*sandbox/),
            'content-disposition': expect.stringMatching(isShown ? /^inline;/ : /^attachment;/),
          });
          expect(answer.headers['content-security-policy']).not.toMatch(/script|unsafe-eval/);
        }
      }
    }
  });

  test('what could run is not shown because somebody asks for it', async () => {
    for (const { mime, isShown } of files) {
      if (isShown || mime === 'application/pdf') continue;
      const answer = await exchange(project, { path: `${pathsFor(mime).public}?inline=` });
      expect(answer.headers['content-disposition']).toMatch(/^attachment;/);
    }
  });

  test('refusals are no documents either', async () => {
    const path = `/api/files/object/docs/${encodeURIComponent('<script>alert(1)</script>')}`;
    const headers = { apikey: project.secretKey };
    for (const call of [
      { path, headers },
      { path, headers: {} },
    ]) {
      const { headers: received } = await exchange(project, call);
      expect(received['content-type']).toMatch(/^application\/json/);
      expect(received['x-content-type-options']).toBe('nosniff');
    }
  });
});

describeWithBrowser('in Chromium', () => {
  let browser: BrowserUnderTest;
  let person: BrowserContext;
  /** What scripts have managed to do. */
  const deeds: string[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    person = await browser.newPerson();
    const [name = '', value = ''] = ada.cookie.split('=');
    await person.addCookies([
      { name, value, url: origin, httpOnly: true },
      { name: 'readable', value: 'yes', url: origin },
    ]);
    person.on('dialog', (dialog) => {
      deeds.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    person.on('request', (request) => {
      if (request.url().endsWith('/beacon')) deeds.push('request');
    });
    await person.route(`${origin}/page`, (route) =>
      route.fulfill({ body: '<!doctype html>page', contentType: 'text/html' }),
    );
  }, 60_000);
  afterAll(() => browser.close());

  /** Opens the address as a page; a download is fine. */
  async function visit(page: Page, path: string): Promise<void> {
    await page.goto(origin + path, { waitUntil: 'load' }).catch((error: unknown) => {
      if (!/Download is starting|ERR_ABORTED/.test(String(error))) throw error;
    });
    await page.waitForTimeout(30);
    if ((await page.title()) === 'ran') deeds.push(`title of ${path}`);
  }

  /** Pages on which the server's headers are missing, to see that another one is enough. */
  async function without(page: Page, headers: readonly string[]): Promise<void> {
    await page.route(`${origin}/api/**`, async (route) => {
      const url = new URL(route.request().url());
      const answer = await exchange(project, {
        path: url.pathname + url.search,
        headers: { cookie: ada.cookie },
      });
      const kept = Object.entries(answer.headers).filter(([name]) => !headers.includes(name));
      const { status, bytes: body } = answer;
      await route.fulfill({
        status,
        body,
        headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
      });
    });
  }

  test('a page of the origin runs scripts and reads cookies: the tests below would see it', async () => {
    const page = await person.newPage();
    await page.goto(`${origin}/page`);
    await page.evaluate(attack);
    await page.close();
    expect(deeds.splice(0)).toEqual(expect.arrayContaining(['dialog readable=yes', 'request']));
  });

  test.each([
    { name: 'as they are', missing: [] },
    { name: 'without Content-Disposition', missing: ['content-disposition'] },
    { name: 'without Content-Security-Policy', missing: ['content-security-policy'] },
  ])(
    'files opened $name run nothing',
    async ({ missing }) => {
      const page = await person.newPage();
      if (missing.length > 0) await without(page, missing);
      for (const { mime } of files) {
        const { raw, ...others } = pathsFor(mime);
        await visit(page, raw);
        if (missing.length > 0) continue;
        for (const path of Object.values(others)) await visit(page, path);
      }
      await page.close();
      expect(deeds.splice(0)).toEqual([]);
    },
    120_000,
  );

  test('pictures made of files run nothing', async () => {
    const page = await person.newPage();
    for (const { mime } of files) {
      const path = pathsFor(mime).object.replace('/api/files/object/docs/', '');
      await visit(page, `/storage/v1/render/image?bucket=docs&path=${path}&width=10`);
    }
    await page.close();
    expect(deeds.splice(0)).toEqual([]);
  });

  test('files in frames and objects of a page of the same origin run nothing', async () => {
    const page = await person.newPage();
    await page.goto(`${origin}/page`);
    for (const { mime } of files) {
      await page.evaluate(showEverywhere(pathsFor(mime).public));
    }
    await page.waitForTimeout(500);
    await page.close();
    expect(deeds.splice(0)).toEqual([]);
  });

  test('no file that is no script is one for a page, classic or module, worker or style', async () => {
    const page = await person.newPage();
    await page.goto(`${origin}/page`);
    for (const mime of [
      'text/plain',
      'application/octet-stream',
      'image/gif',
      'text/html',
      'application/xml',
    ]) {
      const outcomes = await page.evaluate(loadAsScript(pathsFor(mime).public));
      expect({ mime, outcomes }).toEqual({ mime, outcomes: ['error', 'error', 'error'] });
    }
    // Without nosniff it would be one.
    const guessing = await person.newPage();
    await guessing.goto(`${origin}/page`);
    await without(guessing, ['x-content-type-options']);
    const guessed = await guessing.evaluate(loadAsScript(pathsFor('text/plain').public));
    expect(guessed).toEqual(expect.arrayContaining(['load']));
    await guessing.close();
    // A script that says that it is one would run as one: its type alone decides.
    const own = await page.evaluate(loadAsScript(pathsFor('text/javascript').public));
    expect(own).toEqual(expect.arrayContaining(['load']));
    await page.close();
    deeds.splice(0);
  });
});
