// What commands on the functions and secrets of a running project share: words, address, key, output and failures.
import { createInterface } from 'node:readline/promises';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { isRecord, type JsonRecord } from '#libs/wire';
import { CommandError } from './command-error.js';
import { takeProjectUrl, takeSecretKey } from './env.js';
import type { Surroundings } from './gen-types.js';
import { readArguments, readProjectUrl, readSecretKey } from './project-arguments.js';
import { type ProjectRequest, requestProject } from './request-project.js';
import { systemErrorCode } from './start-error.js';
import { jsonLine, linesText } from './terminal-lines.js';

export interface ProjectSurroundings extends Surroundings {
  /** The address when `--url` is not given. */
  readonly url: string | undefined;
  /** Paths of arguments begin here. */
  readonly folder: string;
  /** Asks the user; undefined without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Ends what goes on until then. */
  readonly signal: AbortSignal;
}

/** The environment and the terminal of this process. */
export function processSurroundings(): ProjectSurroundings {
  return {
    url: takeProjectUrl(),
    secretKey: takeSecretKey(),
    folder: process.cwd(),
    print: (text) => void process.stdout.write(text),
    complain: (text) => void process.stderr.write(text),
    ask: process.stdin.isTTY && process.stdout.isTTY ? askTerminal : undefined,
    signal: new AbortController().signal,
  };
}

async function askTerminal(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

/** A project and the key to it. */
export interface ProjectAccess {
  readonly url: URL;
  readonly secretKey: string;
}

/** Options of every command that asks a project. */
export const accessOptions = {
  url: { type: 'string' },
  key: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** Returns the options and the other words of a command. Throws CommandError. */
export function readWords<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) {
  return readArguments(() => parseArgs({ args: [...args], options, allowPositionals: true }));
}

/** Returns the project of the options, else of the environment. Throws CommandError. */
export function readAccess(
  { url, key }: { readonly url?: string | undefined; readonly key?: string | undefined },
  to: ProjectSurroundings,
): ProjectAccess {
  const address = url ?? to.url;
  if (address === undefined) {
    throw new CommandError('The address of the project is missing; give --url or set ROWHOUSE_URL');
  }
  return { url: readProjectUrl(address), secretKey: readSecretKey(key, to.secretKey) };
}

type Route = readonly [NonNullable<ProjectRequest['method']>, string];

/**
 * Asks a route of the functions, and returns its answer: empty if it has no body. Throws CommandError, and
 * ProjectRefusal.
 */
export async function askFunctions(
  { url, secretKey }: ProjectAccess,
  [method, path]: Route,
  body?: object,
): Promise<JsonRecord> {
  const answer = await requestProject(url, {
    method,
    path: `api/admin/functions${path}`,
    secretKey,
    accept: 'application/json',
    what: 'functions',
    ...(body && { body: JSON.stringify(body) }),
    // A deploy downloads what the function imports.
    timeoutMs: 120_000,
  });
  const value: unknown = answer === '' ? {} : JSON.parse(answer);
  return isRecord(value) ? value : {};
}

/** Returns the records in a field of an answer. */
export function recordsOf(answer: JsonRecord, field: string): readonly JsonRecord[] {
  const list = answer[field];
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** Prints the answer as JSON, or else the lines. */
export function show(
  to: Surroundings,
  isJson: boolean | undefined,
  answer: unknown,
  lines: readonly string[],
): void {
  to.print(isJson ? jsonLine(answer) : linesText(...lines));
}

/** Runs a command and returns its exit code: 1 after one line about what is wrong. */
export async function runCommand(to: Surroundings, work: () => Promise<0 | 1>): Promise<0 | 1> {
  try {
    return await work();
  } catch (error) {
    complainOf(to, error);
    return 1;
  }
}

/** Prints a CommandError, or an error of the file system, as one line. Throws any other error. */
export function complainOf(to: Surroundings, error: unknown, about = 'rowhouse'): void {
  const isExpected =
    error instanceof CommandError || /^E[A-Z]+$/.test(systemErrorCode(error) ?? '');
  if (!isExpected || !(error instanceof Error)) throw error;
  to.complain(linesText(`${about}: ${error.message.replace(/\s+/g, ' ').trim()}`));
}
