// Runs the chapters Start and Tour of README.md: the server in one terminal, the tour in a second one.
import { afterAll, beforeAll, expect, vi, test } from 'vitest';
import { readFileSync } from 'node:fs';

import { testIf } from '#libs/testing';

import { expectAnswer, readSteps } from './documented-steps.js';
import { hasShellTools, TwoTerminals } from './two-terminals.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const page = readFileSync('README.md', 'utf8');
const chapters = page.slice(page.indexOf('\n## Start\n'), page.indexOf('\n## Why Rowhouse\n'));
const [start, tour, ...others] = readSteps(chapters);
const quickstart = readFileSync('docs/quickstart.md', 'utf8');
const testWithTools = testIf(hasShellTools, 'the README has shell commands with curl');

let terminals: TwoTerminals;

beforeAll(async () => {
  terminals = await TwoTerminals.open();
});
afterAll(() => terminals.close());

test('two commands start the server, as in the quickstart, and a tour of ten lines follows', () => {
  const [install, run, ...more] = start?.command.split('\n') ?? [];
  expect([install, ...more]).toEqual(['npm ci']);
  expect(quickstart).toContain(`\n${run}\n`);
  expect(tour?.command.split('\n')).toHaveLength(10);
  expect(others).toEqual([]);
});

test('one line of the tour follows a table and shows a change that arrives', () => {
  const lines = tour?.command.split('\n').filter((line) => line.includes('postgres_changes')) ?? [];
  expect(lines).toEqual([expect.stringMatching(/\.subscribe\(.*\.insert\(/)]);
  expect(tour?.answer).toMatchObject({ lines: expect.arrayContaining(['live Hello']) });
});

// `npm ci` has run before any test does.
testWithTools('Start', async () => {
  if (!start) throw new Error('the page has no steps');
  const { command, answer } = terminals.here(start);
  expectAnswer(await terminals.start(command.replace('npm ci\n', '')), answer);
});

testWithTools('Tour', async () => {
  if (!tour) throw new Error('the page has no tour');
  const { command, answer } = terminals.here(tour);
  const output = await terminals.type(command);
  expectAnswer(output, answer);
  // The answer has all lines, in their order.
  const lines = answer.kind === 'text' ? answer.lines : [];
  expect(output.split('\n').filter((line) => line.trim() !== '')).toEqual(lines);
});
