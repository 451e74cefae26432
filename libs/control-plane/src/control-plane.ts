// Opens the control plane, from a superuser connection string and the master key: its database, the operators' auth
// engine and the master key, for the queries beside this file. It knows no web framework.
import { LastingClient } from '#libs/postgres-client';
import { deriveKey, sealingKey, type SealingKey } from '#libs/secrets';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { findKey } from './canary.js';
import { openDataSource } from './data-source.js';
import { migrateControlPlane } from './migrate-control-plane.js';
import { buildOperatorAuth, type OperatorAuth } from './operators/operator-auth.js';
import { noteRelease } from './projects/releases.js';
import {
  prepareProvisioning,
  type Provisioning,
  type RemoveObjects,
} from './provisioning/provisioning.js';

const maxAuthConnections = 4;
const connectMs = 10_000;

export interface ControlPlaneOptions {
  /** A superuser of the server; the database in it is the maintenance database. */
  readonly databaseUrl: string;
  /** 32 bytes. */
  readonly masterKey: Buffer;
  /** Used in its place if the data of the deployment were sealed with it; 32 bytes. */
  readonly formerMasterKey?: Buffer | undefined;
  /** The control-plane database, created if missing. */
  readonly databaseName?: string;
  /** The folder of all project files. Absent in a process without them. */
  readonly dataDir?: string;
  /** Refs that only administrators of the deployment may give to new projects, because its environment names them. */
  readonly reservedRefs: readonly string[];
  /** Prefix of the template databases of projects. */
  readonly templatePrefix?: string;
  /** A step in the deletion of a project. */
  readonly removeObjects?: RemoveObjects;
  /** Receives the error of a failure to find out what the drop of a project's database waits for. */
  readonly onWatchFailure?: (ref: string, error: unknown) => void;
  /** Whether projects wait for `rowhouse upgrade` instead of being upgraded at their first use. */
  readonly holdsUpgrades?: boolean;
  /** The folder with the migrations; that of this release by default. */
  readonly migrationsRoot?: string;
}

interface ControlPlaneParts {
  readonly dataSource: DataSource;
  readonly auth: OperatorAuth;
  readonly authPool: pg.Pool;
  readonly masterKey: SealingKey;
  readonly databaseUrl: string;
  readonly provisioning: Provisioning;
}

export class ControlPlane {
  readonly dataSource: DataSource;
  readonly auth: OperatorAuth;
  /** Seals secrets of the deployment: data keys, role passwords. */
  readonly masterKey: SealingKey;
  /** The superuser connection string for provisioning. */
  readonly databaseUrl: string;
  /** Dependencies of provisioning. */
  readonly provisioning: Provisioning;
  readonly #authPool: pg.Pool;

  constructor(parts: ControlPlaneParts) {
    this.dataSource = parts.dataSource;
    this.auth = parts.auth;
    this.masterKey = parts.masterKey;
    this.databaseUrl = parts.databaseUrl;
    this.provisioning = parts.provisioning;
    this.#authPool = parts.authPool;
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await Promise.all([this.dataSource.destroy(), this.#authPool.end()]);
  }
}

/**
 * Opens the control-plane database; creates and migrates it first. Throws ControlPlaneStartError if the master key is
 * not the key of this database.
 */
export async function openControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { databaseUrl, databaseName = 'rowhouse' } = options;
  const url = await migrateControlPlane(databaseUrl, databaseName, options.migrationsRoot);
  const keys = [options.masterKey, options.formerMasterKey].filter((key) => key !== undefined);
  const dataSource = await openDataSource(url);
  const authPool = new pg.Pool({
    connectionString: url,
    max: maxAuthConnections,
    connectionTimeoutMillis: connectMs,
    Client: LastingClient,
  });
  authPool.on('error', () => undefined); // An idle connection that breaks is replaced by the pool.
  try {
    const masterKey = await findKey(dataSource, keys.map(sealingKey));
    const secret = deriveKey(masterKey.bytes, 'operator-auth').toString('base64url');
    const auth = await buildOperatorAuth(authPool, secret);
    const provisioning = await prepareProvisioning({
      ...options,
      controlPlaneDatabase: databaseName,
    });
    await noteRelease({ dataSource, release: provisioning.release });
    return new ControlPlane({ dataSource, auth, authPool, masterKey, databaseUrl, provisioning });
  } catch (error) {
    await Promise.all([dataSource.destroy(), authPool.end()]);
    throw error;
  }
}
