// Runs docs/quickstart.md as it stands there: its first step in one terminal, the others in a second one.
import { afterAll, beforeAll, expect, vi, test } from 'vitest';
import { readFileSync } from 'node:fs';

import { testIf } from '#libs/testing';

import { expectAnswer, readSteps } from './documented-steps.js';
import { postmasterPid } from './rowhouse-process.js';
import { hasShellTools, TwoTerminals } from './two-terminals.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const [start, ...others] = readSteps(readFileSync('docs/quickstart.md', 'utf8'));
const testWithTools = testIf(hasShellTools, 'the quickstart is a page of shell commands with curl');

let terminals: TwoTerminals;

beforeAll(async () => {
  terminals = await TwoTerminals.open();
});
afterAll(() => terminals.close());

test('the page starts the server first and shows an answer to nearly every step', () => {
  expect(start?.command).toContain('npm start');
  const silent = others.filter(({ answer }) => answer.kind === 'silent');
  expect(silent.map(({ command }) => command)).toEqual([
    expect.stringMatching(/^field\(\)/),
    expect.stringContaining('npm install'),
  ]);
});

testWithTools('1. Start, step 1', async () => {
  if (!start) throw new Error('the page has no steps');
  const { command, answer } = terminals.here(start);
  expectAnswer(await terminals.start(command), answer);
});

testWithTools.each(others)('$name', async (step) => {
  const { command, answer } = terminals.here(step);
  expectAnswer(await terminals.type(command), answer);
});

testWithTools('Ctrl-C in the first terminal ends the server in order', async () => {
  await terminals.interrupt();
  expect(await postmasterPid(terminals.dataDir)).toBeUndefined();
});
