// How functions, their routes and their files are named.
import { fail } from '#libs/errors';
import type { FunctionVersion } from '#libs/functions';
import { functionSlug } from '#libs/wire';

export const slugPattern = new RegExp(`^${functionSlug}$`);
const maxSegments = 5;
/** A part of the path can begin with one of these routes at most. */
export const routePattern = new RegExp(
  `^${functionSlug}(?:/${functionSlug}){0,${maxSegments - 1}}$`,
);
/** Routes of the administration have these names. */
export const reservedSlugs: ReadonlySet<string> = new Set([
  'secrets',
  'tokens',
  'logs',
  'invocations',
  'triggers',
  'schedules',
]);

/** The routes that may answer at a path below `edgePath`: its first segment, its first two, and so on. */
export function routesOf(path: string): readonly string[] {
  const segments = path.split('/').slice(0, maxSegments);
  const routes = segments.map((_, index) => segments.slice(0, index + 1).join('/'));
  return routes.filter((route) => routePattern.test(route));
}

export const maxFiles = 1_000;
export const maxBytes = 5 * 1024 * 1024;
/** JSON writes line breaks and quotes with two characters. */
export const maxBodyBytes = 2 * maxBytes;
const maxPathLength = 200;
const fileSegment = /^[A-Za-z0-9._@-]+$/;
const entrypoints = ['index.ts', 'index.js', 'index.tsx', 'index.jsx', 'index.mjs'];

/**
 * Returns the code of a deploy. Throws INVALID_INPUT for paths that lead out of the folder of functions or to a file
 * below a file, too many files or too much text, and an entrypoint that is not among the files.
 */
export function readCode({
  files,
  entrypoint,
}: {
  readonly files: Readonly<Record<string, unknown>>;
  readonly entrypoint?: string | undefined;
}): Pick<FunctionVersion, 'files' | 'entrypoint'> {
  const paths = Object.keys(files);
  if (paths.length === 0) throw refused('files', 'there are none');
  if (paths.length > maxFiles) throw refused('files', `there are more than ${maxFiles}`);
  let bytes = 0;
  const texts: Record<string, string> = {};
  for (const [path, text] of Object.entries(files)) {
    if (!isFilePath(path)) throw refused('files', `${path.slice(0, maxPathLength)} is no path`);
    if (typeof text !== 'string') throw refused('files', `${path} must be a text`);
    if ((bytes += Buffer.byteLength(text)) > maxBytes) {
      throw refused('files', `they have more than ${maxBytes} bytes`);
    }
    texts[path] = text;
  }
  const folder = paths.find((path) => paths.some((other) => other.startsWith(`${path}/`)));
  if (folder !== undefined) throw refused('files', `${folder} is a file and a folder`);
  const main = entrypoint ?? entrypoints.find((path) => path in texts);
  if (main === undefined) throw refused('entrypoint', `name the file that answers`);
  if (!Object.hasOwn(texts, main) || main.startsWith('../')) {
    throw refused('entrypoint', 'must be one of the files of the function');
  }
  return { files: texts, entrypoint: main };
}

/** `..` is allowed once, in front: files that functions share. */
function isFilePath(path: string): boolean {
  const [first = '', ...others] = path.split('/');
  const rest = first === '..' ? others : [first, ...others];
  return (
    path.length <= maxPathLength &&
    rest.length > 0 &&
    rest.every((part) => fileSegment.test(part) && part !== '.' && part !== '..')
  );
}

export const refused = (field: string, reason: string) => fail('INVALID_INPUT', { field, reason });
