// What the routes of files answer with.

import { textField } from '../control.js';

function dataOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
}

/** The id of the file that an answer describes; throws when there is none. */
export function idOf(body: unknown): string {
  return textField(dataOf(body), 'id');
}
