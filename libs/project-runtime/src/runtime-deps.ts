import type { EnginePool } from '#libs/auth-engine';
import type { ConnectionBudget, ReplyBudget } from '#libs/database';
import type { ResolveMailHost } from '#libs/delivery';
import type { ImageQueue } from '#libs/image-transform';
import type { Outbound } from '#libs/outbound';
import type { Environment } from '#libs/settings';
import type { RateLimiter } from '#libs/wire';

import type { WaitingMessages } from './message-work/message-outbox.js';
import type { ProjectRecord } from '#libs/database';
import type { StorageDeps } from './project-storage.js';
import type { SmallContents } from './small-contents.js';

/** Dependencies that all runtimes of a process share. */
export interface RuntimeDeps {
  readonly budget: ConnectionBudget;
  /** Limits for large replies of table requests. */
  readonly replies: ReplyBudget;
  /** Fallbacks of the settings. */
  readonly env: Environment;
  /** The address at which users reach the project. */
  readonly urlOf: (record: ProjectRecord) => URL;
  /** Migrates the project's database to this release. */
  readonly ensureMigrated: (record: ProjectRecord) => Promise<void>;
  /** Informs the other processes that the settings have a new version. */
  readonly publishSettings: (ref: string, version: string) => Promise<void>;
  /** Requests a worker to send stored messages. */
  readonly waitingMessages: WaitingMessages;
  /** Counts uses across all processes that serve the project; without it each process counts its own. */
  readonly rateLimiterFor?: (record: ProjectRecord, pool: EnginePool) => RateLimiter;
  /** Calls servers that an administrator of a project has configured. */
  readonly outbound: Outbound;
  /** Returns the address at which the configured mail server of a project may be reached. */
  readonly resolveMailHost: ResolveMailHost;
  /** The most bytes that the files of a project without a limit of its own may have; undefined: no limit. */
  readonly storageQuotaBytes?: number | undefined;
  /** Dependencies of the files of a project. */
  readonly storageDeps: (record: ProjectRecord) => StorageDeps;
  /** Short files and images that were read recently. */
  readonly smallContents: SmallContents;
  /** Process-wide queue that shares image processing fairly between projects. */
  readonly imageQueue: ImageQueue;
  /** Whether mails of projects without a mail server are kept for operators to read. */
  readonly hasInbox: boolean;
  readonly now: () => number;
  readonly onError: (
    error: unknown,
    doing: string,
    level?: 'warn' | 'error',
    requestId?: string,
  ) => void;
}
