// The check of a deploy: writes the files of a version, lists what it imports, downloads that, and keeps the lock file.
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { fail } from '#libs/errors';
import { isRecord, parseJson } from '#libs/wire';

import { type Code, codeIn, folderName, keepCode, writeCode } from './code-folder.js';
import { runCommand } from './command.js';
import { withoutColors } from './log-lines.js';
import { type CheckOrder, checkCommand, graphArguments } from './sandbox.js';
import { systemErrorCode } from './system-error.js';
import type { FunctionVersion } from './types.js';

const timeoutSeconds = 60;
const maxReason = 2_000;

/**
 * Returns the version as it can run, and its lock file, which is empty if it imports no package. Throws
 * FUNCTION_REFUSED with what Deno reports.
 */
export async function prepareCode(
  version: FunctionVersion,
  place: Omit<CheckOrder, 'code'>,
): Promise<{ readonly code: Code; readonly lock: string }> {
  const unfinished = join(place.folders.code, `new-${randomUUID()}`);
  try {
    const code = await writeCode(unfinished, version, place.folders.account);
    const hasRemote = await checkGraph({ ...place, code });
    const lockFile = join(unfinished, 'deno.lock');
    await download({ ...place, code }, lockFile);
    const lock = version.lock ?? (await readLock(lockFile));
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
  const { output, isTimeout } = await runCommand(checkCommand(order, args), timeoutSeconds * 1000);
  if (isTimeout) throw tooLong();
  const graph = parseJson(output);
  const specifiers = specifiersOf(graph);
  const outside = specifiers.find(
    (each) => each.startsWith('file:') && !isInside(order.code, each),
  );
  if (outside !== undefined) {
    const reason = `it imports ${outside}, which is none of its files`;
    throw fail('FUNCTION_REFUSED', { reason });
  }
  return specifiers.some((each) => /^(?:https?|jsr):/.test(each));
}

function specifiersOf(graph: unknown): readonly string[] {
  if (!isRecord(graph) || !Array.isArray(graph['modules'])) return [];
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

async function download(order: CheckOrder, lockFile: string): Promise<void> {
  const isNew = order.code.lock === undefined;
  const graph = graphArguments(order.code).map((each) =>
    isNew && each === '--no-lock' ? `--lock=${lockFile}` : each,
  );
  const { exitCode, errors, isTimeout } = await runCommand(
    checkCommand(order, ['cache', ...graph]),
    timeoutSeconds * 1000,
  );
  if (isTimeout) throw tooLong();
  if (exitCode === 0) return;
  const reason = shorten(errors, order) || `Deno ended with the code ${exitCode}`;
  throw fail('FUNCTION_REFUSED', { reason });
}

function tooLong() {
  const reason = `its imports could not be downloaded within ${timeoutSeconds} seconds`;
  return fail('FUNCTION_REFUSED', { reason });
}

/** What Deno reports, with paths as seen from the folder of functions. */
function shorten(errors: string, { code, folders }: CheckOrder): string {
  return [`${code.readable}/`, `${code.folder}/`, `${folders.denoDir}/`]
    .flatMap((path) => [`file://${path}`, path])
    .reduce((text, path) => text.replaceAll(path, ''), withoutColors(errors))
    .trim()
    .replace(/^error: /, '')
    .slice(0, maxReason);
}

async function readLock(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return '';
    throw error;
  }
}
