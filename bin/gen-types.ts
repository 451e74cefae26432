// `rowhouse gen types`: from the arguments to a file. It requests the types from a running project, never from its
// database.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { CommandError } from './command-error.js';
import { takeSecretKey } from './env.js';
import { fetchTypes } from './fetch-types.js';
import { readArguments, readProjectUrl, readSecretKey } from './project-arguments.js';
import { systemErrorCode } from './start-error.js';
import { linesText } from './terminal-lines.js';

interface Order {
  readonly url: URL;
  readonly secretKey: string;
  /** Absent: standard output. */
  readonly file: string | undefined;
}

/** The output of the command and its environment. */
export interface Surroundings {
  /** The key when `--key` is not given. */
  readonly secretKey: string | undefined;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** Runs the command in this process: with its environment, its output and its exit code. */
export function runGenTypes(args: readonly string[]): Promise<0 | 1> {
  return genTypes(args, {
    secretKey: takeSecretKey(),
    print: (text) => void process.stdout.write(text),
    complain: (text) => void process.stderr.write(text),
  });
}

/** Runs the command and gives the exit code: 0, or 1 after one line about what is wrong. */
export async function genTypes(args: readonly string[], to: Surroundings): Promise<0 | 1> {
  try {
    const { url, secretKey, file } = readOrder(args, to.secretKey);
    const types = await fetchTypes(url, secretKey);
    if (file === undefined) to.print(types);
    else await save(file, types);
    return 0;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    to.complain(linesText(`rowhouse: ${error.message}`));
    return 1;
  }
}

function readOrder(args: readonly string[], keyOfEnv: string | undefined): Order {
  const { url, key, out } = readOptions(args);
  if (url === undefined) {
    throw new CommandError(
      '--url is missing: the address of the project, such as http://demo.localhost:8000',
    );
  }
  return { url: readProjectUrl(url), secretKey: readSecretKey(key, keyOfEnv), file: out };
}

function readOptions(args: readonly string[]) {
  const options = {
    url: { type: 'string' },
    key: { type: 'string' },
    out: { type: 'string' },
  } as const;
  return readArguments(() => parseArgs({ args: [...args], options }).values);
}

async function save(file: string, types: string): Promise<void> {
  try {
    await writeFile(file, types);
  } catch (error) {
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'its folder does not exist',
      ENOTDIR: 'its folder is a file',
      EISDIR: 'it is a folder',
      EACCES: 'this system user may not write it',
      EROFS: 'the file system is read-only',
      ENOSPC: 'the disk is full',
    };
    const code = systemErrorCode(error);
    const reason = code === undefined ? undefined : (reasons[code] ?? code);
    if (reason === undefined) throw error;
    throw new CommandError(`${file} cannot be written: ${reason}`, { cause: error });
  }
}
