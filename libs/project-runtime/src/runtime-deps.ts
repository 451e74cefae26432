import type { IncomingMessage, ServerResponse } from 'node:http';

import type { EnginePool } from '#libs/auth-engine';
import type { ConnectionBudget, ReplyBudget } from '#libs/database';
import type { ResolveMailHost } from '#libs/delivery';
import type { FunctionsHost } from '#libs/functions';
import type { ImageQueue } from '#libs/image-transform';
import type { Outbound } from '#libs/outbound';
import type { Exchange, Pace, Places, PollingFeeds } from '#libs/realtime';
import type { Environment } from '#libs/settings';
import type { RateLimiter, Usage } from '#libs/wire';

import type { ActiveSchedule } from './deliveries/triggers.sql.js';
import type { WaitingMessages } from './message-work/message-outbox.js';
import type { ProjectRecord } from '#libs/database';
import type { StorageDeps } from './project-storage.js';
import type { SmallContents } from './small-contents.js';

/** Signals between the processes that serve a project: one of them has written rows. A signal may be lost. */
export interface WriteSignals {
  /** Returns at once. */
  send(): void;
  /** Calls `listener` when another process has written. Returns a function that ends it. */
  subscribe(listener: () => void): () => void;
}

export interface ScheduleStore {
  /** Has a schedule run at its times, in place of its former ones. */
  save(ref: string, schedule: ActiveSchedule): Promise<void>;
  remove(ref: string, id: string): Promise<void>;
}

/** Dependencies that all runtimes of a process share. */
export interface RuntimeDeps {
  readonly budget: ConnectionBudget;
  /** Limits for large replies of table requests. */
  readonly replies: ReplyBudget;
  /** Fallbacks of the settings of a project. */
  readonly envOf: (record: ProjectRecord) => Environment;
  /** The address at which users reach the project. */
  readonly urlOf: (record: ProjectRecord) => URL;
  /** Migrates the project's database to this release. */
  readonly ensureMigrated: (record: ProjectRecord) => Promise<void>;
  /** Informs the other processes that the settings have a new version. */
  readonly publishSettings: (ref: string, version: string) => Promise<void>;
  /** The times of schedules, in the store of jobs. */
  readonly schedules: ScheduleStore;
  /** Has a worker look for deliveries of a project that wait, within `seconds`. */
  readonly noteDeliveries: (ref: string, seconds: number) => Promise<void>;
  /** Requests a worker to send stored messages. */
  readonly waitingMessages: WaitingMessages;
  /** Counts uses across all processes that serve the project; without it each process counts its own. */
  readonly rateLimiterFor?: (record: ProjectRecord, pool: EnginePool) => RateLimiter;
  /** Calls servers that an administrator of a project has configured. */
  readonly outbound: Outbound;
  /** Finds the address at which a project may reach the mail server that it has configured. */
  readonly mailHostsOf: (record: ProjectRecord) => ResolveMailHost;
  /** The most bytes that the files of a project without a limit of its own may have; undefined: no limit. */
  readonly storageQuotaBytes?: number | undefined;
  /** Dependencies of the files of a project. */
  readonly storageDeps: (record: ProjectRecord) => StorageDeps;
  /** Short files and images that were read recently. */
  readonly smallContents: SmallContents;
  /** Process-wide queue that shares image processing fairly between projects. */
  readonly imageQueue: ImageQueue;
  /** The program that runs edge functions, and the places for its processes. */
  readonly functionsHost: FunctionsHost;
  /** Answers a request of a function to its own project, as if it had come over the network. */
  readonly serveLocally: (request: IncomingMessage, response: ServerResponse) => void;
  /** Whether functions that are public answer callers without a credential. */
  readonly isPublicInvokeEnabled: boolean;
  /** Whether mails of projects without a mail server are kept for operators to read. */
  readonly hasInbox: boolean;
  /** The feeds of all projects that poll in this process. */
  readonly pollingFeeds: PollingFeeds;
  /** Places for replays of missed changes, which all projects share. */
  readonly replayPlaces: Places;
  /** Words between the processes that serve a project. */
  readonly exchangeFor: (ref: string) => Exchange;
  /** Receives the remaining usage of a project that closes. */
  readonly keepUsage: (ref: string, usage: Usage) => void;
  /** Signals between these processes that one of them has written rows. */
  readonly writeSignalsFor: (ref: string) => WriteSignals;
  /** How often changes of tables are read; absent: as the feed does by default. */
  readonly changePace?: Pace | undefined;
  readonly now: () => number;
  readonly onError: (
    error: unknown,
    doing: string,
    level?: 'warn' | 'error',
    requestId?: string,
  ) => void;
}
