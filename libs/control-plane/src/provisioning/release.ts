import { createHash } from 'node:crypto';
import { requirementOf } from '#libs/database';
import type { MigrationFile } from '../migration-files.js';
import { namesOf } from './names.js';
import { platformOwnership } from './platform-ownership.js';
import { projectRights } from './project-rights.js';

/** The facts that decide whether a release can serve a database of another one. */
export interface ReleaseFacts {
  /** 12 hex digits of the SHA-256 over everything that creates a project database. */
  readonly hash: string;
  /** The migrations and superuser steps that it knows. */
  readonly knows: readonly string[];
  /** Those that a release must know to serve a database that has been migrated to this release. */
  readonly requires: readonly string[];
}

/** The project migrations of this release and a name for exactly this set. */
export interface ProjectRelease extends ReleaseFacts {
  readonly migrations: readonly MigrationFile[];
  /** The superuser's changes in a project's database after the migrations (close-catalogs.ts). */
  readonly superuserSteps: readonly MigrationFile[];
  /** The migrations that a database must have before this release can serve it: those that expand. */
  readonly needs: readonly string[];
}

/** The last migration that was written for a superuser: it creates event triggers. */
const lastFoundation = '0028';

/** Whether a superuser runs a migration. Later ones run as the platform's own role. */
export const isFoundation = (name: string): boolean => name.slice(0, 4) <= lastFoundation;

/** The release that consists of these migrations and steps. */
export function projectRelease(
  migrations: readonly MigrationFile[],
  superuserSteps: readonly MigrationFile[],
): ProjectRelease {
  const hash = createHash('sha256')
    .update(projectRights(namesOf('d')))
    .update(platformOwnership('p'));
  const files = [...migrations, ...superuserSteps];
  for (const { name, sql } of files) hash.update(`\0${name}\0${sql}`);
  const requirements = files.map(({ name, sql }) => ({ name, required: requirementOf(name, sql) }));
  return {
    migrations,
    superuserSteps,
    hash: hash.digest('hex').slice(0, 12),
    knows: files.map(({ name }) => name),
    requires: [...new Set(requirements.flatMap(({ required }) => required ?? []))],
    needs: requirements.flatMap(({ name, required }) => (required === undefined ? [name] : [])),
  };
}

/**
 * How a database of another release fits a release: `behind` must be upgraded before it can be served, `older` can be
 * served and lacks something, `newer` can be served and has everything, `ahead` can be served by later releases only.
 */
export type Fit = 'current' | 'behind' | 'older' | 'newer' | 'ahead';

/**
 * Returns how a database that was migrated to the release `found` fits the release `own`. `isEarlier` means that
 * `found` was started before `own` on this deployment: it decides between releases with the same migrations.
 */
export function fitOf(
  own: ProjectRelease,
  found: ReleaseFacts & { readonly isEarlier: boolean },
): Fit {
  if (found.hash === own.hash) return 'current';
  const known = new Set(own.knows);
  if (found.requires.some((name) => !known.has(name))) return 'ahead';
  const present = new Set(found.knows);
  if (own.needs.some((name) => !present.has(name))) return 'behind';
  if (own.knows.some((name) => !present.has(name))) return 'older';
  return found.isEarlier && found.knows.length === own.knows.length ? 'older' : 'newer';
}
