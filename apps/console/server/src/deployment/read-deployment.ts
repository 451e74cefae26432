// The state of the deployment, put together from the process, its machine, its database server and its projects.
import { availableParallelism, freemem, hostname, loadavg, totalmem } from 'node:os';

import {
  type DatabaseServerState,
  type FleetState,
  projectsContext,
  readDatabaseServer,
  readFleet,
} from '#libs/control-plane';
import { readDisk, reserveOf } from '#libs/storage-driver';

import type { ConsoleDeps } from '../http/console-deps.js';
import type { DeploymentFacts } from '../http/deployment-facts.js';
import { checkApi, databaseHealth, type PartHealth, workerHealth } from './check-parts.js';

export interface DeploymentView {
  /** The version in package.json. */
  readonly version: string;
  /** The process that answers. */
  readonly process: {
    readonly host: string;
    readonly pid: number;
    /** Such as `v24.1.0`. */
    readonly node: string;
    /** Such as `linux x64`. */
    readonly platform: string;
    /** The parts that it runs: `api`, `console`, `worker`. */
    readonly roles: readonly string[];
    readonly startedAt: Date;
    readonly memoryBytes: number;
    /** Connections that it may have to databases of projects. */
    readonly connectionBudget: number;
  };
  /** The machine of that process. */
  readonly machine: {
    readonly processors: number;
    readonly memoryBytes: number;
    readonly freeMemoryBytes: number;
    /** The average number of running processes in the last minute; 0 where the system has none. */
    readonly load: number;
  };
  readonly parts: readonly PartHealth[];
  readonly database: DatabaseServerState & { readonly kind: DeploymentFacts['database'] };
  /** The disk of the data folder. */
  readonly disk: {
    readonly folder: string;
    readonly totalBytes: number;
    readonly freeBytes: number;
    /** Bytes that files leave free. */
    readonly reserveBytes: number;
  };
  /** What carries jobs and signals between processes. */
  readonly jobStore: DeploymentFacts['jobStore'];
  /** Where projects without a store of their own keep files. */
  readonly storage: DeploymentFacts['storage'];
  /** Whether invitations of operators are mailed. */
  readonly canMail: boolean;
  readonly fleet: FleetState;
}

/** Reads the state of the deployment now. */
export async function readDeployment(deps: ConsoleDeps): Promise<DeploymentView> {
  const { controlPlane, deployment, publish, apiInternalUrl, canMail } = deps;
  const { version, roles, dataDir, diskReserveBytes, jobStore, storage } = deployment;
  const [database, fleet, disk, api] = await Promise.all([
    readDatabaseServer(controlPlane.dataSource),
    readFleet(projectsContext(controlPlane, publish)),
    readDisk(dataDir),
    checkApi(apiInternalUrl),
  ]);
  return {
    version,
    process: { ...processFacts(), roles, connectionBudget: deployment.connectionBudget },
    machine: machineFacts(),
    parts: [
      { name: 'console', state: 'good', detail: 'It answers this request' },
      api,
      workerHealth(fleet, roles),
      databaseHealth(database),
    ],
    database: { ...database, kind: deployment.database },
    disk: {
      folder: dataDir,
      ...disk,
      reserveBytes: Math.round(reserveOf(disk.totalBytes, diskReserveBytes)),
    },
    jobStore,
    storage,
    canMail,
    fleet,
  };
}

function processFacts() {
  return {
    host: hostname(),
    pid: process.pid,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    startedAt: new Date(Date.now() - process.uptime() * 1000),
    memoryBytes: process.memoryUsage.rss(),
  };
}

function machineFacts(): DeploymentView['machine'] {
  return {
    processors: availableParallelism(),
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    load: loadavg()[0] ?? 0,
  };
}
