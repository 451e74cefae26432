import type { LooseRow } from '../types/index.js';

/** The states that a channel reports to the callback of `subscribe`. */
export type RealtimeStatus = 'SUBSCRIBED' | 'TIMED_OUT' | 'CHANNEL_ERROR' | 'CLOSED';

/**
 * The result of a frame: the answer of the server, and `timed out` if there was none in time. Without `broadcast.ack`, `ok`
 * means that the message has left.
 */
export type RealtimeOutcome = 'ok' | 'timed out' | 'error';

/** How a channel is joined. */
export interface RealtimeChannelConfig {
  /** Whether policies on `realtime.messages` decide who receives and sends. Default false. */
  readonly private?: boolean;
  readonly broadcast?: {
    /** Whether the channel receives its own messages. Default false. */
    readonly self?: boolean;
    /** Whether `send` waits until the server has passed the message on. Default false. */
    readonly ack?: boolean;
  };
  readonly presence?: {
    /** The name of this client among those that are present. Default: made by the server for each connection. */
    readonly key?: string;
  };
}

/** The config of a channel, flat or nested as supabase-js has it. Flat fields override nested ones. */
export interface RealtimeChannelOptions extends RealtimeChannelConfig {
  readonly config?: RealtimeChannelConfig;
}

export type RealtimeChangeEvent = 'INSERT' | 'UPDATE' | 'DELETE' | '*';

/** Which changes of a table a callback receives. */
export interface RealtimeChangeFilter {
  readonly event: RealtimeChangeEvent;
  /** Default `public`. */
  readonly schema?: string;
  readonly table: string;
  /** A condition in the grammar of the table API, e.g. `moons=gt.2`. */
  readonly filter?: string;
}

interface TableChange {
  readonly schema: string;
  readonly table: string;
  /** ISO 8601. */
  readonly commit_timestamp: string;
  /** The row was too large, and only its key is there. */
  readonly truncated?: true;
}

type NoRow = Record<string, never>;

export interface RealtimePostgresInsertPayload<Row> extends TableChange {
  readonly eventType: 'INSERT';
  readonly new: Row;
  readonly old: NoRow;
}

export interface RealtimePostgresUpdatePayload<Row> extends TableChange {
  readonly eventType: 'UPDATE';
  readonly new: Row;
  /** Empty unless this client was allowed to read the row before. */
  readonly old: Partial<Row>;
}

export interface RealtimePostgresDeletePayload<Row> extends TableChange {
  readonly eventType: 'DELETE';
  readonly new: NoRow;
  /** The deleted row. */
  readonly old: Partial<Row>;
}

/** A change of a table. */
export type RealtimePostgresChangesPayload<Row = LooseRow> =
  | RealtimePostgresInsertPayload<Row>
  | RealtimePostgresUpdatePayload<Row>
  | RealtimePostgresDeletePayload<Row>;

/** The changes of a table that an event selects. */
export type RealtimeChangeOf<Row, Event extends RealtimeChangeEvent> = Event extends '*'
  ? RealtimePostgresChangesPayload<Row>
  : Extract<RealtimePostgresChangesPayload<Row>, { readonly eventType: Event }>;

/** A message of another client, of a server or of the database. */
export interface RealtimeMessage<Payload> {
  readonly type: 'broadcast';
  readonly event: string;
  readonly payload: Payload;
}

/** What a client tracks. `presence_ref` is another one after each `track`. */
export type RealtimePresence<Payload extends object = LooseRow> = Payload & {
  readonly presence_ref: string;
};

/** What is tracked in a channel, by the key of the clients. */
export type RealtimePresenceState<Payload extends object = LooseRow> = Readonly<
  Record<string, readonly RealtimePresence<Payload>[]>
>;

export interface RealtimePresenceJoin<Payload extends object = LooseRow> {
  readonly event: 'join';
  readonly key: string;
  /** Those of the key before. */
  readonly currentPresences: readonly RealtimePresence<Payload>[];
  readonly newPresences: readonly RealtimePresence<Payload>[];
}

export interface RealtimePresenceLeave<Payload extends object = LooseRow> {
  readonly event: 'leave';
  readonly key: string;
  /** Those of the key that stay. */
  readonly currentPresences: readonly RealtimePresence<Payload>[];
  readonly leftPresences: readonly RealtimePresence<Payload>[];
}

/**
 * Changes of tables may have been missed: read the data again. After a lost connection the server does not have all of
 * them any more (`missed`), or transactions were open during the first join and have ended now (`warming`).
 */
export interface RealtimeGap {
  readonly reason: 'missed' | 'warming';
}
