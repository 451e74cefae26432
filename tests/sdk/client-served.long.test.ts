// The client as a running deployment hands it out: npm installs it into an empty folder without reaching any
// registry, a program uses it under the project's own name, and a page imports it.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, vi, test } from 'vitest';

import { readClientFiles } from '../../bin/client-files.js';
import { type BrowserUnderTest, describeWithBrowser, openBrowser } from '../support/browser.js';
import { send } from '../support/http.js';
import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const run = promisify(execFile);
const { version }: { readonly version: string } = JSON.parse(
  await readFile('libs/sdk/package.json', 'utf8'),
);
const names = [
  { name: 'client.tgz' },
  { name: 'client.js' },
  { name: 'client-channels.js' },
] as const;

let deployment: Deployment;
let project: ProjectUnderTest;
let folder: string;
let built: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowhouse-served-'));
  built = join(folder, 'built');
  await run(process.execPath, ['bin/build-client.js', built]);
  const client = await readClientFiles(pathToFileURL(`${built}/`));
  deployment = await Deployment.open({ client });
  project = await deployment.createProject();
  await project.sql(
    `create table planets (name text primary key);
     create policy everybody_reads on planets for select using (true);
     create policy everybody_writes on planets for insert with check (true);
     insert into planets values ('Saturn');`,
  );
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await deployment.close();
});

describe.each(names)('/$name', ({ name }) => {
  test.each([
    { where: 'the API', origin: () => deployment.apiOrigin, host: undefined },
    {
      where: 'a host without a project',
      origin: () => deployment.apiOrigin,
      host: 'nobody.localhost',
    },
    { where: 'the console', origin: () => deployment.consoleOrigin, host: undefined },
  ])('$where hands it out to every page, with its version and a tag', async ({ origin, host }) => {
    const headers = { ...(host !== undefined && { host }), origin: 'https://elsewhere.example' };
    const reply = await send(origin(), { path: `/${name}`, headers });
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-cache',
      'x-rowhouse-client': version,
      'x-content-type-options': 'nosniff',
    });
    const tag = String(reply.headers['etag']);
    const again = await send(origin(), { path: `/${name}`, headers: { 'if-none-match': tag } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('a process without a build of it answers 404', async () => {
    const bare = await Deployment.open({}, deployment);
    const { status, body } = await send(bare.apiOrigin, { path: `/${name}` });
    await bare.stop();
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('/client.js is sent compressed to whoever takes it so, under a tag of its own', async () => {
  const asked = async (coding: string) => {
    const reply = await fetch(`${deployment.apiOrigin}/client.js`, {
      headers: { 'accept-encoding': coding },
    });
    return { coding: reply.headers.get('content-encoding'), tag: reply.headers.get('etag') };
  };
  const [plain, gzipped, refused] = [
    await asked('identity'),
    await asked('br, gzip;q=0.5'),
    await asked('gzip;q=0'),
  ];
  expect([plain.coding, gzipped.coding, refused.coding]).toEqual([null, 'gzip', null]);
  expect(gzipped.tag).not.toBe(plain.tag);
});

/** Follows the planets and waits for the one that is written when the channel has been joined. */
const receive = (name: string) => `
const received = await new Promise((resolve, reject) => {
  client
    .channel('planets')
    .on('postgres_changes', { event: 'INSERT', table: 'planets' }, (change) => resolve(change.new))
    .subscribe((status, error) => {
      if (error) reject(error);
      if (status === 'SUBSCRIBED') client.from('planets').insert({ name: '${name}' }).throwOnError().then(undefined, reject);
    });
});
await client.removeAllChannels();
`;

/** Node.js asks the system's resolver, which may not know names below localhost (docs/sdk/README.md). */
const localNames = `
import dns from 'node:dns';
const { lookup } = dns;
dns.lookup = (name, ...rest) =>
  lookup(name.endsWith('.localhost') ? 'localhost' : name, ...rest);
`;

const program = `
import { createClient } from '@rowhouse/client';
${localNames}
const client = createClient(process.argv[2], process.argv[3]);
const { data, error } = await client.from('planets').select('name').eq('name', 'Saturn');
${receive('Mars')}
console.log(JSON.stringify({ data, error, received }));
`;

test('npm installs /client.tgz offline, and a program reads and follows the project with it', async () => {
  const env = { PATH: process.env['PATH'], HOME: folder };
  const npm = (...args: string[]) => run('npm', args, { cwd: folder, env });
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  // No registry answers here: the package must need no other.
  await npm('install', '--registry', 'http://127.0.0.1:9', `${deployment.apiOrigin}/client.tgz`);
  const installed: unknown = JSON.parse(
    await readFile(join(folder, 'node_modules/@rowhouse/client/package.json'), 'utf8'),
  );
  expect(installed).toMatchObject({ name: '@rowhouse/client', version });
  expect(installed).not.toHaveProperty('scripts');
  await writeFile(join(folder, 'program.js'), program);
  const url = `http://${project.ref}.localhost:${new URL(deployment.apiOrigin).port}`;
  const args = ['program.js', url, project.publishableKey];
  const { stdout } = await run(process.execPath, args, { cwd: folder, env });
  expect(JSON.parse(stdout)).toEqual({
    data: [{ name: 'Saturn' }],
    error: null,
    received: { name: 'Mars' },
  });
});

test('/client.js is a whole ES module with the names of the package', async () => {
  const file = join(folder, 'client.mjs');
  await writeFile(file, await (await fetch(`${deployment.apiOrigin}/client.js`)).text());
  const list = `import * as client from './client.mjs'; console.log(Object.keys(client).sort().join());`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', list], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
  });
  expect(stdout.trim()).toBe(
    'RowhouseError,cookieStorage,createClient,localStorageAdapter,memoryStorage,serverCookieStorage',
  );
});

/** As React Native is for the client: a global WebSocket, and neither a window nor a document. */
const windowless = `
import { WebSocket } from '${pathToFileURL(resolve('node_modules/ws/wrapper.mjs')).href}';
import { createClient } from './client.js';
${localNames}
globalThis.WebSocket = WebSocket;
const client = createClient(process.argv[2], process.argv[3]);
${receive('Venus')}
console.log(JSON.stringify({ window: typeof window, document: typeof document, received }));
`;

test('/client.js loads /client-channels.js for channels, also without a window', async () => {
  const own = await mkdtemp(join(folder, 'windowless-'));
  await writeFile(join(own, 'package.json'), '{ "private": true, "type": "module" }');
  for (const name of ['client.js', 'client-channels.js']) {
    const text = await (await fetch(`${deployment.apiOrigin}/${name}`)).text();
    expect(text).toContain(`@rowhouse/client ${version}`);
    // The client of Socket.IO is in the second file alone.
    expect(text.includes('Socket.IO v4')).toBe(name === 'client-channels.js');
    await writeFile(join(own, name), text);
  }
  await writeFile(join(own, 'program.js'), windowless);
  const url = `http://${project.ref}.localhost:${new URL(deployment.apiOrigin).port}`;
  const { stdout } = await run(process.execPath, ['program.js', url, project.publishableKey], {
    cwd: own,
    env: { PATH: process.env['PATH'] },
  });
  expect(JSON.parse(stdout)).toEqual({
    window: 'undefined',
    document: 'undefined',
    received: { name: 'Venus' },
  });
});

test('the archive says the same in every build', async () => {
  const again = join(folder, 'again');
  await run(process.execPath, ['bin/build-client.js', again]);
  const [one, two] = [join(built, 'client.tgz'), join(again, 'client.tgz')];
  expect((await readFile(one)).equals(await readFile(two))).toBe(true);
});

test('npm pack in the folder of the sources is refused, with the way to go', async () => {
  const packed = await run('npm', ['pack', '--dry-run'], { cwd: 'libs/sdk' }).then(
    () => 'packed',
    (failed: { readonly stderr: string }) => failed.stderr,
  );
  expect(packed).toContain('npm run build:sdk');
});

describeWithBrowser('in a browser', () => {
  let browser: BrowserUnderTest;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test('a page of another origin imports /client.js and reads the project', async () => {
    const { port } = new URL(deployment.apiOrigin);
    const page = await browser.newPage(
      `http://localhost:${new URL(deployment.consoleOrigin).port}/livez`,
    );
    const url = `http://${project.ref}.localhost:${port}`;
    // A text: what compiles this file would put a function of its own in the place of `import`.
    const read = await page.evaluate(`
      import('${url}/client.js')
        .then(({ createClient }) => createClient('${url}', '${project.publishableKey}'))
        .then((client) => client.from('planets').select('name').eq('name', 'Saturn'))
        .then(({ data }) => data)
    `);
    expect(read).toEqual([{ name: 'Saturn' }]);
  });

  test('a page of another origin follows the project with it', async () => {
    const { port } = new URL(deployment.apiOrigin);
    const page = await browser.newPage(
      `http://localhost:${new URL(deployment.consoleOrigin).port}/livez`,
    );
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const url = `http://${project.ref}.localhost:${port}`;
    const received = await page.evaluate(`(async () => {
      const { createClient } = await import('${url}/client.js');
      const client = createClient('${url}', '${project.publishableKey}');
      ${receive('Neptune')}
      return received;
    })()`);
    expect(received).toEqual({ name: 'Neptune' });
    expect(asked).toContain(`${url}/client-channels.js?v=${version}`);
  });
});
