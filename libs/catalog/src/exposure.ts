import { fail } from '#libs/errors';
import type { Catalog, Table } from './catalog.js';
import { nearestName } from './nearest.js';
import { shorten } from './shorten.js';

/**
 * Names of tables that requests do not reach. The second check of the specification (Exposure rules, 1): managed tables
 * are in other schemas, and a table with one of their names is not served even if the project creates it in `public`.
 */
export const blockedNames: readonly string[] = [
  'session',
  'account',
  'verification',
  'jwks',
  'app_settings',
  'edge_function_secrets',
  'schema_migrations',
  'realtime_outbox',
];
const isBlocked: ReadonlySet<string> = new Set(blockedNames);

/** Whether requests may reach a table of `public` with this name, by itself, as an embed or as a result. */
export function isExposed(name: string): boolean {
  return !isBlocked.has(name);
}

/** The table that requests may reach under `name`. Throws PGRST205 with the nearest name as a hint. */
export function findExposedTable(catalog: Catalog, name: string): Table {
  const table = isExposed(name) ? catalog.tableByName.get(name) : undefined;
  if (table) return table;
  const nearest = nearestName(name, exposedNames(catalog));
  throw fail(
    'PGRST205',
    { table: shorten(name) },
    nearest === undefined
      ? {}
      : {
          hint: `Perhaps you meant the table ${nearest}`,
          mentions: [{ kind: 'table', schema: 'public', name: nearest }],
        },
  );
}

function* exposedNames(catalog: Catalog): Generator<string> {
  for (const name of catalog.tableByName.keys()) {
    if (isExposed(name)) yield name;
  }
}
