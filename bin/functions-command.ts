// The commands `rowhouse functions …`. They ask a running project, and read or write the folder of its functions.
import type { JsonRecord } from '#libs/wire';
import { CommandError } from './command-error.js';
import { deployFolder } from './functions-deploy.js';
import { checkSlug, findFunctionsFolder, writeNewFunction } from './functions-folder.js';
import { followLogs, linesOf, queryOf } from './functions-logs.js';
import { serveFolder } from './functions-serve.js';
import {
  accessOptions,
  askFunctions,
  processSurroundings,
  type ProjectSurroundings,
  readAccess,
  readWords,
  recordsOf,
  runCommand,
  show,
} from './project-command.js';
import { readEnvFile, sendSecrets } from './secrets-command.js';
import { linesText } from './terminal-lines.js';

type Command = (args: readonly string[], to: ProjectSurroundings) => Promise<0 | 1>;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

const commands = {
  new: createFunction,
  deploy,
  list,
  logs,
  delete: deleteFunction,
  serve,
} as const satisfies Readonly<Record<string, Command>>;

export type FunctionsVerb = keyof typeof commands;

/** Runs a command in this process: with its environment, its terminal and its exit code. */
export function runFunctions(verb: FunctionsVerb, args: readonly string[]): Promise<0 | 1> {
  return functionsCommand(verb, args, processSurroundings());
}

/** Runs a command and returns its exit code: 0, or 1 after one line about what is wrong. */
export function functionsCommand(
  verb: FunctionsVerb,
  args: readonly string[],
  to: ProjectSurroundings,
): Promise<0 | 1> {
  return runCommand(to, () => commands[verb](args, to));
}

async function createFunction(args: readonly string[], to: ProjectSurroundings): Promise<0> {
  const { values, positionals } = readWords(args, { dir: text });
  const file = await writeNewFunction(to.folder, values.dir, oneSlug(positionals));
  to.print(linesText(`created ${file}`));
  return 0;
}

async function deploy(args: readonly string[], to: ProjectSurroundings): Promise<0 | 1> {
  const options = { ...accessOptions, dir: text, public: flag, route: text };
  const { values, positionals } = readWords(args, options);
  const { route } = values;
  if (route !== undefined && positionals.length !== 1) {
    throw new CommandError('--route needs the name of one function');
  }
  const project = readAccess(values, to);
  const folder = await findFunctionsFolder(to.folder, values.dir);
  const settings = {
    ...(values.public && { isPublic: true as const }),
    ...(route !== undefined && { route }),
    isJson: values.json ?? false,
  };
  return deployFolder(project, folder, positionals, settings, to);
}

async function list(args: readonly string[], to: ProjectSurroundings): Promise<0> {
  const { values, positionals } = readWords(args, accessOptions);
  if (positionals.length > 0) throw new CommandError('functions list takes no name');
  const answer = await askFunctions(readAccess(values, to), ['GET', '']);
  const functions = recordsOf(answer, 'functions');
  const lines = functions.length === 0 ? ['There are no functions'] : functions.map(lineOf);
  show(to, values.json, answer, lines);
  return 0;
}

function lineOf({ slug, activeVersion, isPublic, updatedAt, url }: JsonRecord): string {
  const access = isPublic === true ? 'public ' : 'private';
  return [slug, `version ${String(activeVersion)}`, access, updatedAt, url].map(String).join('  ');
}

async function logs(args: readonly string[], to: ProjectSurroundings): Promise<0> {
  const options = { ...accessOptions, follow: flag, level: text, limit: text };
  const { values, positionals } = readWords(args, options);
  const project = readAccess(values, to);
  const { level, limit = '100' } = values;
  const filter = { function: oneSlug(positionals), ...(level !== undefined && { level }) };
  const isJson = values.json ?? false;
  const answer = await askFunctions(project, ['GET', `/logs?${queryOf({ ...filter, limit })}`]);
  // The newest are at the end, as in a stream.
  show(to, isJson, answer, recordsOf(answer, 'logs').toReversed().flatMap(linesOf));
  if (values.follow) await followLogs(project, filter, isJson, to);
  return 0;
}

async function deleteFunction(args: readonly string[], to: ProjectSurroundings): Promise<0> {
  const { values, positionals } = readWords(args, { ...accessOptions, yes: flag });
  const project = readAccess(values, to);
  const slug = oneSlug(positionals);
  if (!values.yes) await confirm(slug, project.url, to);
  const answer = await askFunctions(project, ['DELETE', `/${slug}`]);
  show(to, values.json, answer, [`deleted ${slug}`]);
  return 0;
}

async function confirm(slug: string, { origin }: URL, { ask }: ProjectSurroundings): Promise<void> {
  if (ask === undefined) throw new CommandError('There is no terminal to confirm it; give --yes');
  const question = `This deletes ${slug} and its versions at ${origin}. Type ${slug}: `;
  if ((await ask(question)).trim() !== slug) throw new CommandError(`${slug} is not deleted`);
}

async function serve(args: readonly string[], to: ProjectSurroundings): Promise<0> {
  const options = { ...accessOptions, dir: text, 'env-file': text };
  const { values, positionals } = readWords(args, options);
  if (positionals.length > 0) throw new CommandError('functions serve takes no name');
  const project = readAccess(values, to);
  const folder = await findFunctionsFolder(to.folder, values.dir);
  const file = values['env-file'];
  if (file !== undefined) await sendSecrets(project, await readEnvFile(to.folder, file));
  await serveFolder(project, folder, values.json ?? false, to);
  return 0;
}

function oneSlug([slug, ...others]: readonly string[]): string {
  if (slug === undefined || others.length > 0) {
    throw new CommandError('Give the name of one function; see rowhouse --help');
  }
  checkSlug(slug);
  return slug;
}
