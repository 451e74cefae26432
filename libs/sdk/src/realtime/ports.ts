// What the parts of channels know of each other. A channel is part of every client; the connection and what it does for a
// channel are loaded with the first channel.
import type { RowhouseError } from '../error.js';
import type {
  RealtimeChangeFilter,
  RealtimeChannelConfig,
  RealtimeGap,
  RealtimeOutcome,
  RealtimePresenceState,
  RealtimeStatus,
} from './types.js';

/** Who receives events of a channel. The payload has the type that `on` declares for the callback. */
export type Listener =
  | {
      readonly type: 'postgres_changes';
      readonly filter: RealtimeChangeFilter;
      readonly callback: (payload: never) => unknown;
    }
  | {
      readonly type: 'broadcast' | 'presence';
      readonly filter: { readonly event: string };
      readonly callback: (payload: never) => unknown;
    }
  | { readonly type: 'gap'; readonly callback: (gap: RealtimeGap) => unknown };

/** A subscribed channel, as the connection knows it. */
export interface Subscription {
  readonly topic: string;
  readonly config: RealtimeChannelConfig;
  /** In the order in which they were added; the channel may add more. */
  readonly listeners: readonly Listener[];
  /** Time for the first join and for each answer, in ms. */
  readonly timeoutMs: number;
  /** True after `unsubscribe`. */
  isClosed: boolean;
  report: (status: RealtimeStatus, error?: RowhouseError) => void;
}

/** What a subscribed channel may do with its connection. None of it rejects. */
export interface Membership {
  readonly presence: RealtimePresenceState;
  send(event: string, payload: unknown, timeoutMs?: number): Promise<RealtimeOutcome>;
  track(payload: object, timeoutMs?: number): Promise<RealtimeOutcome>;
  untrack(timeoutMs?: number): Promise<RealtimeOutcome>;
  leave(timeoutMs?: number): Promise<RealtimeOutcome>;
}

/** The answer to a frame. */
export type Ack =
  | ({ readonly status: 'ok' } & Joined)
  | ({ readonly status: 'error' } & Refusal)
  | { readonly status: 'timed out' };

/** Fields of the answer to a join. */
export interface Joined {
  /** In the order of the join. */
  readonly bindings?: readonly { readonly id: string }[];
  readonly cursor?: string;
  readonly recovered?: boolean;
  readonly warming?: boolean;
  readonly presence?: RealtimePresenceState;
}

/** Why the server refuses or ends something. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly status?: unknown;
  readonly details?: unknown;
  readonly hint?: string;
  readonly retryAfterMs?: number;
}

/** Sends a frame. The answer is awaited if there is a callback, which is called in the order of arrival. */
export type SendFrame = (
  event: string,
  frame: object,
  onAck?: { readonly timeoutMs: number; readonly done: (ack: Ack) => void },
) => void;
