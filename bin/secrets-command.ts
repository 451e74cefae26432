// The commands `rowhouse secrets …`: the environment of a project's functions.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { CommandError } from './command-error.js';
import {
  accessOptions,
  askFunctions,
  processSurroundings,
  type ProjectAccess,
  type ProjectSurroundings,
  readAccess,
  readWords,
  recordsOf,
  runCommand,
  show,
} from './project-command.js';

type Secrets = Readonly<Record<string, string>>;

const commands = { set, list, unset };

export type SecretsVerb = keyof typeof commands;

/** Runs a command in this process: with its environment, its terminal and its exit code. */
export function runSecrets(verb: SecretsVerb, args: readonly string[]): Promise<0 | 1> {
  return secretsCommand(verb, args, processSurroundings());
}

/** Runs a command and returns its exit code: 0, or 1 after one line about what is wrong. */
export function secretsCommand(
  verb: SecretsVerb,
  args: readonly string[],
  to: ProjectSurroundings,
): Promise<0 | 1> {
  return runCommand(to, () => commands[verb](args, to));
}

/** Those of the commands themselves, which functions may not have. */
const ofCommands = /^ROWHOUSE_/i;

/** Reads the variables of a file such as `.env`, but for those of the commands. Throws CommandError if it has none. */
export async function readEnvFile(base: string, file: string): Promise<Secrets> {
  const secrets = Object.fromEntries(
    Object.entries(parseEnv(await readFile(resolve(base, file), 'utf8'))).flatMap(
      ([name, value]) =>
        value === undefined || ofCommands.test(name) ? [] : [[name, value] as const],
    ),
  );
  if (Object.keys(secrets).length === 0) throw new CommandError(`${file} has no variables`);
  return secrets;
}

/** Sets secrets; others stay as they are. Throws CommandError. */
export function sendSecrets(project: ProjectAccess, secrets: Secrets) {
  return askFunctions(project, ['PUT', '/secrets'], secrets);
}

async function set(args: readonly string[], to: ProjectSurroundings): Promise<0> {
  const { values, positionals } = readWords(args, {
    ...accessOptions,
    'env-file': { type: 'string' },
  });
  const project = readAccess(values, to);
  const file = values['env-file'];
  const secrets = {
    ...(file !== undefined && (await readEnvFile(to.folder, file))),
    ...Object.fromEntries(positionals.map(readPair)),
  };
  const names = Object.keys(secrets);
  if (names.length === 0) throw new CommandError('Give NAME=value, or a file with --env-file');
  const answer = await sendSecrets(project, secrets);
  show(to, values.json, answer, [`set ${names.join(', ')}`]);
  return 0;
}

/** The value is not repeated in an error: a terminal keeps what it shows. */
function readPair(word: string): readonly [string, string] {
  const at = word.indexOf('=');
  if (at < 1) throw new CommandError('Write each secret as NAME=value');
  return [word.slice(0, at), word.slice(at + 1)];
}

async function list(args: readonly string[], to: ProjectSurroundings): Promise<0> {
  const { values, positionals } = readWords(args, accessOptions);
  if (positionals.length > 0) throw new CommandError('secrets list takes no name');
  const answer = await askFunctions(readAccess(values, to), ['GET', '/secrets']);
  const secrets = recordsOf(answer, 'secrets');
  const lines = secrets.map(({ name, updatedAt }) => `${String(name)}  ${String(updatedAt)}`);
  show(to, values.json, answer, lines.length === 0 ? ['There are no secrets'] : lines);
  return 0;
}

async function unset(args: readonly string[], to: ProjectSurroundings): Promise<0> {
  const { values, positionals: names } = readWords(args, accessOptions);
  if (names.length === 0) throw new CommandError('Give the names of secrets');
  const project = readAccess(values, to);
  const answer = await askFunctions(project, ['DELETE', '/secrets'], { names });
  show(to, values.json, answer, [`unset ${names.join(', ')}`]);
  return 0;
}
