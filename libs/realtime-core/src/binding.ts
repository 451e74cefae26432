import { parseChangeFilter, type ChangeFilter } from './change-filter.js';
import { FrameFields, invalidFrame } from './fields.js';

/** The changes that a binding may ask for. */
export const CHANGE_EVENTS = ['*', 'INSERT', 'UPDATE', 'DELETE'] as const;
export type ChangeEvent = (typeof CHANGE_EVENTS)[number];

/** A subscription to the changes of a table. */
export interface Binding {
  readonly event: ChangeEvent;
  readonly schema: string;
  readonly table: string;
  readonly filter: ChangeFilter | undefined;
}

/** Parses an entry of `postgres_changes`; `path` is its place in the frame. Throws INVALID_FRAME. */
export function parseBinding(value: unknown, path: string): Binding {
  const fields = new FrameFields(value, path, ['event', 'schema', 'table', 'filter']);
  const given = fields.value('event') ?? '*';
  const event = CHANGE_EVENTS.find((known) => known === given);
  if (event === undefined) {
    throw invalidFrame(fields.pathOf('event'), `must be one of ${CHANGE_EVENTS.join(', ')}`);
  }
  const filter = fields.value('filter');
  return {
    event,
    schema: fields.name('schema', 'public'),
    table: fields.name('table'),
    filter: filter === undefined ? undefined : parseChangeFilter(filter, fields.pathOf('filter')),
  };
}

/** Characters of an id: 96 bits in base64url, so that no client can find two bindings with one id. */
const idLength = 16;

/**
 * The id of a binding: a hash of its content, so that all clients and processes have the same one for the same binding,
 * and a frame is the same for all its receivers. `sha256` returns the digest of a text in base64url.
 */
export function bindingId(binding: Binding, sha256: (text: string) => string): string {
  return sha256(canonicalBinding(binding)).slice(0, idLength);
}

/** A text that is equal for bindings with the same meaning, as far as their filters are written alike. */
export function canonicalBinding({ event, schema, table, filter }: Binding): string {
  return JSON.stringify([event, schema, table, filter ?? null]);
}
