// The frames and acks that the server sends.
import type { ChangeEvent } from './binding.js';
import type { PresenceState } from './presence.js';

/**
 * Changes that a channel is sent again at most, or for the first time, when it continues from a cursor. Clients remember
 * as many ids, so that they recognize all of them.
 */
export const maxReplayedChanges = 5_000;

/** `rt:pg`: table changes, the same for all receivers with the same rights. */
export interface ChangesFrame {
  /** The topic. */
  readonly t: string;
  /** In the order of their commits as far as they concern one row. */
  readonly e: readonly ChangeEntry[];
  /** The cursor after these changes; a client sends the last one as `resume`. */
  readonly cur: string;
}

export interface ChangeEntry {
  /** Names the change for good: a client that has seen the id ignores the entry. */
  readonly id: string;
  /** The ids of the bindings that the change matches. */
  readonly b: readonly string[];
  readonly d: TableChange;
}

/** A table change as the application receives it. */
export interface TableChange {
  readonly schema: string;
  readonly table: string;
  readonly eventType: Exclude<ChangeEvent, '*'>;
  /** The row, or an empty object. */
  readonly new: object;
  readonly old: object;
  /** ISO 8601. */
  readonly commit_timestamp: string;
  /** The row was too large and is only its key. */
  readonly truncated?: true;
}

/** `rt:msg`: a message of another client or of the server. */
export interface MessageFrame {
  readonly t: string;
  readonly event: string;
  readonly payload: unknown;
}

/** `rt:presence`: everything that is tracked in a topic. */
export interface PresenceFrame {
  readonly t: string;
  readonly state: PresenceState;
}

/** `rt:system`: the state of a channel, or of the connection if it has no topic. */
export interface SystemFrame {
  readonly t?: string;
  readonly status: 'ok' | 'error' | 'closed';
  /** A code of the table of errors, or `WARM` when a join that was acknowledged as warming is complete. */
  readonly code: string;
  readonly message: string;
}

/** The answer to a frame. */
export type Ack = JoinedAck | OkAck | ErrorAck;

export interface OkAck {
  readonly status: 'ok';
}

export interface JoinedAck extends OkAck {
  /** In the order of the join frame. */
  readonly bindings: readonly { readonly id: string }[];
  /** Changes that commit after it are sent. */
  readonly cursor: string;
  /** Only with `resume`: whether everything since that cursor is sent. */
  readonly recovered?: boolean;
  /** Changes that commit soon after the join may be missing until a system frame says otherwise. */
  readonly warming?: true;
  readonly presence?: PresenceState;
}

export interface ErrorAck {
  readonly status: 'error';
  readonly code: string;
  readonly message: string;
  /** With INVALID_FRAME: the path of the wrong field. */
  readonly field?: string;
  /** With RATE_LIMITED: milliseconds until the frame would be accepted. */
  readonly retryAfterMs?: number;
}
