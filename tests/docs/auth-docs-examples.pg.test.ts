// Runs docs/auth.md: its commands in a shell, its program with our client, each against the real application
// and real counterparts. The compiler checks the program, and each step prints what the page says.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { compileFunction } from 'node:vm';

import { createRemoteJWKSet, jwtVerify } from 'jose';
import ts from 'typescript';

import * as client from '#libs/sdk';
import { compileErrors, describeIf } from '#libs/testing';

import { patternOf } from '../support/markdown.js';
import { installAuthenticator } from './auth-docs-authenticator.js';
import { personIn } from './auth-docs-person.js';
import { readSteps, type Step, withoutImports } from './auth-docs-steps.js';
import { hereOf, openWorld, type World } from './auth-docs-world.js';

const steps = readSteps(readFileSync('docs/auth.md', 'utf8'));
/** All of it, on a busy machine. */
const programMs = 300_000;
const hasTools = ['sh', 'curl', 'node'].every(
  (tool) => spawnSync(tool, ['--version']).error === undefined,
);

describeIf(hasTools, 'the settings of the page are saved by shell commands with curl')(
  'docs/auth.md',
  () => {
    let world: World;
    let removeAuthenticator: () => void;
    /** What each step printed. */
    let printed: readonly unknown[][];

    beforeAll(async () => {
      world = await openWorld();
      removeAuthenticator = installAuthenticator({
        origin: 'http://localhost:3000',
        rpId: 'localhost',
      });
      printed = await run(world);
    }, programMs);
    afterAll(async () => {
      removeAuthenticator();
      await world.close();
    });

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
    const parts = steps
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

/** Runs all steps in their order and gives what they print. Steps behind one that fails print nothing. */
async function run(world: World): Promise<readonly unknown[][]> {
  const here = hereOf(world);
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
  const terminal = { question: personIn(world), close: () => undefined };
  const surroundings = {
    ...client,
    createHmac,
    createRemoteJWKSet,
    createServer,
    jwtVerify,
    timingSafeEqual,
    createInterface: () => terminal,
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

async function perform(world: World, { kind, text }: Step): Promise<readonly unknown[]> {
  const here = hereOf(world);
  if (kind === 'statement') return [await world.project.sql(here(text))];
  // The first block of the page has the functions that the others use.
  const head = steps.find((step) => step.kind === 'command')?.text ?? '';
  const output = await type(here(`${head}\n${text}`));
  return output === '' ? [] : [JSON.parse(output)];
}

/** What commands print. The first that fails ends them. */
async function type(commands: string): Promise<string> {
  const shell = spawn('sh', ['-ec', commands]);
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  const [exitCode] = await once(shell, 'close');
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${output}`);
  return output.trim();
}
