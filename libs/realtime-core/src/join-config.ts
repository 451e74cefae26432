import { type AppError, fail } from '#libs/errors';
import { isRecord } from '#libs/wire';

import { parseBinding, type Binding } from './binding.js';
import { type FrameFields, maxNameLength } from './fields.js';

/** How a client joins a channel. */
export interface JoinConfig {
  /** Whether policies on `realtime.messages` decide who receives and sends. */
  readonly isPrivate: boolean;
  readonly broadcast: {
    /** Whether the sender receives its own messages. */
    readonly self: boolean;
    /** Whether a message is acknowledged after it was passed on. */
    readonly ack: boolean;
  };
  /** The name of the client among the members; undefined if the server is to make one. */
  readonly presenceKey: string | undefined;
  /** The table changes that the client subscribes to, in the order of the frame. */
  readonly bindings: readonly Binding[];
}

/** The most entries in `postgres_changes` that the settings of a project can allow. */
export const mostBindings = 100;
/** Characters of the filters of one join. All projects of a process wait while they are parsed. */
export const maxJoinFilterLength = 16_384;

const known = ['private', 'broadcast', 'presence', 'postgres_changes'];

/** Parses `config` of a join frame; everything in it has a default. Throws INVALID_FRAME and TOO_MANY_BINDINGS. */
export function parseJoinConfig(frame: FrameFields): JoinConfig {
  const config = frame.fields('config', known);
  const broadcast = config.fields('broadcast', ['self', 'ack']);
  const presence = config.fields('presence', ['key']);
  const path = config.pathOf('postgres_changes');
  const changes = config.list('postgres_changes');
  checkSize(changes);
  return {
    isPrivate: config.flag('private'),
    broadcast: { self: broadcast.flag('self'), ack: broadcast.flag('ack') },
    // The published client of the protocol that apps come from sends an empty text where the app set none.
    presenceKey: presence.value('key') === '' ? undefined : presence.text('key', maxNameLength),
    bindings: changes.map((value, index) => parseBinding(value, `${path}[${index}]`)),
  };
}

/** Before anything is parsed. Throws TOO_MANY_BINDINGS. */
function checkSize(changes: readonly unknown[]): void {
  if (changes.length > mostBindings) throw tooMany('A channel', mostBindings, 'entries');
  const length = changes.reduce<number>((sum, value) => sum + filterTextLength(value), 0);
  if (length > maxJoinFilterLength) {
    throw tooMany('A join', maxJoinFilterLength, 'characters of filters');
  }
}

function filterTextLength(value: unknown): number {
  const filter = isRecord(value) ? value['filter'] : undefined;
  return typeof filter === 'string' ? filter.length : 0;
}

/** `owner` begins a sentence: "A channel". */
export function tooMany(owner: string, limit: number, counted: string): AppError {
  return fail('TOO_MANY_BINDINGS', { owner, limit, counted });
}
