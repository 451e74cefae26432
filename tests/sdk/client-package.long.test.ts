// The package of our client as it is published: built, put where Node looks for packages, and used by programs of
// their own as an ES module and as CommonJS.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, vi, test } from 'vitest';

import { openWorkbench, type Workbench } from './support/workbench.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const run = promisify(execFile);
let workbench: Workbench;
let folder: string;

beforeAll(async () => {
  workbench = await openWorkbench();
  await run(process.execPath, ['scripts/build-sdk.mjs']);
  folder = await mkdtemp(join(tmpdir(), 'rowhouse-client-'));
  await mkdir(join(folder, 'node_modules/@rowhouse'), { recursive: true });
  await symlink(resolve('dist/client'), join(folder, 'node_modules/@rowhouse/client'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await workbench.close();
});

/** Uses everything that leaves the package in another way in the two builds: classes, errors, storage. */
const body = `
  const storage = client.memoryStorage();
  const project = client.createClient(process.argv[2], process.argv[3], { storage });
  const read = await project.from('planets').select('id, moons(name)').gt('mass', 100).single();
  const refused = await project.from('planets').insert({ id: 1, name: 'x' });
  const written = await project.transaction((tx) => {
    const order = tx.from('orders').insert({ customer: 'package' });
    tx.from('items').insert({ order_id: order.ref('id'), article: 'tea' }).select('article');
  });
  const called = await project.rpc('add', { a: 1, b: 2 }, { get: true }).throwOnError();
  const status = await new Promise((resolve) => {
    project.channel('package').subscribe((one, error) => resolve(error?.message ?? one));
  });
  await project.removeAllChannels();
  console.log(JSON.stringify({
    exports: Object.keys(client).sort(),
    read: read.data,
    refused: [refused.error instanceof client.RowhouseError, refused.status],
    written: written.data?.[1],
    called: called.data,
    status,
  }));
`;

test.each([
  {
    name: 'an ES module',
    file: 'use.mjs',
    load: `import * as client from '@rowhouse/client';${body}`,
  },
  {
    name: 'CommonJS',
    file: 'use.cjs',
    load: `const client = require('@rowhouse/client'); (async () => {${body}})();`,
  },
])('$name talks to a project', async ({ file, load }) => {
  await writeFile(join(folder, file), load);
  const { gateway, project } = workbench;
  const args = [file, gateway.url, project.publishableKey];
  // The flags of the tests' own Node are not the user's.
  const env = { PATH: process.env['PATH'] };
  const { stdout, stderr } = await run(process.execPath, args, { cwd: folder, env });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    exports: [
      'RowhouseError',
      'cookieStorage',
      'createClient',
      'localStorageAdapter',
      'memoryStorage',
      'serverCookieStorage',
    ],
    read: { id: 4, moons: expect.arrayContaining([{ name: 'Io' }]) },
    refused: [true, 403],
    written: [{ article: 'tea' }],
    called: 3,
    status: 'SUBSCRIBED',
  });
});

const typed = `
type Planet = { id: number; name: string };
type Database = {
  public: {
    Tables: { planets: { Row: Planet; Insert: Planet; Update: Partial<Planet>; Relationships: [] } };
    Views: { [_ in never]: never };
    Functions: { [_ in never]: never };
  };
};
export async function use(): Promise<string | undefined> {
  const client = createClient<Database>('https://shop.example.org');
  const { data, error } = await client.from('planets').select('title:name').eq('id', 1);
  if (error) throw new RowhouseError(error.message, { status: error.status, code: error.code });
  // @ts-expect-error -- there is no such column
  client.from('planets').select().eq('nmae', 'x');
  const title: string | undefined = data[0]?.title;
  client
    .channel('planets')
    .on('postgres_changes', { event: 'INSERT', table: 'planets' }, (change) => {
      const name: string = change.new.name;
      return name;
    })
    // @ts-expect-error -- there is no such type
    .on('system', {}, () => undefined);
  return title;
}
`;

test('its types compile in both kinds of module, in a project without types of Node', async () => {
  await writeFile(
    join(folder, 'use.mts'),
    `import { createClient, RowhouseError } from '@rowhouse/client';${typed}`,
  );
  await writeFile(
    join(folder, 'use.cts'),
    `import { createClient, RowhouseError } from '@rowhouse/client';${typed}`,
  );
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
  };
  const files = ['use.mts', 'use.cts'];
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const errors = await run(process.execPath, [compiler, '-p', folder]).then(
    () => '',
    (failed: { stdout: string }) => failed.stdout,
  );
  expect(errors).toBe('');
});
