// Runs the pages of docs/sdk, each on a project of its own: the command of the overview writes the types, the compiler
// checks the programs with them, and each part prints what its page says. The tables are those of docs/rest.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { testIf } from '#libs/testing';

import { genTypes } from '../../bin/gen-types.js';
import { type Gateway, openGateway } from '../sdk/support/gateway.js';
import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import type { Step } from './documented-steps.js';
import { type PageProgram, programsOf, readPages, wholePrograms } from './folder-pages.js';
import { readExamples } from './rest-examples.js';
import { expectPrinted, hasPrograms, pageMs, programErrors, runSteps } from './run-steps.js';

const isProgram = ({ kind }: Step): boolean => kind === 'program';
const pages = programsOf(readPages('docs/sdk'), isProgram);
const programs = pages.map((page): PageProgram => ({
  ...page,
  steps: page.steps.filter(isProgram),
}));
const commands = pages.flatMap(({ steps }) => steps.filter((step) => !isProgram(step)));
const [install, generate, fetchTypes, localNames] = commands;
const scripts = readPages('docs/rest')
  .flatMap(({ text }) => readExamples(text))
  .filter((example) => example.kind === 'sql');
const pageAddress = 'http://shop.localhost:8000';

let deployment: Deployment;
let project: ProjectUnderTest;
let gateway: Gateway;
let folder: string;

beforeAll(async () => {
  deployment = await Deployment.shared();
  ({ project, gateway } = await openProject());
  folder = await mkdtemp(join(tmpdir(), 'rowhouse-docs-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await gateway.close();
  await deployment.close();
});

test('beside the programs the pages have four commands', () => {
  const command = expect.objectContaining({ kind: 'command', prints: undefined });
  expect(commands).toEqual([command, command, command, command]);
});

// tests/sdk/client-served.long.test.ts installs it.
test('the package is installed from the deployment', () => {
  expect(install?.text).toBe('npm install http://localhost:8000/client.tgz');
});

test('with the file of the overview, a program of Node.js reaches a project by its name', async () => {
  const url = `http://${project.ref}.localhost:${new URL(deployment.apiOrigin).port}/api/health-check`;
  await writeFile(
    join(folder, 'app.mjs'),
    `fetch('${url}').then((reply) => console.log(reply.status))`,
  );
  const { stdout } = await promisify(execFile)('sh', ['-c', localNames?.text ?? ''], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
  });
  expect(stdout.trim()).toBe('200');
});

test(
  'the command writes the types, and the programs compile with them',
  async () => {
    const words = (generate?.text ?? '').split(' ');
    expect(words.slice(0, 4)).toEqual(['node', 'bin/rowhouse.js', 'gen', 'types']);
    const output: string[] = [];
    const exitCode = await genTypes(words.slice(4).map(hereOf(project, gateway)), {
      secretKey: undefined,
      print: (text) => output.push(text),
      complain: (text) => output.push(text),
    });
    expect([exitCode, ...output]).toEqual([0]);
    const errors = await programErrors(wholePrograms(programs), {
      'lib.d.ts': '/// <reference lib="dom" />',
      'database.ts': await readFile(join(folder, 'database.ts'), 'utf8'),
    });
    expect(errors).toEqual([]);
  },
  pageMs,
);

testIf(hasPrograms('curl'), 'curl is missing')('curl fetches the same types', async () => {
  const command = hereOf(project, gateway)(fetchTypes?.text ?? '');
  const fetched = await mkdtemp(join(folder, 'fetched-'));
  await promisify(execFile)('sh', ['-c', command], { cwd: fetched });
  const types = await readFile(join(fetched, 'database.ts'), 'utf8');
  expect(types).toContain('export type Database');
  const reply = await project.asService({ path: '/api/admin/types' });
  expect(types).toBe(reply.text);
});

describe.each(programs)('$path', ({ before, steps }) => {
  /** What each part of the program printed. */
  let printed: readonly (readonly unknown[])[];

  beforeAll(async () => {
    const own = await openProject();
    const here = hereOf(own.project, own.gateway);
    const outputs = await runSteps([...before, ...steps], { project: own.project, here });
    printed = outputs.slice(before.length);
    await own.gateway.close();
  }, pageMs);

  test.each(steps.map((part, index) => ({ ...part, index })))('$name', (part) =>
    expectPrinted(part, printed[part.index]),
  );
});

/** Opens a project with the tables and functions of docs/rest. */
async function openProject(): Promise<{ project: ProjectUnderTest; gateway: Gateway }> {
  const opened = await deployment.createProject();
  for (const { text } of scripts) await opened.sql(text);
  return { project: opened, gateway: await openGateway(opened) };
}

/** Returns texts of the pages with the address, the keys and the folder of this run. */
function hereOf(
  { publishableKey, secretKey }: ProjectUnderTest,
  { url }: Gateway,
): (text: string) => string {
  return (text) =>
    text
      .replaceAll(pageAddress, url)
      .replaceAll('svc_publishable_…', publishableKey)
      .replaceAll('svc_secret_…', secretKey)
      .replace(/^database\.ts$/, join(folder, 'database.ts'));
}
