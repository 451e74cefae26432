// `rowhouse test policies`: runs the saved tests of a project's policies and prints each. It asks the running project.
import { parseArgs } from 'node:util';
import { isRecord } from '#libs/wire';
import { CommandError } from './command-error.js';
import { takeProcessEnv, takeSecretKey } from './env.js';
import type { Surroundings } from './gen-types.js';
import { projectUrl } from './project-address.js';
import { readArguments, readProjectUrl, readSecretKey } from './project-arguments.js';
import { requestProject } from './request-project.js';
import { StartError } from './start-error.js';
import { linesText } from './terminal-lines.js';

/** The tests may take a minute; the last one is ended after its own limit. */
const timeoutMs = 90_000;

interface TestSurroundings extends Surroundings {
  /** The address of a project of the deployment of this environment. */
  readonly addressOf: (ref: string) => URL;
}

/** Runs the command in this process: with its environment, its output and its exit code. */
export function runTestPolicies(args: readonly string[]): Promise<0 | 1> {
  const secretKey = takeSecretKey();
  return testPolicies(args, {
    secretKey,
    addressOf: (ref) => projectUrl(takeProcessEnv(), ref),
    print: (text) => void process.stdout.write(text),
    complain: (text) => void process.stderr.write(text),
  });
}

/** Runs the command and gives the exit code: 0, or 1 when a test fails or the tests cannot be run. */
export async function testPolicies(args: readonly string[], to: TestSurroundings): Promise<0 | 1> {
  try {
    const { url, secretKey } = readOrder(args, to);
    const answer = await requestProject(url, {
      path: 'api/admin/policies/tests/run',
      secretKey,
      accept: 'application/json',
      what: 'tests',
      body: '{}',
      timeoutMs,
    });
    const { lines, failed } = report(answer);
    to.print(linesText(...lines));
    return failed === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof StartError)) throw error;
    to.complain(linesText(`rowhouse: ${error.message}`));
    return 1;
  }
}

const refPattern = /^[a-z0-9][a-z0-9-]*$/;

function readOrder(args: readonly string[], to: TestSurroundings) {
  const options = { url: { type: 'string' }, key: { type: 'string' } } as const;
  const { values, positionals } = readArguments(() =>
    parseArgs({ args: [...args], options, allowPositionals: true }),
  );
  const [ref, ...others] = positionals;
  if (others.length > 0 || (ref === undefined) === (values.url === undefined)) {
    throw new CommandError('Give the ref of a project, or its address with --url');
  }
  const secretKey = readSecretKey(values.key, to.secretKey);
  if (ref === undefined) return { url: readProjectUrl(values.url ?? ''), secretKey };
  if (!refPattern.test(ref)) throw new CommandError(`${ref} is no ref of a project`);
  return { url: to.addressOf(ref), secretKey };
}

/** One line for each test, and one for all of them. */
function report(answer: string): { readonly lines: readonly string[]; readonly failed: number } {
  const run: unknown = JSON.parse(answer);
  if (!isRecord(run) || !Array.isArray(run['results']) || typeof run['failed'] !== 'number') {
    throw new CommandError('The project answers without the results of tests');
  }
  const { passed, failed } = run;
  const lines = run['results'].map((result: unknown) => (isRecord(result) ? lineOf(result) : ''));
  const total =
    lines.length === 0 ? 'There are no tests' : `${String(passed)} passed, ${failed} failed`;
  return { lines: [...lines, total], failed };
}

function lineOf(result: Readonly<Record<string, unknown>>): string {
  const name = String(result['name']);
  if (result['passed'] === true) return `ok      ${name}`;
  return `FAILED  ${name}: expected ${JSON.stringify(result['expected'])}, got ${JSON.stringify(result['actual'])}`;
}
