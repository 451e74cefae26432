import type { Logger } from 'pino';

import type { ProjectsContext } from '#libs/control-plane';
import type { ResolveMailHost, SmtpAccess } from '#libs/delivery';
import type { JobStore } from '#libs/jobs';
import type { ProjectRecord, StorageDeps } from '#libs/project-runtime';
import type { Environment } from '#libs/settings';

import type { DeliveryJobs } from './deliveries/delivery-jobs.js';
import type { MessageJobs, SendingFunctions } from './messages/message-jobs.js';

export const workerDepsToken = Symbol('the dependencies of the worker');

/** What decides besides its ref which of the deployment's fallbacks a project has. */
type FallbackOwner = Pick<ProjectRecord, 'ref' | 'sharedMailServer' | 'isAdministered'>;

/** What the environment says about the deployment. */
export interface Deployment {
  /** The fallback values for settings of a project. */
  readonly fallbacksOf: (project: FallbackOwner) => Environment;
  /** Dependencies of the files of the project `ref`. */
  readonly storageOf: (ref: string) => StorageDeps;
  readonly urlOf: (ref: string) => URL;
  /** Where the mail server that a project has configured may be reached. */
  readonly mailHostsOf: (project: FallbackOwner) => ResolveMailHost;
  /** Hosts beyond public ones that administrators of projects may name. */
  readonly outboundAllowedHosts: readonly string[];
  /** The deployment's own mail server. */
  readonly smtp: SmtpAccess | undefined;
  /** Whether mails of a project without a mail server are kept for its operators to read. */
  readonly mailInbox: boolean;
  /** Empty: those of the system. */
  readonly dnsServers: readonly string[];
  /** The limit of databases without one of their own; undefined: none. */
  readonly projectDatabaseBytes: number | undefined;
  /** Connections that the platform keeps for itself. */
  readonly ownConnections: number;
  /** Connections for requests of one project. */
  readonly requestConnections: number;
}

/** Dependencies of all duties. */
export interface WorkerDeps {
  readonly deployment: Deployment;
  readonly projects: ProjectsContext;
  readonly jobStore: JobStore;
  readonly messageJobs: MessageJobs;
  readonly deliveryJobs: DeliveryJobs;
  readonly functions: SendingFunctions;
  readonly log: Logger;
}
