// The releases of a deployment, and which projects each can serve. Several releases run side by side while a deployment
// is upgraded, and after an operator has gone back to the previous one.
import type { DataSource } from 'typeorm';
import type { Project } from '../entities/project.entity.js';
import {
  type Fit,
  fitOf,
  type ProjectRelease,
  type ReleaseFacts,
} from '../provisioning/release.js';

interface ReleasesContext {
  readonly dataSource: DataSource;
  readonly release: ProjectRelease;
}

/** Makes a release known to the others, or records that it still runs. */
export async function noteRelease({ dataSource, release }: ReleasesContext): Promise<void> {
  const { hash, knows, requires } = release;
  await dataSource.query(
    `insert into project_release (hash, knows, requires) values ($1, $2, $3)
     on conflict (hash) do update set seen_at = excluded.seen_at`,
    [hash, knows, requires],
  );
}

/**
 * How long a release counts as running after a process of it was last seen: two rounds of its worker, and some minutes.
 */
const runningMinutes = 130;

/** Records that this release runs, and returns the hashes of all releases that run on this deployment. */
export async function listRunning(context: ReleasesContext): Promise<readonly string[]> {
  await noteRelease(context);
  const rows: { hash: string }[] = await context.dataSource.query(
    `select hash from project_release
     where seen_at > pg_catalog.now() - $1 * '1 minute'::pg_catalog.interval`,
    [runningMinutes],
  );
  return rows.map(({ hash }) => hash);
}

interface KnownRelease extends ReleaseFacts {
  readonly isEarlier: boolean;
}

async function listReleases({
  dataSource,
  release,
}: ReleasesContext): Promise<readonly KnownRelease[]> {
  const rows: KnownRelease[] = await dataSource.query(
    `select hash, knows, requires, coalesce(
       started < (select own.started from project_release own where own.hash = $1), true
     ) as "isEarlier"
     from project_release`,
    [release.hash],
  );
  return rows;
}

/** Returns how the database of a project fits this release. An upgrade in progress counts as completed. */
export async function fitOfProject(
  context: ReleasesContext,
  { migratedTo, migratingTo }: Pick<Project, 'migratedTo' | 'migratingTo'>,
): Promise<Fit> {
  const { release } = context;
  const isWhole = migratingTo === null || migratingTo === release.hash;
  if (migratedTo === release.hash && isWhole) return 'current';
  const releases = await listReleases(context);
  const fit = (hash: string): Fit => {
    const found = releases.find((each) => each.hash === hash);
    // Releases older than the recorded ones have nothing that this one does not know.
    return found === undefined ? 'behind' : fitOf(release, found);
  };
  if (!isWhole && fit(migratingTo) === 'ahead') return 'ahead';
  return fit(migratedTo);
}

/** Returns the hashes of releases to which projects can be migrated so that this release serves them. */
export async function listServable(context: ReleasesContext): Promise<readonly string[]> {
  return hashesOf(context, ['current', 'older', 'newer']);
}

/** Returns the hashes of releases from which this release need not upgrade projects. */
export async function listSettled(context: ReleasesContext): Promise<readonly string[]> {
  return hashesOf(context, ['current', 'newer', 'ahead']);
}

async function hashesOf(
  context: ReleasesContext,
  fits: readonly Fit[],
): Promise<readonly string[]> {
  const releases = await listReleases(context);
  const others = releases.filter(
    (found) => found.hash !== context.release.hash && fits.includes(fitOf(context.release, found)),
  );
  return [context.release.hash, ...others.map(({ hash }) => hash)];
}
