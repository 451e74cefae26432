// What the routes of files answer with.

import { textField } from '../control.js';

function dataOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
}

/** The id in an answer that tells of a file; throws when there is none. */
export function idOf(body: unknown): string {
  return textField(dataOf(body), 'id');
}
