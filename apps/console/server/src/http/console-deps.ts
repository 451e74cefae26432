import type { ControlPlane, ReadHost, ReadTxt } from '#libs/control-plane';
import type { ClientFiles, ConsoleFiles, Drain, LoopWatch, ReaderWatch } from '#libs/web';
import type { ProjectRoute } from '#libs/wire';
import type { Logger } from 'pino';
import type { DeploymentFacts } from './deployment-facts.js';

/**
 * The dependencies that the process passes to the console. Injected by this class: `constructor(private readonly deps:
 * ConsoleDeps) {}`.
 */
export abstract class ConsoleDeps {
  abstract readonly controlPlane: ControlPlane;
  /** Informs the other processes about a change, after it is committed. */
  abstract readonly publish: (topic: string, data: unknown) => Promise<void>;
  /** The routes of projects, for the capability that each needs. */
  abstract readonly projectRoutes: readonly ProjectRoute[];
  /** Where the proxy finds the API application, e.g. `http://127.0.0.1:8000`. */
  abstract readonly apiInternalUrl: string;
  /** Signs operator assertions; shared with the API application. */
  abstract readonly assertionKey: Buffer;
  abstract readonly rootDomain: string;
  /** Reads the DNS records that verify custom domains. */
  abstract readonly readTxt: ReadTxt;
  /** Reads where the host names of projects lead. */
  abstract readonly readHost: ReadHost;
  /** What operators see of this process and its environment. */
  abstract readonly deployment: DeploymentFacts;
  /** The public URL of a project. */
  abstract readonly projectUrl: (ref: string) => string;
  /** The address of a project's studio; undefined where the deployment serves none. */
  abstract readonly studioUrl: (ref: string) => string | undefined;
  /** The public URL of the console, without a trailing slash: invitation links begin with it. */
  abstract readonly consoleUrl: string;
  /** Addresses or networks whose X-Forwarded-For is trusted. */
  abstract readonly trustProxy: readonly string[];
  /** How long a deleted project can be restored; 0: not at all. */
  abstract readonly deletedProjectDays: number;
  abstract readonly log: Logger;
  /** The client for apps; absent in a process without a build of it. */
  abstract readonly client?: ClientFiles | undefined;
  /** The pages that are shown in a browser; absent in a process without a build of them. */
  abstract readonly pages?: ConsoleFiles | undefined;
  /** Reports blocks of the event loop; opened and closed by the process, not by the application. */
  abstract readonly loopWatch?: LoopWatch | undefined;
  /** Ends the connections; run by the process, not by the application. Absent: closing ends them at once. */
  abstract readonly drain?: Drain | undefined;
  /** Closes clients that do not read their answers; opened and closed by the process. */
  abstract readonly readerWatch?: ReaderWatch | undefined;
  /** Whether workers mail the links of invitations. */
  abstract readonly canMail: boolean;
}
