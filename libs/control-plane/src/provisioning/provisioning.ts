import type { ProjectRecord } from '#libs/database';
import { readMigrations } from '../migration-files.js';
import { ensureClusterRoles } from './cluster-roles.js';
import { databaseServer, type DatabaseServer } from './database-server.js';
import { projectRelease, type ProjectRelease } from './release.js';
import { dropOtherTemplates, ensureTemplates } from './templates.js';
import { tidySharedRoles } from './tidy-shared-roles.js';

/**
 * Removes data of a project outside of its database and its folder. `begunAt` is when the deletion began. If it throws,
 * the project stays deleted and is removed later.
 */
export type RemoveObjects = (
  record: ProjectRecord,
  deletion: { readonly begunAt: Date },
) => Promise<void>;

/** Dependencies of creating and removing projects. */
export interface Provisioning {
  readonly server: DatabaseServer;
  readonly release: ProjectRelease;
  /** Prefix of the template databases. */
  readonly templatePrefix: string;
  /** Refs that only administrators of the deployment may give to new projects, because its environment names them. */
  readonly reservedRefs: readonly string[];
  /** Absent in a process that does not hold the files of the deployment. */
  readonly dataDir?: string;
  /** Absent in a process without such data. */
  readonly removeObjects?: RemoveObjects;
  /** Receives the error of a failure to find out what the drop of a project's database waits for. */
  readonly onWatchFailure?: (ref: string, error: unknown) => void;
  /** Whether projects wait for `rowhouse upgrade` instead of being upgraded at their first use. */
  readonly holdsUpgrades?: boolean;
}

export interface ProvisioningOptions {
  readonly databaseUrl: string;
  readonly controlPlaneDatabase: string;
  readonly reservedRefs: readonly string[];
  readonly templatePrefix?: string;
  readonly dataDir?: string;
  readonly removeObjects?: RemoveObjects;
  /** Receives the error of a failure to find out what the drop of a project's database waits for. */
  readonly onWatchFailure?: (ref: string, error: unknown) => void;
  readonly holdsUpgrades?: boolean;
  readonly migrationsRoot?: string;
}

/** Prepares the server for projects: the shared roles and the templates of this release. */
export async function prepareProvisioning(options: ProvisioningOptions): Promise<Provisioning> {
  const { dataDir, removeObjects, onWatchFailure, holdsUpgrades = false } = options;
  const { templatePrefix = 'rowhouse_template', migrationsRoot, reservedRefs } = options;
  const server = databaseServer(options.databaseUrl);
  await ensureClusterRoles(server, options.controlPlaneDatabase);
  const release = projectRelease(
    await readMigrations('project', migrationsRoot),
    await readMigrations('project-superuser', migrationsRoot),
  );
  const templates = { server, release, templatePrefix };
  await ensureTemplates(templates);
  return {
    ...templates,
    reservedRefs,
    holdsUpgrades,
    ...(dataDir !== undefined && { dataDir }),
    ...(removeObjects && { removeObjects }),
    ...(onWatchFailure && { onWatchFailure }),
  };
}

/**
 * Removes leftovers of projects, and of releases that are not `running`, from the server: settings of the shared roles,
 * and templates. No start waits for it. An error goes to `onFailure`, and the rest follows.
 */
export async function tidyServer(
  provisioning: Provisioning,
  running: readonly string[],
  onFailure: (what: string, error: unknown) => void,
): Promise<void> {
  try {
    const left = await tidySharedRoles(provisioning.server);
    if (left > 0) onFailure('shared roles', new Error(`${left} settings of shared roles are left`));
  } catch (error) {
    onFailure('shared roles', error);
  }
  await dropOtherTemplates(provisioning, running, onFailure);
}
