import { createHash } from 'node:crypto';
import type { MigrationFile } from '../migration-files.js';
import { namesOf } from './names.js';
import { platformOwnership } from './platform-ownership.js';
import { projectRights } from './project-rights.js';

/** The project migrations of this release and a name for exactly this set. */
export interface ProjectRelease {
  readonly migrations: readonly MigrationFile[];
  /** What the superuser changes in a project's database after the migrations (close-catalogs.ts). */
  readonly superuserSteps: readonly MigrationFile[];
  /** 12 hex digits of the SHA-256 over everything that makes a project database. */
  readonly hash: string;
}

/** The last migration that was written for a superuser: it makes event triggers. */
const lastFoundation = '0028';

/** Whether a migration belongs to those that a superuser runs. Later ones run as the platform's own role. */
export const isFoundation = (name: string): boolean => name.slice(0, 4) <= lastFoundation;

/** The release that consists of these migrations and steps. */
export function projectRelease(
  migrations: readonly MigrationFile[],
  superuserSteps: readonly MigrationFile[],
): ProjectRelease {
  const hash = createHash('sha256')
    .update(projectRights(namesOf('d')))
    .update(platformOwnership('p'));
  for (const { name, sql } of [...migrations, ...superuserSteps]) hash.update(`\0${name}\0${sql}`);
  return { migrations, superuserSteps, hash: hash.digest('hex').slice(0, 12) };
}
