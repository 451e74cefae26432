// Runs docs/storage.md: its commands in a shell, its program with our client, each against the real application.
// The compiler checks the program, and each step prints what the page says. The chapter about S3 needs a store.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { openAsBlob, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';

import ts from 'typescript';

import * as client from '#libs/sdk';
import { compileErrors, describeIf } from '#libs/testing';

import { patternOf } from '../support/markdown.js';
import { canRunS3 } from '../support/s3-server.js';
import { readSteps, type Step, withoutImports } from './auth-docs-steps.js';
import { openStorageWorld, storageHereOf, type StorageWorld } from './storage-docs-world.js';

const page = withTextAsJson(readFileSync('docs/storage.md', 'utf8'));
const chapterOfStore = '## Files in S3';
const allSteps = readSteps(page);
const withStore = canRunS3();
const steps = withStore ? allSteps : readSteps(withoutChapter(page, chapterOfStore));
/** All of it, on a busy machine. */
const programMs = 300_000;
const hasTools =
  ['sh', 'node', 'sed', 'grep', 'sort', 'base64', 'sha256sum'].every(
    (tool) => spawnSync(tool, ['--version']).error === undefined,
  ) && spawnSync('curl', ['--json', '{}', '--version']).status === 0;

describeIf(hasTools, 'the page types shell commands, with curl 7.82 or newer')(
  'docs/storage.md',
  () => {
    let world: StorageWorld;
    /** What each step printed. */
    let printed: readonly unknown[][];

    beforeAll(async () => {
      world = await openStorageWorld({ withStore });
      printed = await run(world);
    }, programMs);
    afterAll(() => world?.close(), 60_000);

    test.each(steps.map((step, index) => ({ ...step, index })))('$name', (step) => {
      const { kind, prints, index } = step;
      const values = printed[index];
      if (values === undefined) throw new Error('a step before it has failed');
      if (prints === undefined && kind !== 'program') return;
      const whole = kind === 'program' ? 'whole' : 'part';
      const expected = prints === undefined ? [] : patternOf(JSON.parse(prints), whole);
      expect(values.length === 1 && prints !== undefined ? values[0] : values).toEqual(expected);
    });
  },
);

test(
  'the program compiles',
  async () => {
    const parts = allSteps
      .filter(({ kind }) => kind === 'program')
      .map(({ text }) => withoutImports(text));
    const imports = parts.flatMap((part) => part.imports);
    const errors = await compileErrors({
      'lib.d.ts': '/// <reference lib="dom" />\n/// <reference types="node" />',
      'program.ts': [...imports, ...parts.map(({ body }) => body)]
        .join('\n')
        .replaceAll("'@rowhouse/client'", "'../../sdk/src/index.js'"),
    });
    expect(errors).toEqual([]);
  },
  programMs,
);

/** The page with its blocks of plain text as blocks of JSON, on the same lines. */
function withTextAsJson(markdown: string): string {
  return markdown.replace(/^```text\n([^]*?)\n```$/gm, (_block, text: string) => {
    const furtherLines = '\n'.repeat(text.split('\n').length - 1);
    return `\`\`\`json\n${JSON.stringify(text)}${furtherLines}\n\`\`\``;
  });
}

/** The page with empty lines in place of a chapter. */
function withoutChapter(markdown: string, heading: string): string {
  const start = markdown.indexOf(`\n${heading}\n`);
  const end = markdown.indexOf('\n## ', start + 1);
  if (start === -1 || end === -1) throw new Error(`the page has no chapter ${heading}`);
  const emptied = markdown.slice(start, end).replace(/[^\n]/g, '');
  return markdown.slice(0, start) + emptied + markdown.slice(end);
}

/** Runs all steps in their order and gives what they print. Steps behind one that fails print nothing. */
async function run(world: StorageWorld): Promise<readonly unknown[][]> {
  const here = storageHereOf(world);
  const outputs: unknown[][] = [];
  let current: unknown[] = [];
  const at = async (index: number): Promise<void> => {
    outputs[index] = current = [];
    const step = steps[index];
    if (step === undefined || step.kind === 'program') return;
    current.push(...(await perform(world, step)));
  };
  const parts = steps.map(({ kind, text }, index) =>
    kind === 'program'
      ? `await at(${index});\n${withoutImports(text).body}`
      : `await at(${index});`,
  );
  const { outputText } = ts.transpileModule(here(parts.join('\n')), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const surroundings = {
    ...client,
    createHmac,
    createServer,
    timingSafeEqual,
    openAsBlob: (name: string, options: { type: string }) =>
      openAsBlob(join(world.folder, name), options),
    at,
    console: { log: (...values: unknown[]) => current.push(...values) },
  };
  const start = compileFunction(
    `return (async () => { ${outputText} })()`,
    Object.keys(surroundings),
  ) as (...values: unknown[]) => Promise<void>; // The program of the page, which gives nothing.
  try {
    await start(...Object.values(surroundings));
  } catch (error) {
    current.push(error);
  }
  return outputs;
}

async function perform(world: StorageWorld, { kind, text }: Step): Promise<readonly unknown[]> {
  const here = storageHereOf(world);
  if (kind === 'statement') return [await world.project.sql(here(text))];
  // The first block of the page has the functions that the others use.
  const head = steps.find((step) => step.kind === 'command')?.text ?? '';
  const output = await type(here(`${head}\n${text}`), world.folder);
  if (output === '') return [];
  return [/^[[{]/.test(output) ? JSON.parse(output) : output];
}

/** What commands print that are typed in a folder. The first that fails ends them. */
async function type(commands: string, folder: string): Promise<string> {
  const shell = spawn('sh', ['-ec', commands], { cwd: folder });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  const [exitCode] = await once(shell, 'close');
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${output}`);
  return output.trim();
}
