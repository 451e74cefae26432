import { fail } from '#libs/errors';

/**
 * The parts of a request target that readers treat differently: a second slash at the start, a fragment, and in the
 * path backslashes, control characters and dot segments, with their dots and slashes encoded or not. A URL parser
 * (WHATWG URL Standard, section 4.4) changes most of them, and a server that decodes first changes the rest.
 */
const ambiguous =
  /^\/[/\\]|#|^[^?]*(?:[\\\p{Cc}]|(?:\/|%2f|%5c)(?:\.|%2e){1,2}(?:\/|%2f|%5c|\?|$))/iu;

/** Throws AMBIGUOUS_TARGET unless path and query of a request mean the same to every reader. */
export function requirePlainTarget(target: string): void {
  if (ambiguous.test(target)) throw fail('AMBIGUOUS_TARGET');
}
