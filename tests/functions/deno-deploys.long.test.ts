// What a deploy checks, and how its code gets to other machines.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lstat, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import {
  describeWithDeno,
  type FixtureProject,
  type FunctionsFixture,
  openFixture,
} from './functions-fixture.js';

/** Without types, as all programs of `bin` that run before the build. */
const tar: {
  tarGz(files: readonly { readonly name: string; readonly content: Buffer }[]): Buffer;
} = await import(new URL('../../bin/tar.js', import.meta.url).href);

/** A registry of npm with a package `answer`, whose newest version can be set. */
function openRegistry(): Server & { newest: string; held: ServerResponse[]; isReleased: boolean } {
  const versions = ['1.0.0', '1.1.0'];
  const archive = (version: string): Buffer =>
    tar.tarGz([
      {
        name: 'package/package.json',
        content: Buffer.from(
          JSON.stringify({ name: 'answer', version, type: 'module', main: 'index.js' }),
        ),
      },
      { name: 'package/index.js', content: Buffer.from(`export const answer = '${version}';`) },
    ]);
  const server = createServer((request, response) => {
    const found = /answer-(.*)\.tgz$/.exec(request.url ?? '')?.[1];
    if (found !== undefined) return void response.end(archive(found));
    if (request.url === '/held' && !registry.isReleased) return void registry.held.push(response);
    if (request.url !== '/answer') return void response.writeHead(404).end('{}');
    const known = versions.slice(0, versions.indexOf(registry.newest) + 1);
    const described = known.map((version) => {
      const integrity = `sha512-${createHash('sha512').update(archive(version)).digest('base64')}`;
      const tarball = `http://${request.headers.host}/answer-${version}.tgz`;
      return [version, { name: 'answer', version, dist: { tarball, integrity } }];
    });
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        name: 'answer',
        'dist-tags': { latest: registry.newest },
        versions: Object.fromEntries(described),
      }),
    );
  });
  const registry = Object.assign(server, {
    newest: '1.0.0',
    held: [] as ServerResponse[],
    isReleased: false,
  });
  return registry;
}

describeWithDeno('a deploy', () => {
  const registry = openRegistry();
  let npmRegistry: URL;
  let fixture: FunctionsFixture;
  beforeAll(async () => {
    registry.listen(0, '127.0.0.1');
    await once(registry, 'listening');
    // The address of a listening server of TCP.
    npmRegistry = new URL(`http://127.0.0.1:${(registry.address() as AddressInfo).port}/`);
    fixture = await openFixture({ npmRegistry });
  });
  afterAll(async () => {
    registry.close();
    registry.closeAllConnections();
    await fixture.close();
  });

  test('keeps the versions of packages, which another machine gets as well', async () => {
    const code = `import { answer } from 'npm:answer@1'; Deno.serve(() => new Response(answer));`;
    const version = await fixture.open({ ref: 'here' }).deploy('packaged', code);
    expect(version.lock).toContain('answer@1.0.0');
    registry.newest = '1.1.0';
    const elsewhere = await openFixture({ npmRegistry });
    try {
      expect(await elsewhere.open().call(version)).toMatchObject({ text: '1.0.0' });
      const later = await elsewhere.open().deploy('packaged', code);
      expect(later.lock).toContain('answer@1.1.0');
    } finally {
      await elsewhere.close();
    }
  });

  test.each([
    ['text that is no code', `const = 1;`, /index\.ts:1/],
    ['a package that does not exist', `import 'npm:missing-package@1';`, /missing-package/],
    ['a file that does not exist', `import './missing.ts';`, /missing\.ts/],
  ])('refuses %s with what Deno says', async (_name, code, reason) => {
    const refused = await fixture
      .open()
      .deploy('wrong', code)
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'FUNCTION_REFUSED',
      message: expect.stringMatching(reason),
    });
    expect(String(refused)).not.toMatch(new RegExp(`${fixture.folder}|\u001b`));
  });

  test('refuses a configuration that names other files, and leaves out what it does not know', async () => {
    const project = fixture.open();
    const named = { 'index.ts': '', 'deno.json': '{"importMap":"/etc/passwd"}' };
    await expect(project.deploy('config', named)).rejects.toMatchObject({
      code: 'FUNCTION_REFUSED',
    });
    const unstable = {
      'index.ts': `Deno.serve(() => new Response(typeof Deno.openKv));`,
      'deno.json': '{"unstable":["kv"],"nodeModulesDir":"auto"}',
    };
    expect((await project.call(await project.deploy('config', unstable))).text).toBe('undefined');
    const workspace = {
      ...unstable,
      '../deno.json': '{"workspace":["./config"],"unstable":["kv"]}',
    };
    expect((await project.call(await project.deploy('config', workspace))).text).toBe('undefined');
  });

  test('waits for the one before of its project, and not for those of others', async () => {
    const project = fixture.open();
    const ended: string[] = [];
    const deploy = (of: FixtureProject, name: string, code: string) =>
      of.deploy(name, code).then(
        () => ended.push(name),
        () => ended.push(`no ${name}`),
      );
    const first = deploy(project, 'first', `import 'npm:held@1';`);
    await waitFor(() => registry.held.length > 0);
    const second = deploy(project, 'second', `Deno.serve(() => new Response(''));`);
    await deploy(fixture.open(), 'other', `Deno.serve(() => new Response(''));`);
    registry.isReleased = true;
    for (const response of registry.held) response.writeHead(404).end('{}');
    await Promise.all([first, second]);
    expect(ended).toEqual(['other', 'no first', 'second']);
  });

  test.each([
    ['that it cannot read', 1, 0, { 'deno.json': '{"compilerOptions":{"jsx":"x"}}' }],
    ['in a list that is too long', 250, 300, {}],
  ])('refuses imports %s, before it quotes any', async (_name, modules, imports, others) => {
    const secret = join(fixture.folder, 'secret.ts');
    await writeFile(secret, 'PASSWORD = = 1;');
    const deep = `${'d'.repeat(90)}/${'e'.repeat(80)}`;
    const files: Record<string, string> = {
      'index.ts': `import '${secret}'; import './${deep}/m0.js';`,
      ...others,
    };
    for (let index = 0; index < modules; index += 1) {
      const names = Array.from({ length: imports }, (_, each) => (index + each * 7 + 1) % modules);
      files[`${deep}/m${index}.js`] = names.map((name) => `import './m${name}.js';`).join('\n');
    }
    const refused = await fixture
      .open()
      .deploy('listed', files)
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'FUNCTION_REFUSED' });
    expect(String(refused)).toContain('cannot be listed');
    expect(String(refused)).not.toContain('PASSWORD');
  });

  test('of the same slug never runs what an earlier function has left', async () => {
    const first = fixture.open({ ref: 'again' });
    const old = await first.deploy('same', `Deno.serve(() => new Response('old'));`);
    expect((await first.call(old)).text).toBe('old');
    await first.functions.close();
    const second = fixture.open({ ref: 'again' });
    const version = await second.deploy('same', `Deno.serve(() => new Response('new'));`);
    expect(version.version).toBe(old.version);
    expect((await second.call(version)).text).toBe('new');
  });

  test('as root gives each project a user and group of its own, which alone can enter its folders', async () => {
    if (process.getuid?.() !== 0) return;
    const projects = join(fixture.folder, 'functions/projects');
    for (const ref of ['owner-a', 'owner-b']) {
      const project = fixture.open({ ref });
      const version = await project.deploy('who', `Deno.serve(() => new Response(''));`);
      await project.call(version);
    }
    const folders = await Promise.all(
      (await readdir(projects)).map((name) => lstat(join(projects, name))),
    );
    expect(new Set(folders.map(({ gid }) => gid)).size).toBe(folders.length);
    expect(folders.every(({ gid, mode }) => gid >= 40_000 && (mode & 0o027) === 0)).toBe(true);
  });
});
