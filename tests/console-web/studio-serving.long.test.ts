// How the API serves the pages of the studio: on every host, with the policy of the console, for no project.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { projectScreens } from '#libs/web';

import { asRecord, Deployment } from '../support/deployment.js';
import { send, type Call, type Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { builtPages } from './world.js';

let deployment: Deployment;
let project: ProjectUnderTest;
beforeAll(async () => {
  deployment = await Deployment.open({ pages: await builtPages() });
  project = await deployment.createProject();
}, 120_000);
afterAll(() => deployment.close());

const navigate = { 'sec-fetch-mode': 'navigate', accept: 'text/html,*/*;q=0.8' };
const ask = (call: Call, host = project.host): Promise<Reply> =>
  send(deployment.apiOrigin, { ...call, headers: { host, ...call.headers } });
const screens = projectScreens.map((screen) => `/studio/${screen.replace(':part', 'email.smtp')}`);

describe('the document', () => {
  test.each(['/studio', '/studio/', '/studio/sign-in', '/studio/account', ...screens])(
    '%s is that of the console, below another base and with the same headers',
    async (path) => {
      const ofConsole = await send(deployment.consoleOrigin, { path: '/sign-in' });
      const { status, headers, text } = await ask({ path });
      expect(status).toBe(200);
      for (const name of [
        'content-type',
        'x-content-type-options',
        'referrer-policy',
        'cache-control',
      ]) {
        expect([name, headers[name]]).toEqual([name, ofConsole.headers[name]]);
      }
      const ownFiles = `${project.host}:*/studio/assets/`;
      expect(headers['content-security-policy']).toBe(
        String(ofConsole.headers['content-security-policy'])
          .replace(`script-src 'self'`, `script-src ${ownFiles}`)
          .replace(`style-src 'self'`, `style-src ${ownFiles}`)
          .replace(`font-src 'self'`, `font-src ${ownFiles}`),
      );
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(text).toBe(ofConsole.text.replace('<base href="/" />', '<base href="/studio/" />'));
    },
  );

  test.each([
    { host: 'shop.example.com:8443', source: 'shop.example.com:8443/studio/assets/' },
    { host: 'shop.example.com', source: 'shop.example.com:*/studio/assets/' },
    { host: '127.0.0.1:3000', source: `'self'` },
    { host: '[::1]:3000', source: `'self'` },
  ])('on the host $host runs scripts of $source alone', async ({ host, source }) => {
    const { headers } = await ask({ path: '/studio' }, host);
    expect(String(headers['content-security-policy']).split('; ')).toContain(
      `script-src ${source}`,
    );
  });

  test('says nothing of the host that it is on, not even whether it has a project', async () => {
    const there = await ask({ path: '/studio' });
    const nowhere = await ask({ path: '/studio' }, 'nobody.localhost');
    expect(nowhere).toMatchObject({ status: 200, text: there.text });
  });

  test('is not shown to other methods', async () => {
    expect(await ask({ method: 'POST', path: '/studio', body: {} })).toMatchObject({
      status: 405,
      body: { code: 'METHOD_NOT_ALLOWED' },
    });
  });
});

test('files are served, and kept for good', async () => {
  const { text } = await ask({ path: '/studio' });
  const [, name] = /\.\/assets\/([^"]+\.js)"/.exec(text) ?? [];
  const { status, headers } = await ask({ path: `/studio/assets/${name}` });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'same-origin',
  });
});

describe('an address that is no page', () => {
  test.each(['/studio/nowhere', '/studio/projects', '/studio/settings/a/b', '/studio/invitation'])(
    '%s is the document with status 404 for a person in a browser',
    async (path) => {
      const { status, headers, text } = await ask({ path, headers: navigate });
      expect(status).toBe(404);
      expect(headers['content-security-policy']).toContain(`default-src 'none'`);
      expect(text).toContain('<base href="/studio/" />');
    },
  );

  test.each([
    { name: 'a program', path: '/studio/nowhere', headers: {} },
    { name: 'a file that does not exist', path: '/studio/assets/nothing.js', headers: {} },
    { name: 'a browser beside the studio', path: '/studios', headers: navigate },
    { name: 'a browser at the root', path: '/', headers: navigate },
  ])('answers $name with the error of the API', async ({ path, headers }) => {
    expect(await ask({ path, headers })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  });
});

/** The address of its studio that the console gives to operators. */
async function studioUrlOf({ ref }: ProjectUnderTest, of = deployment): Promise<unknown> {
  const { body } = await of.console({ method: 'GET', path: `/platform/projects/${ref}` });
  return asRecord(body)['studioUrl'];
}

test('operators get the address of the studio that a project serves', async () => {
  const address = new URL(String(await studioUrlOf(project)));
  expect(address).toMatchObject({ hostname: project.host, pathname: '/studio' });
});

test('STUDIO=false takes the pages away, and leaves the API', async () => {
  const closed = await Deployment.open({
    pages: await builtPages(),
    env: { STUDIO: 'false' },
  });
  try {
    const own = await closed.createProject();
    for (const path of ['/studio', '/studio/tables', '/studio/assets/index.js']) {
      const reply = await own.send({ path, headers: navigate });
      expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    expect(await studioUrlOf(own, closed)).toBeNull();
    const login = { email: 'a@example.org', password: 'wrong' };
    const reply = await own.send({ method: 'POST', path: '/auth/login', body: login });
    expect(reply.status).toBe(401);
    const page = await send(closed.consoleOrigin, { path: '/' });
    expect(page.text).toContain('<base href="/" />');
  } finally {
    await closed.close();
  }
});
