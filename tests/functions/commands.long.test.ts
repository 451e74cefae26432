// The commands `rowhouse functions` and `rowhouse secrets` against a project that runs.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { functionsCommand, type FunctionsVerb } from '../../bin/functions-command.js';
import type { ProjectSurroundings } from '../../bin/project-command.js';
import { secretsCommand, type SecretsVerb } from '../../bin/secrets-command.js';
import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let folder: string;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  folder = await mkdtemp(join(tmpdir(), 'rowhouse-functions-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await deployment.close();
});

async function write(path: string, text: string): Promise<void> {
  const file = join(folder, 'functions', path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

function terminal(signal = new AbortController().signal) {
  const url = new URL(project.apiOrigin);
  url.hostname = project.host;
  const shown = { output: '', complaint: '' };
  const to: ProjectSurroundings = {
    url: url.href,
    secretKey: project.secretKey,
    folder,
    print: (text) => (shown.output += text),
    complain: (text) => (shown.complaint += text),
    ask: undefined,
    signal,
  };
  return { shown, to };
}

async function functions(verb: FunctionsVerb, ...args: string[]) {
  const { shown, to } = terminal();
  return { code: await functionsCommand(verb, args, to), ...shown };
}

async function secrets(verb: SecretsVerb, ...args: string[]) {
  const { shown, to } = terminal();
  return { code: await secretsCommand(verb, args, to), ...shown };
}

const call = (route: string, body: unknown = {}) =>
  project.asService({ method: 'POST', path: `/api/edge/${route}`, body });

test('a new function runs as it is written', async () => {
  expect(await functions('new', 'hello')).toMatchObject({ code: 0, complaint: '' });
  const { code, output, complaint } = await functions('deploy', 'hello');
  expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
  expect(output).toMatch(/^deployed hello, version 1, http:\S+\/api\/edge\/hello\n$/);
  expect((await call('hello', { name: 'Ada' })).body).toEqual({ message: 'Hello Ada!' });
  expect((await call('hello', 'null')).body).toEqual({ message: 'Hello world!' });
});

test('functions import what they share, and deploys go on after a failure', async () => {
  await write('_shared/greet.ts', "export const greet = (name: string) => 'Hi ' + name;");
  await write('deno.json', '{ "imports": { "shared/": "./_shared/" } }');
  const code =
    "import { greet } from 'shared/greet.ts'; Deno.serve(() => new Response(greet('Bob')));";
  await write('shares/index.ts', code);
  await write('broken/index.ts', "import './missing.ts';");
  const result = await functions('deploy');
  expect(result.code).toBe(1);
  expect(result.complaint).toMatch(/^broken: [^\n]*missing\.ts[^\n]*\n$/);
  expect(result.output).toMatch(
    /^deployed hello, version 2, \S+\ndeployed shares, version 1, \S+\n$/,
  );
  expect((await call('shares')).text).toBe('Hi Bob');
});

test('route and access are changed with a deploy', async () => {
  const { output } = await functions('deploy', 'shares', '--route', 'hi/bob', '--public', '--json');
  expect(JSON.parse(output)).toMatchObject({ slug: 'shares', route: 'hi/bob', isPublic: true });
  expect((await call('hi/bob')).text).toBe('Hi Bob');
  expect((await functions('list')).output).toMatch(
    /^hello {2}version 2 {2}private {2}\S+ {2}\S+\nshares {2}version 2 {2}public {3}\S+ {2}\S+hi\/bob\n$/,
  );
});

test('secrets are set, listed by name and removed', async () => {
  const code = `const read = (name: string) => {
    try {
      return Deno.env.get(name) ?? null;
    } catch {
      return null; // No variable of this name may be read.
    }
  };
  Deno.serve(() => Response.json([read('ONE'), read('TWO')]));`;
  await write('env/index.ts', code);
  await functions('deploy', 'env');
  await writeFile(join(folder, '.env'), 'ONE=file\nTWO="of the file"\n');
  expect(await secrets('set', 'ONE=1=1', '--env-file', '.env')).toMatchObject({ code: 0 });
  expect((await call('env')).body).toEqual(['1=1', 'of the file']);
  const { output } = await secrets('list');
  expect(output).toMatch(/^ONE {2}\S+\nTWO {2}\S+\n$/);
  expect(await secrets('unset', 'ONE')).toMatchObject({ code: 0, output: 'unset ONE\n' });
  expect((await call('env')).body).toEqual([null, 'of the file']);
  expect(await secrets('set', 'PATH=x')).toMatchObject({ code: 1, output: '' });
});

test('serve deploys a change and prints what functions log', async () => {
  const stop = new AbortController();
  const { shown, to } = terminal(stop.signal);
  const serving = functionsCommand('serve', [], to);
  await waitFor(async () => shown.output.includes('deployed shares'));
  const version = (text: string) =>
    `console.log('called ${text}'); Deno.serve(() => { console.warn('${text} answers\\nwith details'); return new Response('${text}'); });`;
  await write('hello/index.ts', version('third'));
  await waitFor(async () => (await call('hello')).text === 'third');
  await waitFor(async () =>
    /warn {3}hello {2}third answers\n {4}with details\n/.test(shown.output),
  );
  stop.abort();
  expect(await serving).toBe(0);
});

test('logs prints what was stored, selected by level', async () => {
  await waitFor(async () => (await functions('logs', 'hello')).output.includes('called third'));
  const { output } = await functions('logs', 'hello', '--level', 'warn', '--limit', '1');
  expect(output).toMatch(/^\S+ {2}warn {3}hello {2}third answers\n {4}with details\n$/);
});

test('a function is deleted with its name or --yes', async () => {
  expect(await functions('delete', 'hello')).toMatchObject({ code: 1 });
  expect((await call('hello')).status).toBe(200);
  expect(await functions('delete', 'hello', '--yes')).toMatchObject({ output: 'deleted hello\n' });
  expect((await call('hello')).status).toBe(404);
  expect(await readFile(join(folder, 'functions/hello/index.ts'), 'utf8')).toContain('third');
  expect((await functions('delete', 'hello', '--yes')).complaint).toContain('hello');
});
