import type { ConnectionBudget, ReplyBudget } from '#libs/database';
import type { ProjectRegistry, ProjectRuntime } from '#libs/project-runtime';
import type { ClientFiles, ConsoleFiles, Drain, LoopWatch, ReaderWatch } from '#libs/web';
import type { Logger } from 'pino';

/** The dependencies that the process passes to the application. */
export interface ApiDeps {
  readonly registry: ProjectRegistry<ProjectRuntime>;
  readonly budget: ConnectionBudget;
  /** Limits for large replies of table requests. */
  readonly replies: ReplyBudget;
  /** The key that the console signs operator assertions with. */
  readonly assertionKey: Buffer;
  /** Bearer token of `/metrics`; without one only this machine may read it. */
  readonly metricsToken: string | undefined;
  /** Addresses and networks of proxies whose `x-forwarded-for` is trusted. */
  readonly trustProxy: readonly string[];
  readonly log: Logger;
  /** The client for apps; absent in a process without a build of it. */
  readonly client?: ClientFiles | undefined;
  /** The pages of the studio; absent: it is turned off, or the process was started without a build of them. */
  readonly pages?: ConsoleFiles | undefined;
  /** Reports blocks of the event loop; opened and closed by the process, not by the application. */
  readonly loopWatch?: LoopWatch | undefined;
  /** Ends the connections; run by the process, not by the application. Absent: closing ends them at once. */
  readonly drain?: Drain | undefined;
  /** Closes clients that do not read their answers; opened and closed by the process. */
  readonly readerWatch?: ReaderWatch | undefined;
  readonly now: () => number;
  /** Rejects while the server cannot serve: no control plane, or it is shutting down. */
  readonly checkReady: () => Promise<void>;
}

export const apiDepsToken = Symbol('ApiDeps');
