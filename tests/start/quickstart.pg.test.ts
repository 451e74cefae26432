// Runs docs/quickstart.md as it stands there: its first step in one terminal, the others in a second one.
// Where the ports of the page are taken, others stand in for them.
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expectAnswer, readSteps, type Step } from './documented-steps.js';
import { freePorts, makeFolder, postmasterPid, until } from './rowhouse-process.js';
import { testIf } from '#libs/testing';

jest.setTimeout(300_000);

const stepMs = 60_000;
/** The first start of all compiles the sources. */
const readyMs = 240_000;
const endMs = 30_000;
const endOfStep = 'the step has ended';

const [start, ...others] = readSteps(readFileSync('docs/quickstart.md', 'utf8'));
const hasTools = ['sh', 'curl'].every((tool) => spawnSync(tool, ['--version']).error === undefined);
const testWithTools = testIf(hasTools, 'the quickstart is a page of shell commands with curl');

let folder: string;
let env: NodeJS.ProcessEnv;
let ports: Readonly<Record<'PORT' | 'CONSOLE_PORT', string>> | undefined;
let server: ChildProcessWithoutNullStreams | undefined;
/** Nothing that the first step started runs any more. */
let hasServerEnded = false;
let terminal: ChildProcessWithoutNullStreams;

beforeAll(async () => {
  folder = await makeFolder();
  ports = (await areFree(8000, 8001)) ? undefined : await freePorts();
  const { PATH } = process.env;
  env = {
    PATH,
    HOME: folder,
    TMPDIR: folder,
    DATA_DIR: join(folder, 'data'),
    DRAIN_SECONDS: '2',
    ...ports,
  };
  terminal = spawn('sh', [], { env });
});
afterAll(async () => {
  terminal.kill('SIGKILL');
  if (server?.pid !== undefined && !hasServerEnded) {
    process.kill(-server.pid, 'SIGKILL');
    await once(server, 'close');
  }
  await rm(folder, { recursive: true, force: true });
});

test('the page starts the server first and shows an answer to nearly every step', () => {
  expect(start?.command).toContain('npm start');
  const silent = others.filter(({ answer }) => answer.kind === 'silent');
  expect(silent.map(({ command }) => command)).toEqual([
    expect.stringMatching(/^field\(\)/),
    expect.stringContaining('npm install'),
  ]);
});

testWithTools('1. Start, step 1', async () => {
  const { command, answer } = onFreePorts(start);
  server = spawn('sh', ['-c', command], { env, detached: true });
  server.once('close', () => (hasServerEnded = true));
  const output = collect(server);
  await until(() => output().includes('\nready ') || hasServerEnded, readyMs);
  expectAnswer(output(), answer);
});

testWithTools.each(others)('$name', async (step) => {
  const { command, answer } = onFreePorts(step);
  expectAnswer(await type(command), answer);
});

testWithTools('Ctrl-C in the first terminal ends the server in order', async () => {
  if (server?.pid === undefined) throw new Error('the server was not started');
  // A terminal signals every process that runs in it.
  process.kill(-server.pid, 'SIGINT');
  await until(() => hasServerEnded, endMs);
  expect(await postmasterPid(join(folder, 'data'))).toBeUndefined();
});

/** The step with the ports of this run. */
function onFreePorts(step: Step | undefined): Step {
  if (!step) throw new Error('the page has no steps');
  if (!ports) return step;
  const moved: unknown = JSON.parse(
    JSON.stringify(step)
      .replaceAll('localhost:8000', `localhost:${ports.PORT}`)
      .replaceAll('localhost:8001', `localhost:${ports.CONSOLE_PORT}`),
  );
  return moved as Step; // The same step with two texts replaced.
}

/** Types a command into the terminal and gives what it prints. */
async function type(command: string): Promise<string> {
  const output = collect(terminal);
  terminal.stdin.write(`${command}\nprintf '\\n%s\\n' '${endOfStep}'\n`);
  await until(() => output().includes(endOfStep) || terminal.exitCode !== null, stepMs);
  return output().replace(endOfStep, '');
}

/** What a process prints from now on, errors included. */
function collect(child: ChildProcessWithoutNullStreams): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.removeAllListeners('data');
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  }
  return () => text;
}

async function areFree(...wanted: readonly number[]): Promise<boolean> {
  const probes = wanted.map(
    (port) =>
      new Promise<boolean>((resolve) => {
        const probe = createServer();
        probe.once('error', () => resolve(false));
        probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
      }),
  );
  return (await Promise.all(probes)).every(Boolean);
}
