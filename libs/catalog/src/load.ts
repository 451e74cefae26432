import { fail } from '#libs/errors';
import { inTurns, type Steps } from '#libs/steps';
import { buildComputed, buildRoutines, type RoutineTypes } from './build-routines.js';
import { buildColumnsByRelation, buildTables } from './build-tables.js';
import { buildTypes } from './build-types.js';
import type { Catalog } from './catalog.js';
import type { CatalogContent } from './content.js';
import { isExposed } from './exposure.js';
import { CATALOG_SQL } from './load.sql.js';

/** Runs one statement and returns its rows as objects of text. */
export type CatalogQuery = (
  text: string,
  values: readonly string[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

const megabyte = 1024 * 1024;
/** The longest content that is read, in bytes. It is parsed in one step of the event loop. */
const maxBytes = 12 * megabyte;

const LIMITED_SQL = `
select case when pg_catalog.octet_length(c.catalog) operator(pg_catalog.<=) ${maxBytes} then c.catalog end as catalog
  from (${CATALOG_SQL}) c`;

/**
 * Returns the content of the catalog of the database behind `query` as JSON, read with one statement. The role of
 * `query` only needs to read `platform.schema_version`. Its search path must be the search path of the requests: it
 * decides which names in default expressions are written without a schema. Throws SCHEMA_TOO_LARGE, DATABASE_ERROR if
 * the schema version is missing, and the errors of `query`.
 */
export async function readCatalog(query: CatalogQuery): Promise<string> {
  const [row] = await query(LIMITED_SQL, []);
  const text = row?.['catalog'];
  if (text === null) throw fail('SCHEMA_TOO_LARGE', { megabytes: maxBytes / megabyte });
  if (typeof text !== 'string') throw fail('DATABASE_ERROR');
  return text;
}

/**
 * Builds the catalog from the text of {@link readCatalog}, in steps; `pause` is the pause of `inTurns`. Throws
 * DATABASE_ERROR if the schema version is missing.
 */
export async function buildCatalog(
  text: string,
  pause: () => Promise<void> | undefined = () => undefined,
): Promise<Catalog> {
  // CATALOG_SQL alone decides the shape of this text.
  const content = JSON.parse(text) as CatalogContent;
  if (content.version === null) throw fail('DATABASE_ERROR');
  return inTurns(stepsOf(content, content.version), pause);
}

/** Returns the catalog of the database behind `query`: {@link readCatalog} and {@link buildCatalog}. */
export async function loadCatalog(query: CatalogQuery): Promise<Catalog> {
  return buildCatalog(await readCatalog(query));
}

function* stepsOf(content: CatalogContent, schemaVersion: string): Steps<Catalog> {
  const typeByKey = buildTypes(content.types ?? []);
  yield;
  const columns = yield* buildColumnsByRelation(content, typeByKey);
  const tableOids = new Set(content.tables?.map(([oid]) => oid));
  const routineTypes: RoutineTypes = {
    typeByKey,
    columns,
    tableNames: exposedTables(content),
    isComposite: (oid) => columns.has(oid) && !tableOids.has(oid),
  };
  const routineRows = content.routines ?? [];
  const computed = buildComputed(routineRows, routineTypes);
  yield;
  const tables = yield* buildTables(content, columns, computed);
  return Object.freeze({
    schemaVersion,
    tableByName: new Map(tables.map((table) => [table.name, table])),
    routines: buildRoutines(routineRows, routineTypes),
    enumByType: new Map(content.enums),
    castTypes: new Set(content.castTypes),
  });
}

function exposedTables({ tables }: CatalogContent): ReadonlyMap<number, string> {
  const exposed = (tables ?? []).filter(([, name]) => isExposed(name));
  return new Map(exposed.map(([oid, name]) => [oid, name]));
}
