// The path behind the proxy in the one form that is both classified and forwarded. Ambiguous paths are refused: a path
// must not look harmless here and mean something else at the project.
import { fail } from '#libs/errors';
import { decodeComponent } from '#libs/wire';
import { projectApiPath } from '../http/project-api-path.js';

/** The part of a request's URL that goes to the project. */
export interface ProjectPath {
  /** Decoded segments below `/api`, e.g. `['admin', 'users']`; a slash at the end is not one of them. */
  readonly segments: readonly string[];
  /** What is forwarded: `/api/admin/users?limit=1`. */
  readonly target: string;
}

/** The segments before the project's: an empty one, because the URL starts with a slash, and those of the path. */
const prefixSegments = projectApiPath.split('/').length + 1;

/** The path of a raw request URL of the proxy's route. Throws INVALID_INPUT for an ambiguous one. */
export function canonicalPath(rawUrl: string): ProjectPath {
  if (!rawUrl.startsWith('/') || rawUrl.includes('#')) throw refused('it is not a plain path');
  const queryAt = rawUrl.indexOf('?');
  const rawPath = queryAt < 0 ? rawUrl : rawUrl.slice(0, queryAt);
  const query = queryAt < 0 ? '' : rawUrl.slice(queryAt);
  const raw = rawPath.split('/').slice(prefixSegments);
  const hasSlashAtEnd = raw.length > 1 && raw.at(-1) === '';
  const segments = (hasSlashAtEnd ? raw.slice(0, -1) : raw).map(decodeOnce);
  const path = segments.map(encodeURIComponent).join('/') + (hasSlashAtEnd ? '/' : '');
  return { segments, target: `/api/${path}${query}` };
}

function decodeOnce(raw: string): string {
  const decoded = decodeComponent(raw);
  if (decoded === undefined) throw refused('a part is not encoded correctly');
  if (decoded === '') throw refused('it has an empty part');
  if (isTraversal.test(decoded)) throw refused('it has a part that means another folder');
  if (hasSeparator.test(decoded)) throw refused('a part has a slash or a control character in it');
  const again = decodeComponent(decoded);
  if (again !== undefined && again !== decoded) throw refused('a part is encoded twice');
  return decoded;
}

/** Dots alone, also with path parameters behind them (`..;x`), which some servers cut off. */
const isTraversal = /^\.{1,2}(;|$)/;
const hasSeparator = /[/\\]|\p{Cc}/u;

function refused(reason: string): Error {
  return fail('INVALID_INPUT', { field: 'path', reason });
}
