// Runs the steps of a page: its commands in a shell, its statements as the owner of the project, its program with
// our client. The compiler checks the program, and each step prints what the page says.
import { expect } from 'vitest';
import { spawn, spawnSync } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { compileFunction } from 'node:vm';

import ts from 'typescript';

import * as client from '#libs/sdk';
import { compileErrors } from '#libs/testing';

import { patternOf } from '../support/markdown.js';
import type { ProjectUnderTest } from '../support/project.js';
import { type Step, withoutImports } from './documented-steps.js';

export interface Stage {
  readonly project: ProjectUnderTest;
  /** A text of the page with the addresses and keys of this run. */
  readonly here: (text: string) => string;
  /** Where commands are typed; an absolute path. */
  readonly folder?: string;
  /** What this page's program imports and others do not. */
  readonly imports?: Readonly<Record<string, unknown>>;
}

/** The longest that a page takes on a busy machine. */
export const pageMs = 300_000;

/** Whether a shell can run all of these. */
export function hasPrograms(...names: readonly string[]): boolean {
  return names.every((name) => spawnSync(name, ['--version']).error === undefined);
}

/** Returns the errors of the compiler in programs, by their names. `files` are their surroundings. */
export function programErrors(
  programs: Readonly<Record<string, readonly Step[]>>,
  files: Readonly<Record<string, string>> = {
    'lib.d.ts': '/// <reference lib="dom" />\n/// <reference types="node" />',
  },
): Promise<readonly string[]> {
  const texts = Object.entries(programs).map(
    ([name, steps]) => [`${name}.ts`, sourceOf(steps)] as const,
  );
  return compileErrors({ ...files, ...Object.fromEntries(texts) });
}

/** Returns the program of a page as one module. */
function sourceOf(steps: readonly Step[]): string {
  const parts = steps
    .filter(({ kind }) => kind === 'program')
    .map(({ text }) => withoutImports(text));
  const program = [...parts.flatMap(({ imports }) => imports), ...parts.map(({ body }) => body)];
  return program.join('\n').replaceAll("'@rowhouse/client'", "'../../sdk/src/index.js'");
}

/** Runs all steps in their order and gives what they print. Steps behind one that fails print nothing. */
export async function runSteps(
  steps: readonly Step[],
  stage: Stage,
): Promise<readonly (readonly unknown[])[]> {
  // The first block of commands has the functions that the others use.
  const head = steps.find((step) => step.kind === 'command')?.text ?? '';
  const outputs: unknown[][] = [];
  let current: unknown[] = [];
  const at = async (index: number): Promise<void> => {
    outputs[index] = current = [];
    const step = steps[index];
    if (step !== undefined) current.push(...(await perform(step, head, stage)));
  };
  const surroundings = {
    ...client,
    createHmac,
    createServer,
    timingSafeEqual,
    ...stage.imports,
    at,
    console: { log: (...values: unknown[]) => current.push(...values) },
  };
  const start = compileFunction(
    `return (async () => { ${scriptOf(steps, stage)} })()`,
    Object.keys(surroundings),
  ) as (...values: unknown[]) => Promise<void>; // The program of the page, which gives nothing.
  try {
    await start(...Object.values(surroundings));
  } catch (error) {
    current.push(error);
  }
  return outputs;
}

/** Expects of a step that it has printed what the page says; of the program also that it was silent elsewhere. */
export function expectPrinted(
  { kind, prints }: Step,
  values: readonly unknown[] | undefined,
): void {
  if (values === undefined) throw new Error('a step before it has failed');
  if (prints !== undefined) {
    const expected = patternOf(prints, kind === 'program' ? 'whole' : 'part');
    expect(values.length === 1 ? values[0] : values).toEqual(expected);
  } else if (kind === 'program') expect(values).toEqual([]);
}

/** The program in JavaScript, which tells at which step it is; others are performed when it gets there. */
function scriptOf(steps: readonly Step[], { here }: Stage): string {
  const parts = steps.map(({ kind, text }, index) =>
    kind === 'program'
      ? `await at(${index});\n${withoutImports(text).body}`
      : `await at(${index});`,
  );
  const { outputText } = ts.transpileModule(here(parts.join('\n')), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  return outputText;
}

async function perform(
  { kind, text, prints }: Step,
  head: string,
  { project, here, folder }: Stage,
): Promise<readonly unknown[]> {
  switch (kind) {
    case 'program':
      return [];
    case 'statement':
      return [await project.sql(here(text))];
    case 'command': {
      const output = await type(here(`${head}\n${text}`), folder);
      if (output === '') return [];
      return [typeof prints === 'string' ? output : JSON.parse(output)];
    }
  }
}

/** What commands print that are typed in a folder. The first that fails ends them. */
async function type(commands: string, folder: string | undefined): Promise<string> {
  const shell = spawn('sh', ['-ec', commands], { cwd: folder });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  const [exitCode] = await once(shell, 'close');
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${output}`);
  return output.trim();
}
