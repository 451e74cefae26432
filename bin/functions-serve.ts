// `rowhouse functions serve`: deploys functions to a running project as their files change, and prints their logs.
import { watch } from 'node:fs';
import { sep } from 'node:path';
import { deployFunction } from './functions-deploy.js';
import { listSlugs, readFunction } from './functions-folder.js';
import { followLogs } from './functions-logs.js';
import { complainOf, type ProjectAccess, type ProjectSurroundings } from './project-command.js';
import { ProjectRefusal } from './request-project.js';

/** Editors write a file in several steps: a deploy waits for the last; milliseconds. */
const quietMs = 200;

/** Serves a folder until the signal aborts. Throws CommandError. */
export async function serveFolder(
  project: ProjectAccess,
  folder: string,
  isJson: boolean,
  to: ProjectSurroundings,
): Promise<void> {
  const stop = new AbortController();
  const here = { ...to, signal: AbortSignal.any([to.signal, stop.signal]) };
  /** The code of each function as the project has it, or has refused it. */
  const known = new Map<string, string>();
  const deploy = async (): Promise<void> => {
    for (const slug of await listSlugs(folder)) {
      // One after the other: each may download what it imports.
      await deployChange(known, slug, { project, folder, isJson, to });
    }
  };
  try {
    await Promise.all([
      onChanges(folder, here.signal, deploy),
      followLogs(project, {}, isJson, here),
    ]);
  } finally {
    stop.abort();
  }
}

interface Serving {
  readonly project: ProjectAccess;
  readonly folder: string;
  readonly isJson: boolean;
  readonly to: ProjectSurroundings;
}

/** Deploys a function if its code is not the known one. */
async function deployChange(
  known: Map<string, string>,
  slug: string,
  { project, folder, isJson, to }: Serving,
): Promise<void> {
  const before = known.get(slug);
  try {
    const code = await readFunction(folder, slug);
    const text = JSON.stringify(code);
    if (text === before) return;
    known.set(slug, text);
    await deployFunction(project, slug, { code, isJson }, to);
  } catch (error) {
    if (!(error instanceof ProjectRefusal)) known.delete(slug);
    complainOf(to, error, slug);
  }
}

/** Does the work now, and when files have changed, once at a time. Resolves when the signal aborts. */
function onChanges(folder: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let last = Promise.resolve();
    const start = (): void => {
      last = last.then(work);
      last.catch(reject);
    };
    const watcher = watch(folder, { recursive: true, signal }, (_event, name) => {
      if (name?.split(sep).includes('node_modules')) return;
      clearTimeout(timer);
      timer = setTimeout(start, quietMs);
    });
    watcher.on('error', reject);
    watcher.on('close', () => {
      clearTimeout(timer);
      resolve(last);
    });
    start();
  });
}
