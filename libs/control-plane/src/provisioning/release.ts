import { createHash } from 'node:crypto';
import type { MigrationFile } from '../migration-files.js';
import { projectRights } from './project-rights.js';

/** The project migrations of this release and a name for exactly this set. */
export interface ProjectRelease {
  readonly migrations: readonly MigrationFile[];
  /** What the superuser changes in a project's database after the migrations (close-catalogs.ts). */
  readonly superuserSteps: readonly MigrationFile[];
  /** 12 hex digits of the SHA-256 over everything that makes a project database. */
  readonly hash: string;
}

/** The release that consists of these migrations and steps. */
export function projectRelease(
  migrations: readonly MigrationFile[],
  superuserSteps: readonly MigrationFile[],
): ProjectRelease {
  const hash = createHash('sha256').update(projectRights('ref'));
  for (const { name, sql } of [...migrations, ...superuserSteps]) hash.update(`\0${name}\0${sql}`);
  return { migrations, superuserSteps, hash: hash.digest('hex').slice(0, 12) };
}
