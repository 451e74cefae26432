// The PostgreSQL server of the deployment: the embedded one, or the operator's own after a check of its version and
// rights.
import {
  connectionSettings,
  type EmbeddedPostgres,
  lockDataFolder,
  openEmbeddedPostgres,
  PostgresServerError,
  type ServerLog,
} from '#libs/postgres-server';
import { LastingClient } from '#libs/postgres-client';
import type pg from 'pg';
import type { Env } from './env.js';
import { StartError, systemErrorCode } from './start-error.js';

const oldestMajor = 15;
const newestMajor = 18;
const connectMs = 10_000;
/** Connections of the control plane, the jobs and maintenance, beside the budget of the projects. */
const ownConnections = 40;

/** Connections that one process of the platform needs at most. */
export function platformConnections(env: Pick<Env, 'connectionBudget'>): number {
  return env.connectionBudget + ownConnections;
}

/**
 * Connections that all processes of the deployment need at most: those with the role `api`, and this one. The two
 * releases of a rolling upgrade are not counted twice.
 */
export function deploymentConnections(
  env: Pick<Env, 'connectionBudget' | 'apiProcesses' | 'roles'>,
): number {
  const processes = env.apiProcesses + (env.roles.includes('api') ? 0 : 1);
  return processes * platformConnections(env);
}

/** A resource that is closed at the end. */
export interface Opened {
  close(): Promise<void>;
}

export interface OpenedDatabase extends Opened {
  /** Connection string of a superuser. */
  readonly url: string;
  /** See {@link EmbeddedPostgres}; absent where operators run PostgreSQL. */
  readonly endBackend?: EmbeddedPostgres['endBackend'];
}

/** Takes the data folder for this process. On a server of the operator's several processes may share it. */
export async function lockData(env: Env): Promise<Opened> {
  if (env.databaseUrl !== undefined) return { close: () => Promise.resolve() };
  const lock = await lockDataFolder(env.dataDir).catch(asStartError);
  return { close: () => lock.release() };
}

/** Opens the database server. Throws StartError when it cannot be used. */
export async function openDatabase(env: Env, log: ServerLog): Promise<OpenedDatabase> {
  if (env.databaseUrl !== undefined) {
    await checkServer(env.databaseUrl);
    return { url: env.databaseUrl, close: () => Promise.resolve() };
  }
  const settings = connectionSettings(platformConnections(env));
  const server = await openEmbeddedPostgres({ dataDir: env.dataDir, log, settings }).catch(
    asStartError,
  );
  return {
    url: server.url,
    endBackend: (pid) => server.endBackend(pid),
    close: () => server.stop(),
  };
}

function asStartError(error: unknown): never {
  throw error instanceof PostgresServerError ? new StartError(error.message, error) : error;
}

/** Throws StartError unless the server answers, has a supported version, and its role has all required rights. */
async function checkServer(databaseUrl: string): Promise<void> {
  const client = new LastingClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectMs,
  });
  try {
    await client.connect();
    await checkVersion(client);
    await checkRights(client);
  } catch (error) {
    throw error instanceof StartError ? error : unreachable(databaseUrl, error);
  } finally {
    await client.end().catch(() => undefined); // It was never open, or it is broken.
  }
}

async function checkVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; number: number; standby: boolean }>(
    `select pg_catalog.current_setting('server_version') as version,
            pg_catalog.current_setting('server_version_num')::pg_catalog.int4 as number,
            pg_catalog.pg_is_in_recovery() as standby`,
  );
  const [server] = rows;
  const major = Math.floor((server?.number ?? 0) / 10_000);
  if (major < oldestMajor || major > newestMajor) {
    throw new StartError(
      `DATABASE_URL must lead to PostgreSQL ${oldestMajor} to ${newestMajor}, not ${server?.version}`,
    );
  }
  if (server?.standby === true) {
    throw new StartError('DATABASE_URL must lead to a server that takes writes, not to a standby');
  }
}

/** Event triggers and roles that bypass row level security can be made by a superuser alone. */
async function checkRights(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Record<'name' | 'superuser' | 'missing', unknown>>(
    `select rolname as name, rolsuper as superuser,
            pg_catalog.concat_ws(', ', 'SUPERUSER',
              case when not rolcreatedb then 'CREATEDB' end,
              case when not rolcreaterole then 'CREATEROLE' end,
              case when not rolbypassrls then 'BYPASSRLS' end) as missing
       from pg_roles where rolname = current_user`,
  );
  const [role] = rows;
  if (role?.superuser === true) return;
  throw new StartError(
    `The role ${String(role?.name)} of DATABASE_URL lacks ${String(role?.missing)}; use a superuser`,
  );
}

/** The reason without the connection string, which holds a password. */
function unreachable(databaseUrl: string, error: unknown): StartError {
  const { host } = new URL(databaseUrl);
  const reason = error instanceof Error ? error.message : '';
  const shown = reason.split('\n')[0] || systemErrorCode(error) || 'no reason given';
  return new StartError(
    `The database server at ${host} of DATABASE_URL cannot be used: ${shown}`,
    error,
  );
}
