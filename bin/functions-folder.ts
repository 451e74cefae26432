// The folder of functions on the disk of a developer: `hello/index.ts`, and what functions share beside it:
// `_shared/cors.ts`, `deno.json`, `import_map.json`.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { isUtf8 } from 'node:buffer';
import { CommandError } from './command-error.js';
import { systemErrorCode } from './start-error.js';

/** The limits of the server. */
const maxFiles = 1_000;
const maxBytes = 5_000_000;

const slugPattern = /^[a-z0-9][a-z0-9_-]{0,62}$/;
const entrypoints = ['index.ts', 'index.js', 'index.tsx', 'index.jsx', 'index.mjs'];
const sharedFiles = ['deno.json', 'deno.jsonc', 'import_map.json'];
const leftOut = /^(?:\.git|node_modules|\.env(?:\..*)?|\.DS_Store)$/;

/** The code of a function. */
export interface FunctionCode {
  readonly entrypoint: string;
  /** Texts by path, as seen from the folder of the function; shared files begin with `../`. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that are no text, and are not deployed. */
  readonly binaries: readonly string[];
}

/** Throws CommandError for a name that no function may have. */
export function checkSlug(slug: string): void {
  if (slugPattern.test(slug)) return;
  throw new CommandError(
    `${slug} is no name of a function: it has lower-case letters, digits, _ and -, and begins with a letter or digit`,
  );
}

/** Returns the folder of functions: `dir`, else the usual ones below `base`. Throws CommandError if there is none. */
export async function findFunctionsFolder(base: string, dir: string | undefined): Promise<string> {
  const candidates = dir === undefined ? ['functions', join('supabase', 'functions')] : [dir];
  for (const candidate of candidates) {
    const folder = resolve(base, candidate);
    // The first that exists counts.
    if (await isFolder(folder)) return folder;
  }
  throw new CommandError(`There is no folder ${candidates.join(' or ')}; name it with --dir`);
}

/** Writes the example of a new function and returns its file. Throws CommandError if the function exists. */
export async function writeNewFunction(
  base: string,
  dir: string | undefined,
  slug: string,
): Promise<string> {
  checkSlug(slug);
  const folder = await findFunctionsFolder(base, dir).catch(() =>
    resolve(base, dir ?? 'functions'),
  );
  if (await isFolder(join(folder, slug))) {
    throw new CommandError(`${relative(base, join(folder, slug))} exists already`);
  }
  await mkdir(join(folder, slug), { recursive: true });
  const file = join(folder, slug, 'index.ts');
  await writeFile(file, exampleOf(slug), { flag: 'wx' });
  return relative(base, file);
}

const exampleOf = (slug: string): string => `// Answers POST /api/edge/${slug} with {"name": "Ada"}.
Deno.serve(async (request) => {
  const { name = 'world' } = (await request.json().catch(() => null)) ?? {};
  return Response.json({ message: \`Hello \${name}!\` });
});
`;

/** Returns the names of the functions in a folder. */
export async function listSlugs(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => slugPattern.test(name)).sort();
  const found = await Promise.all(names.map((name) => findEntrypoint(join(folder, name))));
  return names.filter((_, at) => found[at] !== undefined);
}

/** Reads the code of a function with what functions share. Throws CommandError. */
export async function readFunction(folder: string, slug: string): Promise<FunctionCode> {
  checkSlug(slug);
  const own = join(folder, slug);
  const entrypoint = await findEntrypoint(own);
  if (entrypoint === undefined) throw new CommandError(`${join(own, 'index.ts')} does not exist`);
  const shared = (await readdir(folder)).filter(
    (name) => name.startsWith('_') || sharedFiles.includes(name),
  );
  const paths: string[] = [];
  for (const top of [own, ...shared.map((name) => join(folder, name))]) {
    // One after the other: the limit of files holds for all.
    await addPaths(paths, top);
  }
  return { entrypoint, ...(await readTexts(own, paths)) };
}

async function findEntrypoint(folder: string): Promise<string | undefined> {
  const names = (await isFolder(folder)) ? await readdir(folder) : [];
  return entrypoints.find((name) => names.includes(name));
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')) return false;
    throw error;
  }
}

/** Adds a file, or the files of a folder and its folders. */
async function addPaths(paths: string[], path: string): Promise<void> {
  if (leftOut.test(basename(path))) return;
  if (await isFolder(path)) {
    for (const name of (await readdir(path)).sort()) await addPaths(paths, join(path, name)); // in order, for the limit
  } else if (paths.push(path) > maxFiles) {
    throw new CommandError(`There are more than ${maxFiles} files, such as ${path}`);
  }
}

async function readTexts(own: string, paths: readonly string[]) {
  const files: Record<string, string> = {};
  const binaries: string[] = [];
  let bytes = 0;
  for (const path of paths) {
    // One after the other: no more is read than may be sent.
    const content = await readFile(path);
    const name = relative(own, path).replaceAll('\\', '/');
    if (!isUtf8(content) || content.includes(0)) binaries.push(name);
    else {
      bytes += content.length;
      files[name] = content.toString('utf8');
    }
    if (bytes > maxBytes) throw new CommandError(`The files have more than ${maxBytes} bytes`);
  }
  return { files, binaries };
}
