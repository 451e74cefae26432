// Runs docs/sdk.md: its command writes the types, the compiler checks the program with them, and each part
// prints what the page says. The tables are those of docs/rest.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { testIf } from '#libs/testing';

import { genTypes } from '../../bin/gen-types.js';
import { type Gateway, openGateway } from '../sdk/support/gateway.js';
import { House } from '../support/house.js';
import type { ProjectUnderTest } from '../support/project.js';
import { readSteps } from './documented-steps.js';
import { readPages } from './folder-pages.js';
import { readExamples } from './rest-examples.js';
import { expectPrinted, hasPrograms, programErrors, runSteps } from './run-steps.js';

const steps = readSteps(readFileSync('docs/sdk.md', 'utf8'));
const program = steps.filter(({ kind }) => kind === 'program');
const [install, localNames, generate, fetchTypes, ...others] = steps.filter(
  ({ kind }) => kind !== 'program',
);
const pageAddress = 'http://shop.localhost:8000';

let house: House;
let project: ProjectUnderTest;
let gateway: Gateway;
let folder: string;
/** What each part of the program printed. */
let printed: readonly (readonly unknown[])[];

beforeAll(async () => {
  house = await House.shared();
  project = await house.createProject();
  gateway = await openGateway(project);
  folder = await mkdtemp(join(tmpdir(), 'rowhouse-docs-'));
  await project.signUp('ada@example.org');
  const examples = readPages('docs/rest').flatMap(({ text }) => readExamples(text));
  for (const example of examples) {
    if (example.kind === 'sql') await project.sql(example.text);
  }
  printed = await runSteps(program, { project, here });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await gateway.close();
  await house.close();
});

test('beside the program the page has four commands', () => {
  const command = expect.objectContaining({ kind: 'command', prints: undefined });
  const commands = [install, localNames, generate, fetchTypes, ...others];
  expect(commands).toEqual([command, command, command, command]);
});

// tests/sdk/client-served.pg.test.ts installs it.
test('the package is installed from the deployment', () => {
  expect(install?.text).toBe('npm install http://localhost:8000/client.tgz');
});

test('with the file of the page, a program of Node.js reaches a project by its name', async () => {
  const url = `http://${project.ref}.localhost:${new URL(house.apiOrigin).port}/api/health-check`;
  await writeFile(
    join(folder, 'app.js'),
    `fetch('${url}').then((reply) => console.log(reply.status))`,
  );
  const { stdout } = await promisify(execFile)('sh', ['-c', localNames?.text ?? ''], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
  });
  expect(stdout.trim()).toBe('200');
});

test('the command writes the types, and the program compiles with them', async () => {
  const words = (generate?.text ?? '').split(' ');
  expect(words.slice(0, 4)).toEqual(['node', 'bin/rowhouse.js', 'gen', 'types']);
  const output: string[] = [];
  const exitCode = await genTypes(words.slice(4).map(here), {
    secretKey: undefined,
    print: (text) => output.push(text),
    complain: (text) => output.push(text),
  });
  expect([exitCode, ...output]).toEqual([0]);
  const errors = await programErrors(
    { program },
    {
      'lib.d.ts': '/// <reference lib="dom" />',
      'database.ts': await readFile(join(folder, 'database.ts'), 'utf8'),
    },
  );
  expect(errors).toEqual([]);
});

testIf(hasPrograms('curl'), 'curl is missing')('curl fetches the same types', async () => {
  const command = here(fetchTypes?.text ?? '');
  const fetched = await mkdtemp(join(folder, 'fetched-'));
  await promisify(execFile)('sh', ['-c', command], { cwd: fetched });
  const types = await readFile(join(fetched, 'database.ts'), 'utf8');
  expect(types).toContain('export type Database');
  const reply = await project.asService({ path: '/api/admin/types' });
  expect(types).toBe(reply.text);
});

test.each(program.map((part, index) => ({ ...part, index })))('$name', (part) =>
  expectPrinted(part, printed[part.index]),
);

/** Text of the page with the address, the keys and the folder of this run. */
function here(text: string): string {
  return text
    .replaceAll(pageAddress, gateway.url)
    .replaceAll('svc_publishable_…', project.publishableKey)
    .replaceAll('svc_secret_…', project.secretKey)
    .replace(/^database\.ts$/, join(folder, 'database.ts'));
}
