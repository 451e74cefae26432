// The same path may be read in several ways: the router decodes escapes, the auth engine resolves dot segments, both
// ignore some extra slashes, and tables, functions, administration and the sign-in of administrators answer with and
// without `/api` in front. A guard therefore checks every reading. A reading that no route serves does no harm.
import { decodeComponent, restPath } from '#libs/wire';

/** The characters that readers treat differently; a path without them has one reading. */
const ambiguous = /[%\\\t\n\r]|\/[/.]/;
const escapes = /(?:%[0-9a-f]{2})+/gi;
const apiBase = '/api';
/** Paths that are served with and without `/api` in front. */
const aliased = new RegExp(`^(?:${apiBase})?(?:${restPath}|/admin|/auth)(?=/|$)`);
/** The origin that the URL parser needs in front of a path; it is cut off again. */
const anyOrigin = 'http://localhost';

/**
 * The paths that readers may see in a request target: without query and fragment, without trailing slashes, under each
 * of their names. The first is the path as it was sent.
 */
export function pathReadings(target: string): readonly string[] {
  const end = target.search(/[?#]/);
  const sent = end === -1 ? target : target.slice(0, end);
  if (!ambiguous.test(sent)) return withAlias(withoutLastSlashes(sent));
  const decoded = decodeEscapes(sent);
  const readings = [sent, decoded, decodeEscapes(resolve(sent)), decodeEscapes(resolve(decoded))];
  const joined = readings.map((path) => path.replace(/\/{2,}/g, '/'));
  const different = new Set([...readings, ...joined].map(withoutLastSlashes));
  return [...different].flatMap(withAlias);
}

/** The path, and its alias if it has one: without `/api` in front, or with it. */
export function withAlias(path: string): readonly [string, ...string[]] {
  if (!aliased.test(path)) return [path];
  const isBelow = path.startsWith(`${apiBase}/`);
  return [path, isBelow ? path.slice(apiBase.length) : `${apiBase}${path}`];
}

/** Decodes each percent-escape once; escapes that are not UTF-8 stay as they are. */
export function decodeEscapes(path: string): string {
  return path.replace(escapes, (run) => decodeComponent(run) ?? run);
}

/** The path without trailing slashes; `/` becomes the empty text. */
export function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Resolves dot segments, also escaped ones, and backslashes by the rules of the URL standard. */
function resolve(path: string): string {
  return new URL(`${anyOrigin}${path.startsWith('/') ? '' : '/'}${path}`).pathname;
}
