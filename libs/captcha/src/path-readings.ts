// One path may be read in more than one way: the router decodes escapes, the auth engine resolves dot
// segments, and both forgive something about slashes. A guard must not depend on who reads it, so it asks
// about every reading; one reading too many guards a route that nobody serves.
import { decodeComponent } from '#libs/wire';

/** What only some of the readers change; without any of it a path has one reading. */
const ambiguous = /[%\\\t\n\r]|\/[/.]/;
const escapes = /(?:%[0-9a-f]{2})+/gi;
/** Stands before the path where it is resolved; it is cut off again. */
const anyOrigin = 'http://localhost';

/**
 * The paths that a request target may stand for: without query and fragment, without slashes at the end.
 * The first is the one that was sent.
 */
export function pathReadings(target: string): readonly string[] {
  const end = target.search(/[?#]/);
  const sent = end === -1 ? target : target.slice(0, end);
  if (!ambiguous.test(sent)) return [withoutLastSlashes(sent)];
  const decoded = decodeEscapes(sent);
  const readings = [sent, decoded, decodeEscapes(resolve(sent)), decodeEscapes(resolve(decoded))];
  const joined = readings.map((path) => path.replace(/\/{2,}/g, '/'));
  return [...new Set([...readings, ...joined].map(withoutLastSlashes))];
}

/** Decodes each percent-escape once; those that are no UTF-8 stay as they are. */
export function decodeEscapes(path: string): string {
  return path.replace(escapes, (run) => decodeComponent(run) ?? run);
}

/** The path without slashes at its end; `/` becomes the empty text. */
export function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Dot segments, also escaped ones, and backslashes as the URL standard reads them. */
function resolve(path: string): string {
  return new URL(`${anyOrigin}${path.startsWith('/') ? '' : '/'}${path}`).pathname;
}
