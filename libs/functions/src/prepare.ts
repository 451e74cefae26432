// The check of a deploy: writes the files of a version, lists what it imports, downloads that, and keeps the lock file.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { fail } from '#libs/errors';
import { isRecord, parseJson } from '#libs/wire';

import { addLock, type Code, codeIn, folderName, keepCode, writeCode } from './code-folder.js';
import { type Account, type CommandResult, runCommand } from './command.js';
import { withoutColors } from './log-lines.js';
import { type CheckOrder, checkCommand, graphArguments } from './sandbox.js';
import type { FunctionVersion } from './types.js';

const timeoutSeconds = 60;
const takeMs = 10_000;
const maxReason = 2_000;

/**
 * Returns the version as it can run, and its lock file, which is empty if it imports no package. Throws
 * FUNCTION_REFUSED with what Deno reports.
 */
export async function prepareCode(
  version: FunctionVersion,
  place: Omit<CheckOrder, 'code'>,
): Promise<{ readonly code: Code; readonly lock: string }> {
  const { account } = place.folders;
  const unfinished = join(place.folders.code, `new-${randomUUID()}`);
  try {
    const code = await writeCode(unfinished, version, account);
    const hasRemote = await checkGraph({ ...place, code });
    const found = await download({ ...place, code });
    const lock = version.lock ?? found;
    if (lock !== '' && code.lock === undefined) await addLock(code, lock, account);
    const checked = { ...version, lock };
    const folder = join(place.folders.code, folderName(checked));
    await keepCode({ ...code, hasRemote }, folder);
    return { code: codeIn(folder, checked, hasRemote), lock };
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/**
 * Refuses imports of files outside of the version, before anything that Deno reports could show their text. Returns
 * whether modules are imported over HTTPS.
 */
async function checkGraph(order: CheckOrder): Promise<boolean> {
  const args = ['info', '--json', ...graphArguments(order.code)];
  const listed = await runCommand(checkCommand(order, args), timeoutSeconds * 1000);
  if (listed.isTimeout) throw tooLong();
  const specifiers = specifiersOf(listed);
  const outside = specifiers.find(
    (each) => each.startsWith('file:') && !isInside(order.code, each),
  );
  if (outside !== undefined) {
    const reason = `it imports ${outside}, which is none of its files`;
    throw fail('FUNCTION_REFUSED', { reason });
  }
  return specifiers.some((each) => /^(?:https?|jsr):/.test(each));
}

function specifiersOf({ exitCode, output }: CommandResult): readonly string[] {
  // Output that is too long was cut, and is no JSON.
  const graph = parseJson(output);
  if (exitCode !== 0 || !isRecord(graph) || !Array.isArray(graph['modules'])) {
    const reason = 'its imports cannot be listed; check deno.json, or import less';
    throw fail('FUNCTION_REFUSED', { reason });
  }
  const modules: readonly unknown[] = graph['modules'];
  return modules.flatMap((each) =>
    isRecord(each) && typeof each['specifier'] === 'string' ? [each['specifier']] : [],
  );
}

function isInside(code: Code, specifier: string): boolean {
  try {
    return resolve(fileURLToPath(specifier)).startsWith(code.readable + sep);
  } catch {
    return false; // An encoded slash, by which a path can leave its folder.
  }
}

/** Downloads the imports of a version. Returns its new lock file, which is empty if it has one or needs none. */
async function download(order: CheckOrder): Promise<string> {
  const { code, folders } = order;
  const lockFile = join(folders.home, `${randomUUID()}.lock`);
  const graph = graphArguments(code).map((each) =>
    each === '--no-lock' ? `--lock=${lockFile}` : each,
  );
  const { exitCode, errors, isTimeout } = await runCommand(
    checkCommand(order, ['cache', ...graph]),
    timeoutSeconds * 1000,
  );
  const lock = await takeFile(lockFile, folders.account);
  if (isTimeout) throw tooLong();
  if (exitCode === 0) return lock;
  const reason = shorten(errors, order) || `Deno ended with the code ${exitCode}`;
  throw fail('FUNCTION_REFUSED', { reason });
}

function tooLong() {
  const reason = `its imports could not be downloaded within ${timeoutSeconds} seconds`;
  return fail('FUNCTION_REFUSED', { reason });
}

/** What Deno reports, with paths as seen from the folder of functions. */
function shorten(errors: string, { code, folders }: CheckOrder): string {
  return [`${code.readable}/`, `${code.folder}/`, `${folders.denoDir}/`, `${folders.home}/`]
    .flatMap((path) => [`file://${path}`, path])
    .reduce((text, path) => text.replaceAll(path, ''), withoutColors(errors))
    .trim()
    .replace(/^error: /, '')
    .slice(0, maxReason);
}

/** Reads and removes a file with the rights of the user of the project, who can put a link in its place. */
async function takeFile(path: string, account: Account | undefined): Promise<string> {
  const script = 'cat "$0" 2>/dev/null; rm -f "$0"';
  const command = { program: '/bin/sh', args: ['-c', script, path], env: {}, account };
  return (await runCommand(command, takeMs)).output;
}
