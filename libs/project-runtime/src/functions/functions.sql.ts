// What an invocation and the background work read and write. The administration has its own statements.
import type { EngineQueries } from '#libs/database';
import type { FunctionVersion } from '#libs/functions';

/** The function that answers at a path, as it is now. */
export interface FoundFunction {
  readonly slug: string;
  readonly route: string;
  readonly isPublic: boolean;
  readonly version: number;
  /** Of the secrets. */
  readonly secretsVersion: string;
}

const selectFunction = `
  select slug, route, is_public as "isPublic", active_version as version,
    (select version::pg_catalog.text from platform.edge_function_secrets_version)
      as "secretsVersion"
  from platform.edge_functions`;

/** The functions that have one of these routes. It calls no function, so that connections keep it prepared. */
export function findFunctions(
  db: EngineQueries,
  routes: readonly string[],
): Promise<readonly FoundFunction[]> {
  return db.queryAsEngine<FoundFunction>(
    `${selectFunction} where route = any ($1::pg_catalog.text[])`,
    [routes],
  );
}

export async function findFunctionBySlug(
  db: EngineQueries,
  slug: string,
): Promise<FoundFunction | undefined> {
  const [found] = await db.queryAsEngine<FoundFunction>(`${selectFunction} where slug = $1`, [
    slug,
  ]);
  return found;
}

export async function findVersion(
  db: EngineQueries,
  slug: string,
  version: number,
): Promise<FunctionVersion | undefined> {
  const [found] = await db.queryAsEngine<FunctionVersion>(
    `select slug, version, entrypoint, files, lock
     from platform.edge_function_versions where slug = $1 and version = $2`,
    [slug, version],
  );
  return found;
}

/** A secret as it is stored. */
export interface SealedSecret {
  readonly name: string;
  readonly value: string;
}

export function listSealedSecrets(db: EngineQueries): Promise<readonly SealedSecret[]> {
  return db.queryAsEngine<SealedSecret>(
    'select name, value from platform.edge_function_secrets order by name',
  );
}

/** Whether a token with this hash may invoke the function; its use is recorded once a minute. */
export async function acceptToken(
  db: EngineQueries,
  hash: Buffer,
  slug: string,
): Promise<string | undefined> {
  const [found] = await db.queryAsEngine<{ readonly id: string; readonly isUseOld: boolean }>(
    `select id, last_used_at is null
       or last_used_at < pg_catalog.now() - interval '1 minute' as "isUseOld"
     from platform.edge_function_tokens
     where hash = $1 and revoked_at is null and (functions is null or $2 = any (functions))`,
    [hash, slug],
  );
  if (found?.isUseOld) {
    await db.queryAsEngine(
      `update platform.edge_function_tokens set last_used_at = pg_catalog.now() where id = $1`,
      [found.id],
    );
  }
  return found?.id;
}
