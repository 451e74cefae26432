// Plans of queries over the views that replace the server's tables. PostgreSQL moves conditions with leakproof operators below the conditions of a view, and EXPLAIN ANALYZE
// counts the rows that they remove.
import pg, { type Client } from 'pg';

import { Deployment } from '../support/deployment.js';

export interface CatalogColumn {
  readonly relation: string;
  readonly column: string;
  readonly type: string;
}

/** The columns that the login of the client may read, of types with leakproof operators. */
export async function readCatalogColumns(client: Client): Promise<readonly CatalogColumn[]> {
  const reply = await client.query<CatalogColumn>(
    `select format('pg_catalog.%I', relname) as relation, quote_ident(attname) as column,
            format_type(atttypid, null) as type
     from pg_attribute join pg_class c on c.oid = attrelid
     where relnamespace = 'pg_catalog'::regnamespace and relkind = 'v' and attnum > 0
       and has_column_privilege(c.oid, attnum, 'select')
       and atttypid in ('oid'::regtype, 'name'::regtype, 'text'::regtype, 'boolean'::regtype, 'integer'::regtype)
       and (c.oid between 16301 and 16399
         or relname in ('pg_roles', 'pg_user', 'pg_group', 'pg_stat_database', 'pg_stat_database_conflicts'))
     order by relname, attnum`,
  );
  return reply.rows;
}

const bounds: Readonly<Record<string, readonly [string, string]>> = {
  oid: ['16384', '4294967295'],
  integer: ['-2147483648', '2147483647'],
  boolean: ['false', 'true'],
  name: ['', '~'],
  text: ['', '~'],
};

const ways = ['seqscan', 'indexscan', 'bitmapscan'];

/** Returns the plan of a query over each column, for each scan method, with the rows that each node removes. */
async function readPlans(
  client: Client,
  columns: readonly CatalogColumn[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const allowed of ways) {
    const settings = ways.map((way) => `set enable_${way} = ${way === allowed ? 'on' : 'off'};`);
    await client.query(settings.join(' '));
    for (const column of columns) {
      const name = `${column.relation}.${column.column} ${allowed}`;
      found.set(name, await readPlan(client, column));
    }
  }
  return found;
}

async function readPlan(client: Client, { relation, column, type }: CatalogColumn) {
  const [low, high] = bounds[type] ?? ['', ''];
  const reply = await client.query<Record<string, string>>(
    `explain (analyze, costs off, timing off, summary off, buffers off)
     select from ${relation} where ${column} >= '${low}' and ${column} <= '${high}' and ${column} <> '${high}'`,
  );
  return reply.rows.map((row) => row['QUERY PLAN']).join('\n');
}

export interface CatalogReader extends AsyncDisposable {
  readonly deployment: Deployment;
  /** A connection of the owner of a project. */
  readonly client: Client;
}

/** Opens a connection to the database of a new project of the shared deployment. */
export async function openCatalogReader(): Promise<CatalogReader> {
  const deployment = await Deployment.shared();
  const project = await deployment.createProject();
  const client = new pg.Client({ connectionString: project.databaseUrl });
  await client.connect();
  return {
    deployment,
    client,
    async [Symbol.asyncDispose]() {
      await client.end();
      await deployment.close();
    },
  };
}

/** Returns the plans that are others after a project was created than before. */
export async function plansChangedByNeighbor(
  { deployment, client }: CatalogReader,
  columns: readonly CatalogColumn[],
): Promise<readonly (readonly [string, string])[]> {
  // The second run finds the plans of functions and the statistics as the third does.
  await readPlans(client, columns);
  const before = await readPlans(client, columns);
  await deployment.createProject();
  const after = await readPlans(client, columns);
  return [...after].filter(([name, plan]) => before.get(name) !== plan);
}
