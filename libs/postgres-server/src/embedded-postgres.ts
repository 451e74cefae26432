// PostgreSQL without an installation: programs from an npm package, a cluster in the data folder, and a server that
// stops with this process. Only after a kill of this process it keeps running; the next start takes it over.
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { accessRules, writeAccessRules } from './access-rules.js';
import { findNativeDir, readVersion } from './binaries.js';
import { ensureCluster, superuserUrl, type Cluster } from './cluster.js';
import { place, SYSTEM_FOLDERS, type Placement } from './placement.js';
import { endBackend } from './end-backend.js';
import { findRunningServer } from './postmaster.js';
import { PostgresServerError } from './postgres-server-error.js';
import { startServer, stopServer, type StopMode } from './server.js';
import type { ServerLog } from './server-log.js';
import { ephemeralSettings, serverSettings, type ServerSettings } from './server-settings.js';
import { ensureSocketFolder } from './socket-folder.js';
import { readState, writeState } from './state-file.js';
import { watchServer } from './watch-server.js';

export interface EmbeddedPostgresOptions {
  /** The data folder of the product; the cluster is in its folder `postgres`. The caller holds its lock. */
  readonly dataDir: string;
  readonly log: ServerLog;
  /** Server settings (postgresql.conf) that are added to ours and override them. */
  readonly settings?: ServerSettings;
  /** A temporary cluster for tests: nothing waits for the disk, and `stop` removes it. */
  readonly ephemeral?: boolean;
  /** The folder `native` of a platform package, instead of the installed one. */
  readonly nativeDir?: string;
  /** As root: the folder for files that the user of PostgreSQL could not reach elsewhere. */
  readonly systemFolders?: readonly string[];
}

export interface EmbeddedPostgres {
  /**
   * Connection string of the superuser. Its parameter `host` is the folder of the Unix socket, and its host name is the
   * address at which owners of projects connect; on Windows there is only the address. Holds the password: never log it.
   */
  readonly url: string;
  /** Such as `18.4`. */
  readonly version: string;
  /**
   * Ends a session that does not react to `pg_terminate_backend`, by its process id. PostgreSQL ends all other
   * sessions, too, and recovers as after a crash: about two seconds. Returns false if the server does not have the
   * session.
   */
  endBackend(pid: number): Promise<boolean>;
  /** Stops the server and waits until it is gone; `fast` by default. Later calls change nothing. */
  stop(mode?: StopMode): Promise<void>;
}

/**
 * Opens the cluster of a data folder: creates it the first time, takes over a server that still runs on it (after a
 * kill of this process), else starts the server, recovering from a crash if needed. A server that ends without `stop`
 * is started again. Throws PostgresServerError with one line for the operator of the server.
 */
export async function openEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  refuseShellCharacters(dataDir);
  const placement = await place({
    dataDir,
    nativeDir: options.nativeDir ?? findNativeDir(),
    systemFolders: options.systemFolders ?? SYSTEM_FOLDERS,
    log: options.log,
  });
  const version = await readVersion(placement.binaries, placement.account);
  const ephemeral = options.ephemeral ?? false;
  const cluster = await ensureCluster(placement, version, { durable: !ephemeral });
  const socketDir = await ensureSocketFolder(placement);
  const hbaFile = await writeAccessRules(placement);
  const settings = {
    ...serverSettings(socketDir === undefined ? undefined : { folder: socketDir, hbaFile }),
    ...(ephemeral && ephemeralSettings),
    ...options.settings,
  };
  const { log } = options;
  const port = await runServer(placement, cluster, { version, settings, log });
  const endWatch = watchServer({ placement, cluster, settings, port, log });
  const end = async (mode: StopMode): Promise<void> => {
    await endWatch();
    await stopServer(placement, cluster, mode);
    if (!ephemeral) return;
    for (const folder of [placement.clusterDir, socketDir]) {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    }
  };
  let ended: Promise<void> | undefined;
  return {
    url: superuserUrl(cluster.password, { port, socketDir }),
    version,
    endBackend: (pid) => endBackend(cluster, pid),
    stop: (mode = 'fast') => (ended ??= end(mode)),
  };
}

interface WantedServer {
  readonly version: string;
  readonly settings: ServerSettings;
  readonly log: ServerLog;
}

/** Returns the port of a server with this version and these settings; starts or restarts it if needed. */
async function runServer(
  placement: Placement,
  cluster: Cluster,
  wanted: WantedServer,
): Promise<number> {
  const fingerprint = JSON.stringify([wanted.version, wanted.settings, accessRules]);
  const last = await readState(placement.ownDir);
  const running = await findRunningServer(cluster.dataDir);
  if (running !== undefined && last?.fingerprint === fingerprint) {
    wanted.log.info(
      `PostgreSQL ${wanted.version} still runs (process ${running.pid}): taking it over`,
    );
    return running.port;
  }
  if (running !== undefined) {
    wanted.log.info('PostgreSQL still runs with other settings: restarting it');
    await stopServer(placement, cluster, 'fast');
  }
  const port = await startServer(placement, cluster, {
    settings: wanted.settings,
    wantedPort: last?.port,
  });
  await writeState(placement.ownDir, { port, fingerprint });
  wanted.log.info(`PostgreSQL ${wanted.version} runs on 127.0.0.1:${port}`);
  return port;
}

/** pg_ctl puts the path between double quotes into a shell command. */
function refuseShellCharacters(dataDir: string): void {
  const refused = process.platform === 'win32' ? /["%\n]/ : /["$`\\\n]/;
  if (!refused.test(dataDir)) return;
  throw new PostgresServerError(
    `The path of the data folder must not hold quotes, $, backquotes, backslashes or line ends: ${JSON.stringify(dataDir)}`,
  );
}
