// Sends functions of a folder to a project.
import { CommandError } from './command-error.js';
import { type FunctionCode, listSlugs, readFunction } from './functions-folder.js';
import {
  askFunctions,
  complainOf,
  type ProjectAccess,
  type ProjectSurroundings,
} from './project-command.js';
import { ProjectRefusal } from './request-project.js';
import { jsonLine, linesText } from './terminal-lines.js';

/** What a deploy sets besides the code. Absent: as it is, or the default of a new function. */
export interface DeployOptions {
  readonly isPublic?: true;
  readonly route?: string;
}

/** Deploys the functions with these names, else all of the folder. Returns 1 if one of them fails. */
export async function deployFolder(
  project: ProjectAccess,
  folder: string,
  slugs: readonly string[],
  options: DeployOptions & { readonly isJson: boolean },
  to: ProjectSurroundings,
): Promise<0 | 1> {
  const { isJson, ...settings } = options;
  const names = slugs.length > 0 ? slugs : await listSlugs(folder);
  if (names.length === 0) throw new CommandError(`There are no functions in ${folder}`);
  let exitCode: 0 | 1 = 0;
  for (const slug of names) {
    // One after the other: each may download what it imports.
    try {
      const code = await readFunction(folder, slug);
      await deployFunction(project, slug, { ...settings, code, isJson }, to);
    } catch (error) {
      complainOf(to, error, slug);
      exitCode = 1;
    }
  }
  return exitCode;
}

/** Deploys one function and prints its version. Throws CommandError. */
export async function deployFunction(
  project: ProjectAccess,
  slug: string,
  {
    code: { binaries, ...code },
    isJson,
    ...settings
  }: DeployOptions & { readonly code: FunctionCode; readonly isJson: boolean },
  to: ProjectSurroundings,
): Promise<void> {
  for (const name of binaries) {
    to.complain(linesText(`${slug}: ${name} is left out: it is no text in UTF-8`));
  }
  const answer = await send(project, slug, code, settings);
  const { activeVersion, url } = answer;
  const line = `deployed ${slug}, version ${String(activeVersion)}, ${String(url)}`;
  to.print(isJson ? jsonLine(answer) : linesText(line));
}

/** Makes a version of the function, or the function if the project does not have it. */
async function send(
  project: ProjectAccess,
  slug: string,
  code: Omit<FunctionCode, 'binaries'>,
  settings: DeployOptions,
) {
  try {
    return await askFunctions(project, ['PUT', `/${slug}`], { ...code, ...settings });
  } catch (error) {
    const isNew = error instanceof ProjectRefusal && error.code === 'EDGE_FUNCTION_NOT_FOUND';
    if (!isNew) throw error;
    return askFunctions(project, ['POST', ''], { slug, ...code, ...settings });
  }
}
