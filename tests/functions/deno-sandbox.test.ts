// What code of a project tries from inside of its process. Each attempt is refused by the command line of Deno, so the
// tests ask for its words.
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type FunctionVersion, isReservedVariable } from '#libs/functions';

import {
  describeWithDeno,
  type FixtureProject,
  type FunctionsFixture,
  openFixture,
} from './functions-fixture.js';

/** Runs the JavaScript of its body, and answers with its value or its error. */
const prober = `const AsyncFunction = (async () => {}).constructor;
Deno.serve(async (request) => {
  const { code, values } = await request.json();
  try {
    const run = new AsyncFunction(...Object.keys(values), code);
    return Response.json({ value: String(await run(...Object.values(values))) });
  } catch (error) {
    return Response.json({ error: error.name + ': ' + error.message + ' ' + (error.cause ?? '') });
  }
});`;

describeWithDeno('code of a project', () => {
  let fixture: FunctionsFixture;
  let project: FixtureProject;
  let probe: FunctionVersion;
  let server: Server;
  let visits = 0;
  let values: {
    readonly port: number;
    readonly secretFile: string;
    readonly projects: string;
    readonly address: string;
  };
  beforeAll(async () => {
    fixture = await openFixture();
    project = fixture.open({
      ref: 'hostile',
      serve: (_request, response) =>
        void response.writeHead(302, { location: `http://127.0.0.1:${values.port}/` }).end(),
    });
    const neighbor = fixture.open({ ref: 'victim' });
    const itsCode = await neighbor.deploy('shop', `Deno.serve(() => new Response('mine'));`);
    await neighbor.call(itsCode);
    probe = await project.deploy('probe', prober);
    server = createServer((_request, response) => {
      visits += 1;
      response.end('inside');
    });
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    // The address of a listening server of TCP.
    const { port } = server.address() as AddressInfo;
    const secretFile = join(fixture.folder, 'settings.json');
    await writeFile(secretFile, '{"key":"value"}', { mode: 0o644 });
    await mkdir(join(fixture.folder, 'functions'), { recursive: true });
    const projects = join(fixture.folder, 'functions/projects');
    const [ownAddress] = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal);
    values = { port, secretFile, projects, address: ownAddress?.address ?? '127.0.0.1' };
  });
  afterAll(async () => {
    server.close();
    await fixture.close();
  });

  async function attempt(code: string): Promise<{ value?: string; error?: string }> {
    const reply = await project.call(probe, { body: JSON.stringify({ code, values }) });
    return JSON.parse(reply.text);
  }

  test('can do what functions are for', async () => {
    expect(await attempt('return 1 + 1')).toEqual({ value: '2' });
    expect(
      await attempt(`return (await import('data:text/javascript,export default 7')).default`),
    ).toEqual({ value: '7' });
  });

  describe('reads no file of the server', () => {
    test.each([
      ['text', 'return Deno.readTextFile(secretFile)'],
      ['of the system', `return Deno.readTextFile('/etc/passwd')`],
      ['as a module of JSON', `return import(secretFile, { with: { type: 'json' } })`],
      ['as a module of text', `return import('file://' + secretFile, { with: { type: 'text' } })`],
      ['as code', `return import('file:///etc/passwd')`],
      ['through eval', `return eval('import("/etc/passwd", { with: { type: "text" } })')`],
      [
        'through a module in memory',
        `const url = URL.createObjectURL(new Blob(["import x from 'file:///etc/passwd' with { type: 'text' }; export default x"], { type: 'text/javascript' }));
        return (await import(url)).default`,
      ],
      [
        'through a module in a URL',
        `return (await import('data:text/javascript,import x from "file:///etc/passwd" with { type: "text" }; export default x')).default`,
      ],
      ['with fetch', `return (await fetch('file:///etc/passwd')).text()`],
      ['with node:fs', `return (await import('node:fs')).readFileSync('/etc/passwd', 'utf8')`],
      [
        'with require',
        `return (await import('node:module')).createRequire('file:///x/')(secretFile)`,
      ],
      ['of its own process', `return Deno.readTextFile('/proc/self/environ')`],
      ['of its memory', `return Deno.open('/proc/self/mem')`],
      ['of the server as a process', 'return Deno.readTextFile(`/proc/${Deno.ppid}/environ`)'],
      ['in a worker', `new Worker('data:text/javascript,', { type: 'module' })`],
      ['of a database', `new (await import('node:sqlite')).DatabaseSync(secretFile)`],
      ['by a list', `return [...Deno.readDirSync('/')].length`],
    ])('%s', async (_name, code) => {
      const { value, error } = await attempt(code);
      expect(value).toBeUndefined();
      expect(error).toMatch(/NotCapable|Requires read access|permission|not allowed|no workers/i);
    });

    test('in a thread of Node.js, for which its memory has no room', async () => {
      const code = `const { Worker } = await import('node:worker_threads');
        const source = "require('node:worker_threads').parentPort.postMessage(require('node:fs').readFileSync('/etc/passwd', 'utf8'))";
        const worker = new Worker(source, { eval: true });
        return new Promise((resolve, reject) => { worker.on('message', resolve); worker.on('error', reject); });`;
      const outcome = await attempt(code).catch((error: unknown) => error);
      expect(outcome).toMatchObject({ code: 'FUNCTION_CRASHED' });
    });

    test('by an import of a file that the check of the deploy does not see', async () => {
      const version = await project.deploy('late', {
        'index.ts': `const name = './hidden' + '.ts'; export default () => import(name).then(({ x }) => new Response(x));`,
        'hidden.ts': `import x from '/etc/passwd' with { type: 'text' }; export { x };`,
      });
      expect((await project.call(version)).status).toBe(500);
      // A line may come after the answer.
      await expect
        .poll(() => project.logs.map(({ message }) => message).join('\n'))
        .toMatch(/Requires read access|NotCapable/);
    });

    test.each([
      ['code', `import '/etc/passwd'; `],
      ['text', `import x from '../../../../../../etc/passwd' with { type: 'text' };`],
      ['JSON', `import x from 'file:///etc/passwd' with { type: 'json' };`],
      ['a later import', `await import('/etc/passwd', { with: { type: 'text' } });`],
      [
        'an encoded path',
        `import x from './..%2f..%2f..%2f..%2f..%2fetc/passwd' with { type: 'text' };`,
      ],
    ])('by an import at the deploy: %s', async (_name, code) => {
      const refused = await project.deploy('early', code).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'FUNCTION_REFUSED' });
      expect(String(refused)).not.toContain('root:');
    });
  });

  test.each([
    ['code', 'return [...Deno.readDirSync(`${projects}/victim/code`)][0].name'],
    ['cache', 'return [...Deno.readDirSync(`${projects}/victim/deno`)].length'],
    [
      'folder, from its own',
      'return [...Deno.readDirSync(`${projects}/hostile/../victim`)].length',
    ],
    ['code, by a link', "await Deno.symlink(`${projects}/victim`, '/tmp/link'); return 1"],
  ])('does not reach another project: its %s', async (_name, code) => {
    expect((await attempt(code)).error).toMatch(/NotCapable|Requires/);
  });

  test.each([
    [
      'of its environment',
      `Deno.env.set('HTTP_PROXY', 'http://127.0.0.1:' + port); Deno.env.set('http_proxy', 'http://127.0.0.1:' + port);
      return (await fetch('http://192.0.2.1/')).text()`,
    ],
    [
      'of a client',
      `const client = Deno.createHttpClient({ proxy: { url: 'http://127.0.0.1:' + port } });
      return (await fetch('http://192.0.2.1/', { client })).text()`,
    ],
  ])('reaches no port of this machine through a proxy %s', async (_name, code) => {
    // A process of its own: the proxy is read with the first request.
    const fresh = await project.deploy(`proxied-${_name.length}`, prober);
    const before = visits;
    const reply = await project.call(fresh, { body: JSON.stringify({ code, values }) });
    expect(JSON.parse(reply.text)).toMatchObject({ error: expect.any(String) });
    expect(visits).toBe(before);
  });

  test('reaches no port of this machine through a proxy that a secret names', async () => {
    const proxy = `http://127.0.0.1:${values.port}`;
    project.secrets = { HTTP_PROXY: proxy, https_proxy: proxy, ALL_PROXY: proxy };
    const fresh = await project.deploy('proxied', prober);
    const code = `return (await fetch('http://192.0.2.1/')).text()`;
    const before = visits;
    const reply = await project.call(fresh, { body: JSON.stringify({ code, values }) });
    project.secrets = {};
    expect(JSON.parse(reply.text)).toMatchObject({ error: expect.any(String) });
    expect(visits).toBe(before);
  });

  test('sees its own variables and none of the server', async () => {
    const names = 'Object.keys((await import("node:process")).env)';
    const { value } = await attempt(
      `return [...Object.keys(Deno.env.toObject()), ...${names}].join()`,
    );
    expect([...new Set(value?.split(','))].sort()).toEqual([
      'ROWHOUSE_FUNCTION',
      'ROWHOUSE_URL',
      'SUPABASE_URL',
    ]);
  });

  test('has its secrets in no environment of a process, where a shell or Deno would obey them', async () => {
    const mark = 'no shell reads this';
    project.secrets = { MARK: mark, TEXT: 'ä"'.repeat(30_000) };
    const fresh = await project.deploy('secrets', prober);
    const code = `return [Deno.env.get('MARK'), Deno.env.get('TEXT').length, (await new Response(Deno.stdin.readable).text()).length].join()`;
    const reply = await project.call(fresh, { body: JSON.stringify({ code, values }) });
    project.secrets = {};
    expect(JSON.parse(reply.text)).toEqual({ value: `${mark},60000,0` });
    const ids = process.platform === 'linux' ? await readdir('/proc') : [];
    const environments = await Promise.all(
      ids.map((id) => readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')),
    );
    expect(environments.filter((each) => each.includes('DENO_DIR=')).length > 0).toBe(
      process.platform === 'linux',
    );
    expect(environments.filter((each) => each.includes(mark))).toEqual([]);
  });

  test('goes after the server where the processor is busy', async () => {
    if (process.platform !== 'linux') return;
    await attempt('return 1');
    const stats = (await readdir('/proc')).map((id) =>
      readFile(`/proc/${id}/stat`, 'utf8').catch(() => ''),
    );
    // The parent and the priority, after the name (proc_pid_stat(5)).
    const all = (await Promise.all(stats)).map(
      (stat) => /\) (.*)/.exec(stat)?.[1]?.split(' ') ?? [],
    );
    const ours = all.filter((fields) => fields[1] === String(process.pid));
    expect(ours.length).toBeGreaterThan(0);
    expect(ours.every((fields) => fields[16] === '10')).toBe(true);
  });

  test('makes no file by a variable that it sets', async () => {
    const file = join(fixture.folder, 'keys');
    await mkdir(file, { mode: 0o777 });
    await chmod(file, 0o777);
    const code = `Deno.env.set('SSLKEYLOGFILE', file + '/keys'); Deno.env.set('TMPDIR', file);
      Deno.createHttpClient({}); await fetch('https://127.0.0.1/').catch(() => undefined); return 'done'`;
    const body = JSON.stringify({ code, values: { file } });
    const fresh = await project.deploy('keys', prober);
    expect(JSON.parse((await project.call(fresh, { body })).text)).toEqual({ value: 'done' });
    expect(await readdir(file)).toEqual([]);
  });

  test('has databases of SQLite in memory, which write no temporary files', async () => {
    const code = `Deno.env.set('SQLITE_TMPDIR', '/var/tmp');
      const { DatabaseSync } = await import('node:sqlite');
      const database = new DatabaseSync(':memory:');
      const rows = 'with recursive n (i) as (select 1 union all select i + 1 from n where i < 9) select randomblob(1000000) as x from n';
      database.exec('pragma temp_store = memory; create table rows as ' + rows);
      const sorted = database.prepare('select x from rows order by x').all();
      if (sorted.length !== 9) return 'no rows';
      database.exec('pragma temp_store = file; pragma cache_size = 1');
      database.exec('create temp table files as ' + rows);`;
    const fresh = await project.deploy('database', prober);
    const reply = await project.call(fresh, { body: JSON.stringify({ code, values }) });
    expect(JSON.parse(reply.text)).toEqual({ error: expect.stringContaining('SQL logic error') });
  });

  test.each(['SHELLOPTS', 'PS4', 'BASH_ENV', 'OTEL_DENO', 'SSLKEYLOGFILE', 'SQLITE_TMPDIR'])(
    'has no variable %s, which native code obeys',
    (name) => expect(isReservedVariable(name)).toBe(true),
  );

  test.each([
    '127.0.0.1',
    'localhost',
    '2130706433',
    '0x7f.1',
    '0',
    '127.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    '127.3.2.1',
    '${address}',
  ])('reaches no port of this machine: %s', async (host) => {
    const { error } = await attempt(`return (await fetch(\`http://${host}:\${port}/\`)).text()`);
    expect(error).toMatch(/NotCapable|Requires net access/);
    expect(visits).toBe(0);
  });

  test('reaches no port of this machine by a redirect of its own project', async () => {
    const { error } = await attempt(`return (await fetch('http://p1.localhost:8000/')).status`);
    expect(error).toMatch(/Requires net access/);
    expect(visits).toBe(0);
  });

  test.each(['10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1'])(
    'reaches no private network: %s',
    async (host) => {
      expect((await attempt(`return (await fetch('http://${host}/')).text()`)).error).toMatch(
        /NotCapable/,
      );
    },
  );

  test.each([
    ['a connection of Deno', `await Deno.connect({ hostname: '127.0.0.1', port })`],
    [
      'a connection of Node.js',
      `const { connect } = await import('node:net'); const socket = connect(port, '127.0.0.1'); await new Promise((done, fail) => { socket.on('connect', done); socket.on('error', fail); })`,
    ],
    ['a socket of the system', `await Deno.connect({ transport: 'unix', path: '/run/x.sock' })`],
    ['UDP', `Deno.listenDatagram({ transport: 'udp', port: 0 })`],
    ['a port on all addresses', `Deno.listen({ port: 0 })`],
    ['a port on one address', `Deno.listen({ port: 0, hostname: address })`],
    [
      'a port of Node.js',
      `const { createServer } = await import('node:http'); const server = createServer(); await new Promise((done, fail) => { server.on('error', fail); server.listen(0, done); })`,
    ],
    ['a socket for others', `Deno.listen({ transport: 'unix', path: '/tmp/x.sock' })`],
    ['a program', `await new Deno.Command('/bin/sh').output()`],
    ['a program of Node.js', `(await import('node:child_process')).execFileSync('/bin/ls')`],
    ['a library', `Deno.dlopen('/lib/x86_64-linux-gnu/libc.so.6', {})`],
    ['an addon', `process.dlopen({ exports: {} }, '/tmp/x.node')`],
    ['the name of the machine', `return Deno.hostname()`],
    ['the end of the server', `Deno.kill(Deno.ppid, 'SIGKILL')`],
    [
      'the end of the server by Node.js',
      `(await import('node:process')).kill(Deno.ppid, 'SIGKILL')`,
    ],
    ['a file', `await Deno.writeTextFile('/tmp/x', 'x')`],
    ['a temporary file', `await Deno.makeTempFile()`],
    ['a module of another host', `return import('http://127.0.0.1:' + port + '/x.js')`],
    ['a module that was not deployed', `return import('https://esm.sh/left-pad')`],
    [
      'a new permission',
      `const { state } = await Deno.permissions.request({ name: 'read' }); if (state !== 'granted') throw new Error('NotCapable')`,
    ],
    ['a store on the disk', `localStorage.setItem('a', 'b')`],
    [
      'a cache on the disk',
      `const cache = await caches.open('x'); await cache.put('https://example.com/', new Response('x'))`,
    ],
    ['a database on the disk', `await Deno.openKv()`],
  ])('gets nothing else of the machine: %s', async (_name, code) => {
    const { error } = await attempt(code);
    expect(error).toBeDefined();
    expect(visits).toBe(0);
  });

  test('is not deployed with modules of hosts that are not allowed, which are not called', async () => {
    const code = `import 'http://127.0.0.1:${values.port}/x.ts'; Deno.serve(() => new Response(''));`;
    await expect(project.deploy('remote', code)).rejects.toMatchObject({
      code: 'FUNCTION_REFUSED',
    });
    expect(visits).toBe(0);
  });

  test('answers with no change of the protocol', async () => {
    const code = `Deno.serve(() => new Response(null, { status: 101 }));`;
    const changed = await project
      .call(await project.deploy('changed', code))
      .catch((error: unknown) => error);
    expect(changed).toMatchObject({ code: 'FUNCTION_CRASHED' });
  });

  test('breaks off an answer with an error of its own', async () => {
    const code = `Deno.serve(() => new Response(new ReadableStream({ pull(to) { to.error(new Error('x')); } })));`;
    const broken = await project
      .call(await project.deploy('broken', code))
      .catch((error: unknown) => error);
    expect(broken).toMatchObject({ code: 'FUNCTION_CRASHED' });
  });

  test.each([
    ['leaves its folder', { 'index.ts': '', '../../x.ts': '' }],
    ['leaves it in the middle', { 'index.ts': '', 'a/../../x.ts': '' }],
    ['begins at the root', { 'index.ts': '', '/etc/x': '' }],
    ['leads to its own folder', { 'index.ts': '', '../paths/deno.json': '{}' }],
    ['is its own folder', { 'index.ts': '', '../paths': '' }],
    ['sets up npm', { 'index.ts': '', '.npmrc': 'registry=http://127.0.0.1/' }],
    ['is missing', { 'main.ts': '' }],
  ])('is not deployed with a path that %s', async (_name, files) => {
    await expect(project.deploy('paths', files)).rejects.toMatchObject({
      code: 'FUNCTION_REFUSED',
    });
  });
});
