// What a hub needs from outside: sockets, the clock, the project, and the other processes that serve it.
import type { AppError } from '#libs/errors';
import type { Binding, PresenceLimits, Rate } from '#libs/realtime-core';
import type { Credential, DatabaseRole } from '#libs/wire';

import type { Clock } from '../ports.js';
import type { Feed, FeedListener } from '../feed/feed.js';
import type { Change } from '../feed/lines.js';
import type { Frame } from './frame.js';
import type { Places } from './places.js';
import type { Rights, TopicRights } from './rights.js';

/** A connection of one client. The gateway opens and ends it. */
export interface RealtimeSocket {
  readonly id: string;
  /** The hashes of the project keys that the client has shown; absent for a connection that needs none. */
  readonly projectKeys?: readonly string[];
  /** The network of the client: clients without an account that have the same one count as one sender. */
  readonly network?: string | undefined;
  /** Bytes that wait until the client reads. */
  readonly bufferedBytes: number;
  send(frame: Frame): void;
  /** Sends the client the reason and ends the connection. */
  close(reason: AppError): void;
}

/** Words between the processes that serve a project. What is lost is not sent again. */
export interface Exchange {
  /** The name of this process. */
  readonly node: string;
  /** Whether another process would receive it. */
  readonly hasOthers: boolean;
  publish(channel: string, data: unknown): void;
  /** The words of other processes on a channel. Returns a function that ends it. */
  subscribe(channel: string, listener: (data: unknown) => void): () => void;
  /** Calls with the name of a process that is gone. Returns a function that ends it. */
  onGone(listener: (node: string) => void): () => void;
}

/** Looks up live what a credential may do. */
export interface Callers {
  /** Undefined if the credential is not valid any more. Throws USER_INACTIVE. */
  findRights(credential: Credential): Promise<Rights | undefined>;
}

/** The limits of a project, from its settings. */
export interface HubLimits {
  readonly maxConnections: number;
  /** Of a connection. */
  readonly maxChannels: number;
  /** Of a channel. */
  readonly maxBindings: number;
  /** Of a connection. */
  readonly joins: Rate;
  readonly messages: Rate;
  readonly presence: Rate;
  /** Of all clients of the project in this process. */
  readonly projectMessages: Rate;
  /** Of a frame of a client, in UTF-8. */
  readonly maxFrameBytes: number;
  readonly presencePayload: PresenceLimits;
}

/** A binding of a channel to the changes of a table. */
export interface BoundTable {
  readonly id: string;
  readonly binding: Binding;
  /** The table's number in the database. */
  readonly table: number;
}

/**
 * A subscription as the database sees it: the table exists, is exposed, and the role may read from it. Throws
 * {@link TableLocked} if a filter cannot be checked, unless `areChecked` says that the filters have been checked before.
 * `isLocked` says which locks need not be tried.
 */
export type BindTables = (
  rights: Rights,
  bindings: readonly Binding[],
  options?: {
    readonly areChecked?: boolean;
    readonly isLocked?: (lock: string) => boolean;
  },
) => Promise<readonly BoundTable[]>;

/** The name of the lock that questions about a table and a role meet. */
export function lockOf(table: number, role: string): string {
  return `${table} ${role}`;
}

/** A lock on a table, for example of a migration, keeps the database from an answer. */
export class TableLocked extends Error {
  /** `lock` is that of {@link lockOf}. */
  constructor(readonly lock: string) {
    super(`A table is locked: ${lock}`);
  }
}

/** What the policies of `realtime.messages` say of a private topic. */
export type ReadTopicRights = (rights: Rights, topic: string) => Promise<TopicRights>;

/** Which of the changes of a table are asked for, and for whom. */
export interface HubQuestion {
  readonly table: number;
  readonly role: DatabaseRole;
  readonly changes: readonly Change[];
  /** One for each audience. */
  readonly audiences: readonly Rights[];
  /** One for each id. */
  readonly bindings: readonly AskedBinding[];
}

/** A binding with the audiences of its channels. */
export interface AskedBinding extends BoundTable {
  readonly audiences: ReadonlySet<string>;
}

/** What an audience may see of a change: nothing, or the row after it, without or with the row before it. */
export type Sight = 'nothing' | 'new' | 'old' | 'both';

/** What may be seen of the changes of a table, for one role. */
export interface Ruling {
  readonly schema: string;
  readonly table: string;
  /** A lock has kept the database from an answer: nothing can be said yet. */
  readonly isLocked: boolean;
  /** Some changes cannot be decided: every channel of the table has missed them. */
  readonly hasGap: boolean;
  sightOf(audience: string, change: Change): Sight;
  /** Whether a change is what a binding asks for by its filter. */
  matches(bindingId: string, change: Change): boolean;
  /** Why nothing can be said for an audience: a policy raised an error. */
  errorOf(audience: string): AppError | undefined;
  /** Why nothing matches a binding: its filter cannot be evaluated on a row that the audience may see. */
  filterErrorOf(bindingId: string, audience: string): AppError | undefined;
  /** The row as the role may read it: text of a JSON object. */
  newText(change: Change): string;
  oldText(change: Change): string;
}

/** The public members of a feed. */
export type HubFeed = Pick<Feed, keyof Feed>;

export interface HubParts {
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly exchange: Exchange;
  readonly callers: Callers;
  readonly limits: () => HubLimits;
  /** Opens the feed of the project. */
  readonly openFeed: (listener: FeedListener) => Promise<HubFeed>;
  readonly bindTables: BindTables;
  readonly readTopicRights: ReadTopicRights;
  /** The version of the schema; it changes with every policy, grant and table. */
  readonly readSchemaVersion: () => Promise<string>;
  /** Throws the errors of the database; an error of a policy is in the ruling. */
  readonly decide: (question: HubQuestion) => Promise<Ruling>;
  /** Replays of all projects of the process that run at the same time. */
  readonly replayPlaces: Places;
  /** A name that is used once. */
  readonly newRef: () => string;
  readonly onError: (error: unknown, doing: string) => void;
}
