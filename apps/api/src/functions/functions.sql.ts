import type { EngineQueries, Transaction } from '#libs/database';
import type { FunctionVersion } from '#libs/functions';

/** A function without its code. */
export interface FunctionRow {
  readonly slug: string;
  readonly name: string;
  readonly route: string;
  readonly isPublic: boolean;
  readonly activeVersion: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The last time that a function was invoked. */
export interface LastInvocation {
  readonly at: Date;
  readonly status: number;
}

export interface VersionRow {
  readonly version: number;
  readonly entrypoint: string;
  readonly files: number;
  readonly createdAt: Date;
  readonly createdBy: string;
}

const fields = `slug, name, route, is_public as "isPublic", active_version as "activeVersion",
  created_at as "createdAt", updated_at as "updatedAt"`;

export function listFunctions(
  db: EngineQueries,
): Promise<readonly (FunctionRow & { readonly lastInvocation: LastInvocation | null })[]> {
  return db.queryAsEngine(
    `select ${fields}, (
       select pg_catalog.json_build_object('at', i.at, 'status', i.status)
       from platform.edge_function_invocations i
       where i.slug = edge_functions.slug order by i.id desc limit 1
     ) as "lastInvocation"
     from platform.edge_functions order by slug`,
  );
}

/** A function that stays as it is until the transaction ends. */
export async function findFunction(
  tx: Transaction,
  slug: string,
): Promise<FunctionRow | undefined> {
  const { rows } = await tx.query<FunctionRow>(
    `select ${fields} from platform.edge_functions where slug = $1 for update`,
    [slug],
  );
  return rows[0];
}

/** Takes the next number of a function: no other deploy gets it, and none gets it later. */
export async function takeNumber(db: EngineQueries, slug: string): Promise<number> {
  const [row] = await db.queryAsEngine<{ readonly version: number }>(
    `insert into platform.edge_function_numbers as numbers (slug, last_version) values ($1, 1)
     on conflict (slug) do update set last_version = numbers.last_version + 1
     returning last_version as version`,
    [slug],
  );
  if (!row) throw new Error('the insert returned no row');
  return row.version;
}

/** One transaction at a time takes names and counts. */
async function lockNames(tx: Transaction): Promise<void> {
  await tx.query(
    `select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('rowhouse functions', 0))`,
  );
}

/** The number of functions; it stays until the transaction ends. */
export async function countFunctions(tx: Transaction): Promise<number> {
  await lockNames(tx);
  const { rows } = await tx.query<{ readonly count: number }>(
    'select pg_catalog.count(*)::pg_catalog.int4 as count from platform.edge_functions',
  );
  return rows[0]?.count ?? 0;
}

/** Whether another function has the route; if not, none takes it until the transaction ends. */
export async function isRouteTaken(tx: Transaction, route: string, slug: string): Promise<boolean> {
  await lockNames(tx);
  const { rows } = await tx.query(
    'select from platform.edge_functions where route = $1 and slug <> $2',
    [route, slug],
  );
  return rows.length > 0;
}

export type FunctionFields = Pick<FunctionRow, 'slug' | 'name' | 'route' | 'isPublic'>;

/** False if the slug or the route has been taken meanwhile. */
export async function insertFunction(
  tx: Transaction,
  { slug, name, route, isPublic }: FunctionFields,
  version: number,
): Promise<boolean> {
  const { rows } = await tx.query(
    `insert into platform.edge_functions (slug, name, route, is_public, active_version)
     values ($1, $2, $3, $4, $5) on conflict do nothing returning 1`,
    [slug, name, route, isPublic, version],
  );
  return rows.length > 0;
}

export async function updateFunction(
  tx: Transaction,
  { slug, name, route, isPublic }: FunctionFields,
  version: number,
): Promise<FunctionRow> {
  const { rows } = await tx.query<FunctionRow>(
    `update platform.edge_functions set name = $2, route = $3, is_public = $4, active_version = $5,
       updated_at = pg_catalog.now()
     where slug = $1 returning ${fields}`,
    [slug, name, route, isPublic, version],
  );
  const [row] = rows;
  if (!row) throw new Error('the function is held, so it exists');
  return row;
}

export async function deleteFunction(tx: Transaction, slug: string): Promise<void> {
  await tx.query('delete from platform.edge_functions where slug = $1', [slug]);
}

/** Writes a version, and deletes those that come before the newest `kept`, without the active one. */
export async function insertVersion(
  tx: Transaction,
  { slug, version, entrypoint, files, lock }: FunctionVersion,
  { createdBy, kept }: { readonly createdBy: string; readonly kept: number },
): Promise<void> {
  await tx.query(
    `insert into platform.edge_function_versions (slug, version, entrypoint, files, lock, created_by)
     values ($1, $2, $3, $4::pg_catalog.jsonb, $5, $6)`,
    [slug, version, entrypoint, JSON.stringify(files), lock, createdBy],
  );
  await tx.query(
    `delete from platform.edge_function_versions v using platform.edge_functions f
     where f.slug = $1 and v.slug = f.slug and v.version <> f.active_version and v.version <= (
       select version from platform.edge_function_versions
       where slug = $1 order by version desc offset $2 limit 1)`,
    [slug, kept],
  );
}

export function listVersions(db: EngineQueries, slug: string): Promise<readonly VersionRow[]> {
  return db.queryAsEngine<VersionRow>(
    `select version, entrypoint, created_at as "createdAt", created_by as "createdBy",
       (select pg_catalog.count(*)::pg_catalog.int4
        from pg_catalog.jsonb_object_keys(files)) as files
     from platform.edge_function_versions where slug = $1 order by version desc`,
    [slug],
  );
}

/** A version with its code. */
export interface StoredVersion {
  readonly version: number;
  readonly entrypoint: string;
  readonly files: Readonly<Record<string, string>>;
  readonly createdAt: Date;
  readonly createdBy: string;
}

export async function findVersion(
  db: EngineQueries,
  slug: string,
  version: number,
): Promise<StoredVersion | undefined> {
  const [found] = await db.queryAsEngine<StoredVersion>(
    `select version, entrypoint, files, created_at as "createdAt", created_by as "createdBy"
     from platform.edge_function_versions where slug = $1 and version = $2`,
    [slug, version],
  );
  return found;
}

/** The number of the version before another one. */
export async function findVersionBefore(
  db: EngineQueries,
  slug: string,
  version: number,
): Promise<number | undefined> {
  const [found] = await db.queryAsEngine<{ readonly version: number }>(
    `select version from platform.edge_function_versions
     where slug = $1 and version < $2 order by version desc limit 1`,
    [slug, version],
  );
  return found?.version;
}

export async function hasVersion(tx: Transaction, slug: string, version: number): Promise<boolean> {
  const { rows } = await tx.query(
    'select from platform.edge_function_versions where slug = $1 and version = $2',
    [slug, version],
  );
  return rows.length > 0;
}
