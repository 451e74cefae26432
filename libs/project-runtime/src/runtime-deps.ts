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

/** What all runtimes of a process share. */
export interface RuntimeDeps {
  readonly budget: ConnectionBudget;
  /** What large replies of table requests may take. */
  readonly replies: ReplyBudget;
  /** Fallbacks of the settings. */
  readonly env: Environment;
  /** The address at which users reach the project. */
  readonly urlOf: (record: ProjectRecord) => URL;
  /** Brings the project's database to this release. */
  readonly ensureMigrated: (record: ProjectRecord) => Promise<void>;
  /** Tells the other processes that the settings have a new version. */
  readonly publishSettings: (ref: string, version: string) => Promise<void>;
  /** Has stored messages sent. */
  readonly waitingMessages: WaitingMessages;
  /** Counts uses for all processes that serve the project; without it each process counts its own. */
  readonly rateLimiterFor?: (record: ProjectRecord, pool: EnginePool) => RateLimiter;
  /** Calls servers that an administrator of a project has named. */
  readonly outbound: Outbound;
  /** Where the mail server that a project has named may be reached. */
  readonly resolveMailHost: ResolveMailHost;
  /** The most that the files of a project without a limit of its own may hold; undefined: no limit. */
  readonly storageQuotaBytes?: number | undefined;
  /** What opening the files of a project takes. */
  readonly storageDeps: (record: ProjectRecord) => StorageDeps;
  /** Short files and images that were read lately. */
  readonly smallContents: SmallContents;
  /** In which the projects of the process take turns to make images. */
  readonly imageQueue: ImageQueue;
  /** Whether projects without a mail server keep their mails for operators to read. */
  readonly hasInbox: boolean;
  readonly now: () => number;
  readonly onError: (error: unknown, doing: string, level?: 'warn' | 'error') => void;
}
