// Runs docs/sdk.md: its command writes the types, the compiler checks the program with them, and each part
// prints what the page says. The tables are those of docs/rest.md.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import ts from 'typescript';

import * as client from '#libs/sdk';
import { compileErrors } from '#libs/testing';

import { genTypes } from '../../bin/gen-types.js';
import { type Gateway, openGateway } from '../sdk/support/gateway.js';
import { House } from '../support/house.js';
import { patternOf } from '../support/markdown.js';
import type { ProjectUnderTest } from '../support/project.js';
import { readProgram } from './documented-program.js';
import { readExamples } from './rest-examples.js';

const program = readProgram(readFileSync('docs/sdk.md', 'utf8'));
const pageAddress = 'http://shop.localhost:8000';

let house: House;
let project: ProjectUnderTest;
let gateway: Gateway;
let folder: string;
/** What each part of the program printed. */
let printed: readonly unknown[][];

beforeAll(async () => {
  house = await House.open();
  project = await house.createProject();
  gateway = await openGateway(project);
  folder = await mkdtemp(join(tmpdir(), 'rowhouse-docs-'));
  await project.signUp('ada@example.org');
  for (const example of readExamples(readFileSync('docs/rest.md', 'utf8'))) {
    if (example.kind === 'sql') await project.sql(example.text);
  }
  printed = await run();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await gateway.close();
  await house.close();
});

const [install, generate] = program.commands;

test('the package has the name that is installed', () => {
  const { name }: { readonly name: string } = JSON.parse(
    readFileSync('libs/sdk/package.json', 'utf8'),
  );
  expect(install).toBe(`npm install ${name}`);
});

test('the command writes the types, and the program compiles with them', async () => {
  const words = (generate ?? '').split(' ');
  expect(words.slice(0, 4)).toEqual(['node', 'bin/rowhouse.js', 'gen', 'types']);
  const output: string[] = [];
  const exitCode = await genTypes(words.slice(4).map(here), {
    secretKey: undefined,
    print: (text) => output.push(text),
    complain: (text) => output.push(text),
  });
  expect([exitCode, ...output]).toEqual([0]);
  const statements = program.parts.map(({ text }) => text);
  const errors = await compileErrors({
    'lib.d.ts': '/// <reference lib="dom" />',
    'database.ts': await readFile(join(folder, 'database.ts'), 'utf8'),
    'program.ts': [...program.imports, ...statements]
      .join('\n')
      .replaceAll("'@rowhouse/client'", "'../../sdk/src/index.js'"),
  });
  expect(errors).toEqual([]);
});

const speaking = program.parts.map(({ name, prints }, index) => ({ name, prints, index }));

test.each(speaking)('$name', ({ prints, index }) => {
  const values = printed[index] ?? [];
  if (prints === undefined) expect(values).toEqual([]);
  else
    expect(values.length === 1 ? values[0] : values).toEqual(
      patternOf(JSON.parse(prints), 'whole'),
    );
});

/** Runs the program and gives what its parts print. */
async function run(): Promise<readonly unknown[][]> {
  const outputs: unknown[][] = program.parts.map(() => []);
  const parts = program.parts.map(({ text }, index) => `at(${index});\n${text}`);
  const { outputText } = ts.transpileModule(parts.map(here).join('\n'), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  let current: unknown[] = [];
  const surroundings = {
    ...client,
    at: (index: number) => (current = outputs[index] ?? []),
    console: { log: (...values: unknown[]) => current.push(...values) },
  };
  const start = compileFunction(
    `return (async () => { ${outputText} })()`,
    Object.keys(surroundings),
  ) as (...values: unknown[]) => Promise<void>; // The program of the page, which gives nothing.
  await start(...Object.values(surroundings));
  return outputs;
}

/** Text of the page with the address, the keys and the folder of this run. */
function here(text: string): string {
  return text
    .replaceAll(pageAddress, gateway.url)
    .replaceAll('svc_publishable_…', project.publishableKey)
    .replaceAll('svc_secret_…', project.secretKey)
    .replace(/^database\.ts$/, join(folder, 'database.ts'));
}
